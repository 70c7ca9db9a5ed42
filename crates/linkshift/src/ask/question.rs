//! What a person can be asked: about two rows, the place of one row, or a group.

use super::answers::Answer;
use super::reply::Kind;

/// A question worth asking.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// Do these two belong together?
    Pair(Pair),
    /// Which of these groups does it belong to?
    Place(Place),
    /// Is this group one thing?
    Group(Group),
}

/// Two rows of which it would help to know whether they belong together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The row that the question is about.
    pub a: usize,
    /// The row it is compared with.
    pub b: usize,
    /// What the chooser expects to hear, [`Answer::Same`] or [`Answer::Different`].
    pub guess: Answer,
    /// The chance that they belong together, as far as the chooser can tell.
    pub chance: f64,
    /// Whether it is asked because an earlier answer fits badly with the others.
    pub again: bool,
}

/// A row, and groups that it may belong to.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The row that the question is about.
    pub row: usize,
    /// Typical members of each group, the likeliest group first; at most
    /// [`MOST_GROUPS`](Self::MOST_GROUPS) groups of [`MOST_SHOWN`](Self::MOST_SHOWN) rows.
    pub groups: Vec<Vec<usize>>,
    /// For each group the chance that the row belongs there.
    pub chances: Vec<f64>,
}

impl Place {
    /// So many groups a person can look over.
    pub const MOST_GROUPS: usize = 6;

    /// So many members tell what a group is.
    pub const MOST_SHOWN: usize = 3;
}

/// Rows that are held to be one group.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The rows, the most typical first; at most [`MOST_SHOWN`](Self::MOST_SHOWN).
    pub rows: Vec<usize>,
    /// For each row the chance that it belongs with the first.
    pub chances: Vec<f64>,
}

impl Group {
    /// A dozen can be seen at one look.
    pub const MOST_SHOWN: usize = 12;
}

impl Question {
    /// What kind it is.
    pub fn kind(&self) -> Kind {
        match self {
            Question::Pair(_) => Kind::Pair,
            Question::Place(_) => Kind::Place,
            Question::Group(_) => Kind::Group,
        }
    }

    /// All rows that are shown, in the order shown.
    pub fn rows(&self) -> Vec<usize> {
        match self {
            Question::Pair(pair) => vec![pair.a, pair.b],
            Question::Place(place) => {
                let groups = place.groups.iter().flatten();
                std::iter::once(&place.row).chain(groups).copied().collect()
            }
            Question::Group(group) => group.rows.clone(),
        }
    }
}
