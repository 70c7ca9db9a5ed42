//! Pictures whose features can be worked out by hand, and files that are no pictures.

use super::gabor::{Bank, wavelet};
use super::*;
use crate::error::{FeatureError, PictureProblem};
use proptest::prelude::*;
use std::f64::consts::PI;
use std::path::PathBuf;

/// Some thousand roundings of numbers up to 1.
const ROUNDING: f64 = 1e-12;

fn picture(color: impl FnMut(usize, usize) -> [u8; 3]) -> Picture {
    Picture::from_fn(64, 64, color).unwrap()
}

/// The feature of this name.
fn feature(picture: &Picture, name: &str) -> f64 {
    let at = column_names().iter().position(|known| known == name);
    features(picture)[at.unwrap_or_else(|| panic!("{name}"))]
}

fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < ROUNDING, "{what}: {found} is not {expected}");
}

#[test]
fn there_are_297_features_with_different_names() {
    let names = column_names();
    // 81 + 37 + 120 + 59, as in the paper.
    assert_eq!((N_FEATURES, names.len()), (297, 297));
    let mut different = names.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), names.len());
    assert_eq!(features(&picture(|_, _| [7; 3])).len(), 297);
}

#[test]
fn one_colour_has_its_means_and_nothing_else() {
    let flat = picture(|_, _| [51, 102, 255]);
    for (name, value) in column_names().iter().zip(features(&flat)) {
        let expected = match name.as_str() {
            // Derived: 51/255, 102/255, 255/255.
            name if name.ends_with("red_mean") => 0.2,
            name if name.ends_with("green_mean") => 0.4,
            name if name.ends_with("blue_mean") => 1.0,
            // No pixel is on an edge; all neighbours are as bright: pattern 255.
            "edge_none" | "lbp_255" => 1.0,
            _ => 0.0,
        };
        assert_close(value, expected, name);
    }
}

#[test]
fn colours_are_told_by_cell() {
    // The lower right cell of 30 × 30 pixels: three quarters black, one quarter white.
    let corner = |x: usize, y: usize| x.min(y) >= 20 && x.is_multiple_of(2) && y.is_multiple_of(2);
    let picture =
        Picture::from_fn(30, 30, |x, y| if corner(x, y) { [255; 3] } else { [0; 3] }).unwrap();
    for channel in ["red", "green", "blue"] {
        let value = |moment| feature(&picture, &format!("color_3_3_{channel}_{moment}"));
        // Derived: mean 1/4, variance 3/16, third moment 1/4·(3/4)³ − 3/4·(1/4)³ = 24/256.
        assert_close(value("mean"), 0.25, "mean");
        assert_close(value("deviation"), 0.1875_f64.sqrt(), "deviation");
        assert_close(value("skew"), 0.09375_f64.cbrt(), "skew");
        assert_eq!(feature(&picture, &format!("color_1_3_{channel}_mean")), 0.0);
    }
}

#[test]
fn steps_have_one_edge_pixel_in_each_row_that_faces_the_bright_side() {
    let white = |is_white: bool| if is_white { [255; 3] } else { [0; 3] };
    let steps = [
        (picture(|x, _| white(x >= 32)), "edge_0"),
        (picture(|_, y| white(y >= 32)), "edge_90"),
        (picture(|x, _| white(x < 32)), "edge_180"),
        (picture(|_, y| white(y < 32)), "edge_270"),
    ];
    for (picture, name) in steps {
        // Derived: 64 of 4,096 pixels.
        assert_eq!(feature(&picture, name), 1.0 / 64.0, "{name}");
        assert_eq!(feature(&picture, "edge_none"), 63.0 / 64.0, "{name}");
    }
}

#[test]
fn slight_steps_are_no_edges() {
    // Derived: a step of 10/255 has a slope below .039 · .4 = .016 per pixel.
    let slight = picture(|x, _| if x >= 32 { [110; 3] } else { [100; 3] });
    assert_eq!(feature(&slight, "edge_none"), 1.0);
}

#[test]
fn a_wave_is_heard_by_its_own_wavelet() {
    // cos(k·x) of height 1 has two frequencies, k and −k, of height 1/2 each. The response to the
    // first is ψ̂(k)/2 everywhere, to the other ψ̂(−k)/2, which is below 1e-30.
    let side = 64;
    let bank = Bank::new(side);
    for (nu, n_waves) in [(0, 16.0), (2, 8.0), (4, 4.0)] {
        let wave = |x: usize| (2.0 * PI * n_waves * x as f64 / side as f64).cos();
        let along: Vec<f64> = (0..side * side).map(|at| wave(at % side)).collect();
        let down: Vec<f64> = (0..side * side).map(|at| wave(at / side)).collect();
        // Derived: at its own k the wavelet is 1 − exp(−σ²), which is 1 up to 7e-18.
        for (picture, mu) in [(along, 0), (down, 4)] {
            let responses = bank.responses(&picture);
            for &size in &responses[nu * 8 + mu] {
                assert_close(size, 0.5, "own");
            }
            let across = &responses[nu * 8 + (mu + 4) % 8];
            assert!(across.iter().all(|&size| size < 1e-12), "{nu}, {mu}");
        }
    }
}

