//! From texts and pictures to points.
//!
//! Methods cluster rows of numbers; people have titles, reviews, photographs. This crate makes the
//! one of the other, and what it learned while doing so is a *recipe*: plain data that treats new
//! texts as it treated the first ones, and that can be kept in a model file.
//!
//! ```text
//! texts    → words and pieces of words → TF-IDF → truncated SVD → rows of length 1   (text)
//! pictures → colours, edges, Gabor waves, local patterns → 297 numbers each      (pictures)
//! ```
//!
//! ```
//! use linkshift_features::text::{TextParams, TextRecipe};
//!
//! let texts = ["red apples", "green apples", "a fast train", "the fast train", "apples, red"];
//! let params = TextParams { n_columns: 2, ..Default::default() };
//! let recipe = TextRecipe::fit(&texts, &params)?;
//! let points = recipe.apply::<f64, _>(&texts)?.points;
//! let along = |a: usize, b: usize| -> f64 {
//!     points.row(a).iter().zip(points.row(b)).map(|(x, y)| x * y).sum()
//! };
//! assert!(along(0, 4) > 0.99 && along(2, 3) > 0.99 && along(0, 2) < 0.1);
//! # Ok::<(), linkshift_features::FeatureError>(())
//! ```
//!
//! Whoever has embeddings from elsewhere needs none of this: a table whose columns are numbers, or
//! hold a list of numbers per row, is read by `linkshift-io` as it is.

pub mod autoencoder;
mod error;
pub mod pictures;
pub mod table;
pub mod text;

pub use error::{FeatureError, PictureProblem, Result};
