//! A picture as SVG, an element per line.

use crate::canvas::{Canvas, Item, Shape, Side, Stroke, Text, Xy};
use crate::font;
use std::fmt::Write;

/// The whole file.
pub(crate) fn text(canvas: &Canvas) -> String {
    let (width, height) = canvas.size;
    let mut svg = format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"{}\" xmlns=\"http://www.w3.org/2000/svg\">\n",
        font::FAMILIES
    );
    for item in &canvas.items {
        svg.push_str(&element(item));
        svg.push('\n');
    }
    svg.push_str("</svg>\n");
    svg
}

fn element(item: &Item) -> String {
    match item {
        Item::Fill { shape, color, opacity } => {
            let start = start(shape);
            format!("{start} fill=\"{}\"{}/>", color.hex(), opacity_of(*opacity))
        }
        Item::Outline { shape, stroke } => format!("{}{}/>", start(shape), outline(stroke)),
        Item::Text(text) => text_element(text),
    }
}

fn start(shape: &Shape) -> String {
    match shape {
        Shape::Circle { center: (x, y), radius } => {
            format!("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", number(*x), number(*y), number(*radius))
        }
        Shape::Rectangle((left, top), (right, bottom)) => {
            let [x, y] = [left, top].map(|at| number(*at));
            let [width, height] = [right - left, bottom - top].map(number);
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
        }
        Shape::Polygon(corners) => format!("<polygon points=\"{}\"", places(corners)),
        Shape::Line(points) => format!("<polyline points=\"{}\"", places(points)),
    }
}

fn outline(stroke: &Stroke) -> String {
    let mut text = format!(
        " fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"",
        stroke.color.hex(),
        number(stroke.width)
    );
    if let Some([dash, gap]) = stroke.dashes {
        // Writing to a text never fails.
        let _ = write!(text, " stroke-dasharray=\"{} {}\"", number(dash), number(gap));
    }
    text + &opacity_of(stroke.opacity)
}

fn opacity_of(opacity: f64) -> String {
    if opacity < 1.0 { format!(" opacity=\"{opacity}\"") } else { String::new() }
}

fn text_element(text: &Text) -> String {
    let [x, y] = [text.at.0, text.at.1].map(number);
    let anchor = match text.side {
        Side::Left => "",
        Side::Middle => " text-anchor=\"middle\"",
        Side::Right => " text-anchor=\"end\"",
    };
    let turn = match text.upwards {
        true => format!(" transform=\"rotate(-90 {x} {y})\""),
        false => String::new(),
    };
    format!(
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" fill=\"{}\"{anchor}{turn}>{}</text>",
        text.size,
        text.color.hex(),
        escaped(&text.text)
    )
}

fn places(points: &[Xy]) -> String {
    let place = |&(x, y): &Xy| format!("{},{}", number(x), number(y));
    points.iter().map(place).collect::<Vec<_>>().join(" ")
}

/// A tenth of a pixel is as fine as anyone can see.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".into() } else { text.into() }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([3.0, -0.01, 2.25, -7.5, 1e6].map(number), ["3", "0", "2.2", "-7.5", "1000000"]);
    }

    #[test]
    fn texts_stay_texts() {
        assert_eq!(escaped("<a & b>"), "&lt;a &amp; b&gt;");
    }
}
