//! What links make of the feature space: a matrix M, so that K̂ = G·M·Gᵀ.
//!
//! Must-links project (Eqs. 13–20): with the rows of A the differences G_a − G_b, the projection
//! to their null space is P = I − Aᵀ(AAᵀ)⁺A (Eq. 14), and K̂ = G·P·Gᵀ is Eq. 20. That is where M
//! begins. Cannot-links and must-links of a confidence below 1 then stretch and shrink it by Bregman
//! projections under the log-det divergence: for a link with v = G_aᵀ − G_bᵀ and p = vᵀMv, its squared
//! distance, M ← M + β·(Mv)(Mv)ᵀ moves p to p + βp². Among all matrices that keep the distance asked
//! for, this is the one nearest to M. Links take turns until none wants a change; a link of
//! confidence ω < 1 may give way, the more the smaller ω/(1 − ω) is.

use super::params::{CANNOT_PERCENTILE, MUST_PERCENTILE};
use crate::error::Result;
use crate::links::{Link, LinkKind, Links};
use crate::pca::{add_products, leading_eigen};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

/// Below this share of the largest, an eigenvalue is rounding.
const NEGLIGIBLE: f64 = 1e-12;

/// Turns of all links at the most; whether a link is kept shows in the labels anyway.
const MOST_TURNS: usize = 100;

/// A turn in which no squared distance changed by more than this share is the last.
const SETTLED: f64 = 1e-3;

/// M for the links: `None` is the identity, where there are no links.
pub(super) fn learn(
    rows: &[f64],
    rank: usize,
    links: &Links,
    distances_sq: impl FnOnce() -> Vec<f64>,
) -> Result<Option<Mat<f64>>> {
    if links.is_empty() {
        return Ok(None);
    }
    let difference = |link: &Link| -> Vec<f64> {
        let [a, b] = [link.a, link.b].map(|row| &rows[row * rank..][..rank]);
        a.iter().zip(b).map(|(a, b)| a - b).collect()
    };
    let is_hard_must = |link: &&Link| link.kind == LinkKind::Must && link.confidence == 1.0;
    let constraints: Vec<f64> = links.iter().filter(is_hard_must).flat_map(difference).collect();
    let mut metric = null_space_projection(&constraints, rank)?;
    let soft: Vec<&Link> = links.iter().filter(|link| !is_hard_must(link)).collect();
    if !soft.is_empty() {
        let mut distances_sq = distances_sq();
        distances_sq.sort_unstable_by(f64::total_cmp);
        let turns: Vec<Turn> =
            soft.iter().map(|link| Turn::new(link, difference(link), &distances_sq)).collect();
        settle(&mut metric, turns);
    }
    Ok(Some(metric))
}

/// Eq. 14: P = I − Aᵀ(AAᵀ)⁺A, for A given row by row. The eigenvectors of AᵀA with an eigenvalue
/// span the same as the rows of A, so P = I − V·Vᵀ, and no pseudo-inverse is needed.
fn null_space_projection(constraints: &[f64], rank: usize) -> Result<Mat<f64>> {
    let mut projection = Mat::<f64>::identity(rank, rank);
    let n_constraints = constraints.len() / rank;
    if n_constraints == 0 {
        return Ok(projection);
    }
    let a = MatRef::from_row_major_slice(constraints, n_constraints, rank);
    let mut products = Mat::<f64>::zeros(rank, rank);
    matmul(&mut products, Accum::Replace, a.transpose(), a, 1.0, Par::Seq);
    let (values, vectors) = leading_eigen(&products, rank.min(n_constraints))?;
    let spanned = values.iter().take_while(|&&value| value > NEGLIGIBLE * values[0]);
    for (_, vector) in spanned.zip(&vectors) {
        add_outer(&mut projection, -1.0, vector);
    }
    Ok(projection)
}

/// One soft link: what it wants, and how far it has given way.
struct Turn {
    /// v: how its ends differ.
    v: Vec<f64>,
    /// +1: at most the target; −1: at least.
    sign: f64,
    /// The squared distance it asks for; moves if the link gives way.
    target: f64,
    /// γ = ω/(1 − ω); infinite for a link that does not give way.
    firmness: f64,
    /// λ: the multiplier. A link that pushed too hard takes some of it back.
    multiplier: f64,
}

