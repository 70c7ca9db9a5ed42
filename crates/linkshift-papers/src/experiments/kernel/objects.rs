//! What stands in for Caltech-4: 400 images of four faces in any light and pose, each as the histogram
//! of how its light is spread over its pixels.

use super::{Pairs, literally, rows_of};
use crate::data::Data;
use crate::failure::Result;
use linkshift::Points;
use linkshift::kernel_mean_shift::{KernelMeanShiftParams, Mercer, Neighbor};
use linkshift::obey::Obey;
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

pub(super) const SET: &str = "pie10_32x32";

pub(super) const CHOICES: [[i64; 4]; 2] = [[0, 1, 2, 3], [4, 5, 6, 7]];

/// Images of each class.
const PER_CLASS: usize = 100;

pub(super) const SUBSTITUTE: &str = "Caltech-4 is not to be had; these are 400 images of four faces in \
     changing light and pose, each pixel a bin, so the published numbers are of other data and the \
     difference says little.";

pub(super) const OTHER_DATA: &str =
    "Other data: without links these faces are one mode, as light and pose vary more than they do.";

pub(super) struct Objects {
    pub(super) points: Points<'static, f64>,
    pub(super) labels: Vec<i64>,
}

pub(super) fn draw(data: &Data, classes: [i64; 4]) -> Result<Objects> {
    let images = data.set(SET)?;
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut rows = Vec::new();
    for class in classes {
        let of_class = images.rows_of(class);
        let drawn = index::sample(&mut rng, of_class.len(), PER_CLASS);
        rows.extend(drawn.iter().map(|at| of_class[at]));
    }
    let chosen = images.select(&rows);
    let pixels = chosen.wide()?;
    let mut light = Vec::with_capacity(pixels.values().len());
    for image in pixels.rows() {
        let total: f64 = image.iter().sum();
        light.extend(image.iter().map(|grey| grey / total.max(1.0)));
    }
    Ok(Objects { points: Points::new(light, pixels.n_features())?, labels: chosen.labels })
}

/// The χ² kernel by default and by the text, with the neighbour at the end of a class, as for faces:
/// of k the paper says only that it is a fraction of the points.
pub(super) fn ways() -> [(&'static str, KernelMeanShiftParams); 2] {
    let by_default = KernelMeanShiftParams {
        kernel: Mercer::ChiSquared,
        neighbor: Neighbor::Kth(PER_CLASS - 1),
        obey: Obey::AsFound,
        ..Default::default()
    };
    [(super::BY_DEFAULT, by_default.clone()), (super::LITERAL, literally(by_default))]
}

/// Pairs within each class, drawn by seed.
pub(super) fn links(objects: &Objects, classes: [i64; 4], n_links: usize, seed: u64) -> Pairs {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut must = Pairs::new();
    for class in classes {
        let rows = rows_of(&objects.labels, class);
        for _ in 0..n_links {
            let pair = index::sample(&mut rng, rows.len(), 2);
            must.push((rows[pair.index(0)], rows[pair.index(1)]));
        }
    }
    must
}
