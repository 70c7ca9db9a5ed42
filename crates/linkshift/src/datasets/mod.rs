//! Data sets that are drawn, not read: the shapes on which the papers show their methods.
//!
//! | name | what | shown by |
//! |---|---|---|
//! | [`moons`] | two interleaved half circles | constrained mean shift |
//! | [`circles`] | five concentric circles and outliers | kernel mean shift |
//! | [`lines`] | six lines in three orientations | kernel mean shift |
//! | [`crescents`] | two crescents that reach into each other | spectral clustering after mean shift |
//! | [`blobs`] | Gaussian clusters around random centers | everyone |
//! | [`toy1`] | one wide and one narrow Gaussian | boosted mean shift |
//!
//! The same seed draws the same set, on every machine up to the last digit of its sines. Rows are
//! ordered by class. Where a paper does not say how a set was drawn, the function says what was
//! chosen. [`imbalanced`] thins out the classes of any labelled set.

mod gaussians;
mod imbalanced;
mod shapes;

pub use gaussians::{blobs, toy1};
pub use imbalanced::imbalanced;
pub use shapes::{circles, crescents, lines, moons};

use crate::error::{Error, Result};
use crate::points::Points;
use crate::real::Real;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::StandardNormal;

/// Points and the class of each; -1 for an outlier.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    /// The points, without weights.
    pub points: Points<'static, f64>,
    /// One label per point.
    pub labels: Vec<i64>,
}

impl Dataset {
    /// The points in another number type.
    ///
    /// Fails if they are too large for it, which only a huge size or noise can make them.
    pub fn cast<T: Real>(&self) -> Result<Points<'static, T>> {
        let values: Vec<T> = self.points.values().iter().map(|&value| T::of(value)).collect();
        Points::new(values, self.points.n_features())
    }
}

/// The names that [`make`] knows.
pub const NAMES: [&str; 6] = ["moons", "circles", "lines", "crescents", "blobs", "toy1"];

/// Draws the data set with this name.
///
/// `n` is the number of rows and `noise` the standard deviation of the noise; left out, they are
/// what the papers used, or else what is in brackets: moons 500 rows (0.05), circles 280 of which
/// two in seven are outliers, 0.1; lines 240, 0.1; crescents 400 (0.1); blobs (500 around 5
/// centers in the square of ±10, 1.0). toy1 is always the same 10,000 rows.
///
/// ```
/// let moons = linkshift::datasets::make("moons", Some(100), None, 1)?;
/// assert_eq!(moons.points.n_points(), 100);
///
/// let error = linkshift::datasets::make("suns", None, None, 1).unwrap_err();
/// assert!(error.to_string().ends_with("moons, circles, lines, crescents, blobs, toy1"));
/// # Ok::<(), linkshift::Error>(())
/// ```
pub fn make(name: &str, n: Option<usize>, noise: Option<f64>, seed: u64) -> Result<Dataset> {
    let small_noise = noise.unwrap_or(0.1);
    match name {
        "moons" => moons(n.unwrap_or(500), noise.unwrap_or(0.05), seed),
        "circles" => {
            let n = n.unwrap_or(280);
            let n_outliers = (n as f64 * 2.0 / 7.0).round() as usize;
            circles(n - n_outliers, n_outliers, small_noise, seed)
        }
        "lines" => lines(n.unwrap_or(240), small_noise, seed),
        "crescents" => crescents(n.unwrap_or(400), small_noise, 0.0, seed),
        "blobs" => blobs(n.unwrap_or(500), 2, 5, noise.unwrap_or(1.0), 10.0, seed),
        "toy1" => match (n, noise) {
            (Some(n), _) => Err(Error::param("n", n, "left out: toy1 has 10000 rows")),
            (_, Some(noise)) => Err(Error::param("noise", noise, "left out: toy1 has its own")),
            (None, None) => Ok(toy1(seed)),
        },
        _ => Err(Error::param("data set", name, format!("one of {}", NAMES.join(", ")))),
    }
}

/// A data set in the drawing.
struct Drawing {
    rng: ChaCha8Rng,
    values: Vec<f64>,
    labels: Vec<i64>,
}

impl Drawing {
    fn new(seed: u64) -> Self {
        Self { rng: ChaCha8Rng::seed_from_u64(seed), values: Vec::new(), labels: Vec::new() }
    }

    /// A number from [low, high).
    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.rng.random::<f64>()
    }

    /// A number from the normal distribution with mean 0.
    fn normal(&mut self, deviation: f64) -> f64 {
        deviation * self.rng.sample::<f64, _>(StandardNormal)
    }

    /// Adds `place`, each coordinate shifted by noise of its own.
    fn push(&mut self, label: usize, place: &[f64], noise: f64) {
        self.labels.push(label as i64);
        for &x in place {
            let x = x + self.normal(noise);
            self.values.push(x);
        }
    }

    /// Adds `place` as a point of no class.
    fn push_outlier(&mut self, place: &[f64]) {
        self.labels.push(-1);
        self.values.extend_from_slice(place);
    }

    fn finish(self) -> Result<Dataset> {
        let n_features = self.values.len() / self.labels.len().max(1);
        Ok(Dataset { points: Points::new(self.values, n_features)?, labels: self.labels })
    }
}

/// How many of `n` points part number `part` of `n_parts` gets, when all get the same up to one.
fn share(n: usize, part: usize, n_parts: usize) -> usize {
    n / n_parts + usize::from(part < n % n_parts)
}

fn check_n(n: usize) -> Result<()> {
    if n == 0 { Err(Error::param("n", n, "at least 1")) } else { Ok(()) }
}

fn check_size(name: &'static str, value: f64) -> Result<()> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(Error::param(name, value, "a finite number, 0 or more"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_draws_a_set_with_one_label_per_point() {
        for name in NAMES {
            let set = make(name, None, None, 1).unwrap();
            assert_eq!(set.points.n_points(), set.labels.len(), "{name}");
            assert_eq!(set.cast::<f32>().unwrap().n_points(), set.labels.len(), "{name}");
        }
    }

    #[test]
    fn the_seed_decides() {
        for name in NAMES {
            let set = make(name, None, None, 1).unwrap();
            assert_eq!(set, make(name, None, None, 1).unwrap(), "{name}");
            assert_ne!(set, make(name, None, None, 2).unwrap(), "{name}");
        }
    }

    #[test]
    fn every_number_of_rows_can_be_drawn() {
        for name in NAMES.into_iter().filter(|&name| name != "toy1") {
            for n in [1, 2, 7, 100] {
                assert_eq!(make(name, Some(n), None, 1).unwrap().labels.len(), n, "{name}");
            }
            let error = make(name, Some(0), None, 1).unwrap_err();
            assert!(matches!(error, Error::Param { name: "n", .. }), "{name}");
        }
    }

    #[test]
    fn noise_that_cannot_be_is_refused() {
        for name in NAMES {
            for noise in [-0.1, f64::NAN, f64::INFINITY] {
                let error = make(name, None, Some(noise), 1).unwrap_err();
                assert!(matches!(error, Error::Param { .. }), "{name}: {error}");
            }
        }
    }
}
