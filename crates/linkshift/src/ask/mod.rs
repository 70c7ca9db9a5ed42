//! Choosing the question that is worth most: ask and tell.
//!
//! Links come from people, and people's time is short. An [`Asker`] gives questions worth asking
//! ([`question`](Asker::question): a [`Pair`], the [`Place`] of a row, or whether a [`Group`] is one
//! thing; [`next`](Asker::next) for pairs alone), takes the answers ([`reply`](Asker::reply),
//! [`tell`](Asker::tell)) and hands on the [`links`](Asker::links) to whichever method clusters. It
//! never asks what was answered; any answer can be undone, as a whole; [`outlook`](Asker::outlook)
//! says when further answers are expected to change little.
//!
//! The next question is a function of the points, the answers so far and a seed, and of nothing
//! else. So undoing is leaving out, and resuming is reading the list again.
//!
//! # Neighbourhoods
//!
//! All choosers but the random one and [`Chooser::Border`], which has its own way below, place point
//! after point: groups of rows known to be apart from
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
//! With G = (D − α·K)⁻¹, K the kernel values and D their sums, F = G_A·(G_AA)⁻¹·Y for the known rows A
//! with the groups Y: the columns of the rows asked about are all that is needed, and depend on the
//! points alone. Of more than 16,384 rows as many are drawn, and stand for the others.
//!
//! [`Chooser::Border`] asks about the row with the largest stake: an unknown crowd, a crowd between
//! two clusters that could be one, or the part of a cluster that could be another. Rows are asked
//! against their likeliest neighbourhood first. [`labels`](Asker::labels) gives each row its
//! likeliest neighbourhood, at once and after every answer. Rows that no answer has reached yet are
//! labelled as the points alone suggest, by communities of the graph of K (`beginning.rs`).
//!
//! # Answers as evidence
//!
//! To [`Chooser::Border`] an answer is right with probability 1 − ε; ε is the expected share of wrong
//! answers, each judged by where its less sure end belongs by itself (prior: 3 in 100, worth ten answers). For a row, or a block X of
//! rows that answers hold together, the chance of a place g is
//!
//! P(X in g) ∝ (F_g² without X, of the same sum as F_g, + what no walk reaches, shared out) · Π ((1 − ε)/ε)^±1
//!
//! over the answers between X and g, + for same and − for different. Squared, as walks tell less than is true. F without X has a closed form: with
//! Q = (G_AA)⁻¹ it is y − (Q_XX)⁻¹·(Q·Y)_X, where walks from X would end if nothing were known of X. Blocks are
//! what a single "same" holds in a group, halves of groups, and whole groups. A block goes to where
//! it is likelier; one that may be wrong is asked about again, other rows against other rows, if its
//! chance of being wrong times the rows whose walks end there is more than a new row is worth. What
//! disagrees with the places is a [`Suspect`]. Answers said with certainty outweigh all others.
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
//! The neighbours once, O(n log n) where a tree helps; then for each question one or two columns, up to
//! 100 steps over about 14 neighbours of each row. Of the a rows that have their place the inverse of G_AA is kept: a row more or less
//! costs a² (`linear.rs`), a row in another group a. Chances of the other rows take (n − a)·a·k. An answer looks at what
//! was said of the rows it touches; rows of which answers say too little for a place are passed over (`settle.rs`).
//! What grows with the number of answers m beyond a ≤ n is O(m) with a small factor: reading them over.
//! Answers with k groups: at most k pairs a point, or k/6 places.
//! `cargo xtask bench ask` prints what the answers are worth, and the seconds.

mod answers;
mod asker;
mod beginning;
mod belief;
mod beliefs;
mod blocks;
mod border;
mod choose;
mod chooser;
mod cuts;
#[cfg(test)]
mod evidence_tests;
mod finish;
mod frame;
mod heard;
mod known;
mod labels;
mod linear;
#[cfg(test)]
mod literal_tests;
mod neighborhoods;
mod oracle;
mod places;
mod question;
mod reply;
mod settle;
#[cfg(test)]
mod tests;
mod walk;

pub use answers::{Answer, Answers, Tally, Told};
pub use asker::{Asker, Outlook, Suspect};
pub(crate) use beginning::communities;
pub use chooser::Chooser;
pub use finish::{Finish, Kept};
pub use oracle::{KnownLabels, Oracle, run, run_kinds};
pub use question::{Group, Pair, Place, Question};
pub use reply::{Choice, Kind, Reply};
