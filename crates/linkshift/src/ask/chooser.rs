//! The rules that choose questions, by name.

use super::answers::Answers;
use super::neighborhoods::Neighborhoods;
use crate::error::{Error, Result};
use crate::links::{Link, Links};

/// A rule that chooses questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Chooser {
    /// Random pairs: the yardstick.
    Random,
    /// Explore & Consolidate (Basu, Banerjee, Mooney 2004): the farthest point from all known
    /// ones until `k` groups are found (`None`: until no new group turns up), then random points;
    /// each is asked against the groups, the nearest first.
    ExploreConsolidate {
        /// The number of groups, if it is known.
        k: Option<usize>,
    },
    /// Min-max (Mallapragada, Jin, Jain 2008): explores in the same way, and goes on with the
    /// point whose largest similarity to the known points is smallest.
    MinMax {
        /// The number of groups, if it is known.
        k: Option<usize>,
    },
    /// Normalised point-based uncertainty (Xiong, Azimi, Fern 2014): the point with the largest
    /// entropy of its chances per question that placing it takes. The paper takes the chances
    /// from a random forest; here they are those of the [walk](super#how-far-an-answer-reaches).
    Npu,
    /// For models without a number of clusters: the point on which most doubt hangs, be it between
    /// two clusters that could be one or inside one that could be two.
    Border,
}

impl Chooser {
    /// Every chooser, those with a number of groups without it.
    pub const ALL: [Chooser; 5] = [
        Chooser::Border,
        Chooser::Npu,
        Chooser::ExploreConsolidate { k: None },
        Chooser::MinMax { k: None },
        Chooser::Random,
    ];

    /// The name in every door.
    pub fn name(self) -> &'static str {
        match self {
            Chooser::Random => "random",
            Chooser::ExploreConsolidate { .. } => "explore-consolidate",
            Chooser::MinMax { .. } => "min-max",
            Chooser::Npu => "npu",
            Chooser::Border => "border",
        }
    }

    /// The chooser of that name; a number of groups is refused by those that have no use for it.
    pub fn parse(name: &str, k: Option<usize>) -> Result<Self> {
        let Some(chooser) = Self::ALL.into_iter().find(|chooser| chooser.name() == name) else {
            let names = Self::ALL.map(Chooser::name).join(", ");
            return Err(Error::param("chooser", name, format!("one of {names}")));
        };
        match (chooser, k) {
            (Chooser::ExploreConsolidate { .. }, k) => Ok(Chooser::ExploreConsolidate { k }),
            (Chooser::MinMax { .. }, k) => Ok(Chooser::MinMax { k }),
            (_, None) => Ok(chooser),
            (_, Some(k)) => {
                let must = format!("left out: chooser {name} finds the number of groups itself");
                Err(Error::param("k", k, must))
            }
        }
    }

    /// Fails if the chooser has a parameter that cannot work for so many points.
    pub(super) fn check(self, n_points: usize) -> Result<()> {
        match self.n_groups() {
            Some(k) if !(1..=n_points).contains(&k) => {
                Err(Error::param("k", k, format!("from 1 to the number of points, {n_points}")))
            }
            _ => Ok(()),
        }
    }

    /// Whether answers are evidence that may be wrong, not decrees.
    pub fn hears_evidence(self) -> bool {
        self == Chooser::Border
    }

    pub(super) fn n_groups(self) -> Option<usize> {
        match self {
            Chooser::ExploreConsolidate { k } | Chooser::MinMax { k } => k,
            _ => None,
        }
    }

    /// What follows from the number of groups, if it is given: a point apart from all groups but
    /// one belongs to that one.
    pub(super) fn deduced(self, answers: &Answers) -> Links {
        let known = Neighborhoods::of(answers);
        let Some(k) = self.n_groups() else { return Links::new() };
        let only = |row: usize| known.only_place_left(answers, row, k).map(|at| (row, at));
        let rows = (0..answers.n_points()).filter_map(only);
        rows.map(|(row, at)| Link::must(row, known.members[at][0])).collect()
    }
}
