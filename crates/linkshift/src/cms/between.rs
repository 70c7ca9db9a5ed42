//! The distances between all centers of an iteration, where there are so many columns that it is
//! better to know them all than to search.

use crate::neighbors::Neighbor;
use crate::neighbors::products::{Products, TOGETHER};
use crate::real::Real;
use crate::stop::Stoppable;
use rayon::prelude::*;

/// Beyond this many centers the square of their number would outgrow the memory of small machines
/// (800 MB in `f64`); then they are searched for.
const MOST_CENTERS: usize = 10_000;

/// Squared distances between all centers.
#[derive(Debug)]
pub(crate) struct Between<T> {
    centers: Products<T>,
    distances_sq: Vec<T>,
}

impl<T: Real> Between<T> {
    /// `None` if there are too many.
    pub(crate) fn of(centers: &[T], d: usize) -> Option<Self> {
        let n = centers.len() / d;
        if n > MOST_CENTERS {
            return None;
        }
        let products = Products::new(centers, d);
        let mut distances_sq = vec![T::zero(); n * n];
        distances_sq
            .par_chunks_mut(TOGETHER * n)
            .zip(centers.par_chunks(TOGETHER * d))
            .stoppable()
            .for_each(|(out, places)| products.fill_distances_sq(places, out));
        Some(Self { centers: products, distances_sq })
    }

    /// From one center to all.
    pub(crate) fn row(&self, center: usize) -> &[T] {
        let n = self.centers.n_rows();
        &self.distances_sq[center * n..][..n]
    }

    /// From places to all centers, place by place.
    pub(crate) fn fill(&self, places: &[T], out: &mut [T]) {
        self.centers.fill_distances_sq(places, out);
    }

    /// The centers nearer to a center than `radius`, in order.
    pub(crate) fn within(&self, center: u32, radius: T) -> Vec<Neighbor<T>> {
        let row = self.row(center as usize).iter().enumerate();
        row.filter(|&(_, &distance_sq)| distance_sq < radius * radius)
            .map(|(row, &distance_sq)| Neighbor { row, distance_sq })
            .collect()
    }
}
