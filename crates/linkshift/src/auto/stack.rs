//! How much each witness counts: logistic regression on held-back links, drawn to what holds for
//! many sets.
//!
//! A pair of points has a row of evidence x (which candidates put the two together, how far apart they
//! are), and P(same) = σ(w·x + c). The weights minimise the loss over held-back links that are no suspects
//! plus ½·[`WORTH`]·|w − prior|².

use super::space::cholesky;

/// How many links the prior is worth.
const WORTH: f64 = 20.0;

/// What is known of a pair, and what was answered.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) evidence: Vec<f64>,
    pub(super) is_must: bool,
}

/// The log-odds that a pair belongs together, must-links and cannot-links being equally frequent.
pub(super) fn log_odds(weights: &[f64], evidence: &[f64]) -> f64 {
    let (constant, weights) = weights.split_last().expect("there is a constant");
    evidence.iter().zip(weights).map(|(x, w)| x * w).sum::<f64>() + constant
}

/// One weight for each kind of evidence, then the constant. Both kinds of links weigh the same in total.
pub(super) fn fit(cases: &[Case], prior: &[f64]) -> Vec<f64> {
    let n = cases.len() as f64;
    let n_must = cases.iter().filter(|case| case.is_must).count() as f64;
    let (of_must, of_cannot) = (n / 2.0 / n_must.max(1.0), n / 2.0 / (n - n_must).max(1.0));
    let mut weights = prior.to_vec();
    for _ in 0..15 {
        let weighed = cases.iter().map(|case| {
            let importance = if case.is_must { of_must } else { of_cannot };
            (case, importance, f64::from(u8::from(case.is_must)))
        });
        newton_step(&mut weights, weighed, prior, WORTH);
    }
    weights
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// One step of Newton's method; a case comes with its importance and how surely it is a must-link.
fn newton_step<'c>(
    weights: &mut [f64],
    cases: impl Iterator<Item = (&'c Case, f64, f64)>,
    towards: &[f64],
    worth: f64,
) {
    let k = weights.len();
    let mut gradient: Vec<f64> =
        weights.iter().zip(towards).map(|(w, towards)| worth * (w - towards)).collect();
    let mut curvature = vec![0.0; k * k];
    (0..k).for_each(|at| curvature[at * k + at] = worth);
    let mut x = vec![1.0; k];
    for (case, importance, target) in cases {
        x[..k - 1].copy_from_slice(&case.evidence);
        let p = sigmoid(log_odds(weights, &case.evidence));
        let (slope, bend) = (importance * (p - target), importance * p * (1.0 - p));
        for row in 0..k {
            gradient[row] += slope * x[row];
            let to = &mut curvature[row * k..][..=row];
            to.iter_mut().zip(&x).for_each(|(sum, y)| *sum += bend * x[row] * y);
        }
    }
    let lower = cholesky(&curvature, k);
    let step = solve(&lower, &gradient);
    // Far from the minimum a step may overshoot.
    weights.iter_mut().zip(step).for_each(|(w, step)| *w -= step.clamp(-1.0, 1.0));
}

/// The solution of L·Lᵀ·x = b.
fn solve(lower: &[f64], b: &[f64]) -> Vec<f64> {
    let k = b.len();
    let mut x = b.to_vec();
    for row in 0..k {
        let known: f64 = (0..row).map(|col| lower[row * k + col] * x[col]).sum();
        x[row] = (x[row] - known) / lower[row * k + row];
    }
    for row in (0..k).rev() {
        let known: f64 = (row + 1..k).map(|col| lower[col * k + row] * x[col]).sum();
        x[row] = (x[row] - known) / lower[row * k + row];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One kind of evidence that is always right but for every tenth case.
    fn cases() -> Vec<Case> {
        let case = |at: usize| {
            let same = at.is_multiple_of(3);
            let sign = if at.is_multiple_of(10) { -1.0 } else { 1.0 };
            let evidence = vec![if same { sign } else { -sign }];
            Case { evidence, is_must: same }
        };
        (0..1_200).map(case).collect()
    }

    #[test]
    fn without_links_the_prior_is_all_there_is() {
        assert_eq!(fit(&[], &[2.0, -1.0]), [2.0, -1.0]);
    }

    #[test]
    fn many_links_say_how_much_evidence_counts() {
        // Derived: right nine times in ten, so that the log-odds are ln 9 = 2.197.
        let weights = fit(&cases(), &[0.5, 0.0]);
        assert!((weights[0] - 9.0_f64.ln()).abs() < 0.1, "{weights:?}");
        assert!(weights[1].abs() < 0.1, "{weights:?}");
    }
}
