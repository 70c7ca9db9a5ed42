//! Model files: what is written comes back, and what does not fit together is refused.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use linkshift::method::Clusters;
use linkshift::params::{N_CLUSTERS, Value};
use linkshift::predictor::{Nearest, Predictor, Reach};
use linkshift::{Link, Links, Points, Real, Scaler, Scaling, datasets, links, observe, registry};
use linkshift_io::{
    AnyModel, Problem, SavedModel, model_from_bytes, model_to_bytes, read_model, write_model,
};
use std::path::{Path, PathBuf};

/// Constrained mean shift on two moons.
fn moons() -> SavedModel<f32> {
    let moons = datasets::moons(60, 0.1, 3).unwrap();
    let links = links::draw(&moons.labels, 10, 3).unwrap();
    let told: Points<'static, f32> = moons.cast().unwrap();
    let scaler = Scaler::fit(&told, Scaling::MinMax);
    let points = scaler.apply(&told).unwrap();
    // A number that has no short decimal form, and one of every kind.
    let settings = [
        ("link_scale", Value::Number(0.1 + 0.2)),
        ("kernel", "rbf".into()),
        ("bandwidth", Value::List(vec![0.5; 9])),
        ("seed", Value::Count(u64::MAX)),
        ("blurring", Value::Flag(true)),
    ];
    let method = registry::find("cms").unwrap().configure(&settings).unwrap();
    let model = method.fit(&points, &links, &mut observe::ignore).unwrap();
    SavedModel {
        id_column: Some("name".into()),
        ids: Some((0..60).map(|row| format!("row {row}")).collect()),
        scaler,
        points: Some(points),
        first_unused: 7,
        ..SavedModel::new(&*method, model, links, vec!["x".into(), "naïve \"y\"".into()])
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

/// What has done its part before the first step of a replay is not in the file.
fn forget(read: &mut SavedModel<f32>, model: &SavedModel<f32>) {
    let (Predictor::Replay(written), Predictor::Replay(replay)) =
        (&model.predictor, &mut read.predictor)
    else {
        panic!("constrained mean shift is replayed")
    };
    replay.params.seed = written.params.seed;
    replay.params.schedule = written.params.schedule.clone();
}

#[test]
fn every_bit_comes_back() {
    let model = moons();
    assert_eq!(model.settings.len(), 5);
    let mut read = through_a_file(&model).unwrap();
    forget(&mut read, &model);
    assert_eq!(read, model);
}

#[test]
fn a_model_without_points_predicts_but_nobody_can_say_why() {
    let model = moons();
    let bytes = model_to_bytes(&SavedModel { points: None, ..model.clone() }).unwrap();
    assert!(bytes.len() < model_to_bytes(&model).unwrap().len());
    let AnyModel::F32(read) = model_from_bytes(&bytes).unwrap() else { panic!("it was f32") };
    assert!(model.record().is_some() && read.record().is_none());
    let points = model.points.unwrap();
    assert_eq!(read.predictor.predict(&points).unwrap(), model.labels);
}

#[test]
fn bytes_are_what_a_file_holds() {
    let model = moons();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.model");
    write_model(&path, &model).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), model_to_bytes(&model).unwrap());
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
        SavedModel { labels: vec![0], points: None, ids: None, ..model.clone() },
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

/// A model by a method of this name, and its bytes.
fn blobs_by(name: &str, settings: &[(&'static str, Value)]) -> (SavedModel<f64>, Vec<u8>) {
    let blobs = datasets::blobs(40, 2, 2, 0.5, 8.0, 1).unwrap();
    let method = registry::find(name).unwrap().configure(settings).unwrap();
    let model = method.fit(&blobs.points, &Links::new(), &mut observe::ignore).unwrap();
    let columns = vec!["x".into(), "y".into()];
    let saved = SavedModel::new(&*method, model, Links::new(), columns);
    let bytes = model_to_bytes(&saved).unwrap();
    (saved, bytes)
}

/// Points that weigh nothing are points all the same, and a model may keep none but those: their weights, all
/// 0, would be refused when it is read.
#[test]
fn models_that_keep_only_points_of_weight_0_are_read_again_and_say_the_same() {
    let blobs = datasets::blobs(40, 2, 2, 0.5, 8.0, 1).unwrap();
    let far = [blobs.points.values(), &[90.0, 90.0]].concat();
    let points = Points::new(far, 2).unwrap();
    let all_but_the_far_one = |row: usize| row < 40;
    let all_but_the_last_of_each = |row: usize| row < 38;
    for weighs_nothing in [all_but_the_far_one, all_but_the_last_of_each] {
        let weight = |row: usize| if weighs_nothing(row) { 0.0 } else { 1.0 };
        let points = points.clone().with_weights((0..41).map(weight).collect::<Vec<_>>()).unwrap();
        let mut n_read = 0;
        for entry in registry::METHODS {
            let told: &[(&str, Value)] = match entry.info.clusters {
                Clusters::Told => &[(N_CLUSTERS, Value::Count(2))],
                _ => &[],
            };
            let all_rows = [("quantise", Value::Flag(false))];
            let others = (entry.info.name == "spectral").then_some(&all_rows[..]);
            for settings in [told].into_iter().chain(others) {
                let method = entry.configure(settings).unwrap();
                let fitted = method.fit(&points, &Links::new(), &mut observe::ignore);
                let Ok(model) = fitted else { continue };
                let columns = vec!["x".into(), "y".into()];
                let saved = SavedModel::new(&*method, model, Links::new(), columns);
                let bytes = model_to_bytes(&saved).unwrap();
                let name = entry.info.name;
                let Ok(AnyModel::F64(read)) = model_from_bytes(&bytes) else {
                    panic!("{name} {settings:?} is not read again")
                };
                let before = saved.predictor.predict(&points).unwrap();
                assert_eq!(read.predictor.predict(&points).unwrap(), before, "{name}");
                n_read += 1;
            }
        }
        assert!(n_read > registry::METHODS.len() / 2, "only {n_read} could be fitted");
    }
}

/// The same file with another number of iterations, under a checksum that is right.
fn forged(bytes: &[u8], max_iter: &str) -> Vec<u8> {
    let length = u32::from_le_bytes(bytes[20..24].try_into().unwrap()) as usize;
    let (header, arrays) = bytes[24..bytes.len() - 4].split_at(length);
    let mut header: serde_json::Value = serde_json::from_slice(header).unwrap();
    header["max_iter"] = serde_json::from_str(max_iter).unwrap();
    let header = header.to_string();
    let mut made = bytes[..20].to_vec();
    made.extend_from_slice(&(header.len() as u32).to_le_bytes());
    made.extend_from_slice(header.as_bytes());
    made.extend_from_slice(arrays);
    made.extend_from_slice(&crc32fast::hash(&made).to_le_bytes());
    made
}

#[test]
fn a_file_that_would_label_for_ever_is_refused() {
    for name in ["mean-shift", "boosted", "kernel"] {
        let (_, bytes) = blobs_by(name, &[]);
        assert!(model_from_bytes(&forged(&bytes, "1000000")).is_ok(), "{name}");
        let expected = "it speaks of 9223372036854775808 iterations, and 1000000 are the most";
        let refused = model_from_bytes(&forged(&bytes, "9223372036854775808"));
        let expected = Problem::ModelDamaged { reason: expected.into() };
        assert_eq!(refused.unwrap_err(), expected, "{name}");
    }
}

#[test]
fn who_allows_more_iterations_than_a_file_may_speak_of_can_read_the_file_all_the_same() {
    let (saved, bytes) = blobs_by("mean-shift", &[("max_iter", Value::Count(1 << 40))]);
    let AnyModel::F64(read) = model_from_bytes(&bytes).unwrap() else { panic!("it was f64") };
    assert_eq!((read.settings, read.labels), (saved.settings, saved.labels));
}

#[test]
fn a_file_of_a_newer_format_says_so() {
    let mut bytes = model_to_bytes(&moons()).unwrap();
    bytes[16] = 3;
    assert_eq!(model_from_bytes(&bytes), Err(Problem::ModelVersion { found: 3, known: 2 }));
}

/// A file that was kept, such as `v1-replay`.
fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/models/{name}.model"))
}

/// The labels of a model, those it predicts for the same rows, and for four new ones.
fn labels_of<T: Real>(model: &SavedModel<T>) -> [Vec<i64>; 3] {
    let values = [0.375, 0.375, 3.0, 3.5, 4.0, 0.25, -9.0, 9.0];
    let new = Points::new(values.iter().map(|&x| T::of(x)).collect::<Vec<T>>(), 2).unwrap();
    let new = model.scaler.apply(&new).unwrap();
    let predict = |points| model.predictor.predict(points).unwrap();
    [model.labels.clone(), predict(model.points.as_ref().unwrap()), predict(&new)]
}

#[test]
fn files_of_version_1_say_what_they_said() {
    // As they said it themselves when they were written: see tests/models/README.md.
    let told = [
        ("nearest", [0, 0, 0, 0, 1, 1, 1, 1, -1], [0, -1, -1, -1]),
        ("basin-climb", [0, 0, 0, 0, 1, 1, 1, 1, 0], [0, 1, 0, 0]),
        ("basin-per-point", [0, 0, 0, 0, 1, 1, 1, 1, 2], [0, 2, 2, 0]),
        ("basin-collapse", [0, 0, 0, 0, 1, 1, 1, 1, 2], [0, 1, 2, 0]),
        ("replay", [0, 0, 0, 0, 1, 1, 1, 1, 0], [0, 1, 0, 0]),
        ("assignment", [0, 0, 0, 0, 1, 1, 1, 1, 1], [0, 1, 1, 0]),
        ("feature-climb", [0, 0, 0, 0, 1, 1, 1, 1, 2], [0, 1, 2, 1]),
    ];
    say_what_they_said("v1", &told);
}

/// One of each kind of predictor, and one with a point that links moved.
#[test]
fn files_of_version_2_say_what_they_said() {
    // As they said it themselves when they were written: see tests/models/README.md.
    let told = [
        ("nearest", [0, 0, 0, 0, 1, 1, 1, 1, -1], [0, -1, -1, -1]),
        ("basin-climb", [0, 0, 0, 0, 1, 1, 1, 1, 2], [0, 1, 2, 0]),
        ("basin-per-point", [0, 0, 0, 0, 1, 1, 1, 1, 2], [0, 2, 2, 0]),
        ("basin-collapse", [0, 0, 0, 0, 1, 1, 1, 1, 2], [0, 1, 2, 0]),
        ("replay", [0, 0, 0, 0, 1, 1, 1, 1, 0], [0, 1, 0, 0]),
        ("assignment", [0, 0, 0, 0, 1, 1, 1, 1, 1], [0, 1, 1, 0]),
        ("feature-climb", [0, 0, 0, 0, 1, 1, 1, 1, 2], [0, 2, 2, 2]),
        ("projected", [0, 0, 0, 0, 1, 1, 1, 1, 0], [0, 1, 0, 0]),
        ("held", [0, 0, 0, 0, 1, 2, 2, 2, 1], [0, 2, 1, 0]),
    ];
    say_what_they_said("v2", &told);
    // What is written today is of a version of which there are files.
    assert_eq!(model_to_bytes(&moons()).unwrap()[16], 2);
    let AnyModel::F64(held) = read_model(&kept("v2-held")).unwrap() else { panic!("it is f64") };
    assert!(matches!(held.predictor, Predictor::Holding(_)));
}

/// For each file the labels of its own points, and of four new ones.
fn say_what_they_said(version: &str, told: &[(&str, [i64; 9], [i64; 4])]) {
    for (name, own, new) in told {
        let found = match read_model(&kept(&format!("{version}-{name}"))).unwrap() {
            AnyModel::F32(model) => labels_of(&model),
            AnyModel::F64(model) => labels_of(&model),
        };
        assert_eq!(found, [own.to_vec(), own.to_vec(), new.to_vec()], "{name}");
    }
}

#[test]
fn settings_of_version_1_are_read_as_values() {
    let AnyModel::F64(model) = read_model(&kept("v1-assignment")).unwrap() else {
        panic!("it is f64")
    };
    let expected = [
        ("metric", Value::Word("full".into())),
        ("n_clusters", Value::Count(2)),
        ("seed", Value::Count(3)),
    ];
    assert_eq!(model.settings, expected.map(|(key, value)| (key.to_owned(), value)));
    assert_eq!((model.n_clusters(), model.n_iter, model.converged), (Some(2), None, None));
    assert_eq!(model.ids.as_ref().unwrap()[8], "i");
    assert_eq!((model.deaf(), model.links.len()), (None, 3));

    let AnyModel::F32(model) = read_model(&kept("v1-basin-climb")).unwrap() else {
        panic!("it is f32")
    };
    assert_eq!(model.setting("bandwidth"), Some(&Value::Number(1.5)));
    assert_eq!(model.deaf(), Some("mean-shift"));
}
