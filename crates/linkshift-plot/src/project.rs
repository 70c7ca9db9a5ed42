//! Points of any dimension in the plane.

use linkshift::pca::Pca;
use linkshift::{Points, Real, Result};

/// How high the strip of one-dimensional points is, as a share of its length.
const STRIP_HEIGHT: f64 = 0.1;

/// A way from the columns of some points to the plane.
///
/// Two columns stay as they are, one becomes a strip, more become their first two principal
/// components. What belongs into the same picture, modes for instance, goes the same way.
///
/// ```
/// use linkshift::Points;
/// use linkshift_plot::Projection;
///
/// let points = Points::new(vec![0.0, 0.0, 5.0, 3.0, 4.0, 5.0, 6.0, 8.0, 5.0], 3)?;
/// let projection = Projection::fit(&points)?;
/// // Three points on a line: 5 apart, and nothing is left for the second axis.
/// let xy = projection.apply(&points)?;
/// assert!((xy[1][0] - xy[0][0] - 5.0).abs() < 1e-12 && xy[1][1].abs() < 1e-12);
/// let names = projection.axis_names(&["a", "b", "c"].map(String::from));
/// assert_eq!(names[0], "component 1 (100 % of the variance)");
/// # Ok::<(), linkshift::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Projection {
    way: Way,
}

#[derive(Debug, Clone, PartialEq)]
enum Way {
    Strip { height: f64 },
    Columns,
    Components(Pca),
}

impl Projection {
    /// The way that shows these points best.
    pub fn fit<T: Real>(points: &Points<'_, T>) -> Result<Self> {
        let way = match points.n_features() {
            1 => Way::Strip { height: strip_height(points) },
            2 => Way::Columns,
            _ => Way::Components(Pca::fit(points, 2)?),
        };
        Ok(Self { way })
    }

    /// A place in the plane for each point; they must have the columns that were fitted.
    pub fn apply<T: Real>(&self, points: &Points<'_, T>) -> Result<Vec<[f64; 2]>> {
        match &self.way {
            Way::Strip { height } => {
                points.expect_features(1)?;
                Ok(strip(points, *height))
            }
            Way::Columns => {
                points.expect_features(2)?;
                Ok(first_two_columns(points))
            }
            Way::Components(pca) => Ok(first_two_columns(&pca.apply(points)?)),
        }
    }

    /// The share of the variance that is shown, if not all of it is.
    pub fn explained(&self) -> Option<f64> {
        match &self.way {
            Way::Strip { .. } | Way::Columns => None,
            Way::Components(pca) => Some(pca.explained().iter().sum()),
        }
    }

    /// What the two axes mean, given the names of the columns.
    pub fn axis_names(&self, columns: &[String]) -> [String; 2] {
        match &self.way {
            // The height of a strip means nothing, and a missing name is no reason to fail.
            Way::Strip { .. } | Way::Columns => {
                [0, 1].map(|axis| columns.get(axis).cloned().unwrap_or_default())
            }
            Way::Components(pca) => [0, 1].map(|axis| {
                let share = 100.0 * pca.explained()[axis];
                format!("component {} ({share:.0} % of the variance)", axis + 1)
            }),
        }
    }
}

fn first_two_columns<T: Real>(points: &Points<'_, T>) -> Vec<[f64; 2]> {
    points.rows().map(|row| [row[0].as_f64(), row[1].as_f64()]).collect()
}

fn strip_height<T: Real>(points: &Points<'_, T>) -> f64 {
    let xs = || points.values().iter().map(|value| value.as_f64());
    let length = xs().fold(f64::MIN, f64::max) - xs().fold(f64::MAX, f64::min);
    if length > 0.0 { length * STRIP_HEIGHT } else { 1.0 }
}

/// One column along x. The height means nothing: multiples of the golden ratio spread the rows
/// evenly, without chance, so that equal values and links between them can be told apart.
fn strip<T: Real>(points: &Points<'_, T>, height: f64) -> Vec<[f64; 2]> {
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let place = |(row, x): (usize, &T)| [x.as_f64(), height * (row as f64 * golden).fract()];
    points.values().iter().enumerate().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(points: &Points<'_, f64>) -> Vec<[f64; 2]> {
        Projection::fit(points).unwrap().apply(points).unwrap()
    }

    #[test]
    fn two_columns_are_kept() {
        let points = Points::new(vec![1.0, 2.0, 3.0, 4.0], 2).unwrap();
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

    #[test]
    fn other_columns_than_fitted_are_refused() {
        let plane = Points::new(vec![0.0, 1.0], 2).unwrap();
        let line = Points::new(vec![0.0, 1.0], 1).unwrap();
        assert!(Projection::fit(&plane).unwrap().apply(&line).is_err());
        assert!(Projection::fit(&line).unwrap().apply(&plane).is_err());
    }

    #[test]
    fn constant_columns_have_a_place_too() {
        let points = Points::new(vec![7.0; 9], 3).unwrap();
        assert_eq!(project(&points), [[0.0, 0.0]; 3]);
    }
}