impl Turn {
    fn new(link: &Link, v: Vec<f64>, sorted_distances_sq: &[f64]) -> Self {
        let percentile = match link.kind {
            LinkKind::Must => MUST_PERCENTILE,
            LinkKind::Cannot => CANNOT_PERCENTILE,
        };
        let last = sorted_distances_sq.len().saturating_sub(1);
        let at = (percentile / 100.0 * last as f64).round() as usize;
        Turn {
            v,
            sign: if link.kind == LinkKind::Must { 1.0 } else { -1.0 },
            target: sorted_distances_sq.get(at).copied().unwrap_or(1.0),
            firmness: link.confidence / (1.0 - link.confidence),
            multiplier: 0.0,
        }
    }

    /// Projects M onto what the link asks for; returns by which share its squared distance changed.
    fn take(&mut self, metric: &mut Mat<f64>) -> f64 {
        let stretched = times(metric, &self.v);
        let p: f64 = stretched.iter().zip(&self.v).map(|(a, b)| a * b).sum();
        let length_sq: f64 = self.v.iter().map(|v| v * v).sum();
        // Ends that must-links have made one cannot be told apart any more; the report says so.
        if p <= NEGLIGIBLE * length_sq || self.target <= 0.0 {
            return 0.0;
        }
        let share =
            if self.firmness.is_finite() { self.firmness / (self.firmness + 1.0) } else { 1.0 };
        let wanted = self.sign * share * (1.0 / p - 1.0 / self.target);
        let alpha = self.multiplier.min(wanted);
        let beta = self.sign * alpha / (1.0 - self.sign * alpha * p);
        self.multiplier -= alpha;
        if self.firmness.is_finite() {
            self.target *= self.firmness / (self.firmness + self.sign * alpha * self.target);
        }
        add_outer(metric, beta, &stretched);
        (beta * p).abs()
    }
}

/// Links take turns until none wants a change.
fn settle(metric: &mut Mat<f64>, mut turns: Vec<Turn>) {
    for _ in 0..MOST_TURNS {
        let largest = turns.iter_mut().map(|turn| turn.take(metric)).fold(0.0, f64::max);
        if largest < SETTLED {
            break;
        }
    }
}

/// How M shows in coordinates: the linear map that takes rows of G to rows E with E·Eᵀ = G·M·Gᵀ,
/// along the principal axes of the result, largest first; axes without extent are dropped.
pub(super) fn axes(rows: &[f64], rank: usize, metric: Option<Mat<f64>>) -> Result<Mat<f64>> {
    let root = match metric {
        None => Mat::identity(rank, rank),
        Some(metric) => {
            let (values, vectors) = leading_eigen(&metric, rank)?;
            Mat::from_fn(rank, rank, |i, at| vectors[at][i] * values[at].max(0.0).sqrt())
        }
    };
    let moved = apply(rows, &root);
    let mut products = Mat::<f64>::zeros(rank, rank);
    add_products(&mut products, MatRef::from_column_major_slice(&moved, rank, moved.len() / rank));
    let (values, vectors) = leading_eigen(&products, rank)?;
    let real = values.iter().take_while(|&&value| value > NEGLIGIBLE * values[0]).count().max(1);
    let rotation = Mat::from_fn(rank, real, |i, at| vectors[at][i]);
    let mut map = Mat::zeros(rank, real);
    matmul(&mut map, Accum::Replace, &root, &rotation, 1.0, Par::Seq);
    Ok(map)
}

/// Every row times the map, in blocks that do not depend on the number of threads.
pub(super) fn apply(rows: &[f64], map: &Mat<f64>) -> Vec<f64> {
    const ROWS: usize = 1024;
    let (from, to) = (map.nrows(), map.ncols());
    let mut moved = vec![0.0; rows.len() / from * to];
    moved.par_chunks_mut(ROWS * to).zip(rows.par_chunks(ROWS * from)).for_each(|(moved, rows)| {
        let n_rows = rows.len() / from;
        let moved = MatMut::from_row_major_slice_mut(moved, n_rows, to);
        let rows = MatRef::from_row_major_slice(rows, n_rows, from);
        matmul(moved, Accum::Replace, rows, map, 1.0, Par::Seq);
    });
    moved
}

/// matrix + factor·v·vᵀ.
fn add_outer(matrix: &mut Mat<f64>, factor: f64, v: &[f64]) {
    for (col, &right) in v.iter().enumerate() {
        let scaled = factor * right;
        matrix.col_mut(col).iter_mut().zip(v).for_each(|(entry, left)| *entry += left * scaled);
    }
}

/// matrix·v.
fn times(matrix: &Mat<f64>, v: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; v.len()];
    for (col, &factor) in v.iter().enumerate() {
        product.iter_mut().zip(matrix.col(col).iter()).for_each(|(sum, m)| *sum += m * factor);
    }
    product
}
