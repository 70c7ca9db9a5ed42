//! The torus of cells, and who is whose neighbour on it.

use crate::error::{Error, Result};
use crate::params::Named;

/// Which cells a cell exchanges points with: the shapes of the paper's Fig. 4 (after Sarma and
/// De Jong), the cell itself counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Neighborhood {
    /// One step in each of the four directions: 5 cells, the paper's choice.
    Linear5,
    /// Two steps in each of the four directions: 9 cells.
    Linear9,
    /// The square of 3 × 3 around the cell: 9 cells.
    Compact9,
    /// All within two steps: the square and the four cells two steps away: 13 cells.
    Compact13,
}

impl Named for Neighborhood {
    const ALL: &'static [Self] = &[Self::Linear5, Self::Linear9, Self::Compact9, Self::Compact13];

    fn name(self) -> &'static str {
        match self {
            Self::Linear5 => "linear-5",
            Self::Linear9 => "linear-9",
            Self::Compact9 => "compact-9",
            Self::Compact13 => "compact-13",
        }
    }
}

impl Neighborhood {
    /// Whether the cell so many columns and rows away belongs to the shape.
    fn holds(self, across: usize, down: usize) -> bool {
        match self {
            Self::Linear5 => across + down <= 1,
            Self::Linear9 => across + down <= 2 && (across == 0 || down == 0),
            Self::Compact9 => across <= 1 && down <= 1,
            Self::Compact13 => across + down <= 2,
        }
    }
}

/// A torus of `width` × `height` cells, numbered row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    width: usize,
    height: usize,
}

impl Grid {
    /// Fails unless there is at least one cell, and at most 2²⁰ (far beyond any use).
    pub fn new(width: usize, height: usize) -> Result<Self> {
        const MOST: usize = 1 << 20;
        for (name, value) in [("width", width), ("height", height)] {
            if value == 0 || value > MOST {
                return Err(Error::param(name, value, format!("from 1 to {MOST}")));
            }
        }
        match width.checked_mul(height) {
            Some(n_cells) if n_cells <= MOST => Ok(Self { width, height }),
            _ => {
                let must = format!("such that width × height is at most {MOST}");
                Err(Error::param("height", height, must))
            }
        }
    }

    /// Cells in a row.
    pub fn width(self) -> usize {
        self.width
    }

    /// Rows of cells.
    pub fn height(self) -> usize {
        self.height
    }

    /// Number of cells.
    pub fn n_cells(self) -> usize {
        self.width * self.height
    }

    /// The cells of a neighbourhood, ascending, each once (on a small torus two ways round may
    /// lead to the same cell), the cell itself included.
    ///
    /// ```
    /// use linkshift::boosted::{Grid, Neighborhood};
    ///
    /// let grid = Grid::new(5, 5)?;
    /// assert_eq!(grid.around(12, Neighborhood::Linear5), [7, 11, 12, 13, 17]);
    /// assert_eq!(grid.around(0, Neighborhood::Linear5), [0, 1, 4, 5, 20]); // it is a torus
    /// # Ok::<(), linkshift::Error>(())
    /// ```
    pub fn around(self, cell: usize, neighborhood: Neighborhood) -> Vec<usize> {
        const REACH: usize = 2;
        let (row, col) = (cell / self.width, cell % self.width);
        let mut cells = Vec::new();
        for down in 0..=2 * REACH {
            for across in 0..=2 * REACH {
                if neighborhood.holds(across.abs_diff(REACH), down.abs_diff(REACH)) {
                    // A multiple of the size, so that nothing is subtracted below 0.
                    let row = (row + REACH * self.height + down - REACH) % self.height;
                    let col = (col + REACH * self.width + across - REACH) % self.width;
                    cells.push(row * self.width + col);
                }
            }
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_as_many_cells_as_their_names_say() {
        let grid = Grid::new(7, 6).unwrap();
        for (shape, n_cells) in Neighborhood::ALL.iter().copied().zip([5, 9, 9, 13]) {
            for cell in 0..grid.n_cells() {
                assert_eq!(grid.around(cell, shape).len(), n_cells, "{}", shape.name());
            }
        }
    }

    #[test]
    fn neighbours_are_mutual() {
        for (width, height) in [(1, 1), (2, 3), (3, 3), (5, 1), (6, 7)] {
            let grid = Grid::new(width, height).unwrap();
            for &shape in Neighborhood::ALL {
                for cell in 0..grid.n_cells() {
                    let around = grid.around(cell, shape);
                    assert!(around.contains(&cell));
                    assert!(around.iter().all(|&other| grid.around(other, shape).contains(&cell)));
                }
            }
        }
    }

    #[test]
    fn the_shapes_are_those_of_figure_4() {
        // Derived: cell 24 is row 3, column 3 of 7 × 7; one row is 7 cells.
        let grid = Grid::new(7, 7).unwrap();
        assert_eq!(grid.around(24, Neighborhood::Linear9), [10, 17, 22, 23, 24, 25, 26, 31, 38]);
        assert_eq!(grid.around(24, Neighborhood::Compact9), [16, 17, 18, 23, 24, 25, 30, 31, 32]);
        let thirteen = [10, 16, 17, 18, 22, 23, 24, 25, 26, 30, 31, 32, 38];
        assert_eq!(grid.around(24, Neighborhood::Compact13), thirteen);
    }

    #[test]
    fn a_grid_without_cells_is_refused() {
        assert!(Grid::new(0, 3).is_err());
        assert!(Grid::new(3, 0).is_err());
        assert!(Grid::new(usize::MAX, usize::MAX).is_err());
    }
}
