//! One scatter with its axes, links and legend.

use crate::error::PlotError;
use crate::layout::{Layout, TEXT_SIZE, TITLE_SIZE, X_LABELS, Y_LABELS};
use crate::legend::Legend;
use crate::overlay::Overlay;
use crate::palette::{FAINT_INK, GRID, INK, look};
use crate::range::{Extent, tick_text};
use crate::{Area, Scatter, font, marks, thin};
use plotters::chart::{ChartBuilder, LabelAreaPosition};
use plotters::element::Text;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, TRANSPARENT};

/// A scatter and what is worked out from it before anything is drawn.
pub(crate) struct Panel<'a> {
    pub(crate) scatter: &'a Scatter<'a>,
    pub(crate) extent: Extent,
    pub(crate) legend: Legend,
    overlay: Overlay,
}

impl<'a> Panel<'a> {
    pub(crate) fn new(scatter: &'a Scatter<'a>) -> Self {
        let overlay = Overlay::new(scatter);
        let legend = Legend::new(scatter, &overlay);
        Panel { scatter, extent: Extent::of(scatter), legend, overlay }
    }

    /// Draws the panel at its place, with about `most_marks` points at most.
    pub(crate) fn draw(
        &self,
        area: &Area<'_>,
        layout: &Layout,
        index: usize,
        most_marks: usize,
    ) -> Result<(), PlotError> {
        let (left, top) = layout.frame_corner(index);
        let width = layout.frame.0;
        self.draw_title(area, (left + width / 2, top), width)?;
        let [points, modes] = self.draw_axes(area, layout, (left, top))?;
        self.draw_points(area, &points, layout.frame, most_marks)?;
        self.overlay.draw(area, &points)?;
        for &mode in &modes {
            marks::mode(area, mode)?;
        }
        self.legend.draw(area, (left, top + layout.legend_drop()), width)
    }

    fn draw_title(
        &self,
        area: &Area<'_>,
        (x, top): (u32, u32),
        width: u32,
    ) -> Result<(), PlotError> {
        let title = font::fit(&self.scatter.title, TITLE_SIZE, width);
        let style = font::style(TITLE_SIZE, &INK).pos(Pos::new(HPos::Center, VPos::Bottom));
        area.draw(&Text::new(title, (x as i32, top as i32 - 12), style))?;
        Ok(())
    }

    /// Draws grid, numbers and names, and returns the pixels of the points and of the modes.
    fn draw_axes(
        &self,
        area: &Area<'_>,
        layout: &Layout,
        (left, top): (u32, u32),
    ) -> Result<[Vec<(i32, i32)>; 2], PlotError> {
        let (width, height) = layout.frame;
        let [x_range, y_range] = self.extent.ranges(width, height);
        let place =
            area.clone().shrink((left - Y_LABELS, top), (Y_LABELS + width, height + X_LABELS));
        let mut chart = ChartBuilder::on(&place)
            .set_label_area_size(LabelAreaPosition::Left, Y_LABELS)
            .set_label_area_size(LabelAreaPosition::Bottom, X_LABELS)
            .build_cartesian_2d(x_range.clone(), y_range.clone())?;
        let [x_name, y_name] = &self.scatter.axis_names;
        // A number needs room beside the next one; an axis without a name has no numbers either.
        let numbers = |name: &str, room: u32| if name.is_empty() { 0 } else { room as usize };
        chart
            .configure_mesh()
            .x_labels(numbers(x_name, width / 130))
            .y_labels(numbers(y_name, height / 90))
            .x_label_formatter(&|value| tick_text(*value, &x_range))
            .y_label_formatter(&|value| tick_text(*value, &y_range))
            .x_desc(font::fit(x_name, TEXT_SIZE, width))
            .y_desc(font::fit(y_name, TEXT_SIZE, height))
            .label_style(font::style(TEXT_SIZE - 2, &FAINT_INK))
            .axis_desc_style(font::style(TEXT_SIZE, &INK))
            .axis_style(FAINT_INK.stroke_width(2))
            .bold_line_style(GRID.stroke_width(2))
            .light_line_style(TRANSPARENT)
            .draw()?;
        let pixels =
            |xy: &Vec<[f64; 2]>| xy.iter().map(|&[x, y]| chart.backend_coord(&(x, y))).collect();
        Ok([pixels(&self.scatter.xy), pixels(&self.scatter.modes)])
    }

    /// Noise first, so that it never covers a cluster.
    fn draw_points(
        &self,
        area: &Area<'_>,
        pixels: &[(i32, i32)],
        frame: (u32, u32),
        most_marks: usize,
    ) -> Result<(), PlotError> {
        let labels = self.scatter.labels;
        let thinned = thin::thin(pixels, labels, most_marks);
        let radius = marks::radius(pixels.len(), frame).max(thinned.cell);
        let noise_radius = if labels.is_empty() { radius } else { (radius * 2 / 3).max(2) };
        let label = |row: usize| labels.get(row).copied().unwrap_or(-1);
        let (noise, clustered): (Vec<usize>, Vec<usize>) =
            thinned.rows.into_iter().partition(|&row| label(row) < 0);
        for row in noise {
            marks::point(area, pixels[row], noise_radius, look(-1))?;
        }
        for row in clustered {
            marks::point(area, pixels[row], radius, look(label(row)))?;
        }
        Ok(())
    }
}
