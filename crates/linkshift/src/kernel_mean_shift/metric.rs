//! What links make of the feature space: a matrix M, so that K̂ = G·M·Gᵀ.
//!
//! Must-links project (Eqs. 13–20): with the rows of A the differences G_a − G_b, the projection
//! to their null space is P = I − Aᵀ(AAᵀ)⁺A (Eq. 14), and K̂ = G·P·Gᵀ is Eq. 20. That is where M
//! begins. Cannot-links and must-links of a confidence below 1 then stretch and shrink it by Bregman
//! projections under the log-det divergence: for a link with v = G_aᵀ − G_bᵀ and p = vᵀMv, its squared
//! distance, M ← M + β·(Mv)(Mv)ᵀ moves p to p + βp². Among all matrices that keep the distance asked
//! for, this is the one nearest to M. Links take turns until none wants a change; a link of
//! confidence ω < 1 may give way, the more the smaller ω/(1 − ω) is.

use super::logdet::{Turns, Wish, add_outer, settle};
use super::params::{CANNOT_PERCENTILE, MUST_PERCENTILE};
use crate::error::Result;
use crate::links::{Link, LinkKind, Links};
use crate::pca::{add_products, leading_eigen};
use crate::stop::Stoppable;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

/// Below this share of the largest, an eigenvalue is rounding.
const NEGLIGIBLE: f64 = 1e-12;

/// Until next to nothing changes.
const TURNS: Turns = Turns { most: 100, settled: 1e-3 };

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
        let [near, far] = [MUST_PERCENTILE, CANNOT_PERCENTILE].map(|q| at(&distances_sq, q));
        let wish = |link: &Link| Wish {
            kind: link.kind,
            distance_sq: if link.kind == LinkKind::Must { near } else { far },
            firmness: link.confidence / (1.0 - link.confidence),
        };
        let wishes: Vec<(Vec<f64>, Wish)> =
            soft.iter().map(|link| (difference(link), wish(link))).collect();
        settle(&mut metric, &wishes, TURNS);
    }
    Ok(Some(metric))
}

/// The value below which this percentage of the sorted values lie; 1 if there are none.
pub(super) fn at(sorted: &[f64], percentile: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get((percentile / 100.0 * last as f64).round() as usize).copied().unwrap_or(1.0)
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

/// R with R·Rᵀ = M.
pub(super) fn root(metric: &Mat<f64>) -> Result<Mat<f64>> {
    let rank = metric.nrows();
    let (values, vectors) = leading_eigen(metric, rank)?;
    Ok(Mat::from_fn(rank, rank, |i, at| vectors[at][i] * values[at].max(0.0).sqrt()))
}

/// How M shows in coordinates: the linear map that takes rows of G to rows E with E·Eᵀ = G·M·Gᵀ,
/// along the principal axes of the result, largest first; axes without extent are dropped.
pub(super) fn axes(rows: &[f64], rank: usize, metric: Option<Mat<f64>>) -> Result<Mat<f64>> {
    let root = match metric {
        None => Mat::identity(rank, rank),
        Some(metric) => root(&metric)?,
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

/// The principal axes, around the mean, that hold the share `energy` of the variance, at most
/// `most` of them; column by column.
pub(super) fn leading_axes(
    rows: &[f64],
    rank: usize,
    energy: f64,
    most: usize,
) -> Result<Mat<f64>> {
    let n = rows.len() / rank;
    let mut products = Mat::<f64>::zeros(rank, rank);
    add_products(&mut products, MatRef::from_column_major_slice(rows, rank, n));
    let mut mean = vec![0.0; rank];
    for row in rows.chunks_exact(rank) {
        mean.iter_mut().zip(row).for_each(|(mean, x)| *mean += x / n as f64);
    }
    add_outer(&mut products, -(n as f64), &mean);
    let (values, vectors) = leading_eigen(&products, rank)?;
    let total: f64 = values.iter().map(|value| value.max(0.0)).sum();
    let mut sum = 0.0;
    let enough = values.iter().position(|value| {
        sum += value.max(0.0);
        sum >= energy * total
    });
    let real = values.iter().take_while(|&&value| value > NEGLIGIBLE * values[0]).count();
    let kept = enough.map_or(rank, |last| last + 1).min(most).min(real).max(1);
    Ok(Mat::from_fn(rank, kept, |i, at| vectors[at][i]))
}

/// Every row times the map, in blocks that do not depend on the number of threads.
pub(super) fn apply(rows: &[f64], map: &Mat<f64>) -> Vec<f64> {
    const ROWS: usize = 1024;
    let (from, to) = (map.nrows(), map.ncols());
    let mut moved = vec![0.0; rows.len() / from * to];
    moved.par_chunks_mut(ROWS * to).zip(rows.par_chunks(ROWS * from)).stoppable().for_each(
        |(moved, rows)| {
            let n_rows = rows.len() / from;
            let moved = MatMut::from_row_major_slice_mut(moved, n_rows, to);
            let rows = MatRef::from_row_major_slice(rows, n_rows, from);
            matmul(moved, Accum::Replace, rows, map, 1.0, Par::Seq);
        },
    );
    moved
}
