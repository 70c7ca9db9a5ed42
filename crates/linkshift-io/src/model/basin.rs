//! [`Basin`] in a model file.

use super::container::{Container, Element, damaged, missing};
use super::parts::{
    put_bandwidth, put_held, put_iterations, put_points, put_profile, split, take_bandwidth,
    take_held, take_iterations, take_one, take_points, take_profile,
};
use crate::error::Problem;
use linkshift::mean_shift::{Basin, Uphill};
use linkshift::{Points, Real};

pub(super) fn put<T: Real + Element>(to: &mut Container, basin: &Basin<T>) {
    put_profile(to, basin.profile);
    put_points(to, "ends", &basin.ends);
    to.put("end_labels", basin.labels.iter().copied());
    put_held(to, &basin.held);
    match &basin.way {
        Uphill::Climb { samples, bandwidth, max_iter, tolerance, merge_tolerance } => {
            to.set("way", "climb");
            put_points(to, "samples", samples);
            put_bandwidth(to, bandwidth);
            put_iterations(to, *max_iter);
            to.put("tolerance", [*tolerance]);
            to.put("merge_tolerance", [*merge_tolerance]);
        }
        Uphill::Collapse { stages, bandwidth } => {
            to.set("way", "collapse");
            to.put("bandwidth", [*bandwidth]);
            to.put("stage_counts", stages.iter().map(|stage| stage.n_points() as u32));
            to.put("stages", stages.iter().flat_map(|stage| stage.values()).copied());
            let weights =
                stages.iter().flat_map(|stage| (0..stage.n_points()).map(|at| stage.weight(at)));
            to.put("stage_weights", weights);
        }
    }
}

pub(super) fn take<T: Real + Element>(from: &Container) -> Result<Basin<T>, Problem> {
    let ends = take_points(from, "ends")?;
    let way = match from.text("way")? {
        "climb" => Uphill::Climb {
            samples: take_points(from, "samples")?,
            bandwidth: take_bandwidth(from)?,
            max_iter: take_iterations(from)?,
            tolerance: take_one(from, "tolerance")?,
            merge_tolerance: take_one(from, "merge_tolerance")?,
        },
        "collapse" => Uphill::Collapse {
            stages: take_stages(from, ends.n_features())?,
            bandwidth: take_one(from, "bandwidth")?,
        },
        _ => return Err(missing("way")),
    };
    let (profile, held) = (take_profile(from)?, take_held(from)?);
    Ok(Basin { profile, way, ends, labels: from.take("end_labels")?, held })
}

fn take_stages<T: Real + Element>(
    from: &Container,
    n_features: usize,
) -> Result<Vec<Points<'static, T>>, Problem> {
    let counts = from.take::<u32>("stage_counts")?;
    let counts = || counts.iter().map(|&count| count as usize);
    let values = split::<T>(from, "stages", counts().map(|count| count * n_features))?;
    let weights = split::<T>(from, "stage_weights", counts())?;
    let stage = |(values, weights): (Vec<T>, Vec<T>)| {
        Points::new(values, n_features).and_then(|points| points.with_weights(weights))
    };
    let stages = values.into_iter().zip(weights).map(stage).collect::<Result<_, _>>();
    stages.map_err(|error| damaged(&format!("stages: {error}")))
}
