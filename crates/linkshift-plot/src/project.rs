//! Points of any dimension in the plane.

use linkshift::{Points, Real};

/// How high the strip of one-dimensional points is, as a share of its length.
const STRIP_HEIGHT: f64 = 0.1;

/// A place in the plane for each point: two columns as they are, one column as a strip.
pub fn project<T: Real>(points: &Points<'_, T>) -> Vec<[f64; 2]> {
    match points.n_features() {
        1 => strip(points),
        _ => first_two_columns(points),
    }
}

fn first_two_columns<T: Real>(points: &Points<'_, T>) -> Vec<[f64; 2]> {
    points.rows().map(|row| [row[0].as_f64(), row[1].as_f64()]).collect()
}

/// One column along x. The height means nothing: multiples of the golden ratio spread the rows
/// evenly, without chance, so that equal values and links between them can be told apart.
fn strip<T: Real>(points: &Points<'_, T>) -> Vec<[f64; 2]> {
    let xs = || points.values().iter().map(|value| value.as_f64());
    let length = xs().fold(f64::MIN, f64::max) - xs().fold(f64::MAX, f64::min);
    let height = if length > 0.0 { length * STRIP_HEIGHT } else { 1.0 };
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    xs().enumerate().map(|(row, x)| [x, height * (row as f64 * golden).fract()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_columns_are_kept() {
        let points = Points::new(vec![1.0_f32, 2.0, 3.0, 4.0], 2).unwrap();
        assert_eq!(project(&points), [[1.0, 2.0], [3.0, 4.0]]);
    }

    #[test]
    fn one_column_becomes_a_strip() {
        let points = Points::new(vec![0.0, 10.0, 10.0], 1).unwrap();
        let xy = project(&points);
        assert_eq!(xy.iter().map(|xy| xy[0]).collect::<Vec<_>>(), [0.0, 10.0, 10.0]);
        // A tenth of the length, 10, is 1; equal values lie at different heights.
        assert!(xy.iter().all(|xy| (0.0..1.0).contains(&xy[1])));
        assert_ne!(xy[1], xy[2]);
    }
}
