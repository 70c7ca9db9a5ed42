//! Boosted Mean Shift: many small mean shifts find the skeleton of the clusters.
//!
//! The points are dealt at random to the cells of a torus. In every epoch each cell finds the modes
//! of its own points by mean shift, and rates its points and its neighbours' by how near they
//! are to these modes; then it draws its next points from the neighbourhood in proportion to the
//! ratings, so that points in dense places spread and stragglers die out. The modes of all
//! epochs, grouped by DBSCAN, are the skeleton of the clusters: a long or bent cluster has many
//! modes, in a chain. When the number of groups has been the same for three epochs, every point
//! takes the group of its nearest mode. (Algorithm 1; line numbers in the code are its lines.)
//!
//! | equation | what it says |
//! |---|---|
//! | (4) | a center moves to the mean of the points around it: [`mean_shift`](crate::mean_shift), in a cell |
//! | (5) | conf = 1 − (dis − min_dis)/(max_dis − min_dis): among the points that follow the same mode of a cell, the nearest has 1, the farthest 0 |
//! | (6) | of what several cells say of a point, the largest counts |
//!
//! Reference: Y. Ren, U. Kamath, C. Domeniconi, G. Zhang. *Boosted Mean Shift Clustering*. ECML
//! PKDD, 2014.
//!
//! # What the text leaves open, and what was found
//! Read literally ([`BoostedParams::paper`]: Gaussian profile, every mode counts, Eps the median
//! distance to the 4th mode) the method does not reach the published table. About 27
//! settings were tried, each on all of its sets that are to be had (KDD99 with a few only):
//!
//! - **Profile.** With the Gaussian, modes merge across clusters where there are many columns
//!   (Satimage: ARI 0.2 where the paper has 0.56). With the ball they do not.
//! - **Support.** The ball stops at every small heap, and a few stray modes make a cluster of their
//!   own. A mode must be reached by as many points of its cell as its bandwidth was measured
//!   by, ½√m of m. A fixed number does not serve cells of 22 and of 1,000 points alike.
//! - **Bandwidth.** Algorithm 1 takes h as an input. Found once per cell and kept, rather than anew
//!   from the thinned-out points of every epoch, it gave the better scores (Symbols 0.63, not 0.39).
//! - **Eps.** The paper has two rules, 0.5 for toy sets and the median for the others. The median
//!   shrinks as cells are added, the bandwidth does not: 0.6 bandwidths serve both.
//! - **MinPts.** 6 rather than 4, by the scores.
//!
//! With these defaults the mean ARI of 20 runs is at least the published one less 0.05 on Toy1, Toy2,
//! Aggregation, Satimage, Banknote, Chainlink and Wall, and below that on Letter (0.72 of 0.79),
//! Symbols (0.60 of 0.70) and Image_Seg (0.71 of 0.78). No single setting that was tried served all. The
//! settings were picked on the same sets, so these scores lean to the good side; `cargo xtask bench
//! boosted` prints them anew.
//!
//! # Links
//! Beyond the paper, which names them as future work: cannot-links between points that meet in a
//! cell turn its mean shift into [`cms`](crate::cms) at the cell's bandwidth, and links join and
//! part modes when they are grouped ([`group_modes`]).
//!
//! # Weights
//! Weights count in the mean shift of a cell, not in the draw: a point of weight 2 is drawn half as
//! often as two points, and then counts twice.
//!
//! # Cost
//! A cell of m points costs what [`mean_shift`](crate::mean_shift) costs on m points. Neither m nor
//! the number of cells grows beyond a limit, so from 100,000 points on only the assignment
//! grows: n searches for the nearest of some thousand modes. All cells of an epoch run in parallel;
//! the steps of an epoch are separate functions ([`steps`]) without shared state.
//!
//! # Example
//! ```
//! use linkshift::boosted::{Boosted, BoostedParams};
//! use linkshift::{Links, datasets, scores};
//!
//! let moons = datasets::moons(10_000, 0.1, 7)?;
//! let model = Boosted::new(BoostedParams::default())?.fit(&moons.points, &Links::new())?;
//! assert_eq!(model.n_clusters(), 2);
//! assert!(scores::adjusted_rand_index(&moons.labels, model.labels())? > 0.98);
//! # Ok::<(), linkshift::Error>(())
//! ```

mod fit;
mod grid;
mod group;
mod model;
pub mod naive;
mod params;
pub mod steps;
#[cfg(test)]
mod tests;

pub use fit::Boosted;
pub use grid::{Grid, Neighborhood};
pub use group::group_modes;
pub use model::BoostedModel;
pub use params::{BoostedParams, Cells, Eps};
pub use steps::{Draws, LocalModes};
