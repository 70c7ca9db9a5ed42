//! Numbers by place: curves over numbers, or marks over names, side by side.

use crate::error::{MOST_PANELS, PlotError};
use crate::layout::{MARGIN, TEXT_SIZE, TITLE_HEIGHT, TITLE_SIZE, X_LABELS, Y_LABELS};
use crate::palette::{FAINT_INK, GRID, INK, PAPER, look};
use crate::range::tick_text;
use crate::{Area, font, marks, raster, write};
use plotters::chart::{ChartBuilder, LabelAreaPosition};
use plotters::element::{Circle, PathElement, Text};
use plotters::prelude::{IntoDrawingArea, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, TRANSPARENT};
use std::ops::Range;
use std::path::Path;

/// Width and height of a panel's frame, in pixels.
const FRAME: (u32, u32) = (1000, 640);

/// One line of the legend below.
const LEGEND_ROW: u32 = 40;
const LEGEND_SYMBOL: i32 = 60;

/// How large a number's mark is.
const MARK: i32 = 9;

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

/// Writes the charts side by side to `path`, as SVG or PNG by its extension.
///
/// The file appears whole or not at all: it is written beside its place and then renamed.
///
/// ```
/// use linkshift_plot::{Chart, Curve, Places, save_charts};
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
/// let folder = tempfile::tempdir()?;
/// save_charts(&[chart], &folder.path().join("chart.svg"))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn save_charts(panels: &[Chart], path: &Path) -> Result<(), PlotError> {
    let format = write::Format::of(path)?;
    check(panels)?;
    let svg = draw(panels)?;
    let bytes = match format {
        write::Format::Svg => svg.into_bytes(),
        write::Format::Png => raster::png(&svg)?,
    };
    write::whole_file(path, &bytes)
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

fn draw(panels: &[Chart]) -> Result<String, PlotError> {
    font::register()?;
    let legend_rows = panels.iter().map(|panel| panel.legend().count()).max().unwrap_or(0) as u32;
    let top = MARGIN + TITLE_HEIGHT;
    // Names stand in two rows, so that each has twice the room.
    let below = X_LABELS + LEGEND_ROW;
    let size = (
        panels.len() as u32 * (Y_LABELS + FRAME.0 + MARGIN) + MARGIN,
        top + FRAME.1 + below + legend_rows * LEGEND_ROW + MARGIN,
    );
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&PAPER)?;
        for (index, panel) in panels.iter().enumerate() {
            let left = MARGIN + Y_LABELS + index as u32 * (Y_LABELS + FRAME.0 + MARGIN);
            draw_panel(&area, panel, (left, top))?;
            draw_legend(&area, panel, (left as i32, (top + FRAME.1 + below) as i32))?;
        }
        area.present()?;
    }
    Ok(svg)
}

fn draw_panel(area: &Area<'_>, panel: &Chart, (left, top): (u32, u32)) -> Result<(), PlotError> {
    let title = font::fit(&panel.title, TITLE_SIZE, FRAME.0);
    let style = font::style(TITLE_SIZE, &INK).pos(Pos::new(HPos::Center, VPos::Bottom));
    area.draw(&Text::new(title, ((left + FRAME.0 / 2) as i32, top as i32 - 12), style))?;
    let numbers = panel.curves.iter().flat_map(|curve| curve.values.iter().flatten().copied());
    let x_range = match &panel.places {
        Places::Numbers(all) => span(all.iter().copied()),
        Places::Names(names) => -0.5..names.len().max(1) as f64 - 0.5,
    };
    let y_range = span(numbers);
    let place =
        area.clone().shrink((left - Y_LABELS, top), (Y_LABELS + FRAME.0, FRAME.1 + X_LABELS));
    let mut chart = ChartBuilder::on(&place)
        .set_label_area_size(LabelAreaPosition::Left, Y_LABELS)
        .set_label_area_size(LabelAreaPosition::Bottom, X_LABELS)
        .build_cartesian_2d(x_range.clone(), y_range.clone())?;
    let named = matches!(panel.places, Places::Names(_));
    let x_name = if named { "" } else { &panel.x_name };
    chart
        .configure_mesh()
        .x_labels(if named { 0 } else { 8 })
        .y_labels(7)
        .x_label_formatter(&|value| tick_text(*value, &x_range))
        .y_label_formatter(&|value| tick_text(*value, &y_range))
        .x_desc(font::fit(x_name, TEXT_SIZE, FRAME.0))
        .y_desc(font::fit(&panel.y_name, TEXT_SIZE, FRAME.1))
        .label_style(font::style(TEXT_SIZE - 2, &FAINT_INK))
        .axis_desc_style(font::style(TEXT_SIZE, &INK))
        .axis_style(FAINT_INK.stroke_width(2))
        .bold_line_style(GRID.stroke_width(2))
        .light_line_style(TRANSPARENT)
        .draw()?;
    let pixel = |x: f64, value: f64| chart.backend_coord(&(x, value));
    if let Places::Names(names) = &panel.places {
        draw_names(area, names, top + FRAME.1, |place| pixel(panel.x(place), y_range.start).0)?;
    }
    for curve in &panel.curves {
        let values = curve.values.iter().enumerate();
        let at: Vec<(i32, i32)> = values
            .filter_map(|(place, value)| Some(pixel(panel.x_of(curve, place), (*value)?)))
            .collect();
        let color = look(curve.look as i64).color;
        if !named && !curve.hollow {
            area.draw(&PathElement::new(at.clone(), color.stroke_width(4)))?;
        }
        for at in at {
            draw_mark(area, at, curve)?;
        }
    }
    Ok(())
}

