//! What all members of the family do alike: several runs, shown to one observer, of which the best is
//! kept.

use super::params::KMeansParams;
use crate::error::Result;
use crate::method::{Clusters, Counts, Info, LinkUse};
use crate::observe::{self, Observer, Step};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// What a member of the family is.
pub(super) const fn info(
    name: &'static str,
    class: &'static str,
    sentence: &'static str,
    links: LinkUse,
) -> Info {
    Info {
        name,
        class,
        sentence,
        links,
        clusters: Clusters::Told,
        counts: Counts::ITERATIONS,
        takes_similarities: false,
        shows_distances: false,
    }
}

/// Counts the iterations of all runs.
pub(super) struct Watch<'a, 'o> {
    observer: &'a mut Observer<'o>,
    n_iter: usize,
    max_iter: usize,
}

impl Watch<'_, '_> {
    /// Shows one more iteration.
    pub(super) fn show(&mut self, n_live: usize, largest_shift: f64) -> Result<()> {
        self.n_iter += 1;
        let (n_iter, max_iter) = (self.n_iter, self.max_iter);
        // There is no bandwidth here.
        let step = Step { n_iter, max_iter, n_live, bandwidth: 0.0, largest_shift };
        observe::show(self.observer, &step)
    }
}

/// The run with the lowest objective, of `n_init`.
pub(super) fn best_of<R>(
    params: &KMeansParams,
    observer: &mut Observer<'_>,
    objective: impl Fn(&R) -> f64,
    mut run: impl FnMut(&mut ChaCha8Rng, &mut Watch<'_, '_>) -> Result<R>,
) -> Result<R> {
    let max_iter = params.n_init.saturating_mul(params.max_iter);
    let mut watch = Watch { observer, n_iter: 0, max_iter };
    let mut rng = ChaCha8Rng::seed_from_u64(params.seed);
    let mut best = run(&mut rng, &mut watch)?;
    for _ in 1..params.n_init {
        let next = run(&mut rng, &mut watch)?;
        if objective(&next) < objective(&best) {
            best = next;
        }
    }
    Ok(best)
}
