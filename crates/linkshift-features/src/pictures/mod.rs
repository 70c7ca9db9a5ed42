//! Pictures as points: 297 numbers for colours, edges and textures.
//!
//! These are the features that "Active Constrained Clustering with Multiple Cluster Representatives"
//! takes from Zhu, Hoi, Lyu & Yan ("Near-duplicate keyframe retrieval by nonrigid image matching",
//! ACM Multimedia 2008):
//!
//! | columns | what | file |
//! |---|---|---|
//! | 81 | moments of the colours: 3 × 3 cells, 3 channels, 3 moments | `color.rs` |
//! | 37 | directions of edges in steps of 10°, and the share of pixels on no edge | `edges.rs` |
//! | 120 | moments of Gabor waves: 5 lengths, 8 directions, 3 moments | `gabor.rs` |
//! | 59 | local binary patterns: 58 uniform ones, and all others | `lbp.rs` |
//!
//! The paper names the four kinds and their sum; what it leaves open is settled in each file, where
//! its formulas stand. The columns differ in size and unit: scale them (`z-score`, as the paper
//! does, and then 50 principal components).
//!
//! Pictures are colours of 8 bits; what is transparent lies on white. A picture with a side above
//! [`MOST_SIDE`] is first reduced to that, so that a photograph costs no more than a thumbnail and
//! is described at the scale at which one looks at it.
//!
//! ```
//! use linkshift_features::pictures::{self, Picture};
//!
//! // Left half black, right half white.
//! let step = Picture::from_fn(64, 64, |x, _| if x < 32 { [0; 3] } else { [255; 3] })?;
//! let features = pictures::features(&step);
//! assert_eq!(features.len(), pictures::N_FEATURES);
//! let at = pictures::column_names().iter().position(|name| name == "edge_0").unwrap();
//! assert_eq!(features[at], 1.0 / 64.0); // one pixel in each row is on an edge that faces right
//! # Ok::<(), linkshift_features::PictureProblem>(())
//! ```

mod color;
mod decode;
mod edges;
mod gabor;
mod lbp;
mod moments;
mod picture;
mod read;
mod resize;
#[cfg(test)]
mod tests;

pub use picture::{MOST_SIDE, Picture};
pub use read::{Broken, BrokenPicture, PicturePoints, read_pictures};

/// Numbers for each picture.
pub const N_FEATURES: usize =
    color::N_FEATURES + edges::N_FEATURES + gabor::N_FEATURES + lbp::N_FEATURES;

/// All features of a picture, in the order of [`column_names`].
pub fn features(picture: &Picture) -> Vec<f64> {
    let gray = picture.gray();
    let mut features = Vec::with_capacity(N_FEATURES);
    features.extend(color::moments(picture));
    features.extend(edges::directions(&gray));
    features.extend(gabor::moments(&gray));
    features.extend(lbp::patterns(&gray));
    features
}

/// The names of the features: `color_1_2_red_mean` is the middle of the top row of cells.
pub fn column_names() -> Vec<String> {
    let mut names = color::names();
    names.extend(edges::names());
    names.extend(gabor::names());
    names.extend(lbp::names());
    names
}
