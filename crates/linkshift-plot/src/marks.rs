//! Points and modes.

use crate::canvas::{Canvas, Shape as Drawn, Side, Stroke, Text, Xy};
use crate::font;
use crate::palette::{Color, INK, Look, PAPER, Shape};

/// Large points that overlap shine through a little; small ones would only grow pale.
const OPACITY: f64 = 0.85;
const SMALLEST_RADIUS: f64 = 3.0;
const LARGEST_RADIUS: f64 = 8.0;

/// How large points are drawn: together they cover about a quarter of the frame, within what is
/// still visible and not yet clumsy.
pub(crate) fn radius(n_points: usize, frame: (u32, u32)) -> f64 {
    let share = 0.25 * f64::from(frame.0) * f64::from(frame.1) / n_points.max(1) as f64;
    (share / std::f64::consts::PI).sqrt().clamp(SMALLEST_RADIUS, LARGEST_RADIUS)
}

/// One point.
pub(crate) fn point(canvas: &mut Canvas, (x, y): Xy, radius: f64, look: Look) {
    let opacity = if radius > SMALLEST_RADIUS { OPACITY } else { 1.0 };
    // Half sides that give the shapes about the area of the circle.
    let (flat, long) = (radius * 0.9, radius * 1.3);
    let shape = match look.shape {
        Shape::Circle => Drawn::Circle { center: (x, y), radius },
        Shape::Square => Drawn::Rectangle((x - flat, y - flat), (x + flat, y + flat)),
        Shape::Triangle => {
            Drawn::Polygon(vec![(x, y - long), (x + long, y + flat), (x - long, y + flat)])
        }
        Shape::Diamond => {
            Drawn::Polygon(vec![(x, y - long), (x + long, y), (x, y + long), (x - long, y)])
        }
        Shape::Wedge => {
            Drawn::Polygon(vec![(x, y + long), (x + long, y - flat), (x - long, y - flat)])
        }
    };
    canvas.fill(shape, look.color, opacity);
}

/// One mode: an upright cross with a white rim, to stand out from any colour.
pub(crate) fn mode(canvas: &mut Canvas, at: Xy) {
    upright_cross(canvas, at, 16.0, Stroke::new(PAPER, 12.0));
    upright_cross(canvas, at, 14.0, Stroke::new(INK, 6.0));
}

fn upright_cross(canvas: &mut Canvas, (x, y): Xy, arm: f64, stroke: Stroke) {
    canvas.line((x - arm, y), (x + arm, y), stroke);
    canvas.line((x, y - arm), (x, y + arm), stroke);
}

/// A cross in a disc: this is broken.
pub(crate) fn cross(canvas: &mut Canvas, at: Xy, radius: f64, color: Color) {
    disc(canvas, at, radius, color);
    let (x, y) = at;
    let arm = radius * 0.45;
    let stroke = Stroke::new(PAPER, radius * 0.32);
    canvas.line((x - arm, y - arm), (x + arm, y + arm), stroke);
    canvas.line((x - arm, y + arm), (x + arm, y - arm), stroke);
}

/// A question mark in a disc: this may be wrong.
pub(crate) fn question(canvas: &mut Canvas, at: Xy, radius: f64, color: Color) {
    disc(canvas, at, radius, color);
    let size = (radius * 1.7).round() as u32;
    let baseline = at.1 + f64::from(size) * font::CAPITAL / 2.0;
    let (text, side) = ("?".to_owned(), Side::Middle);
    canvas.text(Text { text, at: (at.0, baseline), side, size, color: PAPER, upwards: false });
}

/// With a white rim, to stand out from any colour.
fn disc(canvas: &mut Canvas, center: Xy, radius: f64, color: Color) {
    canvas.fill(Drawn::Circle { center, radius: radius * 1.25 }, PAPER, 1.0);
    canvas.fill(Drawn::Circle { center, radius }, color, 1.0);
}
