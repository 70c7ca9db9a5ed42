//! Model files: what is written comes back, and what does not fit together is refused.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use linkshift::cms::{Cms, CmsParams};
use linkshift::predictor::{Nearest, Predictor, Reach};
use linkshift::{Link, Links, Points, Scaler, Scaling, datasets, links};
use linkshift_io::{AnyModel, Problem, SavedModel, read_model, write_model};

/// Constrained mean shift on two moons.
fn moons() -> SavedModel<f32> {
    let moons = datasets::moons(60, 0.1, 3).unwrap();
    let links = links::draw(&moons.labels, 10, 3).unwrap();
    let told: Points<'static, f32> = moons.cast().unwrap();
    let scaler = Scaler::fit(&told, Scaling::MinMax);
    let points = scaler.apply(&told).unwrap();
    // A number that has no short decimal form.
    let params = CmsParams { link_scale: 0.1 + 0.2, ..Default::default() };
    let model = Cms::new(params).unwrap().fit(&points, &links).unwrap();
    SavedModel {
        method: "cms".into(),
        settings: vec![("link_scale".into(), "0.3".into())],
        n_clusters: None,
        seed: u64::MAX,
        columns: vec!["x".into(), "naïve \"y\"".into()],
        id_column: Some("name".into()),
        ids: Some((0..60).map(|row| format!("row {row}")).collect()),
        scaler,
        points,
        labels: model.labels().to_vec(),
        first_unused: 7,
        modes: model.modes().clone(),
        bandwidth: model.bandwidths().last().copied(),
        links,
        uses_links: true,
        predictor: model.into_predictor(),
    }
}

/// Written and read again.
fn through_a_file(model: &SavedModel<f32>) -> Result<SavedModel<f32>, Problem> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.model");
    write_model(&path, model).unwrap();
    match read_model(&path) {
        Ok(AnyModel::F32(model)) => Ok(model),
        Ok(AnyModel::F64(_)) => panic!("f32 became f64"),
        Err(error) => Err(error.problem),
    }
}

#[test]
fn every_bit_comes_back() {
    let model = moons();
    let mut read = through_a_file(&model).unwrap();
    let (Predictor::Replay(written), Predictor::Replay(replay)) =
        (&model.predictor, &mut read.predictor)
    else {
        panic!("constrained mean shift is replayed")
    };
    // What has done its part before the first step is not in the file.
    replay.params.seed = written.params.seed;
    assert_eq!(read, model);
}

#[test]
fn parts_that_do_not_fit_are_refused_though_the_checksum_does() {
    let model = moons();
    let places = Points::new(vec![0.0_f32, 0.0], 2).unwrap();
    let nearest = |labels| Nearest { places: places.clone(), labels, reach: Reach::Any };
    let mut stranger = Links::new();
    stranger.push(Link::must(0, 60));
    let Predictor::Replay(replay) = &model.predictor else { panic!("it is a replay") };
    let mut lost = replay.clone();
    lost.path[0].merged[0] = 10_000;
    let broken = [
        SavedModel { labels: vec![0], ..model.clone() },
        SavedModel { columns: vec!["x".into()], ..model.clone() },
        SavedModel { ids: Some(Vec::new()), ..model.clone() },
        SavedModel { links: stranger, ..model.clone() },
        SavedModel { predictor: Predictor::Nearest(nearest(vec![0, 1])), ..model.clone() },
        SavedModel { predictor: Predictor::Replay(lost), ..model.clone() },
    ];
    for model in broken {
        let refused = through_a_file(&model);
        assert!(matches!(refused, Err(Problem::ModelDamaged { .. })), "{refused:?}");
    }
    let fits = SavedModel { predictor: Predictor::Nearest(nearest(vec![0])), ..model };
    assert_eq!(through_a_file(&fits), Ok(fits));
}
