//! Small valid files of every format: made once per run, by our own writers, and those that lie in the
//! repository because our writers no longer make them.

use crate::run::Workshop;
use linkshift::{Links, Points, Scaler, datasets, links, observe, registry};
use linkshift_features::autoencoder::{AutoencoderParams, Training};
use linkshift_io::{
    Beside, SavedEncoder, SavedModel, encoder_to_bytes, model_to_bytes, write_labels, write_table,
    write_table_beside,
};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Display;
use std::io::Write;
use std::path::Path;

/// What the files are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Format {
    Csv,
    Tsv,
    Gz,
    Parquet,
    Arrow,
    Npy,
    Links,
    Answers,
    Picture,
    Model,
    Encoder,
}

/// What was made so far.
#[derive(Debug, Default)]
pub(crate) struct Corpus {
    made: HashMap<Format, Vec<Vec<u8>>>,
}

const TEXTS: &[&str] = &[
    "x,y,label\n0,1,a\n0.5,-2e3,b\n1e-9,4,a\n",
    "1;2;3\n4;5;6\n",
    "name,x,when,kind\n\"a,\"\"b\",1,2024-02-29,red\nb,,1999-12-31T23:59:59Z,blue\nc,3,2000-01-01,red\n",
    "\u{feff}x\r\n1\r\n2\r\n\r\n3\r\n",
    "# about\nx y\n1 2\n3 4\n",
    "weight,x,y\n1,0,0\n0,1,1\n1e30,2,2\n",
];

const LINKS: &[&str] = &[
    "a,b,kind\n0,1,must\n2,3,cannot\n1,4,unsure\n",
    "0 1 1\n2 3 -1\n",
    "kind;b;a;confidence\nmust;1;0;0.5\ncannot;2;7;1\n",
    "# said by ann\n0,1,ml,0.9\n5,6,CANNOT_LINK,\n",
];

const ANSWERS: &[&str] = &[
    "a,b,kind\n0,1,must\n2,3,cannot\n1,4,unsure\n",
    "a,b,kind,confidence\n0,1,must,1\n2,3,cannot,\n",
    "a,b,kind\n# place 3\n4,8,cannot\n4,2,must\n4,5,cannot\n# group 2\n0,1,must\n0,6,cannot\n",
];

fn said(error: impl Display) -> String {
    format!("the corpus could not be made: {error}")
}

impl Corpus {
    pub(crate) fn of(
        &mut self,
        format: Format,
        workshop: &Workshop,
    ) -> Result<Vec<Vec<u8>>, String> {
        let made = match self.made.entry(format) {
            Entry::Occupied(made) => made.into_mut(),
            Entry::Vacant(place) => place.insert(make(format, workshop)?),
        };
        Ok(made.clone())
    }
}

fn make(format: Format, workshop: &Workshop) -> Result<Vec<Vec<u8>>, String> {
    let bytes = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    match format {
        Format::Csv => Ok(bytes(TEXTS)),
        Format::Tsv => Ok(TEXTS.iter().map(|text| text.replace([',', ';'], "\t").into()).collect()),
        Format::Gz => TEXTS.iter().map(|text| zipped(text.as_bytes())).collect(),
        Format::Links => Ok(bytes(LINKS)),
        Format::Answers => Ok(bytes(ANSWERS)),
        Format::Parquet => tables(workshop, "made.parquet"),
        Format::Arrow => tables(workshop, "made.arrow"),
        Format::Npy => {
            let mut all = fixtures("npy", "npy")?;
            let path = workshop.place("made.npy");
            let columns = ["x", "y"].map(String::from);
            write_table(&path, &columns, &[0.5_f32, 1.0, 2.0, 3.0], None).map_err(said)?;
            all.push(std::fs::read(&path).map_err(said)?);
            Ok(all)
        }
        Format::Picture => pictures(),
        Format::Model => models(),
        Format::Encoder => encoders(),
    }
}

fn zipped(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).map_err(said)?;
    encoder.finish().map_err(said)
}

