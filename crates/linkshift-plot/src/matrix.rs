//! Matrices as pictures: affinities, distances, anything that is a number per pair.

use crate::axis::NUMBER_SIZE;
use crate::canvas::{Canvas, Shape, Side, Stroke, Text, Xy};
use crate::error::{MOST_PANELS, PlotError};
use crate::layout::{MARGIN, TITLE_HEIGHT, TITLE_SIZE};
use crate::palette::{Color, FAINT_INK, INK, MATRIX_MIDDLE, PAPER};
use crate::{Format, font};

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

/// The bytes of a picture of the matrices side by side, each with its own scale. One with more than
/// 200 rows or columns is shown by the means of neighbouring cells.
///
/// ```
/// use linkshift_plot::{Format, MatrixPicture, render_matrices};
///
/// let identity = MatrixPicture {
///     title: "identity".into(),
///     values: vec![1.0, 0.0, 0.0, 1.0],
///     n_columns: 2,
/// };
/// let svg = render_matrices(&[identity], Format::Svg)?;
/// assert!(svg.starts_with(b"<svg"));
/// # Ok::<(), linkshift_plot::PlotError>(())
/// ```
pub fn render_matrices(panels: &[MatrixPicture], format: Format) -> Result<Vec<u8>, PlotError> {
    check(panels)?;
    format.encode(&draw(panels))
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

fn draw(panels: &[MatrixPicture]) -> Canvas {
    let titled = panels.iter().any(|panel| !panel.title.is_empty());
    let top = MARGIN + if titled { TITLE_HEIGHT } else { 0 };
    let mut canvas = Canvas::new((
        panels.len() as u32 * (FRAME + MARGIN) + MARGIN,
        top + FRAME + SCALE_GAP + SCALE_HEIGHT + NUMBERS_HEIGHT + MARGIN,
    ));
    for (index, panel) in panels.iter().enumerate() {
        let left = MARGIN + index as u32 * (FRAME + MARGIN);
        draw_panel(&mut canvas, panel, (f64::from(left), f64::from(top)));
    }
    canvas
}

fn draw_panel(canvas: &mut Canvas, panel: &MatrixPicture, (left, top): Xy) {
    let frame = f64::from(FRAME);
    canvas.text(Text {
        text: font::fit(&panel.title, TITLE_SIZE, frame),
        at: (left + frame / 2.0, top - 24.0),
        side: Side::Middle,
        size: TITLE_SIZE,
        color: INK,
        upwards: false,
    });
    let cells = Cells::of(panel);
    // Whole pixels: between cells that meet within one, the paper would shine through.
    let edge = |cell: usize, n_cells: usize| (cell * FRAME as usize / n_cells) as f64;
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
                canvas.fill(Shape::Rectangle((x, y), (x_end, y_end)), color(shade), 1.0);
            }
        }
    }
    let corners = Shape::Rectangle((left, top), (left + frame, top + frame));
    canvas.outline(corners, Stroke::new(FAINT_INK, 2.0));
    draw_scale(canvas, &cells, (left, top + frame + f64::from(SCALE_GAP)));
}

fn draw_scale(canvas: &mut Canvas, cells: &Cells, (left, top): Xy) {
    let edge = |shade: usize| left + (shade * SCALE_WIDTH as usize / SHADES) as f64;
    let bottom = top + f64::from(SCALE_HEIGHT);
    for shade in 0..SHADES {
        let corners = Shape::Rectangle((edge(shade), top), (edge(shade + 1), bottom));
        canvas.fill(corners, color(shade), 1.0);
    }
    let corners = Shape::Rectangle((left, top), (edge(SHADES), bottom));
    canvas.outline(corners, Stroke::new(FAINT_INK, 1.0));
    for (value, x, side) in [(cells.low, left, Side::Left), (cells.high, edge(SHADES), Side::Right)]
    {
        canvas.text(Text {
            text: number(value),
            at: (x, bottom + 8.0 + f64::from(NUMBER_SIZE) * 0.8),
            side,
            size: NUMBER_SIZE,
            color: FAINT_INK,
            upwards: false,
        });
    }
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

fn color(shade: usize) -> Color {
    let share = 2.0 * shade as f64 / (SHADES - 1) as f64;
    match share < 1.0 {
        true => PAPER.mixed(MATRIX_MIDDLE, share),
        false => MATRIX_MIDDLE.mixed(INK, share - 1.0),
    }
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
    use crate::svg;

    fn picture(values: Vec<f64>, n_columns: usize) -> MatrixPicture {
        MatrixPicture { title: "a matrix".into(), values, n_columns }
    }

    #[test]
    fn large_values_are_dark_and_small_ones_are_paper() {
        let svg = svg::text(&draw(&[picture(vec![5.0, 0.0, 0.0, 5.0], 2)]));
        // Ink twice for the cells and once at the end of the scale.
        let ink = INK.hex();
        let dark = svg.lines().filter(|line| line.starts_with("<rect") && line.contains(&ink));
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
            let canvas = draw(&[picture(values.clone(), 1)]);
            let svg = svg::text(&canvas);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{values:?}");
            Format::Png.encode(&canvas).unwrap();
        }
        assert!(render_matrices(&[picture(vec![1.0, 2.0, 3.0], 3)], Format::Svg).is_ok());
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
