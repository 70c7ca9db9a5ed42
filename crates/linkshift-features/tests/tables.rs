//! From a file of texts or pictures to points, into a model file, and to the points of new rows.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use linkshift::kmeans::{KMeans, KMeansParams};
use linkshift::{Links, Method};
use linkshift_features::pictures::Broken;
use linkshift_features::table::{ContentColumn, Made, read_points, read_points_like};
use linkshift_features::text::TextParams;
use linkshift_features::{FeatureError, pictures};
use linkshift_io::{
    AnyModel, Categories, ContentKind, Intake, Missing, ReadOptions, SavedModel, model_from_bytes,
    model_to_bytes,
};
use std::path::{Path, PathBuf};

const TITLES: &str = "id,title,score\n\
    a,open a file,1\nb,close the file,2\nc,read a file,\nd,boil an egg,4\ne,fry an egg,5\nf,eggs,6\n";

fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn titles() -> ContentColumn {
    let params = TextParams { n_columns: 3, ..Default::default() };
    ContentColumn::Texts { column: "title".into(), params }
}

fn with_ids() -> ReadOptions {
    ReadOptions { id_column: Some("id".into()), ..Default::default() }
}

/// The intake as it comes back from a model file.
fn through_a_model(made: &Made<f64>) -> Intake {
    let points = made.table.points().unwrap();
    let params = KMeansParams { n_clusters: 2, ..Default::default() };
    let method: KMeans = Method::new(params).unwrap();
    let model = method.fit(&points, &Links::new()).unwrap().listed();
    let saved = SavedModel {
        intake: Some(made.intake.clone()),
        ..SavedModel::new(&method, model, Links::new(), made.table.columns.clone())
    };
    let bytes = model_to_bytes(&saved).unwrap();
    let AnyModel::F64(read) = model_from_bytes(&bytes).unwrap() else { panic!("it was f64") };
    assert_eq!(read, saved);
    read.intake.unwrap()
}

#[test]
fn texts_become_points_and_new_texts_the_same_way() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "titles.csv", TITLES);
    let made = read_points::<f64>(&path, &with_ids(), Some(&titles())).unwrap();
    assert_eq!(made.table.columns, ["title_0", "title_1", "title_2"]);
    assert_eq!(made.table.skipped_columns, ["score"]);
    assert!(made.unknown_rows.is_empty());
    let intake = through_a_model(&made);
    let new = file(folder.path(), "new.csv", "title,id\nfry an egg,z\nqqq,y\n");
    let new = read_points_like::<f64>(&new, &with_ids(), &intake, Broken::Error).unwrap();
    assert_eq!(new.table.points().unwrap().row(0), made.table.points().unwrap().row(4));
    assert_eq!(new.unknown_rows, [1]);
}

#[test]
fn numbers_categories_and_gaps_stand_before_the_texts() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "titles.csv", TITLES);
    let options =
        ReadOptions { columns: Some(vec!["score".into()]), missing: Missing::Median, ..with_ids() };
    let made = read_points::<f64>(&path, &options, Some(&titles())).unwrap();
    assert_eq!(made.table.columns, ["score", "title_0", "title_1", "title_2"]);
    // Derived: the median of 1, 2, 4, 5, 6.
    assert_eq!(made.table.points().unwrap().row(2)[0], 4.0);
    let intake = through_a_model(&made);
    assert!(matches!(intake.content.as_ref().unwrap().kind, ContentKind::Texts(_)));
    let again = read_points_like::<f64>(&path, &with_ids(), &intake, Broken::Error).unwrap();
    assert_eq!(again.table.values, made.table.values);
    let drop = ReadOptions { missing: Missing::Drop, ..options };
    let dropped = read_points::<f64>(&path, &drop, Some(&titles())).unwrap();
    assert_eq!(dropped.table.kept_rows, Some(vec![0, 1, 3, 4, 5]));
}

#[test]
fn tables_without_texts_travel_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "t.csv", "x,city,ok\n1,Rome,true\n2,Oslo,false\n,Rome,true\n");
    let options = ReadOptions {
        missing: Missing::Median,
        categories: Categories::OneHot,
        ..Default::default()
    };
    let made = read_points::<f64>(&path, &options, None).unwrap();
    let intake = through_a_model(&made);
    let again = read_points_like::<f64>(&path, &ReadOptions::default(), &intake, Broken::Error);
    assert_eq!(again.unwrap().table.values, made.table.values);
}

/// A gray picture as PNG.
fn png(path: &Path, brightness: u8) {
    let file = std::fs::File::create(path).unwrap();
    let mut encoder = png::Encoder::new(file, 8, 8);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&[brightness; 64]).unwrap();
}

#[test]
fn pictures_are_found_beside_their_table_and_broken_ones_dropped() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("photos")).unwrap();
    png(&folder.path().join("photos/a.png"), 10);
    png(&folder.path().join("photos/b.png"), 200);
    let rows = "path,id\nphotos/a.png,a\nphotos/none.png,n\nphotos/b.png,b\n";
    let path = file(folder.path(), "photos.csv", rows);
    let column = "path".to_owned();
    let strict = ContentColumn::Pictures { column: column.clone(), broken: Broken::Error };
    let error = read_points::<f64>(&path, &with_ids(), Some(&strict)).unwrap_err();
    assert!(matches!(error, FeatureError::Picture { row: 1, .. }), "{error}");
    let skipping = ContentColumn::Pictures { column, broken: Broken::Skip };
    let made = read_points::<f64>(&path, &with_ids(), Some(&skipping)).unwrap();
    assert_eq!(made.table.columns, pictures::column_names());
    assert_eq!(made.table.ids, Some(vec!["a".into(), "b".into()]));
    assert_eq!(made.broken.len(), 1);
    let intake = through_a_model(&made);
    let again = read_points_like::<f64>(&path, &with_ids(), &intake, Broken::Skip).unwrap();
    assert_eq!(again.table.values, made.table.values);
}

#[test]
fn a_folder_of_pictures_needs_no_table() {
    let folder = tempfile::tempdir().unwrap();
    png(&folder.path().join("b.png"), 10);
    png(&folder.path().join("a.png"), 200);
    let options = ReadOptions { id_column: Some("file".into()), ..Default::default() };
    let files = ContentColumn::Pictures { column: "file".into(), broken: Broken::Error };
    let made = read_points::<f64>(folder.path(), &options, Some(&files)).unwrap();
    assert_eq!(made.table.ids, Some(vec!["a.png".into(), "b.png".into()]));
    // Derived: 200 and 10 of 255.
    let first = |row: usize| made.table.points().unwrap().row(row)[0];
    assert!((first(0) - 200.0 / 255.0).abs() < 1e-12 && (first(1) - 10.0 / 255.0).abs() < 1e-12);
}
