//! Distances that links ask for: the nearest matrix that grants them, by Bregman projections under
//! the log-det divergence (Davis et al.; Kulis, Sustik, Dhillon).
//!
//! For a link with v = E_aᵀ − E_bᵀ and p = vᵀMv, its squared distance, M ← M + β·(Mv)(Mv)ᵀ moves p
//! to p + βp². Among all matrices with the distance asked for, this is the one nearest to M. Links
//! take turns until none wants a change. A link may give way: the distance ξ that it asks for
//! moves as well, at a price γ for the divergence of ξ, so that
//! 1/p' = 1/ξ' for 1/p' = 1/p − δα, 1/ξ' = 1/ξ + δα/γ, hence δα = γ/(γ + 1)·(1/p − 1/ξ),
//! where δ is 1 for "at most" and −1 for "at least". The multiplier of a link sums its α, so that
//! one which pushed too hard takes some of it back, and never more than it gave.

use crate::links::LinkKind;
use crate::neighbors::blocks::{Wide, dot};
use crate::stop;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};

/// How long links take turns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turns {
    /// Turns of all links at the most; whether a link is kept shows in the labels anyway.
    pub(super) most: usize,
    /// A turn in which no squared distance changed by more than this share is the last.
    pub(super) settled: f64,
}

/// Below this share of what it was, a squared distance is rounding.
const NEGLIGIBLE: f64 = 1e-12;

/// What a link asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wish {
    /// Must: at most this far; cannot: at least.
    pub(super) kind: LinkKind,
    /// The squared distance.
    pub(super) distance_sq: f64,
    /// γ: how dear it is to give way; infinite for a link that does not.
    pub(super) firmness: f64,
}

/// A wish and how far it has come: the arithmetic of one link, without any matrix.
#[derive(Debug, Clone)]
pub(super) struct Turn {
    /// +1: at most; −1: at least.
    sign: f64,
    /// ξ: what is asked for; moves if the link gives way.
    target: f64,
    firmness: f64,
    multiplier: f64,
}

impl Turn {
    pub(super) fn new(wish: Wish) -> Self {
        let sign = if wish.kind == LinkKind::Must { 1.0 } else { -1.0 };
        Turn { sign, target: wish.distance_sq, firmness: wish.firmness, multiplier: 0.0 }
    }

    /// β for the squared distance p as it is.
    pub(super) fn beta(&mut self, p: f64) -> f64 {
        let share =
            if self.firmness.is_finite() { self.firmness / (self.firmness + 1.0) } else { 1.0 };
        let wanted = self.sign * share * (1.0 / p - 1.0 / self.target);
        let alpha = self.multiplier.min(wanted);
        self.multiplier -= alpha;
        if self.firmness.is_finite() {
            self.target *= self.firmness / (self.firmness + self.sign * alpha * self.target);
        }
        self.sign * alpha / (1.0 - self.sign * alpha * p)
    }
}

/// Links whose changes are gathered before they are added to the matrix, so that both products are
/// of matrices, which is several times as quick as link by link.
const BLOCK: usize = 32;

/// Changes M until all links have what they ask for, or have given way. Each link is given as v, how
/// its ends differ.
///
/// Within a block of links, M is what it was before the block plus Σ β·s·sᵀ of the links before, so
/// s = Mv = M₀v + Σ β·s·(sᵀv): the same as if M were changed at once.
pub(super) fn settle(metric: &mut Mat<f64>, links: &[(Vec<f64>, Wish)], until: Turns) {
    let rank = metric.nrows();
    let wide = Wide::new();
    let mut turns: Vec<Turn> = links.iter().map(|(_, wish)| Turn::new(*wish)).collect();
    let lengths_sq: Vec<f64> = links.iter().map(|(v, _)| dot(v, v)).collect();
    for _ in 0..until.most {
        let mut largest = 0.0_f64;
        for (at, block) in links.chunks(BLOCK).enumerate() {
            stop::look();
            let first = at * BLOCK;
            let ends: Vec<f64> = block.iter().flat_map(|(v, _)| v).copied().collect();
            let mut stretched = vec![0.0; ends.len()];
            let product = MatMut::from_column_major_slice_mut(&mut stretched, rank, block.len());
            let ends_at = MatRef::from_column_major_slice(&ends, rank, block.len());
            matmul(product, Accum::Replace, &*metric, ends_at, 1.0, Par::Seq);
            let mut betas = vec![0.0; block.len()];
            wide.run(
                #[inline(always)]
                || {
                    for (j, v) in ends.chunks_exact(rank).enumerate() {
                        let (before, own) = stretched.split_at_mut(j * rank);
                        let own = &mut own[..rank];
                        for (s, beta) in before.chunks_exact(rank).zip(&betas) {
                            if *beta != 0.0 {
                                let by = beta * dot(s, v);
                                own.iter_mut().zip(s).for_each(|(own, s)| *own += by * s);
                            }
                        }
                        let p = dot(own, v);
                        let turn = &mut turns[first + j];
                        // Ends that are one cannot be told apart any more; the report says so.
                        if p > NEGLIGIBLE * lengths_sq[first + j] && turn.target > 0.0 {
                            betas[j] = turn.beta(p);
                            largest = largest.max((betas[j] * p).abs());
                        }
                    }
                },
            );
            let changed: Vec<usize> = (0..block.len()).filter(|&j| betas[j] != 0.0).collect();
            let left = Mat::from_fn(rank, changed.len(), |i, j| stretched[changed[j] * rank + i]);
            let right = Mat::from_fn(rank, changed.len(), |i, j| left[(i, j)] * betas[changed[j]]);
            matmul(&mut *metric, Accum::Add, &left, right.transpose(), 1.0, Par::Seq);
        }
        if largest < until.settled {
            break;
        }
    }
}

/// matrix + factor·v·vᵀ.
pub(super) fn add_outer(matrix: &mut Mat<f64>, factor: f64, v: &[f64]) {
    for (col, &right) in v.iter().enumerate() {
        let scaled = factor * right;
        matrix.col_mut(col).iter_mut().zip(v).for_each(|(entry, left)| *entry += left * scaled);
    }
}
