//! Numbers by place: curves over numbers, or marks over names, side by side.

use crate::axis::{Frame, NUMBER_SIZE};
use crate::canvas::{Canvas, Shape, Side, Stroke, Text, Xy};
use crate::error::{MOST_PANELS, PlotError};
use crate::layout::{MARGIN, TEXT_SIZE, TITLE_HEIGHT, X_LABELS, Y_LABELS};
use crate::palette::{FAINT_INK, INK, look};
use crate::{Format, font, marks};
use std::ops::Range;

/// Width and height of a panel's frame, in pixels.
const FRAME: (u32, u32) = (1000, 640);

/// One line of the legend below.
const LEGEND_ROW: u32 = 40;
const LEGEND_SYMBOL: f64 = 60.0;

/// How large a number's mark is.
const MARK: f64 = 9.0;

/// Empty room around the numbers, as a share of their span.
const PADDING: f64 = 0.06;

/// How much of the way from a name to the next its marks take, so that they cover each other less.
const SPREAD: f64 = 0.7;

/// What the numbers are over.
#[derive(Debug, Clone)]
pub enum Places {
    /// Numbers, ascending: neighbours are joined by a line.
    Numbers(Vec<f64>),
    /// Names: nothing is joined.
    Names(Vec<String>),
}

/// One series of numbers.
#[derive(Debug, Clone)]
pub struct Curve {
    /// Its name in the legend; an empty one has no line there.
    pub name: String,
    /// A number for each place, where there is one.
    pub values: Vec<Option<f64>>,
    /// Which colour it has: series of one number look alike.
    pub look: usize,
    /// Whether its marks are empty rings without a line: numbers of others beside one's own.
    pub hollow: bool,
}

/// One panel of a picture.
#[derive(Debug, Clone)]
pub struct Chart {
    /// What stands above it.
    pub title: String,
    /// What the places are.
    pub x_name: String,
    /// What the numbers are.
    pub y_name: String,
    /// What the numbers are over.
    pub places: Places,
    /// The series.
    pub curves: Vec<Curve>,
}

/// The bytes of a picture of the charts side by side.
///
/// ```
/// use linkshift_plot::{Chart, Curve, Format, Places, render_charts};
///
/// let curve = Curve {
///     name: "ours".into(),
///     values: vec![Some(0.5), None, Some(0.9)],
///     look: 0,
///     hollow: false,
/// };
/// let chart = Chart {
///     title: "ARI by links".into(),
///     x_name: "links".into(),
///     y_name: "ARI".into(),
///     places: Places::Numbers(vec![0.0, 50.0, 100.0]),
///     curves: vec![curve],
/// };
/// assert!(render_charts(&[chart], Format::Svg)?.starts_with(b"<svg"));
/// # Ok::<(), linkshift_plot::PlotError>(())
/// ```
pub fn render_charts(panels: &[Chart], format: Format) -> Result<Vec<u8>, PlotError> {
    check(panels)?;
    format.encode(&draw(panels))
}

impl Chart {
    /// Where a place lies along the axis.
    fn x(&self, place: usize) -> f64 {
        match &self.places {
            Places::Numbers(numbers) => numbers[place],
            Places::Names(_) => place as f64,
        }
    }

    /// Where a curve has its mark of a place: over a name each colour has its own column.
    fn x_of(&self, curve: &Curve, place: usize) -> f64 {
        let n_looks = self.curves.iter().map(|curve| curve.look + 1).max().unwrap_or(1);
        let share = (curve.look as f64 + 0.5) / n_looks as f64 - 0.5;
        match &self.places {
            Places::Numbers(_) => self.x(place),
            Places::Names(_) => self.x(place) + SPREAD * share,
        }
    }

    fn n_places(&self) -> usize {
        match &self.places {
            Places::Numbers(numbers) => numbers.len(),
            Places::Names(names) => names.len(),
        }
    }

    fn legend(&self) -> impl Iterator<Item = &Curve> {
        self.curves.iter().filter(|curve| !curve.name.is_empty())
    }
}

fn check(panels: &[Chart]) -> Result<(), PlotError> {
    if panels.is_empty() || panels.len() > MOST_PANELS {
        return Err(PlotError::PanelCount { found: panels.len() });
    }
    for panel in panels {
        for curve in &panel.curves {
            if curve.values.len() != panel.n_places() {
                let (found, expected) = (curve.values.len(), panel.n_places());
                return Err(PlotError::CurveLength { found, expected });
            }
            let xy = |(place, value): (usize, &Option<f64>)| Some([panel.x(place), (*value)?]);
            let all: Vec<[f64; 2]> = curve.values.iter().enumerate().filter_map(xy).collect();
            crate::error::check_coordinates("point", &all)?;
        }
    }
    Ok(())
}

fn draw(panels: &[Chart]) -> Canvas {
    let legend_rows = panels.iter().map(|panel| panel.legend().count()).max().unwrap_or(0) as u32;
    let top = MARGIN + TITLE_HEIGHT;
    // Names stand in two rows, so that each has twice the room.
    let below = X_LABELS + LEGEND_ROW;
    let mut canvas = Canvas::new((
        panels.len() as u32 * (Y_LABELS + FRAME.0 + MARGIN) + MARGIN,
        top + FRAME.1 + below + legend_rows * LEGEND_ROW + MARGIN,
    ));
    for (index, panel) in panels.iter().enumerate() {
        let left = f64::from(MARGIN + Y_LABELS + index as u32 * (Y_LABELS + FRAME.0 + MARGIN));
        draw_panel(&mut canvas, panel, (left, f64::from(top)));
        draw_legend(&mut canvas, panel, (left, f64::from(top + FRAME.1 + below)));
    }
    canvas
}

