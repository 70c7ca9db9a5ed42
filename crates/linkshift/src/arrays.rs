//! Arrays of the crate `ndarray` as points (the feature `ndarray`).
//!
//! ```
//! use linkshift::Points;
//! use ndarray::array;
//!
//! let rows = array![[0.0, 0.0], [1.0, 0.5]];
//! let points = Points::try_from(rows.view())?; // borrowed: nothing is copied
//! assert_eq!(points.row(1), [1.0, 0.5]);
//! # Ok::<(), linkshift::Error>(())
//! ```

use crate::error::{Error, Result};
use crate::points::Points;
use crate::real::Real;
use ndarray::{Array2, ArrayView2};
use std::borrow::Cow;

/// A row of the array is a point. Borrowed if the array holds row after row without gaps, else
/// copied.
impl<'a, T: Real> TryFrom<ArrayView2<'a, T>> for Points<'a, T> {
    type Error = Error;

    fn try_from(rows: ArrayView2<'a, T>) -> Result<Self> {
        let n_features = rows.ncols();
        let values: Cow<'a, [T]> = match rows.to_slice() {
            Some(values) => Cow::Borrowed(values),
            None => Cow::Owned(rows.iter().copied().collect()),
        };
        Points::new(values, n_features)
    }
}

impl<'a, T: Real> TryFrom<&'a Array2<T>> for Points<'a, T> {
    type Error = Error;

    fn try_from(rows: &'a Array2<T>) -> Result<Self> {
        rows.view().try_into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::PointsError;
    use ndarray::{Axis, Slice, array};

    #[test]
    fn rows_without_gaps_are_borrowed() {
        let rows = array![[0.0_f32, 1.0], [2.0, 3.0], [4.0, 5.0]];
        let points = Points::try_from(&rows).unwrap();
        assert!(std::ptr::eq(points.values().as_ptr(), rows.as_ptr()));
        assert_eq!((points.n_points(), points.n_features()), (3, 2));
        let later = Points::try_from(rows.slice_axis(Axis(0), Slice::from(1..))).unwrap();
        assert_eq!(later.values(), [2.0, 3.0, 4.0, 5.0]);
        assert!(std::ptr::eq(later.values(), &points.values()[2..]));
    }

    #[test]
    fn other_layouts_are_copied_row_by_row() {
        let rows = array![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]];
        let turned = Points::try_from(rows.t()).unwrap();
        assert_eq!(turned.values(), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
        let some = Points::try_from(rows.slice_axis(Axis(1), Slice::new(0, None, 2))).unwrap();
        assert_eq!((some.values(), some.n_features()), (&[0.0, 2.0, 3.0, 5.0][..], 2));
        let mut backwards = rows.view();
        backwards.invert_axis(Axis(0));
        assert_eq!(Points::try_from(backwards).unwrap().row(0), [3.0, 4.0, 5.0]);
    }

    #[test]
    fn what_cannot_be_points_is_refused() {
        let refused = |rows: Array2<f64>| Points::try_from(&rows).unwrap_err();
        assert_eq!(refused(Array2::zeros((0, 3))), PointsError::Empty.into());
        assert_eq!(refused(Array2::zeros((3, 0))), PointsError::NoColumns.into());
        let Error::Points(error) = refused(array![[0.0], [f64::NAN]]) else { panic!() };
        assert!(matches!(error, PointsError::NotFinite { row: 1, col: 0, .. }));
    }
}
