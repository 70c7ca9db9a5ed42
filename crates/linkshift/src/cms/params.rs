//! The knobs of Constrained Mean Shift, each with a default that needs no thought.

use super::schedule::Schedule;
use crate::error::{Error, Result};
use crate::kernel::Profile;
use crate::obey::Obey;
use crate::params::shared::{self, HasProfile};
use crate::params::{Param, Preset, Range, Slot};
use crate::shared::representatives::Representatives;

/// Everything that can be chosen about a run.
#[derive(Debug, Clone, PartialEq)]
pub struct CmsParams {
    /// How a sample counts by its distance.
    pub profile: Profile,
    /// The bandwidth of each iteration.
    pub schedule: Schedule,
    /// Number of iterations, unless the schedule lists its bandwidths one by one.
    pub max_iter: usize,
    /// Whether the samples move along with the centers.
    pub blurring: bool,
    /// λ of Eq. 4.4: the reach of a link as a share of its length.
    pub link_scale: f64,
    /// ω of certain must-links in [0, 1]: how strongly what is near one end is drawn to what is near
    /// the other; 0 = not at all, as in the paper.
    pub must_strength: f64,
    /// A must-link pulls once it is no longer than this many bandwidths, one of a confidence below 1
    /// at half of them.
    pub must_range: f64,
    /// ε of Eq. 4.4: no link reaches less far than this.
    pub min_link_bandwidth: f64,
    /// Two centers can share a label if their profile value exceeds this.
    pub merge_k: f64,
    /// Two centers can share a label if their weight w exceeds this.
    pub merge_b: f64,
    /// Linked clusters of at most this many points are leftovers, which join another cluster unless
    /// that breaks a link; 0 = every cluster stays, as in the paper.
    pub leftover_size: usize,
    /// Stop once no center moves further than this share of the bandwidth; 0 = never.
    ///
    /// It takes effect only where the bandwidth stays the same from there on: while it still
    /// grows, centers rest and set out again.
    pub tolerance: f64,
    /// Centers within this share of the bandwidth of each other travel as one from there on;
    /// 0 = only equal ones.
    pub merge_tolerance: f64,
    /// Most pairs of points that one pair of groups held apart stands for; beyond that the
    /// nearest pairs are taken, and the model says so.
    pub link_cap: usize,
    /// Whether points are gathered into weighted representatives first.
    pub representatives: Representatives,
    /// What becomes of certain links that the method itself would break.
    pub obey: Obey,
    /// What the run may use, in megabytes; `None` = no limit.
    pub memory_mb: Option<u64>,
    /// Seed of everything drawn: sampled distances, capped links, representatives.
    pub seed: u64,
}

impl Default for CmsParams {
    fn default() -> Self {
        Self {
            // The paper's choice for all its experiments; also the sparse one, so the fast one.
            profile: Profile::TRUNCATED,
            // The paper's adaptive bandwidth: nothing for the user to find out.
            schedule: Schedule::Linear { from: None, to: None },
            // The larger of the paper's two (80 for embeddings, 100 for toy sets): slower growth
            // never measured worse, and on moons it is the difference between ARI 0.93 and 0.99.
            max_iter: 100,
            // The paper finds both kinds equally good; only in this one are modes modes of the data.
            blurring: false,
            // The paper's λ; its Fig. 6 shows a wide range of nearly equal results around it.
            link_scale: 0.5,
            // Chosen on a dozen sets (two draws each, 0.2 to 1 and 1 to unbounded tried): a wide plateau
            // around both. Without a range, links across a curved cluster pull its centers out of
            // it before the density has gathered them (moons: ARI 0.67); below a range of 2
            // certain links have little pull left.
            must_strength: 0.5,
            must_range: 2.5,
            // The value of the authors' code, made for data scaled to [0, 1].
            min_link_bandwidth: 1e-3,
            // k > 0.995 is a distance below 0.07·h. With w > 0 only centers that sit exactly on the
            // two ends of a link are kept from joining directly. The published pairs are this one
            // (toy sets) and 0.99, 0.1 (embeddings); on the reference run with embeddings both
            // give the same labels, on two moons the other leaves up to 28 clusters where this
            // one leaves 3.
            merge_k: 0.995,
            merge_b: 0.0,
            // Over nine sets (four draws each, links = points) between 0.002 less and 0.015 more than 0,
            // with up to two clusters fewer; 20 gains more on some, but costs 0.005 on s4.
            leftover_size: 5,
            // A center that still goes 1e-4·h and slows down by 1 % a step has 0.01·h ahead of it:
            // well within the 0.07·h that the labels tell apart.
            tolerance: 1e-4,
            // The largest at which all reference runs keep their labels to the last point (at 0.005
            // one of nine loses two points); a twentieth of the 0.07·h within which the labels
            // take two centers for one.
            merge_tolerance: 3e-3,
            // Long links through crowded places split clusters more than they tell, and cost time. With
            // links = points, 2 to 100 are alike on average over twenty sets (few are better with
            // two classes, by up to 0.18, many on Fashion-MNIST, by 0.02) and few up to ten times
            // as fast; with 200 and 600 of 2,000 MNIST embeddings labelled, ARI is 0.81 and 0.86
            // with 100, 0.81 and 0.84 with 20, 0.77 and 0.74 with 5.
            link_cap: 20,
            representatives: Representatives::Auto,
            obey: Obey::Certain,
            memory_mb: None,
            seed: 0,
        }
    }
}

