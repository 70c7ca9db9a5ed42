//! Pictures moved, turned and resized a little, anew in every pass: what they show stays the same, so
//! the network need not learn by heart where each pixel was.
//!
//! The row of a picture is its pixels line by line. What a pixel at x′ shows afterwards was at
//!
//! ```text
//! x = c + R(−angle)·(x′ − c − shift) / size
//! ```
//!
//! before, c being the middle; between pixels by the four around (bilinear), and 0 outside. A factor for
//! all numbers is no matter, but after a shift of columns 0 would not be the background.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Pixels up or down, and left or right, at most.
const SHIFT: f64 = 2.0;

/// Degrees to either side at most.
const ANGLE: f64 = 10.0;

/// Larger or smaller by this share at most.
const SIZE: f64 = 0.1;

/// Rows that one thread moves at a time.
const ROWS: usize = 16;

/// Words of chance set aside for each row: a block of ChaCha, of which a move takes four.
const WORDS: u128 = 16;

/// How a picture is moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Move {
    /// Pixels down and to the right.
    pub(super) shift: [f64; 2],
    /// Radians, from down to right.
    pub(super) angle: f64,
    /// How many times as large.
    pub(super) size: f64,
}

impl Move {
    /// The move of a row in a pass, whose stream of chance this is: it depends on nothing else, so
    /// neither threads nor the order of rows show.
    pub(super) fn draw(seed: u64, stream: u64, row: usize) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        rng.set_word_pos(row as u128 * WORDS);
        let mut up_to =
            |most: f64| (2.0 * f64::from(rng.next_u32()) / f64::from(u32::MAX) - 1.0) * most;
        Self {
            shift: [up_to(SHIFT), up_to(SHIFT)],
            angle: up_to(ANGLE).to_radians(),
            size: 1.0 + up_to(SIZE),
        }
    }

    /// Where a place in a picture after the move was before.
    pub(super) fn back(&self, place: [f64; 2], middle: [f64; 2]) -> [f64; 2] {
        let (sin, cos) = self.angle.sin_cos();
        let [down, right] =
            [0, 1].map(|axis| (place[axis] - middle[axis] - self.shift[axis]) / self.size);
        [middle[0] + cos * down + sin * right, middle[1] - sin * down + cos * right]
    }
}

/// The middle of a picture of this height and width.
pub(super) fn middle((height, width): (usize, usize)) -> [f64; 2] {
    [height, width].map(|pixels| (pixels as f64 - 1.0) / 2.0)
}

/// Moves all rows, each by what `how` says for its place.
pub(super) fn move_all(
    values: &mut [f32],
    shape: (usize, usize),
    how: impl Fn(usize) -> Move + Sync,
) {
    let width = shape.0 * shape.1;
    values.par_chunks_mut(ROWS * width).enumerate().for_each(|(block, rows)| {
        let mut framed = Vec::new();
        for (at, row) in rows.chunks_exact_mut(width).enumerate() {
            move_one(row, shape, &how(block * ROWS + at), &mut framed);
        }
    });
}

/// Moves one picture; `framed` is room for it with a frame of zeros.
fn move_one(row: &mut [f32], shape: (usize, usize), how: &Move, framed: &mut Vec<f32>) {
    let (height, width) = shape;
    let line = width + 2;
    framed.clear();
    framed.resize((height + 2) * line, 0.0);
    for (y, pixels) in row.chunks_exact(width).enumerate() {
        framed[(y + 1) * line + 1..][..width].copy_from_slice(pixels);
    }
    // The map is affine: one step to the right goes the same way everywhere.
    let middle = middle(shape);
    let place = |y: usize, x: usize| how.back([y as f64, x as f64], middle);
    let first = place(0, 0);
    let to_right = [0, 1].map(|axis| place(0, 1)[axis] - first[axis]);
    for (y, pixels) in row.chunks_exact_mut(width).enumerate() {
        let begin = place(y, 0);
        for (x, pixel) in pixels.iter_mut().enumerate() {
            // In the frame, a pixel further down and right.
            let [down, right] = [0, 1].map(|axis| begin[axis] + x as f64 * to_right[axis] + 1.0);
            let is_seen = down > 0.0
                && right > 0.0
                && down < (height + 1) as f64
                && right < (width + 1) as f64;
            *pixel = if is_seen { between(framed, line, down, right) } else { 0.0 };
        }
    }
}

