//! Pictures of clusterings and their links.
//!
//! A [`Scatter`] is one clustering in the plane: points coloured by cluster, and links: whole lines for
//! must-links, dashes for cannot-links, and red with a cross where the labels break one. [`render`]
//! gives the bytes of a picture of one or several side by side, as SVG or PNG ([`Format`]); whoever
//! asks for them writes them to a file.
//!
//! Points of many columns become places in the plane by their principal components ([`Projection`]) or by
//! their neighbours ([`neighbor_map`]).
//!
//! A [`MatrixPicture`] is a number per pair of things, the largest darkest; a [`Chart`] is numbers
//! by place. [`palette`] is the one source of colours.
//!
//! A picture is drawn once, as a list of shapes, and written down as SVG or as PNG, the latter with
//! a font that is compiled in. Both therefore show the same, and nothing need be installed.
//!
//! ```
//! use linkshift::Link;
//! use linkshift_plot::{Format, Scatter, render};
//!
//! let links = [Link::must(0, 1), Link::cannot(1, 2)];
//! let scatter = Scatter {
//!     title: "two clusters".into(),
//!     xy: vec![[0.0, 0.0], [0.1, 0.2], [1.0, 1.0]],
//!     labels: &[0, 0, 1],
//!     links: &links,
//!     modes: vec![[0.05, 0.1], [1.0, 1.0]],
//!     axis_names: ["x".into(), "y".into()],
//!     ..Scatter::default()
//! };
//! let svg = render(&[scatter], Format::Svg)?;
//! assert!(svg.starts_with(b"<svg"));
//! # Ok::<(), linkshift_plot::PlotError>(())
//! ```

mod axis;
mod canvas;
mod chart;
pub mod colors;
mod error;
mod font;
mod format;
mod layout;
mod layout_by_neighbors;
mod legend;
mod marks;
mod matrix;
mod neighbor_map;
mod overlay;
pub mod palette;
mod panel;
mod project;
mod range;
mod raster;
mod svg;
mod thin;

pub use chart::{Chart, Curve, Places, render_charts};
pub use error::PlotError;
pub use format::Format;
pub use matrix::{MatrixPicture, render_matrices};
pub use neighbor_map::{MOST_LAID_OUT, neighbor_map};
pub use project::Projection;

use canvas::Canvas;
use layout::Layout;
use linkshift::Link;
use panel::Panel;

/// One clustering in the plane.
#[derive(Debug, Clone, Default)]
pub struct Scatter<'a> {
    /// What stands above the picture; may be empty.
    pub title: String,
    /// The points.
    pub xy: Vec<[f64; 2]>,
    /// The cluster of each point, -1 for noise; empty if the points are not clustered.
    pub labels: &'a [i64],
    /// The links, broken and suspicious ones included or not: none is drawn twice.
    pub links: &'a [Link],
    /// Those links that the labels do not keep.
    pub broken: &'a [Link],
    /// Those links that may be wrong, though the labels keep them.
    pub suspicious: &'a [Link],
    /// Where clusters have their modes; may be empty.
    pub modes: Vec<[f64; 2]>,
    /// What the legend calls them; empty for `mode`.
    pub mode_name: &'a str,
    /// What the two axes mean; an empty name hides that axis's numbers.
    pub axis_names: [String; 2],
}

/// The bytes of a picture of the panels side by side.
pub fn render(panels: &[Scatter<'_>], format: Format) -> Result<Vec<u8>, PlotError> {
    error::check(panels)?;
    let most_marks = match format {
        Format::Svg => thin::SVG_MARKS,
        Format::Png => thin::PNG_MARKS,
    };
    format.encode(&draw(panels, most_marks))
}

/// The picture, with about `most_marks` points at most in each panel.
fn draw(panels: &[Scatter<'_>], most_marks: usize) -> Canvas {
    let panels: Vec<Panel<'_>> = panels.iter().map(Panel::new).collect();
    let layout = Layout::new(&panels);
    let mut canvas = Canvas::new(layout.size);
    for (index, panel) in panels.iter().enumerate() {
        panel.draw(&mut canvas, &layout, index, most_marks);
    }
    canvas
}
