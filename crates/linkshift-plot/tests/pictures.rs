//! Whole pictures: what is in the SVG, what the PNG shows, and what is refused.
#![allow(clippy::unwrap_used)] // The lint spares tests, but not the helpers between them.

use linkshift::Link;
use linkshift_plot::palette::{BROKEN, Color, INK, KEPT, PAPER, SUSPICIOUS, look};
use linkshift_plot::{Format, Scatter, render};
use std::path::Path;
use tiny_skia::Pixmap;

fn scatter(xy: Vec<[f64; 2]>) -> Scatter<'static> {
    let axis_names = ["x".into(), "y".into()];
    Scatter { title: "a title".into(), xy, axis_names, ..Scatter::default() }
}

/// Five points, two clusters and a noise point.
fn five() -> Scatter<'static> {
    let xy = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [3.0, 3.0], [1.5, 1.5]];
    Scatter { labels: &[0, 0, 0, 1, -1], ..scatter(xy) }
}

fn svg_of(panels: &[Scatter<'_>]) -> String {
    String::from_utf8(render(panels, Format::Svg).unwrap()).unwrap()
}

fn png_of(panels: &[Scatter<'_>]) -> Pixmap {
    Pixmap::decode_png(&render(panels, Format::Png).unwrap()).unwrap()
}

/// How many elements of one kind have a text in them.
fn count(svg: &str, element: &str, with: &str) -> usize {
    let start = format!("<{element} ");
    svg.lines().filter(|line| line.starts_with(&start) && line.contains(with)).count()
}

/// How many lines of a colour there are: whole ones, and dashed ones.
fn lines(svg: &str, color: Color) -> (usize, usize) {
    let all = count(svg, "polyline", &format!("stroke=\"{}\"", color.hex()));
    let is_dashed = |line: &&str| line.contains(&color.hex()) && line.contains("dasharray");
    let dashed = svg.lines().filter(is_dashed).count();
    (all - dashed, dashed)
}

fn size_of(svg: &str) -> (u32, u32) {
    let number = |name: &str| -> u32 {
        let value = svg.split_once(&format!(" {name}=\"")).unwrap().1;
        value.split_once('"').unwrap().0.parse().unwrap()
    };
    (number("width"), number("height"))
}

fn has_color(picture: &Pixmap, Color(red, green, blue): Color) -> bool {
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
    assert_eq!(count(&svg, "circle", &look(0).color.hex()), 4);
    for text in ["a title", "cluster 0 (3)", "cluster 1 (1)", "noise (1)"] {
        assert!(svg.contains(text), "{text}");
    }
    assert!(svg.contains("sans-serif"));
}

#[test]
fn must_links_are_whole_and_cannot_links_dashed() {
    let links = [Link::must(0, 1), Link::must(0, 2), Link::cannot(0, 3)];
    let svg = svg_of(&[Scatter { links: &links, ..five() }]);
    // Each once in the picture, and once for its kind in the legend.
    assert_eq!(lines(&svg, KEPT), (3, 2));
    assert_eq!(lines(&svg, BROKEN), (0, 0), "nothing is red unless it is broken");
    assert!(svg.contains(">must-link (2)<") && svg.contains(">cannot-link (1)<"));
    assert!(!svg.contains("broken"));
}

#[test]
fn broken_links_are_red_bear_a_cross_and_are_counted() {
    let links = [Link::must(0, 1), Link::must(0, 3), Link::cannot(0, 2)];
    let svg = svg_of(&[Scatter { links: &links, broken: &links[1..], ..five() }]);
    // Each once in the picture, and once for its kind in the legend.
    assert_eq!(lines(&svg, BROKEN), (2, 2));
    // The discs of the crosses, likewise.
    assert_eq!(count(&svg, "circle", &BROKEN.hex()), 4);
    for text in [">must-link (1)", "broken must-link (1)", "broken cannot-link (1)"] {
        assert!(svg.contains(text), "{text}");
    }
}

#[test]
fn suspicious_links_bear_a_question_mark() {
    let links = [Link::must(0, 1), Link::must(0, 2)];
    let svg = svg_of(&[Scatter { links: &links, suspicious: &links[1..], ..five() }]);
    // One in the picture and one in the legend.
    assert_eq!(lines(&svg, SUSPICIOUS), (2, 0));
    assert_eq!(svg.matches(">?</text>").count(), 2);
    assert!(svg.contains("suspicious must-link (1)") && svg.contains(">must-link (1)<"));
}

#[test]
fn modes_are_upright_crosses() {
    let svg = svg_of(&[Scatter { modes: vec![[0.3, 0.3], [3.0, 3.0]], ..five() }]);
    // Two strokes for each of 2 modes and for the legend.
    assert_eq!(lines(&svg, INK), (6, 0));
    assert!(svg.contains("mode (2)"));
}

/// Points in a row, each linked to the next, and cannot-linked to the one after.
fn chain(n_links: usize) -> (Vec<[f64; 2]>, Vec<Link>) {
    let xy = (0..n_links + 2).map(|row| [row as f64, (row % 7) as f64]).collect();
    let link = |row: usize| match row.is_multiple_of(2) {
        true => Link::must(row, row + 1),
        false => Link::cannot(row, row + 2),
    };
    (xy, (0..n_links).map(link).collect())
}

/// Where the first line of kept links and the first point stand in the file.
fn first_link_and_point(svg: &str) -> (Option<usize>, Option<usize>) {
    let position = |element: &str, with: &str| {
        svg.lines().position(|line| line.starts_with(element) && line.contains(with))
    };
    (position("<polyline", &KEPT.hex()), position("<circle", ""))
}

#[test]
fn a_few_kept_links_lie_on_the_points_more_lie_faintly_under_them_and_many_are_left_out() {
    let picture = |n_links: usize| {
        let (xy, links) = chain(n_links);
        svg_of(&[Scatter { links: &links, ..scatter(xy) }])
    };
    let few = picture(12);
    let (link, point) = first_link_and_point(&few);
    assert!(link > point && point.is_some());

    let more = picture(200);
    let (link, point) = first_link_and_point(&more);
    assert!(link < point && link.is_some());
    assert_eq!(count(&more, "polyline", "opacity=\"0.3\""), 200 + 2);

    let many = picture(2_000);
    assert_eq!(lines(&many, KEPT), (0, 0));
    assert!(many.contains("must-link, not drawn (1,000)"));
    assert!(many.contains("cannot-link, not drawn (1,000)"));
}

#[test]
fn many_broken_links_are_sampled_and_the_legend_says_so() {
    let (xy, links) = chain(2_000);
    let svg = svg_of(&[Scatter { links: &links, broken: &links, ..scatter(xy) }]);
    // Half of the 150 are of each kind, and one of each is in the legend.
    assert_eq!(lines(&svg, BROKEN), (76, 76));
    assert!(svg.contains("150 of 2,000 broken links drawn"));
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
    let panels = [Scatter { links: &links, broken: &links[1..], ..five() }, five()];
    let picture = png_of(&panels);
    assert_eq!((picture.width(), picture.height()), size_of(&svg_of(&panels)));
    // Cluster 0 at 85 % on white: 255 · 0.15 + 0.85 · (0, 95, 201) = (38, 119, 209).
    assert_eq!(look(0).color, Color(0, 95, 201));
    for color in [PAPER, KEPT, BROKEN, Color(38, 119, 209)] {
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
    assert!(render(&panels, Format::Png).unwrap().len() < 8_000_000);
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
    for format in [Format::Svg, Format::Png] {
        assert_eq!(render(&[five()], format).unwrap(), render(&[five()], format).unwrap());
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_by_name() {
    for path in ["picture", "picture.jpg", ".png", ""] {
        let text = Format::of(Path::new(path)).unwrap_err().to_string();
        assert!(text.contains(".svg") && text.contains(".png"), "{text}");
    }
    assert_eq!(Format::of(Path::new("a.PNG")).unwrap(), Format::Png);
    let links = [Link::must(0, 5)];
    let refused = |panels: &[Scatter<'_>]| render(panels, Format::Svg).unwrap_err().to_string();
    assert!(refused(&[]).contains("0 panels"));
    assert!(refused(&vec![five(); 7]).contains("7 panels"));
    assert!(refused(&[Scatter { labels: &[0], ..five() }]).contains("1 labels for 5"));
    assert!(refused(&[Scatter { links: &links, ..five() }]).contains("must 0–5"));
    assert!(refused(&[Scatter { broken: &links, ..five() }]).contains("only 5 points"));
    assert!(refused(&[Scatter { suspicious: &links, ..five() }]).contains("only 5 points"));
    assert!(refused(&[scatter(vec![[0.0, f64::NAN]])]).contains("point 0 is at"));
    let modes = vec![[0.0, 0.0], [f64::INFINITY, 0.0]];
    assert!(refused(&[Scatter { modes, ..five() }]).contains("mode 1 is at"));
}
