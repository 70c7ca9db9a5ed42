//! Pictures that are drawn: waves of a colour behind a thing of another, under noise.
//!
//! A class has two looks that have nothing in common, as photographs of one kind of thing do: one mean
//! cannot stand for both. Looks share colours and directions with those of other classes.

use super::figure_8::Album;
use crate::failure::{Failure, Result};
use linkshift_features::pictures::Picture;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::f64::consts::PI;

const SIDE: usize = 48;

/// Looks of a class.
const N_LOOKS: usize = 2;

/// How far the parts of a look vary from picture to picture: colours of 255, directions in radians,
/// wavelengths as a share; and the noise of each pixel.
const COLORS: f64 = 45.0;
const DIRECTIONS: f64 = 0.35;
const LENGTHS: f64 = 0.3;
const NOISE: f64 = 30.0;

/// What pictures of one look have in common.
struct Look {
    behind: [f64; 3],
    before: [f64; 3],
    direction: f64,
    wavelength: f64,
    round: bool,
}

/// As many pictures of each class as `sizes` says; always the same ones.
pub(super) fn all(sizes: &[usize]) -> Result<Album> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let (mut pictures, mut labels) = (Vec::new(), Vec::new());
    for (class, &size) in (0..).zip(sizes) {
        let looks: [Look; N_LOOKS] = std::array::from_fn(|_| look(&mut rng));
        for at in 0..size {
            pictures.push(picture(&looks[at % N_LOOKS], &mut rng)?);
            labels.push(class);
        }
    }
    Ok((pictures, labels))
}

/// Of few colours, directions and wavelengths, so that classes share them.
fn look(rng: &mut ChaCha8Rng) -> Look {
    let mut color = || [0; 3].map(|_| if rng.random_bool(0.5) { 180.0 } else { 75.0 });
    let (behind, before) = (color(), color());
    Look {
        behind,
        before,
        direction: f64::from(rng.random_range(0..4)) * PI / 4.0,
        wavelength: if rng.random_bool(0.5) { 6.0 } else { 12.0 },
        round: rng.random_bool(0.5),
    }
}

fn picture(look: &Look, rng: &mut ChaCha8Rng) -> Result<Picture> {
    let mut vary = |most: f64| most * rng.random_range(-1.0..1.0);
    let behind = look.behind.map(|value| value + vary(COLORS));
    let before = look.before.map(|value| value + vary(COLORS));
    let (sin, cos) = (look.direction + vary(DIRECTIONS)).sin_cos();
    let frequency = 2.0 * PI / (look.wavelength * (1.0 + vary(LENGTHS)));
    let phase = vary(PI);
    let middle = SIDE as f64 / 2.0;
    let (left, top) = (middle + vary(middle / 2.0), middle + vary(middle / 2.0));
    let radius = middle / 2.0 + vary(middle / 4.0);
    let drawn = Picture::from_fn(SIDE, SIDE, |x, y| {
        let (x, y) = (x as f64, y as f64);
        let wave = 40.0 * (frequency * (cos * x + sin * y) + phase).sin();
        let (right, down) = (x - left, y - top);
        let inside = match look.round {
            true => right.hypot(down) < radius,
            false => right.abs().max(down.abs()) < radius,
        };
        let color = if inside { before } else { behind.map(|value| value + wave) };
        color.map(|value| (value + vary(NOISE)).clamp(0.0, 255.0) as u8)
    });
    drawn.map_err(|why| Failure::NoData(format!("no picture was drawn: {why}")))
}