/// The value at a place between four pixels.
fn between(framed: &[f32], line: usize, down: f64, right: f64) -> f32 {
    let (top, left) = (down as usize, right as usize);
    let (below, beside) = ((down - top as f64) as f32, (right - left as f64) as f32);
    let at = top * line + left;
    let upper = framed[at] * (1.0 - beside) + framed[at + 1] * beside;
    let lower = framed[at + line] * (1.0 - beside) + framed[at + line + 1] * beside;
    upper * (1.0 - below) + lower * below
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autoencoder::naive;

    const STAY: Move = Move { shift: [0.0, 0.0], angle: 0.0, size: 1.0 };

    /// Some sums and products of `f32` against `f64`; a value is at most 1.
    const ROUNDING: f64 = 1e-5;

    const SHAPE: (usize, usize) = (7, 5);

    /// Pictures that differ in every pixel, all values above 0.
    fn pictures(n: usize) -> Vec<f32> {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut value = || 0.1 + 0.9 * (rng.next_u32() as f32 / u32::MAX as f32);
        (0..n * SHAPE.0 * SHAPE.1).map(|_| value()).collect()
    }

    fn moved(row: &[f32], how: Move) -> Vec<f32> {
        let mut row = row.to_vec();
        move_all(&mut row, SHAPE, |_| how);
        row
    }

    #[test]
    fn who_does_not_move_stays_the_same() {
        let rows = pictures(3);
        assert_eq!(moved(&rows, STAY), rows);
    }

    #[test]
    fn whole_pixels_are_exact_and_zero_comes_in_from_outside() {
        let row = pictures(1);
        let (height, width) = (SHAPE.0 as isize, SHAPE.1 as isize);
        for (down, right) in [(1, 0), (0, -2), (-2, 1), (6, 4), (7, 0)] {
            let made = moved(&row, Move { shift: [down as f64, right as f64], ..STAY });
            for at in 0..height * width {
                let (y, x) = (at / width - down, at % width - right);
                // Derived: what is at (y, x) now was `down` lines above and `right` pixels to the left.
                let is_inside = (0..height).contains(&y) && (0..width).contains(&x);
                let before = if is_inside { row[(y * width + x) as usize] } else { 0.0 };
                assert_eq!(made[at as usize], before, "{down} {right} {at}");
            }
        }
    }

    #[test]
    fn half_a_pixel_is_the_mean_of_two() {
        let mut row = vec![0.0; 35];
        row[17] = 1.0;
        let made = moved(&row, Move { shift: [0.0, 0.5], ..STAY });
        // Derived: the pixel in the middle of line 3 goes half to the next.
        assert_eq!((made[17], made[18]), (0.5, 0.5));
        assert_eq!(made.iter().sum::<f32>(), 1.0);
    }

    #[test]
    fn a_quarter_turn_carries_down_to_the_right() {
        let mut row = vec![0.0; 35];
        row[5 * 5 + 2] = 1.0;
        let made = moved(&row, Move { angle: std::f64::consts::FRAC_PI_2, ..STAY });
        // Derived: two below the middle, which is line 3, column 2, becomes two to its right.
        assert!((made[3 * 5 + 4] - 1.0).abs() < 1e-5, "{made:?}");
    }

    #[test]
    fn any_move_is_what_the_formula_says() {
        let rows = pictures(40);
        for (at, row) in rows.chunks_exact(35).enumerate() {
            let drawn = Move::draw(9, 3, at);
            // Also further than any that is drawn.
            let far =
                Move { shift: drawn.shift.map(|by| 2.0 * by), angle: 9.0 * drawn.angle, ..drawn };
            for how in [drawn, far] {
                let literal = naive::moved(row, SHAPE, &how);
                for (a, b) in literal.iter().zip(moved(row, how)) {
                    assert!((a - f64::from(b)).abs() < ROUNDING, "{how:?}: {a} {b}");
                }
            }
        }
    }

    #[test]
    fn moves_are_within_bounds_and_differ_by_seed_pass_and_row() {
        let all: Vec<Move> = (0..2_000).map(|row| Move::draw(1, 5, row)).collect();
        for how in &all {
            assert!(how.shift.iter().all(|by| by.abs() <= SHIFT), "{how:?}");
            assert!(how.angle.abs() <= ANGLE.to_radians(), "{how:?}");
            assert!((how.size - 1.0).abs() <= SIZE + f64::EPSILON, "{how:?}");
        }
        // Derived: the mean of uniform numbers up to ±2 has a deviation of 2/√(3·2,000) = .026; five of them.
        let mean = all.iter().map(|how| how.shift[0]).sum::<f64>() / all.len() as f64;
        assert!(mean.abs() < 0.13, "{mean}");
        let one = Move::draw(1, 5, 7);
        assert_eq!(one, all[7]);
        for other in [Move::draw(2, 5, 7), Move::draw(1, 6, 7), Move::draw(1, 5, 8)] {
            assert_ne!(one, other);
        }
    }

    #[test]
    fn the_number_of_threads_does_not_show() {
        let run = |n_threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            let mut rows = pictures(70);
            pool.install(|| move_all(&mut rows, SHAPE, |row| Move::draw(3, 1, row)));
            rows
        };
        assert_eq!(run(1), run(2));
    }
}
