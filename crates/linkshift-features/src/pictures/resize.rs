//! Pictures of another size.
//!
//! A new pixel is a mean of the old ones around its place, with weights that fall linearly to 0 at
//! one pixel's distance, of the old size or the new, whichever is larger: bilinear when enlarging,
//! and when reducing every old pixel counts. First along the rows, then along the columns.

/// The same picture in another size; `C` numbers in each pixel.
pub(super) fn resized<const C: usize>(
    pixels: &[[u8; C]],
    (width, height): (usize, usize),
    (new_width, new_height): (usize, usize),
) -> Vec<[u8; C]> {
    let columns = weights(width, new_width);
    let rows = weights(height, new_height);
    let mut narrow = Vec::with_capacity(new_width * height);
    for line in pixels.chunks_exact(width) {
        narrow.extend(columns.iter().map(|(first, weights)| {
            let old = line[*first..].iter().map(|pixel| pixel.map(f32::from));
            weighted(old, weights)
        }));
    }
    let mut out = Vec::with_capacity(new_width * new_height);
    for (first, weights) in &rows {
        for column in 0..new_width {
            let old = narrow[first * new_width + column..].iter().step_by(new_width).copied();
            out.push(weighted(old, weights).map(|value| value.round() as u8));
        }
    }
    out
}

fn weighted<const C: usize>(pixels: impl Iterator<Item = [f32; C]>, weights: &[f32]) -> [f32; C] {
    let mut sum = [0.0; C];
    for (pixel, weight) in pixels.zip(weights) {
        sum.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += weight * value);
    }
    sum
}

/// For each new pixel of a line the first old one that counts, and the weights from there on.
fn weights(old: usize, new: usize) -> Vec<(usize, Vec<f32>)> {
    let scale = old as f64 / new as f64;
    let reach = scale.max(1.0);
    let weigh = |at: usize| {
        // Pixels are squares: their middles lie at halves.
        let middle = (at as f64 + 0.5) * scale;
        let first = (middle - reach).max(0.0) as usize;
        let end = ((middle + reach).ceil() as usize).min(old);
        let weight = |at: usize| (1.0 - (at as f64 + 0.5 - middle).abs() / reach).max(0.0);
        let total: f64 = (first..end).map(weight).sum();
        (first, (first..end).map(|at| (weight(at) / total) as f32).collect())
    };
    (0..new).map(weigh).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_size_is_the_same_picture() {
        let pixels: Vec<[u8; 1]> = (0..12).map(|at| [at * 20]).collect();
        assert_eq!(resized(&pixels, (4, 3), (4, 3)), pixels);
    }

    #[test]
    fn enlarging_is_linear_in_between() {
        // Derived: middles at ¼, ¾, 1¼, 1¾ of 0–100 whose middles are ½ and 1½.
        let line = resized(&[[0_u8], [100]], (2, 1), (4, 1));
        assert_eq!(line, [[0], [25], [75], [100]]);
    }

    #[test]
    fn reducing_keeps_the_mean_of_flat_pictures_and_counts_every_pixel() {
        assert!(resized(&[[77_u8]; 100], (10, 10), (3, 3)).iter().all(|pixel| *pixel == [77]));
        // Derived: halving, reach 2: weights ¾, ¾, ¼ at the left end (1¾ in all).
        let line = resized(&[[7_u8], [0], [0], [0]], (4, 1), (2, 1));
        assert_eq!(line[0], [3]);
    }
}
