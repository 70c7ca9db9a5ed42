//! The default method: nothing to choose, no scale to know, links kept, wrong answers found.
//!
//! No method wins everywhere, and links that are held back tell which one understands the person who
//! gave them. So several are asked, none is chosen, and all that they say about pairs of points is
//! weighed by how well it foretold answers they had not seen.
//!
//! 1. **Candidates** (`candidates.rs`): constrained mean shift in a space learned from the
//!    must-links (`space.rs`), spectral clustering on two scales, boosted mean shift, C-DBSCAN,
//!    k-means with many numbers of clusters, and communities of a graph of neighbours.
//! 2. **Held-back links** (`core.rs`): links are dealt into three folds, and candidates are fitted
//!    without one fold at a time. A held-back link that follows from the others is no test.
//! 3. **Weights** (`stack.rs`): P(same) = σ(Σ wᵢ·xᵢ + c) with xᵢ what candidate i says of a pair. The wᵢ
//!    are fitted to held-back links and drawn to what holds for many sets (`prior.rs`), which is all
//!    there is where links are few.
//! 4. **Suspects** (`suspicion.rs`): links between the same two regions vote on each other, and how often
//!    they disagree where all are sure tells wrong answers from weak evidence. A link that is more probably
//!    wrong than right is a suspect: listed, not obeyed.
//! 5. **Clusters** (`evidence.rs`, `linkage.rs`): the log-odds of all pairs, averaged over all fits, by
//!    average linkage that never joins across a cannot-link. This is greedy correlation clustering, so
//!    that the number of clusters is found, not told.
//! 6. **One alone** (`choice.rs`): a candidate is followed instead if held-back links say that it understood
//!    the person clearly better than all together. Where links amount to labels, as those of a dialogue do,
//!    they are spread over all points (`spreading.rs`), and that is followed first. Where no link is held
//!    back and all together part nothing, or there is none, the points and the other answers judge (`plain.rs`).
//! 7. **Every link holds** (`votes.rs`, `keep.rs`): neighbours vote on each point, must-linked ones
//!    together, and what still breaks a cannot-link moves.
//! 8. **A promise** (`promise.rs`): the share of pairs that are right, from what became of held-back links.
//!
//! More than [`most_points`](AutoParams::most_points) points are clustered by a part of them, linked
//! ones first; the others join their neighbours before the votes, in which all points and all links
//! take part.
//!
//! Read in this order: candidate weights as in evidence accumulation (A. Fred, A. Jain 2005), stacked
//! generalisation (D. Wolpert 1992), relevant component analysis (N. Shental et al. 2002), correlation
//! clustering (N. Bansal, A. Blum, S. Chawla 2004). What was tried and lost is in `docs/how-the-default-decides.md`.
//!
//! # Cost
//! Four fits of each candidate, and O(m²·d) time and O(m²) memory for the evidence between the m ≤ 2,500
//! points that take part.
//!
//! # Example
//! ```
//! use linkshift::auto::{Auto, AutoParams};
//! use linkshift::{Links, datasets, links, scores};
//!
//! let moons = datasets::moons(200, 0.1, 7)?;
//! let links = links::draw(&moons.labels, 40, 7)?;
//! let model = Auto::new(AutoParams::default())?.fit(&moons.points, &links)?;
//! assert!(scores::adjusted_rand_index(&moons.labels, model.labels())? > 0.9);
//! assert!(model.link_report().broken.is_empty());
//! assert!(model.promise().is_some_and(|promise| promise.share > 0.8));
//! # Ok::<(), linkshift::Error>(())
//! ```

mod candidates;
mod choice;
mod core;
mod evidence;
mod fit;
mod keep;
mod linkage;
mod model;
mod params;
mod plain;
mod prior;
mod promise;
mod space;
mod spreading;
mod stack;
mod suspicion;
#[cfg(test)]
mod tests;
mod votes;

#[doc(hidden)]
pub use core::{held_back_evidence, signs_of_wrong_answers};
pub use fit::Auto;
pub use model::{AutoDetails, AutoModel, Projected, Reason, Suspect};
pub use params::{AutoParams, Trust};
pub use promise::Promise;
pub use space::LinearMap;
