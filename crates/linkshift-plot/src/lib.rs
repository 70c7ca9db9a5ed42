//! Pictures of clusterings and their links.
//!
//! A [`Scatter`] is one clustering in the plane: points coloured by cluster, links on top
//! (must-links green, cannot-links red and dashed, broken ones with a cross in the middle).
//! [`save`] writes one or several side by side, as SVG or PNG by the file's extension.
//!
//! A [`MatrixPicture`] is a number per pair of things, the largest darkest; [`save_matrices`] writes
//! one or several.
//!
//! The picture is drawn once, as SVG; a PNG is that SVG rasterised with a font that is compiled
//! in. Both therefore show the same, and no font or library need be installed.
//!
//! ```
//! use linkshift::Link;
//! use linkshift_plot::{Scatter, save};
//!
//! let links = [Link::must(0, 1), Link::cannot(1, 2)];
//! let scatter = Scatter {
//!     title: "two clusters".into(),
//!     xy: vec![[0.0, 0.0], [0.1, 0.2], [1.0, 1.0]],
//!     labels: &[0, 0, 1],
//!     links: &links,
//!     broken: &[],
//!     modes: vec![[0.05, 0.1], [1.0, 1.0]],
//!     axis_names: ["x".into(), "y".into()],
//! };
//! let folder = tempfile::tempdir()?;
//! save(&[scatter], &folder.path().join("clusters.svg"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chart;
pub mod colors;
mod error;
mod font;
mod layout;
mod legend;
mod marks;
mod matrix;
mod overlay;
mod palette;
mod panel;
mod project;
mod range;
mod raster;
mod thin;
mod write;

pub use chart::{Chart, Curve, Places, save_charts};
pub use error::PlotError;
pub use matrix::{MatrixPicture, save_matrices};
pub use project::Projection;
pub use write::check_name;

use layout::Layout;
use linkshift::Link;
use panel::Panel;
use plotters::prelude::{DrawingArea, IntoDrawingArea, SVGBackend};
use std::path::Path;

/// One clustering in the plane.
#[derive(Debug, Clone)]
pub struct Scatter<'a> {
    /// What stands above the picture; may be empty.
    pub title: String,
    /// The points.
    pub xy: Vec<[f64; 2]>,
    /// The cluster of each point, -1 for noise; empty if the points are not clustered.
    pub labels: &'a [i64],
    /// The links to draw, broken ones included or not: none is drawn twice.
    pub links: &'a [Link],
    /// Those links that the labels do not keep.
    pub broken: &'a [Link],
    /// Where clusters have their modes; may be empty.
    pub modes: Vec<[f64; 2]>,
    /// What the two axes mean; an empty name hides that axis's numbers.
    pub axis_names: [String; 2],
}

/// Writes the panels side by side to `path`, as SVG or PNG by its extension.
///
/// The file appears whole or not at all: it is written beside its place and then renamed.
pub fn save(panels: &[Scatter<'_>], path: &Path) -> Result<(), PlotError> {
    let format = write::Format::of(path)?;
    error::check(panels)?;
    let bytes = match format {
        write::Format::Svg => draw(panels, thin::SVG_MARKS)?.into_bytes(),
        write::Format::Png => raster::png(&draw(panels, thin::PNG_MARKS)?)?,
    };
    write::whole_file(path, &bytes)
}

/// The picture as SVG, with about `most_marks` points at most in each panel.
fn draw(panels: &[Scatter<'_>], most_marks: usize) -> Result<String, PlotError> {
    font::register()?;
    let panels: Vec<Panel<'_>> = panels.iter().map(Panel::new).collect();
    let layout = Layout::new(&panels);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, layout.size).into_drawing_area();
        area.fill(&palette::PAPER)?;
        for (index, panel) in panels.iter().enumerate() {
            panel.draw(&area, &layout, index, most_marks)?;
        }
        area.present()?;
    }
    Ok(svg)
}

/// The whole picture, in pixels from its upper left corner.
type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
