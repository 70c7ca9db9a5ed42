//! Clustering that listens: mean shift and its relatives, with must-links and cannot-links.
//!
//! Clustering looks only at points; a person often knows more: these two belong together, those
//! two do not. linkshift takes such *links* beside the points and needs no number of clusters.
//! This page is a tour; each step builds on the one before.
//!
//! # Points
//!
//! [`Points`] are n rows of d numbers, `f32` or `f64`, checked once and borrowed where that is
//! possible. What is wrong with them is said by row and column.
//!
//! ```
//! use linkshift::Points;
//!
//! let values = [0.0_f32, 0.0, 1.0, 0.5, 9.0, 9.5]; // three rows of two
//! let points = Points::new(&values[..], 2)?;
//! assert_eq!((points.n_points(), points.n_features()), (3, 2));
//!
//! let error = Points::new(vec![1.0, f64::NAN], 1).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "row 1, column 0 is NaN: drop the row or fill in a number (both count from 0)"
//! );
//! # Ok::<(), linkshift::Error>(())
//! ```
//!
//! The rest of the tour clusters two moons of 250 points each, as [`datasets`] draws them.
//! Columns of different units go through a [`Scaler`] first.
//!
//! # Links
//!
//! [`Links`] are given as pairs of rows, as groups, or as partial labels. Closing them draws the
//! conclusions: must-links are transitive, and a cannot-link holds between whole groups. Methods
//! close the links they are given, so one does it oneself only to look.
//!
//! ```
//! use linkshift::{Link, LinkKind, Links};
//!
//! let mut links = Links::from_pairs(&[(0, 1)], &[(1, 5)]); // must, cannot
//! links.add_group(&[5, 6, 7]);
//! links.push(Link { confidence: 0.8, ..Link::cannot(2, 6) });
//!
//! let closure = links.close(500)?;
//! assert_eq!(closure.relation(0, 7), Some(LinkKind::Cannot)); // 0 = 1 ≠ 5 = 7
//! assert_eq!(closure.relation(0, 2), None); // being apart from the same group says nothing
//!
//! // One answer too many, and the chain of answers that it contradicts.
//! links.push(Link::must(0, 6));
//! let error = links.close(500).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "the links contradict each other: cannot 1–5, but 3 must-links put them together: \
//!      1 – 0 – 6 – 5; remove one of these links"
//! );
//! # Ok::<(), linkshift::Error>(())
//! ```
//!
//! # Mean shift
//!
//! In [`mean_shift`] every point climbs the density of all points; those that reach the same mode
//! are a cluster. The moons have no mode each, so whatever the bandwidth, this fails:
//!
//! ```
//! use linkshift::bandwidth::Bandwidth;
//! use linkshift::mean_shift::{MeanShift, MeanShiftParams};
//! use linkshift::{Links, datasets, scores};
//!
//! let moons = datasets::moons(500, 0.1, 7)?;
//! for h in [0.1, 0.2, 0.4, 0.8, 1.6] {
//!     let params = MeanShiftParams { bandwidth: Bandwidth::Fixed(h), ..Default::default() };
//!     let model = MeanShift::new(params)?.fit(&moons.points, &Links::new())?;
//!     assert!(scores::adjusted_rand_index(&moons.labels, model.labels())? < 0.5);
//! }
//! # Ok::<(), linkshift::Error>(())
//! ```
//!
//! # Constrained mean shift
//!
//! In [`cms`] every center sees a density of its own, without what its cannot-links forbid, and the
//! bandwidth grows until only what links hold apart is apart. A dozen links suffice here; nothing is tuned.
//!
//! ```
//! use linkshift::cms::{Cms, CmsParams};
//! use linkshift::{datasets, links};
//!
//! let moons = datasets::moons(500, 0.1, 7)?;
//! let links = links::draw(&moons.labels, 12, 7)?; // as if someone had answered 12 questions
//!
//! let cms = Cms::new(CmsParams::default())?; // every parameter error is here
//! let model = cms.fit(&moons.points, &links)?; // every error of points and links is here
//! assert_eq!(model.n_clusters(), 2);
//! assert!(model.link_report().broken.is_empty()); // a broken link is listed, never hidden
//! # Ok::<(), linkshift::Error>(())
//! ```
//!
//! Whoever wants to watch, or to stop, passes an observer:
//!
//! ```
//! use linkshift::cms::{Cms, CmsParams};
//! use linkshift::{Error, Links, datasets};
//! use std::ops::ControlFlow;
//!
//! let moons = datasets::moons(100, 0.1, 7)?;
//! let cms = Cms::new(CmsParams::default())?;
//! let outcome = cms.fit_observed(&moons.points, &Links::new(), &mut |step| {
//!     if step.n_iter < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
//! });
//! assert_eq!(outcome.unwrap_err(), Error::Cancelled { n_iter: 5 });
//! # Ok::<(), linkshift::Error>(())
//! ```
//!
//! # Many points
//!
//! [`boosted`] mean shift deals the points to cells, lets each find the modes of its own, and groups
//! the modes: bent clusters stay whole, and a million points take seconds.
//!
//! ```
//! use linkshift::boosted::{Boosted, BoostedParams};
//! use linkshift::{Links, datasets};
//!
//! let moons = datasets::moons(5_000, 0.1, 7)?;
//! let model = Boosted::new(BoostedParams::default())?.fit(&moons.points, &Links::new())?;
//! assert_eq!(model.n_clusters(), 2);
//! # Ok::<(), linkshift::Error>(())
//! ```
//!
//! # Spectral clustering, and baselines
//!
//! Where modes are too many rather than too few, [`spectral`] joins those that have most in common,
//! with or without links, down to a number of clusters that is told or found:
//!
//! ```
//! use linkshift::spectral::{Spectral, SpectralParams};
//! use linkshift::{Links, Scores, datasets};
//!
//! let moons = datasets::moons(500, 0.05, 7)?;
//! let model = Spectral::new(SpectralParams::default())?.fit(&moons.points, &Links::new())?;
//! assert_eq!(Scores::of(&moons.labels, model.labels())?.ari, 1.0);
//! # Ok::<(), linkshift::Error>(())
//! ```
//!
//! [`constrained_spectral`] and [`cdbscan`] are what others do with links.
//!
//! # Scores and new points
//!
//! [`scores`] compare labels with a truth, whatever the clusters are called. A model labels points
//! that it has not seen by the way they would have gone; fitted points keep their labels.
//!
//! ```
//! use linkshift::cms::{Cms, CmsParams};
//! use linkshift::{Scores, datasets, links};
//!
//! let moons = datasets::moons(500, 0.1, 7)?;
//! let links = links::draw(&moons.labels, 12, 7)?;
//! let model = Cms::new(CmsParams::default())?.fit(&moons.points, &links)?;
//! assert!(Scores::of(&moons.labels, model.labels())?.ari > 0.95);
//!
//! assert_eq!(model.predict(&moons.points)?, model.labels());
//! let unseen = datasets::moons(200, 0.1, 8)?;
//! let labels = model.predict(&unseen.points)?;
//! assert!(Scores::of(&unseen.labels, &labels)?.ari > 0.9);
//! # Ok::<(), linkshift::Error>(())
//! ```
//!
//! What prediction takes of a model is plain data, a [`Predictor`], which `linkshift-io` puts into
//! files. When points are clustered again, [`keep_numbers`] lets clusters keep their numbers.
//!
//! # Asking
//!
//! Whoever has no links yet lets [`ask`] choose which pairs are worth a person's time.
//!
//! ```
//! use linkshift::ask::{self, Asker, Chooser, KnownLabels};
//! use linkshift::cms::{Cms, CmsParams};
//! use linkshift::{Scores, datasets};
//!
//! let moons = datasets::moons(500, 0.1, 7)?;
//! let mut asker = Asker::new(moons.points.clone(), Chooser::Border, 0)?;
//! let mut person = KnownLabels::new(moons.labels.clone()); // or a function of two rows
//! ask::run(&mut asker, &mut person, 25, |_| Ok(()))?;
//!
//! let model = Cms::new(CmsParams::default())?.fit(&moons.points, &asker.links())?;
//! assert!(Scores::of(&moons.labels, model.labels())?.ari > 0.9);
//! assert!(Scores::of(&moons.labels, &asker.labels())?.ari > 0.9); // the answers spread directly
//! # Ok::<(), linkshift::Error>(())
//! ```
//!
//! # Limits
//!
//! - Distances are Euclidean, but in [`kernel_mean_shift`]. For cosine, bring the rows to length 1
//!   first.
//! - Links of confidence 1 are kept by moving linked points after the method is done
//!   ([`obey`]); [`Obey::AsFound`](obey::Obey::AsFound) gives the method's own labels. Where the
//!   number of clusters is told, not every link can always be kept; the report lists those that
//!   are not.
//! - A pair of groups held apart stands for at most [`link_cap`](cms::CmsParams::link_cap) pairs of
//!   points, the nearest; the paper's presets take all.
//! - With the paper's presets, in which must-links do not pull, more links are not always better: on
//!   4,000 embedded digits, 2,000, 4,000 and 8,000 of them gave an ARI of .750, .723 and .602.
//! - The confidence of a link weakens it in [`cms`] and [`kernel_mean_shift`] and is the price of
//!   breaking it in [`kmeans::Pck`] and [`kmeans::Mpck`]; in [`constrained_spectral`] links vote with
//!   it, in [`spectral`] and [`boosted`] cannot-links do, against must-links that count whole. All
//!   other methods take every link as certain. [`LinkUse`](method::LinkUse) says it of each.
//! - In [`spectral`] modes are what links can join and part: a cannot-link inside one is left to
//!   [`obey`].
//!   [`constrained_spectral`] holds matrices of all pairs of points, and takes cubic time.
//! - Constrained mean shift above [`AUTO`](cms::Representatives::AUTO) points works on
//!   weighted representatives unless told otherwise; the model says so, and how far they lie from
//!   their points.
//! - Rows are counted in 32 bits: fewer than 2³² points, which is not checked.
//!
//! # What is not tested
//!
//! - Agreement with scikit-learn's `MeanShift` is tested through the Python package, and measured by
//!   `cargo xtask bench mean-shift`; the tests of this crate need no Python.
//! - Equal bits are tested between the instructions of the machine at hand and plain ones, and
//!   between 1, 2 and 7 threads; not between kinds of processors.
//! - The literal versions are the oracle for up to some hundred points. For larger sets the tests
//!   check laws and scores, not labels one by one.
//! - 32-bit and big-endian machines.

