//! A picture as PNG.

use crate::canvas::{Canvas, Item, Shape, Side, Stroke, Text, Xy};
use crate::error::PlotError;
use crate::font;
use crate::palette::Color;
use tiny_skia::{FillRule, Paint, Path, PathBuilder, Pixmap, Rect, StrokeDash, Transform};

/// The whole file.
pub(crate) fn png(canvas: &Canvas) -> Result<Vec<u8>, PlotError> {
    let (width, height) = canvas.size;
    let mut pixels = Pixmap::new(width, height).ok_or_else(|| PlotError::draw("it has no size"))?;
    for item in &canvas.items {
        draw(&mut pixels, item);
    }
    pixels.encode_png().map_err(PlotError::draw)
}

fn draw(pixels: &mut Pixmap, item: &Item) {
    let plain = Transform::identity();
    match item {
        Item::Fill { shape, color, opacity } => {
            if let Some(path) = path(shape) {
                let paint = paint(*color, *opacity);
                pixels.fill_path(&path, &paint, FillRule::Winding, plain, None);
            }
        }
        Item::Outline { shape, stroke } => {
            if let Some(path) = path(shape) {
                let paint = paint(stroke.color, stroke.opacity);
                pixels.stroke_path(&path, &paint, &style(stroke), plain, None);
            }
        }
        Item::Text(text) => draw_text(pixels, text),
    }
}

fn draw_text(pixels: &mut Pixmap, text: &Text) {
    let width = font::width(&text.text, text.size);
    let (x, y) = text.at;
    let left = match text.side {
        Side::Left => x,
        Side::Middle => x - width / 2.0,
        Side::Right => x - width,
    };
    let Some(path) = font::outlines(&text.text, text.size, (left, y)) else { return };
    let turn = match text.upwards {
        true => Transform::from_rotate_at(-90.0, x as f32, y as f32),
        false => Transform::identity(),
    };
    pixels.fill_path(&path, &paint(text.color, 1.0), FillRule::Winding, turn, None);
}

/// None where there is nothing to see, such as a polygon without corners.
fn path(shape: &Shape) -> Option<Path> {
    match shape {
        Shape::Circle { center: (x, y), radius } => {
            PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32)
        }
        Shape::Rectangle((left, top), (right, bottom)) => {
            let sides = [left, top, right, bottom].map(|side| *side as f32);
            Rect::from_ltrb(sides[0], sides[1], sides[2], sides[3]).map(PathBuilder::from_rect)
        }
        Shape::Polygon(corners) => {
            let mut path = through(corners);
            path.close();
            path.finish()
        }
        Shape::Line(points) => through(points).finish(),
    }
}

fn through(points: &[Xy]) -> PathBuilder {
    let mut path = PathBuilder::new();
    for (at, &(x, y)) in points.iter().enumerate() {
        match at {
            0 => path.move_to(x as f32, y as f32),
            _ => path.line_to(x as f32, y as f32),
        }
    }
    path
}

fn paint(color: Color, opacity: f64) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(color.0, color.1, color.2, (255.0 * opacity).round() as u8);
    paint
}

fn style(stroke: &Stroke) -> tiny_skia::Stroke {
    let dashes = stroke.dashes.map(|lengths| lengths.map(|length| length as f32).to_vec());
    tiny_skia::Stroke {
        width: stroke.width as f32,
        dash: dashes.and_then(|dashes| StrokeDash::new(dashes, 0.0)),
        ..tiny_skia::Stroke::default()
    }
}
