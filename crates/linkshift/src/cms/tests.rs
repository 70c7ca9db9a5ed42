//! The fast path against the literal one, and the laws of the method.

use super::*;
use crate::datasets;
use crate::kernel::Profile;
use crate::links::{self, Link, LinkKind, Links};
use crate::obey::Obey;
use crate::points::Points;
use crate::scores::adjusted_rand_index;
use proptest::prelude::*;

const PROFILES: [Profile; 3] = [Profile::Ball, Profile::Rbf, Profile::TRUNCATED];

fn moons(n: usize, n_links: usize, seed: u64) -> (Points<'static, f64>, Links, Vec<i64>) {
    let data = datasets::moons(n, 0.05, seed).unwrap();
    let scaled =
        crate::Scaler::fit(&data.points, crate::Scaling::MinMax).apply(&data.points).unwrap();
    let links = links::draw(&data.labels, n_links, seed).unwrap();
    (scaled, links, data.labels)
}

fn literal(
    points: &Points<'_, f64>,
    links: &Links,
    bandwidths: &[f64],
    params: &CmsParams,
) -> naive::NaiveCms<f64> {
    let pairs: Vec<_> = links.close(points.n_points()).unwrap().directed_cannot().collect();
    naive::fit(points, &pairs, bandwidths, params, &mut |_, _| ())
}

/// The literal path with everything: closed certain links, soft ones as told, and the pull.
fn literal_with_pull(
    points: &Points<'_, f64>,
    links: &Links,
    bandwidths: &[f64],
    params: &CmsParams,
) -> naive::NaiveCms<f64> {
    let (hard, soft) = links.split_by_certainty();
    let closure = hard.close(points.n_points()).unwrap();
    let directed = |x, y, strength| naive::Directed { x, y, strength };
    let mut cannot: Vec<_> = closure.directed_cannot().map(|(x, y)| directed(x, y, 1.0)).collect();
    let mut must = Vec::new();
    for group in 0..closure.n_groups() {
        let members = closure.members(group);
        for &x in members {
            let others = members.iter().filter(|&&y| y != x);
            must.extend(others.map(|&y| directed(x as usize, y as usize, params.must_strength)));
        }
    }
    for link in &soft {
        let (list, strength) = match link.kind {
            LinkKind::Must => (&mut must, params.must_strength * link.confidence),
            LinkKind::Cannot => (&mut cannot, link.confidence),
        };
        list.extend([directed(link.a, link.b, strength), directed(link.b, link.a, strength)]);
    }
    naive::fit_pulled(points, &cannot, &must, bandwidths, params, &mut |_, _| ())
}

fn fit(points: &Points<'_, f64>, links: &Links, params: &CmsParams) -> CmsModel<f64> {
    Cms::new(params.clone()).unwrap().fit(points, links).unwrap()
}

#[test]
fn links_separate_the_moons() {
    let (points, links, truth) = moons(300, 150, 1);
    let model = fit(&points, &links, &CmsParams::paper_toy());
    assert!(adjusted_rand_index(&truth, model.labels()).unwrap() > 0.95);
    assert_eq!(model.sizes().iter().sum::<usize>(), 300);
}

#[test]
fn many_columns_are_predicted_alike_and_keep_their_digits_in_single_precision() {
    // Far from the origin, where a product of rows has few digits left for their difference.
    let all = datasets::blobs(500, 40, 4, 0.6, 2.0, 3).unwrap();
    let values: Vec<f64> = all.points.values().iter().map(|value| value + 100.0).collect();
    let points = Points::new(values, 40).unwrap();
    let (old, new): (Vec<usize>, Vec<usize>) = (0..500).partition(|row| row % 2 == 0);
    let classes = |rows: &[usize]| rows.iter().map(|&row| all.labels[row]).collect::<Vec<i64>>();
    let links = links::draw(&classes(&old), 60, 3).unwrap();
    let model = fit(&points.select(&old), &links, &CmsParams::default());
    assert_eq!(model.labels(), classes(&old));
    assert_eq!(model.predict(&points.select(&old)).unwrap(), model.labels());
    assert_eq!(model.predict(&points.select(&new)).unwrap(), classes(&new));
    let single: Vec<f32> = points.values().iter().map(|&v| v as f32).collect();
    let single = Points::new(single, 40).unwrap();
    let in_single = Cms::new(CmsParams::default()).unwrap();
    let in_single = in_single.fit(&single.select(&old), &links).unwrap();
    assert_eq!(in_single.labels(), model.labels());
}

#[test]
fn new_points_get_the_labels_of_their_surroundings() {
    let (points, links, _) = moons(400, 200, 3);
    let (new, _, truth) = moons(300, 10, 4);
    let model = fit(&points, &links, &CmsParams::paper_toy());
    let labels = model.predict(&new).unwrap();
    assert!(adjusted_rand_index(&truth, &labels).unwrap() > 0.9);
}