fn draw_mark(area: &Area<'_>, at: (i32, i32), curve: &Curve) -> Result<(), PlotError> {
    let look = look(curve.look as i64);
    match curve.hollow {
        true => area.draw(&Circle::new(at, MARK + 3, look.color.stroke_width(3)))?,
        false => marks::point(area, at, MARK, look)?,
    }
    Ok(())
}

/// The names of places, every other one a row lower.
fn draw_names(
    area: &Area<'_>,
    names: &[String],
    bottom: u32,
    x: impl Fn(usize) -> i32,
) -> Result<(), PlotError> {
    let room = 2 * FRAME.0 / names.len().max(1) as u32 - 8;
    for (place, name) in names.iter().enumerate() {
        let y = bottom as i32 + 10 + (place % 2) as i32 * LEGEND_ROW as i32;
        let style = font::style(TEXT_SIZE - 2, &FAINT_INK).pos(Pos::new(HPos::Center, VPos::Top));
        area.draw(&Text::new(font::fit(name, TEXT_SIZE - 2, room), (x(place), y), style))?;
    }
    Ok(())
}

fn draw_legend(area: &Area<'_>, panel: &Chart, (left, top): (i32, i32)) -> Result<(), PlotError> {
    for (row, curve) in panel.legend().enumerate() {
        let y = top + row as i32 * LEGEND_ROW as i32;
        draw_mark(area, (left + LEGEND_SYMBOL / 2, y), curve)?;
        let style = font::style(TEXT_SIZE, &INK).pos(Pos::new(HPos::Left, VPos::Center));
        let text = font::fit(&curve.name, TEXT_SIZE, FRAME.0 - LEGEND_SYMBOL as u32);
        area.draw(&Text::new(text, (left + LEGEND_SYMBOL, y), style))?;
    }
    Ok(())
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

    fn chart(places: Places, values: Vec<Option<f64>>) -> Chart {
        let curve = Curve { name: "ours".into(), values, look: 0, hollow: false };
        let [title, x_name, y_name] = ["a chart", "links", "ARI"].map(String::from);
        Chart { title, x_name, y_name, places, curves: vec![curve] }
    }

    #[test]
    fn neighbouring_numbers_are_joined_and_names_are_not() {
        let values = vec![Some(0.1), Some(0.2)];
        let lines = |places| {
            let svg = draw(&[chart(places, values.clone())]).unwrap();
            svg.lines().filter(|line| line.contains("polyline") && line.contains("#005FC9")).count()
        };
        assert_eq!(lines(Places::Numbers(vec![0.0, 1.0])), 1);
        assert_eq!(lines(Places::Names(vec!["a".into(), "b".into()])), 0);
    }

    #[test]
    fn odd_numbers_still_make_a_picture() {
        for values in [vec![], vec![None], vec![Some(7.0)], vec![Some(-1e100), None, Some(1e100)]] {
            let places = (0..values.len()).map(|place| place as f64).collect();
            let svg = draw(&[chart(Places::Numbers(places), values.clone())]).unwrap();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{values:?}");
            raster::png(&svg).unwrap();
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