#[cfg(any(feature = "ndarray", test))]
mod arrays;
pub mod ask;
pub mod auto;
pub mod bandwidth;
pub mod boosted;
pub mod cdbscan;
pub mod cms;
#[doc(hidden)]
pub mod compiled;
pub mod constrained_spectral;
pub mod datasets;
pub mod dbscan;
pub mod distance;
pub mod drawn;
pub mod error;
pub mod kernel;
pub mod kernel_mean_shift;
pub mod kmeans;
pub mod links;
pub mod mean_shift;
pub mod memory;
pub mod method;
pub mod model;
pub mod neighbors;
pub mod numbering;
pub mod obey;
pub mod observe;
pub mod params;
pub mod pca;
pub mod points;
pub mod predictor;
pub mod real;
pub mod registry;
pub mod scale;
pub mod scale_choice;
pub mod scores;
mod shared;
pub mod spectral;
pub mod stop;
pub mod why;

pub use datasets::Dataset;
pub use error::{Error, Result};
pub use kernel::Profile;
pub use links::{Link, LinkClosure, LinkKind, LinkReport, Links};
pub use method::{Algorithm, Clusterer, Method};
pub use model::{Model, Note};
pub use numbering::keep_numbers;
pub use pca::Pca;
pub use points::Points;
pub use predictor::Predictor;
pub use real::Real;
pub use scale::{Scaler, Scaling};
pub use scores::Scores;
pub use shared::means::cluster_means;

/// The README's program runs, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
