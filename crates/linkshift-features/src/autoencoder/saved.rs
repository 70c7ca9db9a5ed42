//! Training and encoders as plain data, for files and pickles.

use super::layer::{Layer, Moments};
use super::params::AutoencoderParams;
use super::train::{Pass, Training};
use super::{Encoder, layers, n_weights};
use crate::error::{FeatureError, Result};
use linkshift_io::SavedEncoder;

/// What such files call themselves.
const KIND: &str = "autoencoder";

/// A loss on held out rows that there is none of.
const NONE: f64 = -1.0;

impl Training {
    /// All of it: what comes back goes on as if it had never stopped. After the last pass, only what
    /// turns rows into their embedding.
    pub fn save_to(&self, saved: &mut SavedEncoder) {
        saved.kind = KIND.to_owned();
        let params = &self.params;
        let halves = |number: u64| vec![(number >> 32) as f64, (number & 0xffff_ffff) as f64];
        let pass = |pass: &Pass| [pass.stage as f64, pass.loss, pass.held_out.unwrap_or(NONE)];
        let numbers = [
            ("hidden", params.hidden.iter().map(|&units| units as f64).collect()),
            ("n_columns", vec![params.n_columns as f64]),
            ("noise", vec![params.noise]),
            ("pretrain_epochs", vec![params.pretrain_epochs as f64]),
            ("epochs", vec![params.epochs as f64]),
            ("batch", vec![params.batch as f64]),
            ("learning_rate", vec![params.learning_rate]),
            ("held_out", vec![params.held_out]),
            ("patience", vec![params.patience as f64]),
            ("picture", params.picture.map_or(Vec::new(), |(h, w)| vec![h as f64, w as f64])),
            ("seed", halves(params.seed)),
            ("shape", vec![self.n_rows as f64, self.n_features as f64]),
            ("factor", vec![f64::from(self.factor)]),
            ("at", [self.stage, self.n_epochs, self.n_steps].map(|at| at as f64).to_vec()),
            ("curve", self.curve.iter().flat_map(pass).collect()),
        ];
        saved.numbers = numbers.map(|(name, numbers)| (name.to_owned(), numbers)).to_vec();
        saved.arrays = Vec::new();
        let mut put = |name: String, values: &[f32]| saved.arrays.push((name, values.to_vec()));
        for (at, layer) in self.layers.iter().enumerate() {
            put(format!("layer_{at}"), &layer.weights);
        }
        if !self.is_done() {
            for (at, moments) in self.moments.iter().enumerate() {
                put(format!("mean_{at}"), &moments.mean);
                put(format!("mean_sq_{at}"), &moments.mean_sq);
            }
            for (at, layer) in self.best.iter().enumerate() {
                put(format!("best_{at}"), &layer.weights);
            }
        }
    }

    /// Training as it was saved.
    pub fn load(saved: &SavedEncoder) -> Result<Self> {
        if saved.kind != KIND {
            return Err(FeatureError::Recipe { part: "kind" });
        }
        let numbers = |part: &'static str| saved.numbers(part).ok_or(FeatureError::Recipe { part });
        let one = |part: &'static str| {
            numbers(part)?.first().copied().ok_or(FeatureError::Recipe { part })
        };
        let count = |part: &'static str| Ok::<_, FeatureError>(one(part)? as usize);
        let [high, low] = fixed(numbers("seed")?, "seed")?;
        // Files from before there were pictures do not have it.
        let picture = match saved.numbers("picture") {
            None | Some([]) => None,
            Some(&[height, width]) => Some((height as usize, width as usize)),
            Some(_) => return Err(FeatureError::Recipe { part: "picture" }),
        };
        let params = AutoencoderParams {
            hidden: numbers("hidden")?.iter().map(|&units| units as usize).collect(),
            n_columns: count("n_columns")?,
            noise: one("noise")?,
            pretrain_epochs: count("pretrain_epochs")?,
            epochs: count("epochs")?,
            batch: count("batch")?,
            learning_rate: one("learning_rate")?,
            held_out: one("held_out")?,
            patience: count("patience")?,
            picture,
            seed: ((high as u64) << 32) | low as u64,
        };
        params.check()?;
        let [n_rows, n_features] = fixed(numbers("shape")?, "shape")?.map(|n| n as usize);
        params.check_picture(n_features)?;
        let [stage, n_epochs, n_steps] = fixed(numbers("at")?, "at")?.map(|n| n as usize);
        // Before any memory is taken: the file has the weights that its numbers speak of.
        let n_saved: usize = saved.arrays.iter().map(|(_, array)| array.len()).sum();
        if n_weights(n_features, &params).is_none_or(|n_weights| n_weights > n_saved) {
            return Err(FeatureError::Recipe { part: "shape" });
        }
        let mut layers = layers(n_features, &params);
        let best = match saved.array("best_0") {
            Some(_) => {
                let mut best = layers.clone();
                fill(saved, "best", &mut best)?;
                best
            }
            None => Vec::new(),
        };
        fill(saved, "layer", &mut layers)?;
        let array = |name: String| saved.array(&name).unwrap_or_default().to_vec();
        let moments = (0..layers.len()).map(|at| Moments {
            mean: array(format!("mean_{at}")),
            mean_sq: array(format!("mean_sq_{at}")),
        });
        let moments: Vec<Moments> = moments.collect();
        let fits = |(moments, layer): (&Moments, &Layer)| {
            [&moments.mean, &moments.mean_sq]
                .iter()
                .all(|all| all.is_empty() || all.len() == layer.weights.len())
        };
        if !moments.iter().zip(&layers).all(fits) {
            return Err(FeatureError::Recipe { part: "moments" });
        }
        let pass = |pass: &[f64]| Pass {
            stage: pass[0] as usize,
            loss: pass[1],
            held_out: Some(pass[2]).filter(|&loss| loss != NONE),
        };
        let curve = numbers("curve")?.chunks_exact(3).map(pass).collect();
        let factor = one("factor")? as f32;
        Ok(Self {
            params,
            n_features,
            n_rows,
            factor,
            layers,
            moments,
            stage,
            n_epochs,
            n_steps,
            best,
            curve,
        })
    }
}

impl Encoder {
    /// The encoder of training that was saved, finished or not.
    pub fn load(saved: &SavedEncoder) -> Result<Self> {
        Ok(Training::load(saved)?.encoder())
    }
}

fn fixed<const N: usize>(numbers: &[f64], part: &'static str) -> Result<[f64; N]> {
    numbers.try_into().map_err(|_| FeatureError::Recipe { part })
}

fn fill(saved: &SavedEncoder, name: &str, layers: &mut [Layer]) -> Result<()> {
    for (at, layer) in layers.iter_mut().enumerate() {
        let array = saved.array(&format!("{name}_{at}")).unwrap_or_default();
        if array.len() != layer.weights.len() || !array.iter().all(|weight| weight.is_finite()) {
            return Err(FeatureError::Recipe { part: "layers" });
        }
        layer.weights.copy_from_slice(array);
    }
    Ok(())
}
