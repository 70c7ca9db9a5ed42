//! Where everything goes, in pixels. A picture is meant to be shown at about half its size.

use crate::legend::{Legend, ROW_HEIGHT};
use crate::panel::Panel;

pub(crate) const TITLE_SIZE: u32 = 40;
pub(crate) const TEXT_SIZE: u32 = 28;

/// Around the picture and between panels.
pub(crate) const MARGIN: u32 = 36;
pub(crate) const TITLE_HEIGHT: u32 = 60;

/// Left of and below the frame, for the axes' numbers and names.
pub(crate) const Y_LABELS: u32 = 112;
pub(crate) const X_LABELS: u32 = 84;

/// A flat data set still gets a frame of this height over width, a tall one no more than that.
const ASPECT: (f64, f64) = (0.5, 0.8);

/// Between the axes and the legend.
const LEGEND_GAP: u32 = 12;

/// The same for all panels of a picture, so that their frames line up.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// Width and height of the whole picture.
    pub(crate) size: (u32, u32),
    /// Width and height of the frame that the points are in.
    pub(crate) frame: (u32, u32),
    title_height: u32,
}

impl Layout {
    pub(crate) fn new(panels: &[Panel<'_>]) -> Self {
        let n_panels = panels.len() as u32;
        let width = match n_panels {
            1 => 1400,
            2 => 860,
            _ => 680,
        };
        let tallest = panels.iter().map(|panel| panel.extent.aspect()).fold(0.0, f64::max);
        let height = (f64::from(width) * tallest.clamp(ASPECT.0, ASPECT.1)) as u32;
        let titled = panels.iter().any(|panel| !panel.scatter.title.is_empty());
        let title_height = if titled { TITLE_HEIGHT } else { 0 };
        let rows = |legend: &Legend| legend.n_rows(width);
        let legend_rows = panels.iter().map(|panel| rows(&panel.legend)).max().unwrap_or(0);
        let size = (
            n_panels * (Y_LABELS + width + MARGIN) + MARGIN,
            MARGIN
                + title_height
                + height
                + X_LABELS
                + LEGEND_GAP
                + legend_rows * ROW_HEIGHT
                + MARGIN,
        );
        Layout { size, frame: (width, height), title_height }
    }

    /// The upper left corner of a panel's frame.
    pub(crate) fn frame_corner(&self, panel: usize) -> (u32, u32) {
        let left = MARGIN + panel as u32 * (Y_LABELS + self.frame.0 + MARGIN) + Y_LABELS;
        (left, MARGIN + self.title_height)
    }

    /// How far below its frame's upper edge a panel's legend begins.
    pub(crate) fn legend_drop(&self) -> u32 {
        self.frame.1 + X_LABELS + LEGEND_GAP
    }
}
