//! Points in few columns by a stacked denoising autoencoder, as the paper on constrained mean shift
//! makes them of pictures.
//!
//! ```text
//! row of d numbers → 500 → 500 → 2,000 → 10 numbers → 2,000 → 500 → 500 → d numbers again
//! ```
//!
//! Every arrow is a layer of units that see all units before; the positive part is taken of
//! what they see, but for those that give the embedding and the row again. All weights are learned
//! so that the mean squared difference between a row and what comes out at the end is small; what is
//! in the middle then says in 10 numbers what there is to say of the row.
//!
//! 1. *Pretraining* (Vincent et al. 2010). The first layer is trained with the last one alone: they
//!    see rows of which a fifth of the numbers was wiped out, and a fifth of what is between them, and
//!    are to give whole rows. Then the second with the last but one, on what the first makes of rows,
//!    and so on.
//! 2. *The whole* is trained to the same end, with a fifth of the rows' numbers wiped out and none between
//!    (Xie, Girshick & Farhadi 2016, whose numbers are the defaults where they say any, have no noise here).
//!
//! Steps are Adam's (Kingma & Ba 2015) where the references have gradient descent with momentum: it
//! needs a tenth of the passes. Each stage ends early if the loss on rows that are never trained on
//! has stopped falling, and goes on with its best layers. Rows are first brought to a mean square of
//! 1, all columns by one factor.
//!
//! If rows are *pictures* and their height and width is told, they are moved, turned and resized a little,
//! anew in every pass: layers are to give the moved ones again. Rows held out, and those that are embedded,
//! stay as they are.
//!
//! Cost: 6 multiplications for each weight and row in a pass (3.3 million weights for d = 784), and
//! four numbers of 32 bits for each weight. `naive.rs` has the formulas literally.
//!
//! ```
//! use linkshift::datasets;
//! use linkshift_features::autoencoder::{AutoencoderParams, Training};
//! use std::ops::ControlFlow;
//!
//! let points = datasets::blobs(90, 6, 3, 0.3, 5.0, 1)?.points;
//! let small = AutoencoderParams { hidden: vec![16], n_columns: 2, batch: 30, ..Default::default() };
//! let mut training = Training::new(&points, &small)?;
//! while !training.is_done() {
//!     training.pass(&points, &mut |_| ControlFlow::Continue(()))?;
//! }
//! let embedding = training.encoder().apply(&points)?;
//! assert_eq!((embedding.n_points(), embedding.n_features()), (90, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod layer;
mod moved;
#[cfg(test)]
mod naive;
mod params;
mod saved;
#[cfg(test)]
mod tests;
mod train;

pub use params::AutoencoderParams;
pub use train::{Pass, Progress, Training};

use crate::error::Result;
use layer::Layer;
use linkshift::{Error, Points, Real};

/// Rows that are embedded at a time.
const TOGETHER: usize = 1_024;

/// What rows become: the first half of an autoencoder.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoder {
    /// What rows are multiplied by.
    factor: f32,
    layers: Vec<Layer>,
}

impl Encoder {
    /// The embedding of each row, of those it was trained on or of others.
    pub fn apply<T: Real>(&self, points: &Points<'_, T>) -> Result<Points<'static, f32>> {
        let n_features = self.layers[0].n_in;
        if points.n_features() != n_features {
            let given = format!("of {} columns", points.n_features());
            let must = format!("of {n_features} columns, as the encoder was trained on");
            return Err(Error::param("points", given, must).into());
        }
        let mut made = Vec::with_capacity(points.n_points() * self.n_columns());
        for rows in points.values().chunks(TOGETHER * n_features) {
            let scaled = rows.iter().map(|value| value.as_f64() as f32 * self.factor).collect();
            made.extend(
                self.layers.iter().fold(scaled, |rows: Vec<f32>, layer| layer.forward(&rows)),
            );
        }
        Ok(Points::new(made, self.n_columns())?)
    }

    /// Columns of the embedding.
    pub fn n_columns(&self) -> usize {
        self.layers[self.layers.len() - 1].n_out
    }
}

/// How many weights all layers have, if that is a number.
fn n_weights(n_features: usize, params: &AutoencoderParams) -> Option<usize> {
    let mut widths = vec![n_features];
    widths.extend(&params.hidden);
    widths.push(params.n_columns);
    widths.windows(2).try_fold(0_usize, |sum, pair| {
        let product = pair[0].checked_mul(pair[1])?.checked_mul(2)?;
        sum.checked_add(product)?.checked_add(pair[0])?.checked_add(pair[1])
    })
}

/// The layers of the encoder, and after them those that undo them, last first; all
/// weights are 0.
fn layers(n_features: usize, params: &AutoencoderParams) -> Vec<Layer> {
    let mut widths = vec![n_features];
    widths.extend(&params.hidden);
    widths.push(params.n_columns);
    let layer = |n_in: usize, n_out: usize, rectified: bool| Layer {
        n_in,
        n_out,
        rectified,
        weights: vec![0.0; n_in * n_out + n_out],
    };
    let n_layers = widths.len() - 1;
    let pairs = || widths.windows(2).enumerate();
    let encoder = pairs().map(|(at, pair)| layer(pair[0], pair[1], at + 1 < n_layers));
    let decoder = pairs().rev().map(|(at, pair)| layer(pair[1], pair[0], at > 0));
    encoder.chain(decoder).collect()
}
