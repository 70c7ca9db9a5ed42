//! [`Replay`] in a model file.

use super::container::{Container, Element};
use super::parts::{put_points, put_profile, split, take_points, take_profile};
use crate::error::Problem;
use linkshift::Real;
use linkshift::cms::{CmsParams, Replay, Stage, Tie, Ties};

pub(super) fn put<T: Real + Element>(to: &mut Container, replay: &Replay<T>) {
    put_params(to, &replay.params);
    put_points(to, "samples", &replay.samples);
    to.put("sample_of", replay.sample_of.iter().copied());
    to.set("gathered", replay.gathered);
    put_ties(to, "cannot_ties", &replay.ties.cannot);
    put_ties(to, "must_ties", &replay.ties.must);
    to.put("before_first", replay.before_first.iter().copied());
    let path = &replay.path;
    to.put("stage_bandwidths", path.iter().map(|stage| stage.h));
    to.put("stage_counts", path.iter().map(|stage| stage.merged.len() as u32));
    to.put("stages", path.iter().flat_map(|stage| &stage.centers).copied());
    to.put("stage_merged", path.iter().flat_map(|stage| &stage.merged).copied());
    put_points(to, "ends", &replay.final_centers);
    to.put("end_labels", replay.label_of_center.iter().copied());
}

pub(super) fn take<T: Real + Element>(from: &Container) -> Result<Replay<T>, Problem> {
    let samples = take_points::<T>(from, "samples")?;
    let counts = from.take::<u32>("stage_counts")?;
    let counts = || counts.iter().map(|&count| count as usize);
    let centers = split(from, "stages", counts().map(|count| count * samples.n_features()))?;
    let merged = split(from, "stage_merged", counts())?;
    let stages = from.take("stage_bandwidths")?.into_iter().zip(centers).zip(merged);
    Ok(Replay {
        params: take_params(from)?,
        samples,
        sample_of: from.take("sample_of")?,
        gathered: from.flag("gathered")?,
        ties: Ties { cannot: take_ties(from, "cannot_ties")?, must: take_ties(from, "must_ties")? },
        before_first: from.take("before_first")?,
        path: stages.map(|((h, centers), merged)| Stage { h, centers, merged }).collect(),
        final_centers: take_points(from, "ends")?,
        label_of_center: from.take("end_labels")?,
    })
}

/// What the steps of a run look at; the rest has done its part before the first of them.
fn put_params(to: &mut Container, params: &CmsParams) {
    put_profile(to, params.profile);
    to.set("blurring", params.blurring);
    to.set("link_scale", params.link_scale);
    to.set("must_strength", params.must_strength);
    to.set("must_range", params.must_range);
    to.set("min_link_bandwidth", params.min_link_bandwidth);
    to.set("merge_k", params.merge_k);
    to.set("merge_b", params.merge_b);
    to.set("merge_tolerance", params.merge_tolerance);
}

fn take_params(from: &Container) -> Result<CmsParams, Problem> {
    Ok(CmsParams {
        profile: take_profile(from)?,
        blurring: from.flag("blurring")?,
        link_scale: from.number("link_scale")?,
        must_strength: from.number("must_strength")?,
        must_range: from.number("must_range")?,
        min_link_bandwidth: from.number("min_link_bandwidth")?,
        merge_k: from.number("merge_k")?,
        merge_b: from.number("merge_b")?,
        merge_tolerance: from.number("merge_tolerance")?,
        ..CmsParams::default()
    })
}

fn put_ties(to: &mut Container, name: &str, ties: &[Tie]) {
    let ends = ties.iter().flat_map(|tie| [tie.x, tie.y, tie.count]);
    to.put(name, ends);
    to.put(&strengths_of(name), ties.iter().map(|tie| tie.strength));
}

fn take_ties(from: &Container, name: &str) -> Result<Vec<Tie>, Problem> {
    let ends = from.take::<u32>(name)?;
    let strengths = from.take::<f64>(&strengths_of(name))?;
    let tie =
        |(tie, strength): (&[u32], f64)| Tie { x: tie[0], y: tie[1], count: tie[2], strength };
    Ok(ends.chunks_exact(3).zip(strengths).map(tie).collect())
}

fn strengths_of(name: &str) -> String {
    format!("{name}.strengths")
}