/// Numbers alone, numbers with labels, and labels with ids.
fn tables(workshop: &Workshop, name: &str) -> Result<Vec<Vec<u8>>, String> {
    let path = workshop.place(name);
    let columns = ["x", "y"].map(String::from);
    let values: Vec<f64> = (0..20).map(|at| f64::from(at) / 3.0).collect();
    let narrow: Vec<f32> = values.iter().map(|&value| value as f32).collect();
    let texts: Vec<String> = (0..10).map(|at| format!("row {}", at % 3)).collect();
    let read = || std::fs::read(&path).map_err(said);
    let mut all = Vec::new();
    write_table(&path, &columns, &values, None).map_err(said)?;
    all.push(read()?);
    write_table(&path, &columns, &narrow, Some(&[1; 10])).map_err(said)?;
    all.push(read()?);
    write_table_beside(&path, &columns, &values, &[("text", Beside::Texts(&texts))])
        .map_err(said)?;
    all.push(read()?);
    let ids: Vec<String> = (0..10).map(|at| format!("id {at}")).collect();
    write_labels(&path, &[3; 10], Some(&ids)).map_err(said)?;
    all.push(read()?);
    Ok(all)
}

/// Files that lie beside the tests of `linkshift-io`.
fn fixtures(folder: &str, ending: &str) -> Result<Vec<Vec<u8>>, String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../linkshift-io/tests").join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(tests)
        .map_err(said)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).map_err(said)).collect()
}

fn pictures() -> Result<Vec<Vec<u8>>, String> {
    let kinds = [(png::ColorType::Rgb, 3), (png::ColorType::GrayscaleAlpha, 2)];
    let png = |(kind, n_channels): (png::ColorType, usize)| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 9, 7);
        encoder.set_color(kind);
        encoder.set_depth(png::BitDepth::Eight);
        let values: Vec<u8> = (0..9 * 7 * n_channels).map(|at| (at * 37 % 251) as u8).collect();
        let mut writer = encoder.write_header().map_err(said)?;
        writer.write_image_data(&values).map_err(said)?;
        writer.finish().map_err(said)?;
        Ok(bytes)
    };
    let mut all: Vec<Vec<u8>> = kinds.into_iter().map(png).collect::<Result<_, String>>()?;
    // Nobody here writes JPEG; what begins like one reaches the decoder.
    all.push(b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xdb\0\x43\0".to_vec());
    Ok(all)
}

/// A model of every method, small, in both types, and those of version 1.
fn models() -> Result<Vec<Vec<u8>>, String> {
    let mut all = fixtures("models", "model")?;
    let moons = datasets::moons(24, 0.1, 3).map_err(said)?;
    let links = links::draw(&moons.labels, 6, 3).map_err(said)?;
    let single: Points<'static, f32> = moons.cast().map_err(said)?;
    for entry in registry::METHODS {
        let settings = crate::settings::told(entry);
        let method = entry.configure(&settings).map_err(said)?;
        let columns = vec!["x".to_owned(), "y".to_owned()];
        let model = method.fit(&moons.points, &links, &mut observe::ignore).map_err(said)?;
        let saved = SavedModel {
            points: Some(moons.points.clone()),
            ..SavedModel::new(&*method, model, links.clone(), columns.clone())
        };
        all.push(model_to_bytes(&saved).map_err(said)?);
        let model = method.fit(&single, &Links::new(), &mut observe::ignore).map_err(said)?;
        let saved = SavedModel::new(&*method, model, Links::new(), columns);
        all.push(model_to_bytes(&saved).map_err(said)?);
    }
    Ok(all)
}

/// Training before its first pass, and after some.
fn encoders() -> Result<Vec<Vec<u8>>, String> {
    let blobs = datasets::blobs(30, 5, 2, 0.5, 3.0, 1).map_err(said)?;
    let params = AutoencoderParams {
        hidden: vec![4],
        n_columns: 2,
        pretrain_epochs: 1,
        epochs: 1,
        batch: 8,
        ..Default::default()
    };
    let mut training = Training::new(&blobs.points, &params).map_err(said)?;
    let mut all = Vec::new();
    let mut save = |training: &Training| {
        let mut saved = SavedEncoder {
            kind: String::new(),
            numbers: Vec::new(),
            arrays: Vec::new(),
            intake: None,
            scaler: Scaler::none(5),
        };
        training.save_to(&mut saved);
        all.push(encoder_to_bytes(&saved).map_err(said)?);
        Ok::<(), String>(())
    };
    save(&training)?;
    while !training.is_done() {
        let goes_on = &mut |_: &_| std::ops::ControlFlow::Continue(());
        training.pass(&blobs.points, goes_on).map_err(said)?;
    }
    save(&training)?;
    Ok(all)
}
