//! What a picture's file holds.

use crate::canvas::Canvas;
use crate::error::PlotError;
use crate::{raster, svg};
use linkshift::params::Named;
use std::path::Path;

/// How a picture is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Shapes: sharp at any size.
    Svg,
    /// Pixels.
    Png,
}

impl Named for Format {
    const ALL: &'static [Self] = &[Format::Svg, Format::Png];

    fn name(self) -> &'static str {
        match self {
            Format::Svg => "svg",
            Format::Png => "png",
        }
    }
}

impl Format {
    /// The format that a path's extension names, in capitals or not.
    ///
    /// ```
    /// use linkshift_plot::Format;
    /// use std::path::Path;
    ///
    /// assert_eq!(Format::of(Path::new("clusters.PNG"))?, Format::Png);
    /// assert!(Format::of(Path::new("clusters.jpg")).is_err());
    /// # Ok::<(), linkshift_plot::PlotError>(())
    /// ```
    pub fn of(path: &Path) -> Result<Self, PlotError> {
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        let named = extension.as_ref().and_then(|extension| Self::parse(extension.to_str()?));
        named.ok_or_else(|| PlotError::Extension { path: path.into() })
    }

    /// The bytes of a picture's file.
    pub(crate) fn encode(self, canvas: &Canvas) -> Result<Vec<u8>, PlotError> {
        match self {
            Format::Svg => Ok(svg::text(canvas).into_bytes()),
            Format::Png => raster::png(canvas),
        }
    }
}
