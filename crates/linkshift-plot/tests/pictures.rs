//! Whole pictures: what is in the SVG, what the PNG shows, and what is refused.
#![allow(clippy::unwrap_used)] // The lint spares tests, but not the helpers between them.

use linkshift::Link;
use linkshift_plot::{PlotError, Scatter, save};
use resvg::tiny_skia::Pixmap;
use std::fs;
use std::path::Path;

const MUST: &str = "#118A3A";
const CANNOT: &str = "#D6181F";
const CROSS: &str = "#28282E";
const CLUSTER_0: &str = "#005FC9";

fn scatter(xy: Vec<[f64; 2]>) -> Scatter<'static> {
    Scatter {
        title: "a title".into(),
        xy,
        labels: &[],
        links: &[],
        broken: &[],
        modes: vec![],
        axis_names: ["x".into(), "y".into()],
    }
}

/// Five points, two clusters and a noise point.
fn five() -> Scatter<'static> {
    let xy = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [3.0, 3.0], [1.5, 1.5]];
    Scatter { labels: &[0, 0, 0, 1, -1], ..scatter(xy) }
}

fn bytes_of(panels: &[Scatter<'_>], name: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    save(panels, &path).unwrap();
    // Nothing but the picture: the file it was first written to is gone.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    fs::read(path).unwrap()
}

fn svg_of(panels: &[Scatter<'_>]) -> String {
    String::from_utf8(bytes_of(panels, "picture.svg")).unwrap()
}

fn png_of(panels: &[Scatter<'_>]) -> Pixmap {
    Pixmap::decode_png(&bytes_of(panels, "picture.png")).unwrap()
}

/// How many elements of one kind have a text in them.
fn count(svg: &str, element: &str, with: &str) -> usize {
    let start = format!("<{element} ");
    svg.lines().filter(|line| line.starts_with(&start) && line.contains(with)).count()
}

fn size_of(svg: &str) -> (u32, u32) {
    let number = |name: &str| -> u32 {
        let value = svg.split_once(&format!(" {name}=\"")).unwrap().1;
        value.split_once('"').unwrap().0.parse().unwrap()
    };
    (number("width"), number("height"))
}

fn has_color(picture: &Pixmap, (red, green, blue): (u8, u8, u8)) -> bool {
    let same = |a: u8, b: u8| a.abs_diff(b) <= 1;
    let mut pixels = picture.pixels().iter();
    pixels.any(|p| same(p.red(), red) && same(p.green(), green) && same(p.blue(), blue))
}

#[test]
fn every_point_is_a_circle_in_its_cluster_s_colour() {
    let svg = svg_of(&[five()]);
    // 5 points, and one in the legend for each of cluster 0, cluster 1 and noise.
    assert_eq!(count(&svg, "circle", ""), 8);
    // 3 points and the legend.
    assert_eq!(count(&svg, "circle", CLUSTER_0), 4);
    for text in ["a title", "cluster 0 (3)", "cluster 1 (1)", "noise (1)"] {
        assert!(svg.contains(text), "{text}");
    }
    assert!(svg.contains("font-family=\"sans-serif\""));
}

#[test]
fn must_links_are_whole_and_cannot_links_dashed() {
    let links = [Link::must(0, 1), Link::must(0, 2), Link::cannot(0, 3)];
    let svg = svg_of(&[Scatter { links: &links, ..five() }]);
    // 2 links and the legend, each one line.
    assert_eq!(count(&svg, "polyline", MUST), 3);
    // A line of many dashes for the link and of a few in the legend.
    assert!(count(&svg, "polyline", CANNOT) > 10);
    assert_eq!(count(&svg, "polyline", CROSS), 0);
    assert!(svg.contains("must-link (2)") && svg.contains("cannot-link (1)"));
    assert!(!svg.contains("broken"));
}

#[test]
fn broken_links_bear_a_cross_and_are_counted() {
    let links = [Link::must(0, 1), Link::must(0, 3), Link::cannot(0, 2)];
    let svg = svg_of(&[Scatter { links: &links, broken: &links[1..], ..five() }]);
    // Two strokes for each of 2 links, and for each of 2 kinds in the legend.
    assert_eq!(count(&svg, "polyline", CROSS), 8);
    for text in [">\nmust-link (1)", "broken must-link (1)", "broken cannot-link (1)"] {
        assert!(svg.contains(text), "{text}");
    }
}

#[test]
fn modes_are_upright_crosses() {
    let svg = svg_of(&[Scatter { modes: vec![[0.3, 0.3], [3.0, 3.0]], ..five() }]);
    // Two strokes for each of 2 modes and for the legend.
    assert_eq!(count(&svg, "polyline", CROSS), 6);
    assert!(svg.contains("mode (2)"));
}

#[test]
fn many_links_are_sampled_and_the_legend_says_so() {
    let links: Vec<Link> = (0..20_000).map(|row| Link::must(row % 2, 2 + row % 3)).collect();
    let svg = svg_of(&[Scatter { links: &links, ..five() }]);
    assert!(svg.contains("1,000 of 20,000 links shown"));
    assert_eq!(count(&svg, "polyline", MUST), 1_001);
}

#[test]
fn only_the_largest_of_many_clusters_are_named() {
    // Cluster c has c + 1 points: 49 is the largest, and the 38 smallest have 1 + … + 38 = 741.
    let labels: Vec<i64> = (0..50).flat_map(|label| vec![label; label as usize + 1]).collect();
    let xy = (0..labels.len()).map(|row| [row as f64, (row % 40) as f64]).collect();
    let svg = svg_of(&[Scatter { labels: &labels, ..scatter(xy) }]);
    assert!(svg.contains("cluster 49 (50)") && svg.contains("cluster 38 (39)"));
    assert!(svg.contains("+ 38 more (741)") && !svg.contains("cluster 37 "));
}

#[test]
fn a_png_shows_what_the_svg_shows() {
    let links = [Link::must(0, 1), Link::cannot(0, 3)];
    let panels = [Scatter { links: &links, ..five() }, five()];
    let picture = png_of(&panels);
    assert_eq!((picture.width(), picture.height()), size_of(&svg_of(&panels)));
    // Paper, must-link and cannot-link; and cluster 0, (0, 95, 201), at 85 % on white:
    // 255 · 0.15 + 0.85 · (0, 95, 201) = (38, 119, 209).
    for color in [(255, 255, 255), (17, 138, 58), (214, 24, 31), (38, 119, 209)] {
        assert!(has_color(&picture, color), "{color:?}");
    }
}

#[test]
fn text_reaches_the_png_without_any_font_installed() {
    let untitled = Scatter { title: " ".into(), ..five() };
    let ink = |picture: &Pixmap| picture.pixels().iter().filter(|p| p.red() < 100).count();
    assert!(ink(&png_of(&[five()])) > ink(&png_of(&[untitled])) + 100);
}

#[test]
fn panels_stand_side_by_side_with_their_titles() {
    let titled = |title: &str| Scatter { title: title.into(), ..five() };
    let one = svg_of(&[titled("before")]);
    let three = svg_of(&[titled("before"), titled("between"), titled("after")]);
    assert!(size_of(&three).0 > size_of(&one).0);
    assert_eq!(count(&three, "circle", ""), 3 * count(&one, "circle", ""));
    assert!(three.contains("before") && three.contains("between") && three.contains("after"));
}

#[test]
fn a_hundred_thousand_points_make_a_file_of_ordinary_size() {
    let n = 100_000;
    let labels: Vec<i64> = (0..n).map(|row| row % 50).collect();
    // Multiples of two irrational numbers fill the square evenly: the hardest case for thinning.
    let at = |row: i64, step: f64| (row as f64 * step).fract();
    let xy = (0..n).map(|row| [at(row, 0.754_877_666), at(row, 0.569_840_290)]).collect();
    let panels = [Scatter { labels: &labels, ..scatter(xy) }];
    // At most 40,000 marks of about 100 bytes, and as much again for safety.
    assert!(svg_of(&panels).len() < 8_000_000);
    assert!(bytes_of(&panels, "picture.png").len() < 8_000_000);
}

#[test]
fn odd_points_still_make_a_picture() {
    for xy in [
        vec![],
        vec![[0.0, 0.0]],
        vec![[7.0, -7.0]; 100],
        vec![[1e16, 1e16], [1e16 + 2.0, 1e16]],
        vec![[-1e150, 0.0], [1e150, 1e150]],
        vec![[1e-300, 0.0], [3e-300, 0.0]],
        vec![[0.0, 0.0], [0.0, 1e9]],
        vec![[0.0, 0.0], [1e-12, 1.0]],
    ] {
        let n_points = xy.len();
        let svg = svg_of(&[scatter(xy.clone())]);
        // All points and, if there are any, one in the legend.
        assert_eq!(count(&svg, "circle", ""), n_points + n_points.min(1), "{xy:?}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{xy:?}");
        png_of(&[scatter(xy)]);
    }
}

#[test]
fn odd_texts_still_make_a_picture() {
    let title = format!("<&\u{0}\u{1b}\n\"'> 数 {}", "long ".repeat(200));
    let axis_names = ["<x>".to_string(), String::new()];
    let panels = [Scatter { title, axis_names, ..five() }];
    assert!(svg_of(&panels).contains('…'));
    png_of(&panels);
}

#[test]
fn all_noise_and_strange_labels_are_drawn() {
    let labels = [-1, -7, i64::MAX, i64::MIN, 1_000_000];
    let svg = svg_of(&[Scatter { labels: &labels, ..five() }]);
    assert!(svg.contains("noise (3)"));
    png_of(&[Scatter { labels: &[-1; 5], ..five() }]);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    assert_eq!(bytes_of(&[five()], "a.svg"), bytes_of(&[five()], "b.SVG"));
    assert_eq!(bytes_of(&[five()], "a.png"), bytes_of(&[five()], "b.PNG"));
}

#[test]
fn what_cannot_be_drawn_is_refused_by_name() {
    let links = [Link::must(0, 5)];
    let refused = |panels: &[Scatter<'_>], path: &str| {
        let error = save(panels, Path::new(path)).unwrap_err();
        assert!(!Path::new(path).exists());
        error.to_string()
    };
    for path in ["picture", "picture.jpg", ".png", ""] {
        let text = refused(&[five()], path);
        assert!(text.contains(".svg") && text.contains(".png"), "{text}");
    }
    let text = refused(&[five()], "no-such-folder/picture.svg");
    assert!(
        text.starts_with("no-such-folder/picture.svg: the picture cannot be written"),
        "{text}"
    );
    assert!(refused(&[], "p.svg").contains("0 panels"));
    assert!(refused(&vec![five(); 7], "p.svg").contains("7 panels"));
    assert!(refused(&[Scatter { labels: &[0], ..five() }], "p.svg").contains("1 labels for 5"));
    assert!(refused(&[Scatter { links: &links, ..five() }], "p.svg").contains("must 0–5"));
    assert!(refused(&[Scatter { broken: &links, ..five() }], "p.svg").contains("only 5 points"));
    assert!(refused(&[scatter(vec![[0.0, f64::NAN]])], "p.svg").contains("point 0 is at"));
    let modes = vec![[0.0, 0.0], [f64::INFINITY, 0.0]];
    assert!(refused(&[Scatter { modes, ..five() }], "p.svg").contains("mode 1 is at"));
}

#[test]
fn a_failed_write_leaves_the_place_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.svg");
    fs::create_dir(&path).unwrap();
    assert!(matches!(save(&[five()], &path), Err(PlotError::Write { .. })));
    assert!(path.is_dir());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_picture_replaces_an_older_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.svg");
    fs::write(&path, "old").unwrap();
    save(&[five()], &path).unwrap();
    assert!(fs::read_to_string(&path).unwrap().starts_with("<svg"));
}