impl CmsParams {
    /// The paper's settings for its toy sets.
    pub fn paper_toy() -> Self {
        Self { max_iter: 100, merge_k: 0.995, merge_b: 0.0, ..Self::paper() }
    }

    /// The paper's settings for its embeddings.
    pub fn paper_embedding() -> Self {
        Self { max_iter: 80, merge_k: 0.99, merge_b: 0.1, ..Self::paper() }
    }

    /// The paper takes all pairs that the links imply, and moves no point afterwards.
    fn paper() -> Self {
        Self {
            link_cap: usize::MAX,
            must_strength: 0.0,
            leftover_size: 0,
            obey: Obey::AsFound,
            ..Self::default()
        }
    }

    /// How many bandwidths long a must-link of this strength may be to pull.
    ///
    /// A certain link may bridge a gap, a doubtful one only confirms what is near. Of links of which
    /// most part, those that join are the likelier to be wrong: with 5 % of 2,000 links of MNIST
    /// embeddings flipped and a confidence of 0.9, the whole range gives an ARI of 0.48, 0.6 of it
    /// 0.80, 0.4 of it 0.76, and no pull at all 0.75.
    pub(crate) fn pull_range(&self, strength: f64) -> f64 {
        const IF_DOUBTFUL: f64 = 0.5;
        if strength < self.must_strength { IF_DOUBTFUL * self.must_range } else { self.must_range }
    }

    pub(super) fn agree(&self) -> Result<()> {
        match &self.schedule {
            Schedule::Linear { from: Some(from), to: Some(to) } if from > to => {
                Err(Error::param("bandwidth_to", to, format!("at least {from}, the first")))
            }
            Schedule::PerIteration(list) if list.is_empty() => {
                Err(Error::param("bandwidth", "an empty list", "at least one bandwidth"))
            }
            _ => Ok(()),
        }
    }
}

impl HasProfile for CmsParams {
    fn profile(&mut self) -> &mut Profile {
        &mut self.profile
    }
}

pub(super) const TABLE: &[Param<CmsParams>] = &[
    Param::new(
        "bandwidth",
        Range::Above(0.0),
        |params| Slot::Field(&mut params.schedule),
        "how far a point looks: adaptive grows from the smallest to the largest distance between points",
    ),
    Param::new(
        "bandwidth_from",
        Range::Above(0.0),
        |params| {
            let from = params.schedule.ends().map(|(from, _)| from);
            Slot::only_if(from, "bandwidth=adaptive", None)
        },
        "where it begins; auto: from the points",
    ),
    Param::new(
        "bandwidth_to",
        Range::Above(0.0),
        |params| {
            let to = params.schedule.ends().map(|(_, to)| to);
            Slot::only_if(to, "bandwidth=adaptive", None)
        },
        "where it ends; auto: from the points",
    ),
    shared::kernel(),
    shared::cut(),
    Param::new(
        "blurring",
        Range::Any,
        |params| Slot::Field(&mut params.blurring),
        "whether the points themselves move along",
    ),
    Param::new(
        "max_iter",
        Range::From(1.0),
        |params| Slot::Field(&mut params.max_iter),
        "iterations, over which the bandwidth grows",
    ),
    Param::new(
        "link_scale",
        Range::Above(0.0),
        |params| Slot::Field(&mut params.link_scale),
        "how far a link reaches, as a share of its length (λ)",
    ),
    Param::new(
        "must_strength",
        Range::FromTo(0.0, 1.0),
        |params| Slot::Field(&mut params.must_strength),
        "how strongly must-links pull; 0: not at all, as in the paper",
    ),
    Param::new(
        "must_range",
        Range::Above(0.0),
        |params| Slot::Field(&mut params.must_range),
        "a must-link pulls once it is no longer than this many bandwidths, a doubtful one at half of them",
    ),
    Param::new(
        "min_link_bandwidth",
        Range::Above(0.0),
        |params| Slot::Field(&mut params.min_link_bandwidth),
        "no link reaches less far than this (ε)",
    ),
    Param::new(
        "merge_k",
        Range::FromBelow(0.0, 1.0),
        |params| Slot::Field(&mut params.merge_k),
        "two centers share a cluster if their kernel value exceeds this",
    ),
    Param::new(
        "merge_b",
        Range::FromBelow(0.0, 1.0),
        |params| Slot::Field(&mut params.merge_b),
        "… and the weight that links leave between them exceeds this",
    ),
    Param::new(
        "tolerance",
        Range::From(0.0),
        |params| Slot::Field(&mut params.tolerance),
        "fixed bandwidth: stop when no center moves more than this share of it",
    ),
    Param::new(
        "merge_tolerance",
        Range::FromBelow(0.0, 1.0),
        |params| Slot::Field(&mut params.merge_tolerance),
        "centers this share of the bandwidth apart travel on as one; 0: only equal ones",
    ),
    Param::new(
        "link_cap",
        Range::From(1.0),
        |params| Slot::Field(&mut params.link_cap),
        "pairs that two linked groups may stand for; beyond it the nearest pairs are taken",
    ),
    Param::new(
        "leftover_size",
        Range::From(0.0),
        |params| Slot::Field(&mut params.leftover_size),
        "linked clusters up to this size join another that breaks no link; 0: every one stays",
    ),
    Param::new(
        "representatives",
        Range::From(1.0),
        |params| Slot::Field(&mut params.representatives),
        "gather points into this many weighted ones first, if there are more; auto: 4000",
    ),
    shared::obey(|params| Slot::Field(&mut params.obey)),
    shared::memory_mb(|params| Slot::Field(&mut params.memory_mb)),
    shared::seed(|params| Slot::Field(&mut params.seed)),
];

