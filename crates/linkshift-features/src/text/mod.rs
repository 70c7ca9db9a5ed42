//! Texts as points: words and pieces of words, weighed, and reduced to few columns.
//!
//! 1. A text is cut into *terms* (`terms.rs`): words by Unicode's rules, in lower case, neighbours
//!    in pairs, and pieces of 3 to 5 characters, which bring "apple" and "apples" together and
//!    forgive slips of the pen.
//! 2. A term counts 1 + ln(times it occurs in the text), times ln((1 + n)/(1 + n_t)) + 1 where n_t of
//!    the n texts have it (TF-IDF, Salton & Buckley 1988, with the smoothing that is usual today). The
//!    words and the pieces of a text are brought to length 1 each, lest the many pieces drown the words.
//! 3. The leading right singular vectors of that n × m matrix are the basis (latent semantic
//!    analysis, Deerwester et al. 1990); a text's point is its row times the basis, brought to
//!    length 1. They are found by randomised subspace iteration (Halko, Martinsson & Tropp 2011,
//!    algorithm 4.4) in `svd.rs`: the matrix is never made dense.
//!
//! Nothing is known of any language: no list of stop words, no stems. What meaning has beyond words
//! in common is not seen; embeddings made by a language model see it, and are read as a column of
//! lists.
//!
//! Cost, for z non-zero weights and d columns: O(z·d) per product, 2 × 5 products; 12 bytes for each
//! weight, and 8·(n + m)·(d + 10) bytes for the dense factors. `naive.rs` has the formulas literally,
//! without sparseness and without chance.
//!
//! ```
//! use linkshift_features::text::{TextParams, TextRecipe};
//!
//! let texts = ["open a file", "close the file", "file handles", "boil an egg", "fry an egg"];
//! let params = TextParams { n_columns: 2, ..Default::default() };
//! let recipe = TextRecipe::fit(&texts, &params)?;
//! assert_eq!(recipe.n_columns(), 2);
//! let new = recipe.apply::<f32, _>(&["poach an egg", "xyz"])?;
//! assert_eq!(new.unknown_rows, [1]); // no term of it is known: a row of zeros
//! # Ok::<(), linkshift_features::FeatureError>(())
//! ```

#[cfg(test)]
mod naive;
mod params;
mod recipe;
mod sparse;
mod svd;
mod terms;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use params::TextParams;
pub use recipe::{TextPoints, TextRecipe};