#[test]
fn responses_are_the_sums_over_all_frequencies() {
    // Another path: the Fourier sums written out, on 6 × 6 pixels.
    let side = 6;
    let brightness: Vec<f64> = (0..side * side).map(|at| (at * at % 11) as f64 / 10.0).collect();
    let responses = Bank::new(side).responses(&brightness);
    let turns = |at: usize| if 2 * at > side { at as f64 - side as f64 } else { at as f64 };
    let omega = |at: usize| 2.0 * PI * turns(at) / side as f64;
    let pixels = || (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    // Re and im of the sum of values turned by their angle.
    let sum = |terms: &mut dyn Iterator<Item = ((f64, f64), f64)>| {
        terms.fold((0.0, 0.0), |(re, im), ((a, b), angle): ((f64, f64), f64)| {
            let (sin, cos) = angle.sin_cos();
            (re + a * cos - b * sin, im + a * sin + b * cos)
        })
    };
    for (nu, mu) in [(0, 0), (1, 3), (4, 5)] {
        let passed: Vec<(f64, f64)> = pixels()
            .map(|(fx, fy)| {
                let mut terms = pixels().map(|(x, y)| {
                    let angle = -(omega(fx) * x as f64 + omega(fy) * y as f64);
                    ((brightness[y * side + x], 0.0), angle)
                });
                let (re, im) = sum(&mut terms);
                let factor = wavelet(nu, mu, omega(fx), omega(fy));
                (re * factor, im * factor)
            })
            .collect();
        for (x, y) in pixels() {
            let mut terms = pixels().map(|(fx, fy)| {
                let angle = omega(fx) * x as f64 + omega(fy) * y as f64;
                (passed[fy * side + fx], angle)
            });
            let (re, im) = sum(&mut terms);
            let expected = re.hypot(im) / (side * side) as f64;
            assert_close(responses[nu * 8 + mu][y * side + x], expected, "response");
        }
    }
}

#[test]
fn a_bright_dot_is_a_pattern_of_its_own() {
    let dot = Picture::from_fn(5, 5, |x, y| if (x, y) == (2, 2) { [255; 3] } else { [0; 3] });
    let dot = dot.unwrap();
    // Derived: of the 9 pixels inside, the dot has no neighbour as bright; to all others every
    // neighbour is at least as bright.
    assert_close(feature(&dot, "lbp_0"), 1.0 / 9.0, "dot");
    assert_close(feature(&dot, "lbp_255"), 8.0 / 9.0, "around");
}

#[test]
fn stripes_are_patterns_of_edges() {
    // Columns dark, bright, dark, …: a dark pixel has all neighbours at least as bright; a bright one
    // only those above and below, bits 2 and 6: 4 changes on the way around.
    let stripes = picture(|x, _| if x.is_multiple_of(2) { [0; 3] } else { [255; 3] });
    assert_eq!(feature(&stripes, "lbp_255"), 0.5);
    assert_eq!(feature(&stripes, "lbp_other"), 0.5);
    // A step: left of it, and right of it but for the first column, all are as bright; that column
    // has darker ones on its left, bits 3, 4 and 5: 255 − 56 = 199.
    let step = picture(|x, _| if x < 32 { [0; 3] } else { [255; 3] });
    assert_close(feature(&step, "lbp_199"), 1.0 / 62.0, "step");
}

#[test]
fn large_pictures_are_described_like_small_ones() {
    // A step keeps its place and its moments, whatever the size.
    let step = |side: usize| {
        Picture::from_fn(side, side, |x, _| if x < side / 2 { [0; 3] } else { [255; 3] }).unwrap()
    };
    let (small, large) = (step(256), step(1_024));
    assert_eq!(feature(&large, "edge_0"), 1.0 / 256.0);
    let (mean, expected) =
        (feature(&large, "color_1_2_red_mean"), feature(&small, "color_1_2_red_mean"));
    // One column of 86 may be gray.
    assert!((mean - expected).abs() < 0.01, "{mean} is not {expected}");
}

#[test]
fn tiny_pictures_are_refused() {
    let error = Picture::from_fn(2, 9, |_, _| [0; 3]).unwrap_err();
    assert_eq!(error, PictureProblem::TooSmall { width: 2, height: 9 });
    // 3 × 3,000 would be reduced to a fraction of a pixel.
    assert!(Picture::from_fn(3, 3_000, |_, _| [0; 3]).is_err());
    assert!(Picture::from_fn(3, 3, |_, _| [0; 3]).is_ok());
}

/// A picture as a PNG file.
fn png(width: usize, height: usize, color: png::ColorType, values: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(color);
    encoder.write_header().unwrap().write_image_data(values).unwrap();
    bytes
}

/// A step from black to white, as in the files below.
fn step() -> Picture {
    picture(|x, _| if x < 32 { [0; 3] } else { [255; 3] })
}

/// A folder of pictures and of files that are none.
fn folder() -> (tempfile::TempDir, Vec<PathBuf>, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let step = step();
    let whole = png(64, 64, png::ColorType::Rgb, step.colors.as_flattened());
    let gray = png(64, 64, png::ColorType::Grayscale, &step.gray().values);
    // Outside: Pillow 13.0.0; tests/pictures/README.md.
    let jpeg = include_bytes!("../../tests/pictures/step.jpg");
    let good = vec![write("a.png", &whole), write("b.png", &gray), write("c.jpg", jpeg)];
    let bad = vec![
        write("text.png", b"no picture"),
        write("cut.png", &whole[..whole.len() / 2]),
        write("empty.jpg", b""),
        folder.path().join("absent.png"),
        PathBuf::new(),
        write("cut.jpg", &jpeg[..20]),
    ];
    (folder, good, bad)
}

#[test]
fn every_format_gives_the_same_picture() {
    let (_folder, good, _) = folder();
    let read = read_pictures::<f64, _>(&good, Broken::Error).unwrap();
    let expected = features(&step());
    assert_eq!(read.points.row(0), expected);
    assert_eq!(read.points.row(1), expected);
    // Black and white halves along the blocks of a JPEG file are kept exactly, or nearly so.
    for (found, expected) in read.points.row(2).iter().zip(&expected).take(81 + 37) {
        assert!((found - expected).abs() < 0.02, "{found} is not {expected}");
    }
}

#[test]
fn broken_pictures_are_an_error_or_listed() {
    let (_folder, good, bad) = folder();
    for path in &bad {
        let error = read_pictures::<f32, _>(&[good[0].clone(), path.clone()], Broken::Error);
        let error = error.unwrap_err();
        assert!(matches!(error, FeatureError::Picture { row: 1, .. }), "{error}");
    }
    let mixed: Vec<PathBuf> = bad.iter().chain(&good).cloned().collect();
    let read = read_pictures::<f32, _>(&mixed, Broken::Skip).unwrap();
    assert_eq!(read.rows, [6, 7, 8]);
    let problems: Vec<String> = read.broken.iter().map(|b| b.problem.to_string()).collect();
    assert_eq!(problems[0], "it is no PNG or JPEG picture: convert it to one of these");
    assert!(problems[1].starts_with("it is damaged ("), "{}", problems[1]);
    assert_eq!(problems[2], problems[0]);
    assert_eq!(problems[3], "there is no such file: check the path");
    assert_eq!(problems[4], "no file is named: fill it in or drop the row");
    assert!(problems[5].starts_with("it is damaged ("), "{}", problems[5]);
    let error = read_pictures::<f32, _>(&bad, Broken::Skip).unwrap_err();
    assert!(error.to_string().starts_with("none of the 6 pictures can be used; the first, "));
    let none: [PathBuf; 0] = [];
    assert_eq!(read_pictures::<f32, _>(&none, Broken::Skip).unwrap_err(), FeatureError::Empty);
}

#[test]
fn what_is_transparent_lies_on_white() {
    let glass = png(9, 9, png::ColorType::Rgba, &[0, 0, 0, 51].repeat(81));
    // Derived: a fifth of black on white is .8 of 255.
    let glass = Picture::from_bytes(&glass).unwrap();
    assert!(glass.colors.iter().all(|color| *color == [204; 3]));
    let gray = png(9, 9, png::ColorType::GrayscaleAlpha, &[0, 51].repeat(81));
    assert_eq!(Picture::from_bytes(&gray).unwrap(), glass);
}

#[test]
fn a_file_that_promises_too_many_pixels_is_refused_before_memory_is_taken() {
    let mut bytes = png(3, 3, png::ColorType::Rgb, &[0; 27]);
    // Width and height follow the signature and the head of the first chunk; its checksum is next.
    bytes[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
    let checksum = crc32fast::hash(&bytes[12..29]).to_be_bytes();
    bytes[29..33].copy_from_slice(&checksum);
    let error = Picture::from_bytes(&bytes).unwrap_err();
    assert_eq!(error, PictureProblem::TooLarge { width: 65_536, height: 65_536 });
}

#[test]
fn the_number_of_threads_does_not_show() {
    let (_folder, good, _) = folder();
    let read_with = |n_threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| read_pictures::<f64, _>(&good, Broken::Error).unwrap())
    };
    assert!(read_with(1) == read_with(2));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn features_of_any_picture_are_finite_and_shares_sum_to_one(
        width in 3..40_usize, height in 3..40_usize, seed in any::<u32>()
    ) {
        let color = |x: usize, y: usize| {
            let mixed = ((x * 7_919 + y * 104_729) as u32).wrapping_mul(seed | 1);
            [mixed as u8, (mixed >> 8) as u8, (mixed >> 16) as u8]
        };
        let picture = Picture::from_fn(width, height, color).unwrap();
        let features = features(&picture);
        prop_assert!(features.iter().all(|value| value.is_finite()));
        let sum = |from: usize, length: usize| features[from..][..length].iter().sum::<f64>();
        prop_assert!((sum(81, 37) - 1.0).abs() < ROUNDING);
        prop_assert!((sum(81 + 37 + 120, 59) - 1.0).abs() < ROUNDING);
    }
}
