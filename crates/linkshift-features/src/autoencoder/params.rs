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
    /// some ten processor minutes for 10,000 rows of 784 numbers; a fifth of them was worse.
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
    /// The seed of weights, noise, order, and of the rows held out.
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
}
