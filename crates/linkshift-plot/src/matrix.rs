//! Matrices as pictures: affinities, distances, anything that is a number per pair.

use crate::error::{MOST_PANELS, PlotError};
use crate::layout::{MARGIN, TEXT_SIZE, TITLE_HEIGHT, TITLE_SIZE};
use crate::palette::{FAINT_INK, INK, PAPER};
use crate::{Area, font, raster, write};
use plotters::element::{Rectangle, Text};
use plotters::prelude::{IntoDrawingArea, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, RGBColor};
use std::path::Path;

/// Side of a panel's frame, in pixels.
const FRAME: u32 = 800;

/// Most cells along a side; beyond that neighbouring ones become one cell with their mean.
const MOST_CELLS: usize = 200;

/// Shades of the scale: fine enough for the eye, few enough that runs of equal cells are common.
const SHADES: usize = 64;

/// Below the frame: the scale, and the numbers at its ends.
const SCALE_GAP: u32 = 24;
const SCALE_HEIGHT: u32 = 20;
const SCALE_WIDTH: u32 = 400;
const NUMBERS_HEIGHT: u32 = 44;

/// The scale runs from paper over this blue to ink.
const MIDDLE: RGBColor = RGBColor(58, 124, 201);

/// A matrix to be shown, the largest values darkest.
#[derive(Debug, Clone)]
pub struct MatrixPicture {
    /// What stands above the picture; may be empty.
    pub title: String,
    /// The numbers, row by row.
    pub values: Vec<f64>,
    /// How many of them a row has.
    pub n_columns: usize,
}

/// Writes the matrices side by side to `path`, as SVG or PNG by its extension, each with its own
/// scale. One with more than 200 rows or columns is shown by the means of neighbouring cells.
///
/// The file appears whole or not at all: it is written beside its place and then renamed.
///
/// ```
/// use linkshift_plot::{MatrixPicture, save_matrices};
///
/// let identity = MatrixPicture {
///     title: "identity".into(),
///     values: vec![1.0, 0.0, 0.0, 1.0],
///     n_columns: 2,
/// };
/// let folder = tempfile::tempdir()?;
/// save_matrices(&[identity], &folder.path().join("matrix.svg"))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn save_matrices(panels: &[MatrixPicture], path: &Path) -> Result<(), PlotError> {
    let format = write::Format::of(path)?;
    check(panels)?;
    let svg = draw(panels)?;
    let bytes = match format {
        write::Format::Svg => svg.into_bytes(),
        write::Format::Png => raster::png(&svg)?,
    };
    write::whole_file(path, &bytes)
}

fn check(panels: &[MatrixPicture]) -> Result<(), PlotError> {
    if panels.is_empty() || panels.len() > MOST_PANELS {
        return Err(PlotError::PanelCount { found: panels.len() });
    }
    for panel in panels {
        let (found, n_columns) = (panel.values.len(), panel.n_columns);
        if found == 0 || n_columns == 0 || found % n_columns != 0 {
            return Err(PlotError::MatrixShape { found, n_columns });
        }
        if let Some(at) = panel.values.iter().position(|value| !value.is_finite()) {
            let (row, column) = (at / n_columns, at % n_columns);
            return Err(PlotError::Cell { row, column, value: panel.values[at] });
        }
    }
    Ok(())
}

fn draw(panels: &[MatrixPicture]) -> Result<String, PlotError> {
    font::register()?;
    let titled = panels.iter().any(|panel| !panel.title.is_empty());
    let top = MARGIN + if titled { TITLE_HEIGHT } else { 0 };
    let size = (
        panels.len() as u32 * (FRAME + MARGIN) + MARGIN,
        top + FRAME + SCALE_GAP + SCALE_HEIGHT + NUMBERS_HEIGHT + MARGIN,
    );
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&PAPER)?;
        for (index, panel) in panels.iter().enumerate() {
            let left = MARGIN + index as u32 * (FRAME + MARGIN);
            draw_panel(&area, panel, (left as i32, top as i32))?;
        }
        area.present()?;
    }
    Ok(svg)
}

fn draw_panel(
    area: &Area<'_>,
    panel: &MatrixPicture,
    (left, top): (i32, i32),
) -> Result<(), PlotError> {
    let frame = FRAME as i32;
    let title = font::fit(&panel.title, TITLE_SIZE, FRAME);
    let style = font::style(TITLE_SIZE, &INK).pos(Pos::new(HPos::Center, VPos::Bottom));
    area.draw(&Text::new(title, (left + frame / 2, top - 12), style))?;

    let cells = Cells::of(panel);
    let edge = |cell: usize, n_cells: usize| (cell * FRAME as usize / n_cells) as i32;
    for (row, values) in cells.values.chunks_exact(cells.n_columns).enumerate() {
        let [y, y_end] = [row, row + 1].map(|row| top + edge(row, cells.n_rows));
        let mut column = 0;
        // Neighbours of one shade are one rectangle, which keeps files small.
        for run in values.chunk_by(|&a, &b| cells.shade(a) == cells.shade(b)) {
            let [x, x_end] =
                [column, column + run.len()].map(|column| left + edge(column, cells.n_columns));
            column += run.len();
            let shade = cells.shade(run[0]);
            if shade > 0 {
                area.draw(&Rectangle::new([(x, y), (x_end, y_end)], color(shade).filled()))?;
            }
        }
    }
    let corners = [(left, top), (left + frame, top + frame)];
    area.draw(&Rectangle::new(corners, FAINT_INK.stroke_width(2)))?;
    draw_scale(area, &cells, (left, top + frame + SCALE_GAP as i32))
}