#[test]
fn no_links_gives_plain_mean_shift() {
    use crate::bandwidth::Bandwidth;
    use crate::mean_shift::{MeanShift, MeanShiftParams};
    let points = datasets::blobs(200, 2, 4, 0.3, 10.0, 1).unwrap().points;
    let plain = MeanShiftParams { bandwidth: Bandwidth::Fixed(2.0), ..Default::default() };
    let plain = MeanShift::new(plain).unwrap().fit(&points, &Links::new()).unwrap();
    let params = CmsParams { schedule: Schedule::Fixed(2.0), ..CmsParams::default() };
    let model = fit(&points, &Links::new(), &params);
    assert_eq!(model.labels(), plain.labels());
    assert!(model.n_clusters() > 1);
}

#[test]
fn a_weight_of_two_is_a_point_twice() {
    let (points, links, _) = moons(150, 40, 11);
    let linked: Vec<usize> = links.iter().flat_map(|link| [link.a, link.b]).collect();
    let doubled: Vec<usize> = (0..150).filter(|row| !linked.contains(row)).take(20).collect();
    let rows: Vec<usize> = (0..150).chain(doubled.iter().copied()).collect();
    let weights: Vec<f64> =
        (0..150).map(|row| if doubled.contains(&row) { 2.0 } else { 1.0 }).collect();
    let params = CmsParams { merge_tolerance: 0.0, ..CmsParams::paper_toy() };
    let weighted = fit(&points.clone().with_weights(weights).unwrap(), &links, &params);
    let twice = fit(&points.select(&rows), &links, &params);
    assert_eq!(weighted.labels(), &twice.labels()[..150]);
}

#[test]
fn the_range_keeps_the_pull_from_tearing_the_moons_apart() {
    let mean_ari = |must_range| -> f64 {
        let params = CmsParams { must_range, ..CmsParams::default() };
        let ari = |seed| {
            let (points, links, truth) = moons(200, 100, seed);
            adjusted_rand_index(&truth, fit(&points, &links, &params).labels()).unwrap()
        };
        (0..4).map(ari).sum::<f64>() / 4.0
    };
    // Felt from the first iteration on, links pull centers across the gap.
    assert!(mean_ari(CmsParams::default().must_range) > mean_ari(1e6) + 0.1);
}

#[test]
fn a_doubtful_link_is_evidence_and_no_contradiction() {
    let points = Points::new(vec![0.0, 0.2, 0.8, 1.0], 1).unwrap();
    let mut links = Links::from_pairs(&[(0, 1)], &[(0, 3)]);
    links.push(Link { confidence: 0.3, ..Link::cannot(0, 1) });
    let model = fit(&points, &links, &CmsParams::default());
    assert_eq!(model.labels(), [0, 0, 1, 1]);
    assert_eq!(model.link_report().broken.len(), 1);
}

#[test]
fn representatives_stand_for_their_points() {
    let (points, links, truth) = moons(3_000, 500, 6);
    let exact = CmsParams { representatives: Representatives::Never, ..CmsParams::paper_toy() };
    let few = CmsParams { representatives: Representatives::Count(300), ..exact.clone() };
    let model = fit(&points, &links, &few);
    assert_eq!(model.gathered().unwrap().n_representatives, 300);
    assert!(adjusted_rand_index(&truth, model.labels()).unwrap() > 0.95);
    assert_eq!(model.predict(&points).unwrap(), model.labels());
}

#[test]
fn pairs_that_would_not_fit_are_refused_before_they_are_made() {
    let (points, _, truth) = moons(3_000, 10, 12);
    let mut links = Links::new();
    links.add_labels(&truth).unwrap();
    let params = CmsParams { memory_mb: Some(50), ..CmsParams::paper_toy() };
    // Two groups of 1,500 stand for 4.5 million directed pairs.
    let error = Cms::new(params).unwrap().fit(&points, &links).unwrap_err();
    assert!(error.to_string().contains("link_cap"), "{error}");
}

#[test]
fn memory_beyond_what_is_allowed_is_refused_before_the_run() {
    let (points, links, _) = moons(2_000, 1_500, 9);
    let params = CmsParams { memory_mb: Some(1), ..CmsParams::default() };
    let error = Cms::new(params).unwrap().fit(&points, &links).unwrap_err();
    assert!(matches!(error, crate::Error::Memory { allowed_mb: 1, .. }), "{error}");
}

