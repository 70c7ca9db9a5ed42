//! Fine texture: which neighbours of a pixel are at least as bright as itself.
//!
//! The eight neighbours, around from the right, are the bits of a number (Ojala, Pietikäinen &
//! Mäenpää 2002). Of the 256 patterns 58 change between dark and bright at most twice on the way
//! around: flat places, spots, ends, corners, edges. Each of these has a bin, ascending by the
//! number, and all others share the last: 59 shares of the pixels inside the picture.

use super::picture::Gray;

pub(super) const N_FEATURES: usize = 59;

/// The neighbours, around from the right.
const AROUND: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The share of each pattern.
pub(super) fn patterns(gray: &Gray) -> Vec<f64> {
    let bins = bins();
    let (width, height) = (gray.width as i32, gray.height as i32);
    let value = |x: i32, y: i32| gray.values[(y * width + x) as usize];
    let mut counts = vec![0_u32; N_FEATURES];
    for (x, y) in (1..height - 1).flat_map(|y| (1..width - 1).map(move |x| (x, y))) {
        let own = value(x, y);
        let bit = |(at, &(dx, dy))| u8::from(value(x + dx, y + dy) >= own) << at;
        let pattern: u8 = AROUND.iter().enumerate().map(bit).sum();
        counts[bins[usize::from(pattern)]] += 1;
    }
    let n_pixels = f64::from((width - 2) * (height - 2));
    counts.into_iter().map(|count| f64::from(count) / n_pixels).collect()
}

/// The bin of each pattern.
fn bins() -> [usize; 256] {
    let mut n_uniform = 0;
    std::array::from_fn(|pattern| {
        if !is_uniform(pattern as u8) {
            return N_FEATURES - 1;
        }
        n_uniform += 1;
        n_uniform - 1
    })
}

/// Whether there are at most two changes on the way around.
fn is_uniform(pattern: u8) -> bool {
    (pattern ^ pattern.rotate_left(1)).count_ones() <= 2
}

pub(super) fn names() -> Vec<String> {
    let uniform = (0..=255_u8).filter(|&pattern| is_uniform(pattern));
    uniform.map(|pattern| format!("lbp_{pattern}")).chain(["lbp_other".to_owned()]).collect()
}
