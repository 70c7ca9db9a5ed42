//! What can be set about the autoencoder.

use crate::error::Result;
use linkshift::Error;

/// How an autoencoder is built and trained.
#[derive(Debug, Clone, PartialEq)]
pub struct AutoencoderParams {
    /// Units of the layers between the points and the embedding; the paper's by default.
    pub hidden: Vec<usize>,
    /// Columns of the embedding; the paper's 10 by default.
    pub n_columns: usize,
    /// The share of a layer's inputs that pretraining wipes out, and of the rows' numbers when all layers are
    /// trained; .2 as in DEC, which has none in the end. With small first weights it makes clusters clearer
    /// (`docs/intake.md`); .4 is worse than none, and so is noise before every layer in the end.
    pub noise: f64,
    /// Passes over the points for each layer in pretraining, at most. These and those for the whole take
    /// four to nine processor minutes for 10,000 rows of 784 numbers; a fifth of them was worse.
    pub pretrain_epochs: usize,
    /// Passes over the points for the whole, at most.
    pub epochs: usize,
    /// Rows in a step; 256 as in DEC.
    pub batch: usize,
    /// The length of Adam's first steps; they shrink to nothing along half a cosine in each stage.
    pub learning_rate: f64,
    /// The share of the rows that are never trained on: the loss on them says when to stop.
    pub held_out: f64,
    /// Passes without a lower loss on the rows held out, after which a stage ends early.
    pub patience: usize,
    /// Height and width, if rows are pictures of one number for each pixel, line by line, and 0 is the
    /// background: they are then moved a little in training, by up to two pixels, ten degrees, and a tenth
    /// of their size. Clusters become clearer by it (`docs/intake.md`).
    pub picture: Option<(usize, usize)>,
    /// The seed of weights, noise, order, moves, and of the rows held out.
    pub seed: u64,
}

impl Default for AutoencoderParams {
    fn default() -> Self {
        Self {
            hidden: vec![500, 500, 2_000],
            n_columns: 10,
            noise: 0.2,
            pretrain_epochs: 50,
            epochs: 300,
            batch: 256,
            learning_rate: 1e-3,
            held_out: 0.1,
            patience: 10,
            picture: None,
            seed: 0,
        }
    }
}

impl AutoencoderParams {
    /// Fails at the first parameter that cannot work.
    pub fn check(&self) -> Result<()> {
        let counts =
            [("n_columns", self.n_columns), ("batch", self.batch), ("epochs", self.epochs)];
        let hidden = self.hidden.iter().map(|&units| ("hidden", units));
        let patience = [("patience", self.patience)];
        let mut all = counts.into_iter().chain(hidden).chain(patience);
        if let Some((name, value)) = all.find(|&(_, value)| value == 0) {
            return Err(Error::param(name, value, "at least 1").into());
        }
        let shares = [("noise", self.noise), ("held_out", self.held_out)];
        if let Some((name, value)) = shares.into_iter().find(|(_, v)| !(0.0..=0.9).contains(v)) {
            return Err(Error::param(name, value, "between 0 and 0.9").into());
        }
        if !(self.learning_rate > 0.0 && self.learning_rate <= 1.0) {
            return Err(
                Error::param("learning_rate", self.learning_rate, "above 0, at most 1").into()
            );
        }
        Ok(())
    }

    /// Fails if pictures do not have a pixel for each column.
    pub(super) fn check_picture(&self, n_features: usize) -> Result<()> {
        let Some((height, width)) = self.picture else { return Ok(()) };
        if height.checked_mul(width) == Some(n_features) {
            return Ok(());
        }
        let must = match like_a_picture(n_features) {
            Some((height, width)) => format!(
                "height x width of the {n_features} columns of a row, such as {height}x{width}"
            ),
            None => format!(
                "height x width of a row, and {n_features} columns are no picture: is the label or the id \
                 among them?"
            ),
        };
        Err(Error::param("picture", format!("{height}x{width}"), must).into())
    }
}

/// The height and width of a picture of this many pixels that is nearest to a square, if it is not more
/// than twice as wide as high.
fn like_a_picture(n_pixels: usize) -> Option<(usize, usize)> {
    let most = n_pixels.isqrt();
    let height =
        (most.div_ceil(2).max(1)..=most).rev().find(|&height| n_pixels.is_multiple_of(height))?;
    let width = n_pixels / height;
    (width <= 2 * height).then_some((height, width))
}
