//! What the rows of the speed table are measured on.

use crate::data;
use linkshift::{Links, Pca, Points, Scaler, Scaling, datasets, links};
use rand::seq::index;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;
use std::error::Error;

/// Points, links, and the classes that the links were drawn from.
pub(crate) struct Task {
    pub(crate) points: Points<'static, f32>,
    pub(crate) links: Links,
    pub(crate) truth: Vec<i64>,
}

type Found = Result<Option<Task>, Box<dyn Error>>;

impl Task {
    pub(crate) fn of(
        points: Points<'static, f32>,
        truth: Vec<i64>,
        n_links: usize,
    ) -> linkshift::Result<Self> {
        Self::scaled(points, truth, n_links, Scaling::MinMax)
    }

    fn scaled(
        points: Points<'static, f32>,
        truth: Vec<i64>,
        n_links: usize,
        scaling: Scaling,
    ) -> linkshift::Result<Self> {
        let points = Scaler::fit(&points, scaling).apply(&points)?;
        let links = if n_links == 0 { Links::new() } else { links::draw(&truth, n_links, 0)? };
        Ok(Self { points, links, truth })
    }

    pub(crate) fn without_links(self) -> Self {
        Self { links: Links::new(), ..self }
    }
}

/// Points and their classes.
type Labelled = (Points<'static, f32>, Vec<i64>);

/// `n` rows of a set drawn by seed.
fn rows_of(name: &str, n: usize) -> Result<Option<Labelled>, Box<dyn Error>> {
    let Some((points, labels)) = data::read(name)? else { return Ok(None) };
    let n = n.min(labels.len());
    let rows = index::sample(&mut ChaCha8Rng::seed_from_u64(0), labels.len(), n).into_vec();
    let truth = rows.iter().map(|&row| labels[row]).collect();
    Ok(Some((points.select(&rows), truth)))
}

/// Embeddings of MNIST, 10 columns.
pub(crate) fn mnist(n: usize, n_links: usize) -> Found {
    let Some((points, truth)) = rows_of("cms_mnist", n)? else { return Ok(None) };
    Ok(Some(Task::of(points, truth, n_links)?))
}

/// 10⁶ points in 10 columns: embeddings of MNIST many times over, each time with noise of its own.
pub(crate) fn million() -> Found {
    const N: usize = 1_000_000;
    const NOISE: f32 = 0.05;
    let Some((points, labels)) = data::read("cms_mnist")? else { return Ok(None) };
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let (n, d) = (points.n_points(), points.n_features());
    let (mut values, mut truth) = (Vec::with_capacity(N * d), Vec::with_capacity(N));
    for at in 0..N {
        for &x in points.row(at % n) {
            values.push(x + NOISE * rng.sample::<f32, _>(StandardNormal));
        }
        truth.push(labels[at % n]);
    }
    Ok(Some(Task::of(Points::new(values, d)?, truth, 20_000)?))
}

/// Embeddings of titles, 2,000 × 256, 20 classes: compared by their angle.
pub(crate) fn titles() -> Found {
    let Some((points, truth)) = rows_of("stackoverflow_wl256", 2_000)? else { return Ok(None) };
    Ok(Some(Task::scaled(points, truth, 2_000, Scaling::Unit)?))
}

/// 77 classes on the unit sphere of 256 columns, ten labels known of each, so that all pairs of
/// classes are held apart.
pub(crate) fn many_classes() -> Result<Task, Box<dyn Error>> {
    const CLASSES: usize = 77;
    const LABELLED: usize = 10;
    let set = datasets::blobs(2_000, 256, CLASSES, 1.0, 1.0, 0)?;
    let task = Task::scaled(set.cast::<f32>()?, set.labels, 0, Scaling::Unit)?;
    let mut n_known = [0; CLASSES];
    let known = task.truth.iter().map(|&class| {
        n_known[class as usize] += 1;
        if n_known[class as usize] <= LABELLED { class } else { -1 }
    });
    let known: Vec<i64> = known.collect();
    let mut links = Links::new();
    links.add_labels(&known)?;
    Ok(Task { links, ..task })
}

/// Faces, 1,440 × 1,024.
pub(crate) fn faces() -> Found {
    let Some((points, truth)) = rows_of("pie10_32x32", 1_440)? else { return Ok(None) };
    Ok(Some(Task::of(points, truth, 1_440)?))
}

/// Digits in 50 principal components, 700 × 50.
pub(crate) fn fifty() -> Found {
    let Some((points, truth)) = rows_of("usps", 700)? else { return Ok(None) };
    Ok(Some(Task::of(Pca::fit(&points, 50)?.apply(&points)?, truth, 700)?))
}
