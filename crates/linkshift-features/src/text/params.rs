//! What can be set about texts.

use crate::error::Result;
use linkshift::Error;

/// How texts become points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextParams {
    /// Columns of the points, at most; texts that differ in fewer ways get fewer.
    ///
    /// 32 by measurement on 3,000 titles of 20 classes, the only such set at hand, so the choice is
    /// tuned to it (`benches/text_columns.rs`; ARI of k-means told k, mean of 5 seeds, and of
    /// constrained mean shift with 3,000 links): 16 columns .466, .531; 32 columns .487, .541; 64
    /// columns .379, .471; 128 columns .343, .384. A language model's embedding in 256 columns has
    /// .563, .736. At 64 columns words alone have .240, .273: pieces of words are worth their time.
    pub n_columns: usize,
    /// Words in a row that count as a term, at most: 1 is words alone, 2 adds pairs.
    pub longest_phrase: usize,
    /// The shortest pieces of words, in characters.
    pub shortest_piece: usize,
    /// The longest pieces of words, in characters; 0 leaves pieces out.
    pub longest_piece: usize,
    /// In how many texts a term must occur; what occurs in one brings no two together.
    pub least_rows: usize,
    /// Terms at most, those of the most texts: what bounds a recipe's size.
    pub most_terms: usize,
    /// The seed of the search for the basis.
    pub seed: u64,
}

impl Default for TextParams {
    fn default() -> Self {
        Self {
            n_columns: 32,
            longest_phrase: 2,
            shortest_piece: 3,
            longest_piece: 5,
            least_rows: 2,
            most_terms: 50_000,
            seed: 0,
        }
    }
}

impl TextParams {
    /// Fails at the first parameter that cannot work.
    pub fn check(&self) -> Result<()> {
        let at_least_one = [
            ("n_columns", self.n_columns),
            ("longest_phrase", self.longest_phrase),
            ("shortest_piece", self.shortest_piece),
            ("least_rows", self.least_rows),
            ("most_terms", self.most_terms),
        ];
        if let Some((name, value)) = at_least_one.into_iter().find(|&(_, value)| value == 0) {
            return Err(Error::param(name, value, "at least 1").into());
        }
        if self.longest_piece != 0 && self.longest_piece < self.shortest_piece {
            let must = format!("0, or at least shortest_piece, {}", self.shortest_piece);
            return Err(Error::param("longest_piece", self.longest_piece, must).into());
        }
        Ok(())
    }
}