fn draw_scale(area: &Area<'_>, cells: &Cells, (left, top): (i32, i32)) -> Result<(), PlotError> {
    let edge = |shade: usize| left + (shade * SCALE_WIDTH as usize / SHADES) as i32;
    let bottom = top + SCALE_HEIGHT as i32;
    for shade in 0..SHADES {
        let corners = [(edge(shade), top), (edge(shade + 1), bottom)];
        area.draw(&Rectangle::new(corners, color(shade).filled()))?;
    }
    let corners = [(left, top), (edge(SHADES), bottom)];
    area.draw(&Rectangle::new(corners, FAINT_INK.stroke_width(1)))?;
    for (value, x, side) in [(cells.low, left, HPos::Left), (cells.high, edge(SHADES), HPos::Right)]
    {
        let style = font::style(TEXT_SIZE - 2, &FAINT_INK).pos(Pos::new(side, VPos::Top));
        area.draw(&Text::new(number(value), (x, bottom + 8), style))?;
    }
    Ok(())
}

/// The matrix as it is shown.
struct Cells {
    values: Vec<f64>,
    n_rows: usize,
    n_columns: usize,
    low: f64,
    high: f64,
}

impl Cells {
    fn of(panel: &MatrixPicture) -> Self {
        let columns = panel.n_columns;
        let rows = panel.values.len() / columns;
        let (n_rows, n_columns) = (rows.min(MOST_CELLS), columns.min(MOST_CELLS));
        let span =
            |cell: usize, n_cells: usize, n: usize| cell * n / n_cells..(cell + 1) * n / n_cells;
        let mut values = Vec::with_capacity(n_rows * n_columns);
        for row in 0..n_rows {
            let rows = span(row, n_rows, rows);
            for column in 0..n_columns {
                let inside = span(column, n_columns, columns);
                let count = (rows.len() * inside.len()) as f64;
                let lines = rows.clone().map(|row| &panel.values[row * columns..][inside.clone()]);
                // Divided first: a sum of large numbers could overflow.
                values.push(lines.flatten().map(|value| value / count).sum());
            }
        }
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self { values, n_rows, n_columns, low, high }
    }

    /// 0 for the lowest value, the last shade for the highest; 0 where all are equal.
    fn shade(&self, value: f64) -> usize {
        // Halves, because the span of huge numbers of either sign could overflow.
        let share = (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0);
        if share.is_nan() { 0 } else { (share * (SHADES - 1) as f64).round() as usize }
    }
}

fn color(shade: usize) -> RGBColor {
    let share = 2.0 * shade as f64 / (SHADES - 1) as f64;
    let (from, to, share) =
        if share < 1.0 { (PAPER, MIDDLE, share) } else { (MIDDLE, INK, share - 1.0) };
    let mix = |a: u8, b: u8| (f64::from(a) + share * (f64::from(b) - f64::from(a))).round() as u8;
    RGBColor(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

/// A number at an end of the scale.
fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        1e-3..1e5 => format!("{value:.3}"),
        _ => format!("{value:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(values: Vec<f64>, n_columns: usize) -> MatrixPicture {
        MatrixPicture { title: "a matrix".into(), values, n_columns }
    }

    #[test]
    fn large_values_are_dark_and_small_ones_are_paper() {
        let svg = draw(&[picture(vec![5.0, 0.0, 0.0, 5.0], 2)]).unwrap();
        // Ink twice for the cells and once at the end of the scale.
        let dark = svg.lines().filter(|line| line.starts_with("<rect") && line.contains("#28282E"));
        assert_eq!(dark.count(), 3);
        assert!(svg.contains("5.000") && svg.contains("a matrix"));
    }

    #[test]
    fn many_cells_are_shown_by_their_means() {
        // 400 × 400 become 200 × 200: each cell is the mean of two zeros and two ones.
        let values: Vec<f64> = (0..160_000).map(|at| f64::from(at % 2)).collect();
        let cells = Cells::of(&picture(values, 400));
        assert_eq!((cells.n_rows, cells.n_columns), (200, 200));
        assert!(cells.values.iter().all(|&value| value == 0.5));
    }

    #[test]
    fn odd_matrices_still_make_a_picture() {
        for values in [vec![0.0], vec![7.0; 6], vec![-1e308, 1e308], vec![1e-320, 0.0]] {
            let svg = draw(&[picture(values.clone(), 1)]).unwrap();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{values:?}");
            raster::png(&svg).unwrap();
        }
        assert!(draw(&[picture(vec![1.0, 2.0, 3.0], 3)]).is_ok());
    }

    #[test]
    fn what_is_no_matrix_is_refused() {
        let refused = |panels: &[MatrixPicture]| check(panels).unwrap_err().to_string();
        assert!(refused(&[]).contains("0 panels"));
        assert!(refused(&[picture(vec![], 2)]).contains("0 values"));
        assert!(refused(&[picture(vec![1.0; 3], 2)]).contains("3 values"));
        assert!(refused(&[picture(vec![1.0, f64::NAN], 1)]).contains("row 1, column 0"));
    }
}
