//! Which of these groups does it belong to?

use super::answers::Answers;
use super::neighborhoods::Neighborhoods;
use super::question::{Pair, Place};
use super::walk::{Walk, order_of};

/// The row of a pair against all groups it may belong to, if there are two or more.
pub(super) fn place(pair: Pair, answers: &Answers, walk: &Walk) -> Option<Place> {
    let known = Neighborhoods::of(answers);
    let k = known.len();
    let chances = walk.chances(&known);
    let chances = &chances[pair.a * k..][..k];
    let open = |&at: &usize| answers.known(pair.a, known.members[at][0]).is_none();
    let groups: Vec<usize> =
        order_of(chances).into_iter().filter(open).take(Place::MOST_GROUPS).collect();
    (groups.len() > 1).then(|| Place {
        row: pair.a,
        groups: groups
            .iter()
            .map(|&at| known.members[at].iter().copied().take(Place::MOST_SHOWN).collect())
            .collect(),
        chances: groups.iter().map(|&at| chances[at]).collect(),
    })
}
