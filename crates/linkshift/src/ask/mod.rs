//! Choosing the question that is worth most: ask and tell.
//!
//! Links come from people, and people's time is short. An [`Asker`] gives pairs of rows worth
//! asking ([`next`](Asker::next)), takes the answers ([`tell`](Asker::tell): same, different,
//! unsure) and hands on the [`links`](Asker::links) to whichever method clusters. It never asks
//! what is known already, by an answer or by the closure of the answers; any answer can be undone;
//! [`outlook`](Asker::outlook) says when further answers are expected to change little.
//!
//! The next question is a function of the points, the answers so far and a seed, and of nothing
//! else. So undoing is leaving out, and resuming is reading the list again.
//!
//! # Neighbourhoods
//!
//! All choosers but the random one place point after point: groups of rows known to be apart from
//! each other are *neighbourhoods*, and a point is asked against one after the other until it
//! belongs to one, or is the first of a new one. The [`Chooser`]s differ in which point comes next
//! and in the order of the neighbourhoods. The number of neighbourhoods need not be known.
//!
//! # How far an answer reaches
//!
//! Mean shift moves each point to a weighted mean of its neighbours. The same weights, applied to
//! labels instead of places, spread the answers over all points: P is a mean shift step with the
//! kernel exp(−|xᵢ − xⱼ|²/(hᵢ·hⱼ)) over the ten nearest neighbours, hᵢ the distance to the last of
//! them, and
//!
//! | | |
//! |---|---|
//! | chances | F = α·P·F, known rows fixed: where a walk from a row ends; what is missing to 1 is the chance of belonging to no neighbourhood yet |
//! | doubt | uᵢ = 1 − (largest − second largest chance) |
//! | stake | v = u + β·Pᵀ·v: the doubt that hangs on a row |
//!
//! [`Chooser::Border`] asks about the row with the largest stake: an unknown crowd, a crowd between
//! two clusters that could be one, or the part of a cluster that could be another. Rows are asked
//! against their likeliest neighbourhood first. [`labels`](Asker::labels) gives each row its
//! likeliest neighbourhood, at once and after every answer. They hold what was answered about points
//! that have found their place, and about the others as far as the neighbourhoods go.
//!
//! # References
//! - S. Basu, A. Banerjee, R. Mooney, *Active semi-supervision for pairwise constrained
//!   clustering*, SDM 2004: Explore & Consolidate.
//! - P. Mallapragada, R. Jin, A. Jain, *Active query selection for semi-supervised clustering*, ICPR
//!   2008: min-max.
//! - S. Xiong, J. Azimi, X. Fern, *Active learning of constraints for semi-supervised clustering*,
//!   IEEE TKDE 2014: NPU.
//! - X. Zhu, Z. Ghahramani, J. Lafferty, *Semi-supervised learning using Gaussian fields and
//!   harmonic functions*, ICML 2003: walks that end at known points.
//!
//! # Cost
//! The neighbours once, O(n log n) where a tree helps; then for each question up to 100 steps over
//! about 14 neighbours of each row and k neighbourhoods. Answers with k groups: at most k a point.
//! `cargo xtask bench ask` prints what the answers are worth, and the seconds.

mod answers;
mod asker;
mod belief;
mod blocks;
mod border;
mod choose;
mod chooser;
mod frame;
mod linear;
mod neighborhoods;
mod oracle;
mod question;
mod reply;
#[cfg(test)]
mod tests;
mod walk;

pub use answers::{Answer, Answers, Told};
pub use asker::{Asker, Outlook, Suspect};
pub use chooser::Chooser;
pub use oracle::{KnownLabels, Oracle, run, run_kinds};
pub use question::{Group, Pair, Place, Question};
pub use reply::{Choice, Kind, Reply};
