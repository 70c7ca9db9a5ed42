//! Points and modes.

use crate::Area;
use crate::error::PlotError;
use crate::palette::{INK, Look, PAPER, Shape};
use plotters::element::{Circle, PathElement, Polygon};
use plotters::style::{Color, RGBColor};

/// Large points that overlap shine through a little; small ones would only grow pale.
const OPACITY: f64 = 0.85;
const SMALLEST_RADIUS: i32 = 3;

/// How large points are drawn: together they cover about a quarter of the frame, within what is
/// still visible and not yet clumsy.
pub(crate) fn radius(n_points: usize, frame: (u32, u32)) -> i32 {
    let share = 0.25 * f64::from(frame.0) * f64::from(frame.1) / n_points.max(1) as f64;
    (share / std::f64::consts::PI).sqrt().clamp(f64::from(SMALLEST_RADIUS), 8.0) as i32
}

/// One point.
pub(crate) fn point(
    area: &Area<'_>,
    (x, y): (i32, i32),
    radius: i32,
    look: Look,
) -> Result<(), PlotError> {
    let opacity = if radius > SMALLEST_RADIUS { OPACITY } else { 1.0 };
    let style = look.color.mix(opacity).filled();
    // Half sides that give the shapes about the area of the circle.
    let flat = (f64::from(radius) * 0.9).round() as i32;
    let long = (f64::from(radius) * 1.3).round() as i32;
    let corners = match look.shape {
        Shape::Circle => {
            area.draw(&Circle::new((x, y), radius, style))?;
            return Ok(());
        }
        Shape::Square => {
            vec![
                (x - flat, y - flat),
                (x + flat, y - flat),
                (x + flat, y + flat),
                (x - flat, y + flat),
            ]
        }
        Shape::Triangle => vec![(x, y - long), (x + long, y + flat), (x - long, y + flat)],
        Shape::Diamond => vec![(x, y - long), (x + long, y), (x, y + long), (x - long, y)],
        Shape::Wedge => vec![(x, y + long), (x + long, y - flat), (x - long, y - flat)],
    };
    area.draw(&Polygon::new(corners, style))?;
    Ok(())
}

/// One mode: an upright cross with a white rim, to stand out from any colour.
pub(crate) fn mode(area: &Area<'_>, at: (i32, i32)) -> Result<(), PlotError> {
    upright_cross(area, at, 16, PAPER, 12)?;
    upright_cross(area, at, 14, INK, 6)
}

fn upright_cross(
    area: &Area<'_>,
    (x, y): (i32, i32),
    arm: i32,
    color: RGBColor,
    width: u32,
) -> Result<(), PlotError> {
    area.draw(&PathElement::new([(x - arm, y), (x + arm, y)], color.stroke_width(width)))?;
    area.draw(&PathElement::new([(x, y - arm), (x, y + arm)], color.stroke_width(width)))?;
    Ok(())
}
