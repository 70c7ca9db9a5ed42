//! [`Assignment`] in a model file.

use super::container::{Container, Element, damaged};
use super::parts::{put_held, put_points, split, take_held, take_points};
use crate::error::Problem;
use linkshift::Real;
use linkshift::kmeans::{Assignment, Metric};

pub(super) fn put<T: Real + Element>(to: &mut Container, assignment: &Assignment<T>) {
    put_points(to, "centers", &assignment.centers);
    to.put("center_labels", assignment.labels.iter().copied());
    put_held(to, &assignment.held);
    let metrics = &assignment.metrics;
    to.put("metric_lengths", metrics.iter().map(|metric| metric.root().len() as u32));
    to.put("metric_roots", metrics.iter().flat_map(|metric| metric.root()).copied());
    to.put("metric_log_dets", metrics.iter().map(Metric::log_det));
}

pub(super) fn take<T: Real + Element>(from: &Container) -> Result<Assignment<T>, Problem> {
    let centers = take_points::<T>(from, "centers")?;
    let lengths = from.take::<u32>("metric_lengths")?;
    let roots = split(from, "metric_roots", lengths.iter().map(|&length| length as usize))?;
    let log_dets = from.take::<f64>("metric_log_dets")?;
    let metric = |(root, log_det)| Metric::from_root(root, centers.n_features(), log_det);
    let metrics = roots.into_iter().zip(log_dets).map(metric).collect::<Result<_, _>>();
    Ok(Assignment {
        metrics: metrics.map_err(|error| damaged(&error.to_string()))?,
        centers,
        labels: from.take("center_labels")?,
        held: take_held(from)?,
    })
}
