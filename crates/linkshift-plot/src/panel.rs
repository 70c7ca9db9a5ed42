//! One scatter with its axes, links and legend.

use crate::axis::Frame;
use crate::canvas::{Canvas, Xy};
use crate::layout::Layout;
use crate::legend::Legend;
use crate::overlay::Overlay;
use crate::palette::look;
use crate::range::Extent;
use crate::{Scatter, marks, thin};

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
        canvas: &mut Canvas,
        layout: &Layout,
        index: usize,
        most_marks: usize,
    ) {
        let (left, top) = layout.frame_corner(index);
        let (width, height) = layout.frame;
        let [x, y] = self.extent.ranges(width, height);
        let corner = (f64::from(left), f64::from(top));
        let frame = Frame { corner, size: (f64::from(width), f64::from(height)), x, y };
        frame.draw_title(canvas, &self.scatter.title);
        let [x_name, y_name] = self.scatter.axis_names.each_ref().map(String::as_str);
        // A number needs room beside the next one; an axis without a name has no numbers either.
        let n_ticks = |name: &str, room: u32| if name.is_empty() { 0 } else { room as usize };
        let n_ticks = [n_ticks(x_name, width / 130), n_ticks(y_name, height / 90)];
        frame.draw_axes(canvas, [x_name, y_name], n_ticks);

        let pixels = |xy: &[[f64; 2]]| xy.iter().map(|&xy| frame.pixel(xy)).collect::<Vec<Xy>>();
        let points = pixels(&self.scatter.xy);
        self.overlay.draw_under(canvas, &points);
        self.draw_points(canvas, &points, layout.frame, most_marks);
        self.overlay.draw_over(canvas, &points);
        for mode in pixels(&self.scatter.modes) {
            marks::mode(canvas, mode);
        }
        self.legend.draw(canvas, (left, top + layout.legend_drop()), width);
    }

    /// Noise first, so that it never covers a cluster.
    fn draw_points(
        &self,
        canvas: &mut Canvas,
        pixels: &[Xy],
        frame: (u32, u32),
        most_marks: usize,
    ) {
        let labels = self.scatter.labels;
        let thinned = thin::thin(pixels, labels, most_marks);
        let radius = marks::radius(pixels.len(), frame).max(f64::from(thinned.cell));
        let noise_radius = if labels.is_empty() { radius } else { (radius * 2.0 / 3.0).max(2.0) };
        let label = |row: usize| labels.get(row).copied().unwrap_or(-1);
        let (noise, clustered): (Vec<usize>, Vec<usize>) =
            thinned.rows.into_iter().partition(|&row| label(row) < 0);
        for row in noise {
            marks::point(canvas, pixels[row], noise_radius, look(-1));
        }
        for row in clustered {
            marks::point(canvas, pixels[row], radius, look(label(row)));
        }
    }
}