#[test]
fn the_trace_begins_at_the_points_and_ends_at_the_modes() {
    let (points, links, _) = moons(60, 20, 10);
    let params = CmsParams { obey: Obey::AsFound, ..CmsParams::default() };
    let model = fit(&points, &links, &params);
    let trace = model.trace();
    assert_eq!(trace.len(), model.n_iter() + 1);
    assert_eq!(trace[0], points.values());
    assert!(model.path_bytes() > 0);
    // A cluster's center is the place that most of its points end at.
    let last: Vec<&[f64]> = trace[model.n_iter()].chunks_exact(2).collect();
    for cluster in 0..model.n_clusters() {
        let members = || (0..60).filter(|&row| model.labels()[row] == cluster as i64);
        let n_at = |place: &[f64]| members().filter(|&row| last[row] == place).count();
        let most = members().map(|row| n_at(last[row])).max();
        assert_eq!(Some(n_at(model.centers().unwrap().row(cluster))), most, "cluster {cluster}");
    }
}

/// Points of a cube with links that the halves of the first column imply: few columns, which are
/// searched, or many, which are multiplied, on an edge so short that distances are alike.
fn any_case() -> impl Strategy<Value = (Points<'static, f64>, Links)> {
    let columns = prop_oneof![2 => 1_usize..4, 1 => 32_usize..40];
    (columns, 6_usize..40, 0_usize..12, any::<u64>()).prop_flat_map(|(d, n, n_links, seed)| {
        let edge = if d < 4 { 1.0 } else { (3.0 / d as f64).sqrt() };
        prop::collection::vec(0.0..edge, n * d).prop_map(move |values| {
            let side = |row: &[f64]| i64::from(row[0] > edge / 2.0);
            let labels: Vec<i64> = values.chunks(d).map(side).collect();
            let links = links::draw(&labels, n_links, seed).unwrap_or_default();
            (Points::new(values, d).unwrap(), links)
        })
    })
}

/// Blurred by a ball, centers gather at means of each other and so come to lie exactly on the edge of
/// another ball, half-way between the ends of a link; there the last rounding decides on labels.
fn has_no_edge(params: &CmsParams) -> bool {
    !(params.blurring && params.profile == Profile::Ball)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Another path: the literal equations. Without merging, centers agree to rounding, which the
    /// iterations magnify where a profile jumps; five of them leave 1e-6.
    #[test]
    fn the_fast_path_moves_centers_as_the_literal_one_does(
        (points, links) in any_case(), profile in 0_usize..3, blurring: bool, h in 0.2_f64..1.0,
    ) {
        let params = CmsParams {
            profile: PROFILES[profile],
            blurring,
            schedule: Schedule::PerIteration(vec![0.3 * h, 0.5 * h, 0.7 * h, 0.9 * h, h]),
            merge_tolerance: 0.0,
            tolerance: 0.0,
            ..CmsParams::paper_toy()
        };
        let bandwidths = params.schedule.bandwidths(5, || (0.0, 0.0));
        let slow = literal(&points, &links, &bandwidths, &params);
        let fast = fit(&points, &links, &params);
        let trace = fast.trace();
        for (fast, slow) in trace[5].iter().zip(&slow.centers) {
            prop_assert!((fast - slow).abs() < 1e-6, "{} {}", fast, slow);
        }
        let labels: Vec<i64> = slow.labels.iter().map(|&label| label as i64).collect();
        if has_no_edge(&params) {
            prop_assert_eq!(fast.labels(), &labels[..]);
        }
    }

    /// The same with must-links that pull and links of any confidence.
    #[test]
    fn the_fast_path_pulls_as_the_literal_one_does(
        (points, links) in any_case(), profile in 0_usize..3, blurring: bool, h in 0.2_f64..1.0,
        must_strength in 0.1_f64..1.0, doubts in prop::collection::vec(0.3_f64..2.0, 12),
    ) {
        let soften = |(link, &doubt): (&Link, &f64)| Link { confidence: doubt.min(1.0), ..*link };
        let links: Links = links.iter().zip(&doubts).map(soften).collect();
        let params = CmsParams {
            profile: PROFILES[profile],
            blurring,
            schedule: Schedule::PerIteration(vec![0.3 * h, 0.6 * h, h]),
            merge_tolerance: 0.0,
            tolerance: 0.0,
            must_strength,
            ..CmsParams::paper_toy()
        };
        let bandwidths = params.schedule.bandwidths(3, || (0.0, 0.0));
        let slow = literal_with_pull(&points, &links, &bandwidths, &params);
        let fast = fit(&points, &links, &params);
        for (fast, slow) in fast.trace()[3].iter().zip(&slow.centers) {
            prop_assert!((fast - slow).abs() < 1e-6, "{} {}", fast, slow);
        }
        let labels: Vec<i64> = slow.labels.iter().map(|&label| label as i64).collect();
        if has_no_edge(&params) {
            prop_assert_eq!(fast.labels(), &labels[..]);
        }
    }
}
