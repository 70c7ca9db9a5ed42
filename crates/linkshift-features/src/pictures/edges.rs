//! Which way edges face: a histogram of their directions.
//!
//! Edges are found by Canny's method (1986): brightness from 0 to 1 is smoothed by a Gaussian of one
//! pixel, its slope taken by Sobel's operator, and a pixel is on an edge if its slope is the steepest
//! across the edge, and either above [`STEEP`] or above [`SLIGHT`] and joined to such a one. The
//! direction is the one in which it gets brighter: 0° to the right, 90° downwards. Each of the 36 bins
//! holds the share of all pixels that are on an edge within 5° of its direction, the last the share
//! on no edge: 37 numbers whose sum is 1.

use super::picture::Gray;

/// Directions, 10° apart.
const DIRECTIONS: usize = 36;

pub(super) const N_FEATURES: usize = DIRECTIONS + 1;

/// Slopes that make an edge, in brightness per pixel: scikit-image's defaults, .2 and .1 in sums of
/// Sobel's operator, which is 8 times the slope.
const STEEP: f64 = 0.2 / 8.0;
const SLIGHT: f64 = 0.1 / 8.0;

/// Reach of the Gaussian in pixels: beyond three deviations there is a 300th of it.
const REACH: isize = 3;

/// Numbers at the pixels of a picture; outside, those of the nearest pixel.
struct Plane {
    values: Vec<f64>,
    width: isize,
    height: isize,
}

impl Plane {
    fn at(&self, x: isize, y: isize) -> f64 {
        let (x, y) = (x.clamp(0, self.width - 1), y.clamp(0, self.height - 1));
        self.values[(y * self.width + x) as usize]
    }

    /// A number for each pixel from its place.
    fn map(&self, value: impl Fn(isize, isize) -> f64) -> Plane {
        let pixels = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        let values = pixels.map(|(x, y)| value(x, y)).collect();
        Plane { values, width: self.width, height: self.height }
    }

    /// Smoothed by a Gaussian of one pixel, first along the rows, then along the columns.
    fn smoothed(&self) -> Plane {
        let weight = |offset: isize| (-0.5 * (offset * offset) as f64).exp();
        let total: f64 = (-REACH..=REACH).map(weight).sum();
        let weights = (-REACH..=REACH).map(|offset| (offset, weight(offset) / total));
        let weights: Vec<(isize, f64)> = weights.collect();
        let along = self.map(|x, y| weights.iter().map(|(o, w)| w * self.at(x + o, y)).sum());
        along.map(|x, y| weights.iter().map(|(o, w)| w * along.at(x, y + o)).sum())
    }

    /// The slope to the right by Sobel's operator, per pixel.
    fn slope_right(&self) -> Plane {
        let across = |x, y| self.at(x + 1, y) - self.at(x - 1, y);
        self.map(|x, y| (across(x, y - 1) + 2.0 * across(x, y) + across(x, y + 1)) / 8.0)
    }

    /// The slope downwards by Sobel's operator, per pixel.
    fn slope_down(&self) -> Plane {
        let along = |x, y| self.at(x, y + 1) - self.at(x, y - 1);
        self.map(|x, y| (along(x - 1, y) + 2.0 * along(x, y) + along(x + 1, y)) / 8.0)
    }
}

/// The share of pixels on edges of each direction, and on none.
pub(super) fn directions(gray: &Gray) -> Vec<f64> {
    let plane = Plane {
        values: gray.values.iter().map(|&value| f64::from(value) / 255.0).collect(),
        width: gray.width as isize,
        height: gray.height as isize,
    };
    let smoothed = plane.smoothed();
    let (right, down) = (smoothed.slope_right(), smoothed.slope_down());
    let mut counts = vec![0_u32; N_FEATURES];
    for (at, on_edge) in edges(&right, &down).into_iter().enumerate() {
        let direction = || {
            let degrees = down.values[at].atan2(right.values[at]).to_degrees();
            (degrees / 10.0).round().rem_euclid(DIRECTIONS as f64) as usize
        };
        counts[if on_edge { direction() } else { DIRECTIONS }] += 1;
    }
    counts.into_iter().map(|count| f64::from(count) / right.values.len() as f64).collect()
}

/// Whether each pixel is on an edge.
fn edges(right: &Plane, down: &Plane) -> Vec<bool> {
    let (width, height) = (right.width, right.height);
    let slopes = right.map(|x, y| right.at(x, y).hypot(down.at(x, y)));
    let is_crest = |x: isize, y: isize| {
        let (dx, dy) = across(right.at(x, y), down.at(x, y));
        let inside = |x, y| (0..width).contains(&x) && (0..height).contains(&y);
        let slope = |x, y| if inside(x, y) { slopes.at(x, y) } else { 0.0 };
        // Of two that are equally steep, one.
        slopes.at(x, y) > slope(x - dx, y - dy) && slopes.at(x, y) >= slope(x + dx, y + dy)
    };
    let mut found = vec![false; slopes.values.len()];
    let mut open: Vec<(isize, isize)> = Vec::new();
    let steep = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    for (x, y) in steep.filter(|&(x, y)| slopes.at(x, y) >= STEEP && is_crest(x, y)) {
        found[(y * width + x) as usize] = true;
        open.push((x, y));
    }
    while let Some((x, y)) = open.pop() {
        let around = (y - 1..=y + 1).flat_map(|y| (x - 1..=x + 1).map(move |x| (x, y)));
        for (x, y) in around.filter(|&(x, y)| (0..width).contains(&x) && (0..height).contains(&y)) {
            let at = (y * width + x) as usize;
            if !found[at] && slopes.at(x, y) >= SLIGHT && is_crest(x, y) {
                found[at] = true;
                open.push((x, y));
            }
        }
    }
    found
}

/// The neighbour nearest to the direction of the slope, as steps to the right and down.
fn across(right: f64, down: f64) -> (isize, isize) {
    // Up to 22.5° from an axis the neighbour is along that axis.
    const TAN_22_5: f64 = 0.414_213_562_373_095_03;
    let sign = |slope: f64| if slope < 0.0 { -1 } else { 1 };
    if down.abs() <= TAN_22_5 * right.abs() {
        (sign(right), 0)
    } else if right.abs() <= TAN_22_5 * down.abs() {
        (0, sign(down))
    } else {
        (sign(right), sign(down))
    }
}

pub(super) fn names() -> Vec<String> {
    let directions = (0..DIRECTIONS).map(|at| format!("edge_{}", at * 10));
    directions.chain(["edge_none".to_owned()]).collect()
}