fn draw_panel(canvas: &mut Canvas, panel: &Chart, corner: Xy) {
    let numbers = panel.curves.iter().flat_map(|curve| curve.values.iter().flatten().copied());
    let x = match &panel.places {
        Places::Numbers(all) => span(all.iter().copied()),
        Places::Names(names) => -0.5..names.len().max(1) as f64 - 0.5,
    };
    let size = (f64::from(FRAME.0), f64::from(FRAME.1));
    let frame = Frame { corner, size, x, y: span(numbers) };
    frame.draw_title(canvas, &panel.title);
    let named = matches!(panel.places, Places::Names(_));
    let (x_name, n_ticks) = if named { ("", 0) } else { (&panel.x_name[..], 8) };
    frame.draw_axes(canvas, [x_name, &panel.y_name], [n_ticks, 7]);
    if let Places::Names(names) = &panel.places {
        draw_names(canvas, &frame, names);
    }
    for curve in &panel.curves {
        let values = curve.values.iter().enumerate();
        let at: Vec<Xy> = values
            .filter_map(|(place, value)| Some(frame.pixel([panel.x_of(curve, place), (*value)?])))
            .collect();
        if !named && !curve.hollow && at.len() > 1 {
            let color = look(curve.look as i64).color;
            canvas.outline(Shape::Line(at.clone()), Stroke::new(color, 4.0));
        }
        for at in at {
            draw_mark(canvas, at, curve);
        }
    }
}

fn draw_mark(canvas: &mut Canvas, at: Xy, curve: &Curve) {
    let look = look(curve.look as i64);
    match curve.hollow {
        true => {
            let ring = Shape::Circle { center: at, radius: MARK + 3.0 };
            canvas.outline(ring, Stroke::new(look.color, 3.0));
        }
        false => marks::point(canvas, at, MARK, look),
    }
}

/// The names of places, every other one a row lower.
fn draw_names(canvas: &mut Canvas, frame: &Frame, names: &[String]) {
    let room = 2.0 * frame.size.0 / names.len().max(1) as f64 - 8.0;
    for (place, name) in names.iter().enumerate() {
        let row = (place % 2) as f64 * f64::from(LEGEND_ROW);
        let x = frame.pixel([place as f64, frame.y.start]).0;
        canvas.text(Text {
            text: font::fit(name, NUMBER_SIZE, room),
            at: (x, frame.bottom() + 10.0 + f64::from(NUMBER_SIZE) + row),
            side: Side::Middle,
            size: NUMBER_SIZE,
            color: FAINT_INK,
            upwards: false,
        });
    }
}

fn draw_legend(canvas: &mut Canvas, panel: &Chart, (left, top): Xy) {
    for (row, curve) in panel.legend().enumerate() {
        let y = top + row as f64 * f64::from(LEGEND_ROW);
        draw_mark(canvas, (left + LEGEND_SYMBOL / 2.0, y), curve);
        canvas.text(Text {
            text: font::fit(&curve.name, TEXT_SIZE, f64::from(FRAME.0) - LEGEND_SYMBOL),
            at: (left + LEGEND_SYMBOL, y + f64::from(TEXT_SIZE) * font::CAPITAL / 2.0),
            side: Side::Left,
            size: TEXT_SIZE,
            color: INK,
            upwards: false,
        });
    }
}

/// From the least to the largest with room around, never empty.
fn span(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low > high {
        return 0.0..1.0;
    }
    let room = match high - low {
        0.0 => 0.5 * low.abs().max(1.0),
        span => PADDING * span,
    };
    low - room..high + room
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg;

    fn chart(places: Places, values: Vec<Option<f64>>) -> Chart {
        let curve = Curve { name: "ours".into(), values, look: 0, hollow: false };
        let [title, x_name, y_name] = ["a chart", "links", "ARI"].map(String::from);
        Chart { title, x_name, y_name, places, curves: vec![curve] }
    }

    #[test]
    fn neighbouring_numbers_are_joined_and_names_are_not() {
        let values = vec![Some(0.1), Some(0.2)];
        let lines = |places| {
            let svg = svg::text(&draw(&[chart(places, values.clone())]));
            let color = look(0).color.hex();
            svg.lines().filter(|line| line.contains("polyline") && line.contains(&color)).count()
        };
        assert_eq!(lines(Places::Numbers(vec![0.0, 1.0])), 1);
        assert_eq!(lines(Places::Names(vec!["a".into(), "b".into()])), 0);
    }

    #[test]
    fn odd_numbers_still_make_a_picture() {
        for values in [vec![], vec![None], vec![Some(7.0)], vec![Some(-1e100), None, Some(1e100)]] {
            let places = (0..values.len()).map(|place| place as f64).collect();
            let canvas = draw(&[chart(Places::Numbers(places), values.clone())]);
            let svg = svg::text(&canvas);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{values:?}");
            Format::Png.encode(&canvas).unwrap();
        }
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        let refused = |panels: &[Chart]| check(panels).unwrap_err().to_string();
        assert!(refused(&[]).contains("0 panels"));
        let short = chart(Places::Numbers(vec![1.0, 2.0]), vec![None]);
        assert!(refused(&[short]).contains("1 numbers for 2 places"));
        let endless = chart(Places::Numbers(vec![1.0]), vec![Some(f64::INFINITY)]);
        assert!(refused(&[endless]).contains("finite"));
    }
}
