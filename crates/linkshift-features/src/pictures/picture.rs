//! A picture in memory, and its brightness.

use super::resize::resized;
use crate::error::PictureProblem;

/// The longest side, in pixels; larger pictures are reduced to it.
pub const MOST_SIDE: usize = 256;

/// The shortest side: a grid of 3 × 3 cells, and neighbours all around a pixel.
const LEAST_SIDE: usize = 3;

/// Colours of 8 bits, at least 3 × 3 of them and at most [`MOST_SIDE`] in each direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Red, green and blue of each pixel, row by row from the top.
    pub(super) colors: Vec<[u8; 3]>,
}

/// The brightness of each pixel, row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Gray {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) values: Vec<u8>,
}

impl Picture {
    /// A picture from the red, green and blue of each pixel, by column and row from the top left.
    pub fn from_fn(
        width: usize,
        height: usize,
        mut color: impl FnMut(usize, usize) -> [u8; 3],
    ) -> Result<Self, PictureProblem> {
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Self::new(width, height, pixels.map(|(x, y)| color(x, y)).collect())
    }

    /// As it comes from a decoder; reduced if it is large.
    pub(super) fn new(
        width: usize,
        height: usize,
        colors: Vec<[u8; 3]>,
    ) -> Result<Self, PictureProblem> {
        if width.min(height) < LEAST_SIDE {
            return Err(PictureProblem::TooSmall { width, height });
        }
        let longest = width.max(height);
        if longest <= MOST_SIDE {
            return Ok(Self { width, height, colors });
        }
        let reduced = |side: usize| (side * MOST_SIDE + longest / 2) / longest;
        let (new_width, new_height) = (reduced(width), reduced(height));
        if new_width.min(new_height) < LEAST_SIDE {
            return Err(PictureProblem::TooSmall { width: new_width, height: new_height });
        }
        let colors = resized(&colors, (width, height), (new_width, new_height));
        Ok(Self { width: new_width, height: new_height, colors })
    }

    /// .299 red + .587 green + .114 blue (ITU-R BT.601), rounded.
    pub(super) fn gray(&self) -> Gray {
        let brightness = |color: &[u8; 3]| {
            let [red, green, blue] = color.map(u32::from);
            ((299 * red + 587 * green + 114 * blue + 500) / 1_000) as u8
        };
        let values = self.colors.iter().map(brightness).collect();
        Gray { width: self.width, height: self.height, values }
    }
}