pub(super) const PRESETS: &[Preset<CmsParams>] = &[
    Preset {
        name: "paper-toy",
        what: "the paper's settings for its toy sets: all implied pairs, no pull, every cluster stays",
        needs: &[],
        params: CmsParams::paper_toy,
    },
    Preset {
        name: "paper-embedding",
        what: "the paper's settings for its embeddings: as for toy sets, with 80 iterations and merge 0.99/0.1",
        needs: &[],
        params: CmsParams::paper_embedding,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::Algorithm;

    fn name_of(params: CmsParams) -> &'static str {
        match params.check() {
            Err(Error::Param { name, .. }) => name,
            other => panic!("expected a parameter error, got {other:?}"),
        }
    }

    fn unasked() -> (f64, f64) {
        panic!("the data was asked for a distance that the schedule already has")
    }

    #[test]
    fn the_defaults_pass_their_own_check() {
        assert_eq!(CmsParams::default().check(), Ok(()));
    }

    #[test]
    fn a_linear_schedule_reaches_both_ends_by_equal_steps() {
        let schedule = Schedule::Linear { from: Some(1.0), to: Some(2.0) };
        // Derived: steps of (2 − 1) / (5 − 1) = 0.25.
        assert_eq!(schedule.bandwidths(5, unasked), [1.0, 1.25, 1.5, 1.75, 2.0]);
        // A single iteration has no step: it is the first.
        assert_eq!(schedule.bandwidths(1, unasked), [1.0]);
    }

    #[test]
    fn an_end_from_the_data_gives_way_to_one_that_was_set() {
        let wide = Schedule::Linear { from: Some(3.0), to: None };
        assert_eq!(wide.bandwidths(2, || (0.5, 2.0)), [3.0, 3.0]);
        let narrow = Schedule::Linear { from: None, to: Some(0.1) };
        assert_eq!(narrow.bandwidths(2, || (0.5, 2.0)), [0.1, 0.1]);
    }

    #[test]
    fn fixed_and_listed_bandwidths_do_not_ask_the_data() {
        assert_eq!(Schedule::Fixed(0.3).bandwidths(2, unasked), [0.3, 0.3]);
        assert_eq!(Schedule::PerIteration(vec![2.0, 1.0]).bandwidths(80, unasked), [2.0, 1.0]);
    }

    #[test]
    fn what_cannot_work_is_refused_by_name() {
        let params = CmsParams::default;
        let with = |schedule| CmsParams { schedule, ..params() };
        assert_eq!(name_of(with(Schedule::Fixed(0.0))), "bandwidth");
        assert_eq!(name_of(with(Schedule::PerIteration(vec![]))), "bandwidth");
        assert_eq!(name_of(with(Schedule::PerIteration(vec![1.0, f64::NAN]))), "bandwidth");
        let from_to = |from, to| with(Schedule::Linear { from, to });
        assert_eq!(name_of(from_to(Some(-1.0), None)), "bandwidth_from");
        assert_eq!(name_of(from_to(None, Some(f64::INFINITY))), "bandwidth_to");
        assert_eq!(name_of(from_to(Some(2.0), Some(1.0))), "bandwidth_to");
        assert_eq!(name_of(CmsParams { max_iter: 0, ..params() }), "max_iter");
        assert_eq!(name_of(CmsParams { link_scale: 0.0, ..params() }), "link_scale");
        assert_eq!(
            name_of(CmsParams { min_link_bandwidth: -1.0, ..params() }),
            "min_link_bandwidth"
        );
        assert_eq!(name_of(CmsParams { merge_k: 1.0, ..params() }), "merge_k");
        assert_eq!(name_of(CmsParams { merge_b: f64::NAN, ..params() }), "merge_b");
        assert_eq!(name_of(CmsParams { tolerance: -0.1, ..params() }), "tolerance");
        let profile = Profile::Truncated { cut: 2.0 };
        assert_eq!(name_of(CmsParams { profile, ..params() }), "cut");
    }
}
