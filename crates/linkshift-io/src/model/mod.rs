//! Model files: a fitted model with all that labelling new rows takes, and all that explaining it
//! takes.
//!
//! The format is linkshift's own and versioned (`container.rs`); a file for each kind of predictor
//! says which arrays it is made of. A file that is damaged, or of a newer format, is an error that
//! says so, never a wrong label.

mod assignment;
mod basin;
mod container;
mod feature_climb;
mod nearest;
mod parts;
mod replay;

pub use container::Element;

use crate::error::{IoError, Problem};
use container::{Container, damaged, missing};
use linkshift::{Link, LinkKind, Links, Points, Predictor, Real, Scaler, Scaling};
use parts::{put_points, take_points};
use serde_json::{Map, Value, json};
use std::path::Path;

/// A fitted model, and what it was fitted on.
///
/// ```
/// use linkshift::mean_shift::{MeanShift, MeanShiftParams};
/// use linkshift::{Links, Scaler, Scaling, datasets};
/// use linkshift_io::{AnyModel, SavedModel, read_model, write_model};
///
/// let moons = datasets::moons(90, 0.1, 7)?;
/// let model = MeanShift::new(MeanShiftParams::default())?.fit(&moons.points)?;
/// let saved = SavedModel {
///     method: "mean-shift".into(),
///     settings: vec![],
///     n_clusters: None,
///     seed: 0,
///     columns: vec!["x".into(), "y".into()],
///     id_column: None,
///     ids: None,
///     scaler: Scaler::fit(&moons.points, Scaling::None),
///     points: moons.points.clone(),
///     labels: model.labels().to_vec(),
///     first_unused: model.n_clusters() as i64,
///     modes: model.modes().clone(),
///     bandwidth: Some(model.bandwidth()),
///     links: Links::new(),
///     uses_links: false,
///     predictor: model.into_predictor(),
/// };
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("moons.model");
/// write_model(&path, &saved)?;
/// let AnyModel::F64(read) = read_model(&path)? else { panic!("it was f64") };
/// assert_eq!(read, saved);
/// assert_eq!(read.predictor.predict(&moons.points)?, read.labels);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SavedModel<T: Real> {
    /// The method, as the command line names it.
    pub method: String,
    /// What was set of its parameters, as key and value.
    pub settings: Vec<(String, String)>,
    /// The number of clusters, if it was told.
    pub n_clusters: Option<usize>,
    /// The seed.
    pub seed: u64,
    /// The names of the columns, in order.
    pub columns: Vec<String>,
    /// The column of ids, if there was one.
    pub id_column: Option<String>,
    /// The ids of the rows, if there were any.
    pub ids: Option<Vec<String>>,
    /// How columns were brought to one scale.
    pub scaler: Scaler,
    /// The rows, on that scale.
    pub points: Points<'static, T>,
    /// The cluster of each row; −1 is noise.
    pub labels: Vec<i64>,
    /// The least number that no cluster has had, in this model or one that it kept numbers of.
    pub first_unused: i64,
    /// The modes; if a bandwidth is given, that of each cluster, in the order of their first rows.
    pub modes: Points<'static, T>,
    /// The bandwidth that modes belong to, if the method has modes among the points.
    pub bandwidth: Option<f64>,
    /// The links, as they were told.
    pub links: Links,
    /// Whether the method listened to them.
    pub uses_links: bool,
    /// What labels new rows.
    pub predictor: Predictor<T>,
}

/// A model by the type of its numbers.
#[derive(Debug, Clone, PartialEq)]
pub enum AnyModel {
    /// 32 bits.
    F32(SavedModel<f32>),
    /// 64 bits.
    F64(SavedModel<f64>),
}

/// Writes a model, whole or not at all.
pub fn write_model<T: Real + Element>(path: &Path, model: &SavedModel<T>) -> Result<(), IoError> {
    let mut to = Container::default();
    to.set("linkshift", env!("CARGO_PKG_VERSION"));
    to.set("method", &model.method[..]);
    let settings = model.settings.iter().map(|(key, value)| (key.clone(), json!(value)));
    to.set("settings", settings.collect::<Map<String, Value>>());
    to.set("n_clusters", model.n_clusters);
    to.set("seed", model.seed);
    to.set("dtype", T::NAME);
    to.set("columns", &model.columns[..]);
    to.set("id_column", model.id_column.clone());
    to.set("ids", model.ids.clone());
    to.set("scale", model.scaler.scaling().name());
    to.put("scale_shift", model.scaler.shift().iter().copied());
    to.put("scale_unit", model.scaler.unit().iter().copied());
    put_points(&mut to, "points", &model.points);
    to.put("labels", model.labels.iter().copied());
    to.set("first_unused", model.first_unused);
    put_points(&mut to, "modes", &model.modes);
    to.set("mode_bandwidth", model.bandwidth);
    put_links(&mut to, &model.links);
    to.set("uses_links", model.uses_links);
    put_predictor(&mut to, &model.predictor);
    to.write(path)
}

/// Reads a model that [`write_model`] wrote.
pub fn read_model(path: &Path) -> Result<AnyModel, IoError> {
    let from = Container::read(path)?;
    let model = match from.text("dtype") {
        Ok("f32") => take_model(&from).map(AnyModel::F32),
        Ok("f64") => take_model(&from).map(AnyModel::F64),
        _ => Err(missing("dtype")),
    };
    model.map_err(|problem| IoError::new(path, problem))
}

fn take_model<T: Real + Element>(from: &Container) -> Result<SavedModel<T>, Problem> {
    let settings = from.get("settings").as_object().ok_or_else(|| missing("settings"))?;
    let setting = |(key, value): (&String, &Value)| Some((key.clone(), value.as_str()?.to_owned()));
    let settings: Option<Vec<(String, String)>> = settings.iter().map(setting).collect();
    let model = SavedModel {
        method: from.text("method")?.to_owned(),
        settings: settings.ok_or_else(|| missing("settings"))?,
        n_clusters: from.get("n_clusters").as_u64().map(|k| k as usize),
        seed: from.get("seed").as_u64().ok_or_else(|| missing("seed"))?,
        columns: texts(from, "columns")?.ok_or_else(|| missing("columns"))?,
        id_column: from.get("id_column").as_str().map(str::to_owned),
        ids: texts(from, "ids")?,
        scaler: take_scaler(from)?,
        points: take_points(from, "points")?,
        labels: from.take("labels")?,
        first_unused: from.get("first_unused").as_i64().ok_or_else(|| missing("first_unused"))?,
        modes: take_points(from, "modes")?,
        bandwidth: from.get("mode_bandwidth").as_f64(),
        links: take_links(from)?,
        uses_links: from.flag("uses_links")?,
        predictor: take_predictor(from)?,
    };
    check(&model)?;
    Ok(model)
}

/// Fails if the parts do not fit each other.
fn check<T: Real>(model: &SavedModel<T>) -> Result<(), Problem> {
    let (n, d) = (model.points.n_points(), model.points.n_features());
    let counts = [
        ("labels", model.labels.len(), n),
        ("ids", model.ids.as_ref().map_or(n, Vec::len), n),
        ("columns", model.columns.len(), d),
        ("scale", model.scaler.shift().len(), d),
        ("modes", model.modes.n_features(), d),
    ];
    if let Some((name, ..)) = counts.iter().find(|(_, found, expected)| found != expected) {
        return Err(missing(name));
    }
    let is_known = |link: &Link| link.a < n && link.b < n;
    if !model.links.iter().all(is_known) {
        return Err(missing("links"));
    }
    model.predictor.check().map_err(|error| damaged(&error.to_string()))
}

/// A list of texts; none where there is null.
fn texts(from: &Container, name: &str) -> Result<Option<Vec<String>>, Problem> {
    let value = from.get(name);
    if value.is_null() {
        return Ok(None);
    }
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let texts = value.as_array().and_then(|all| all.iter().map(text).collect());
    texts.map(Some).ok_or_else(|| missing(name))
}

fn take_scaler(from: &Container) -> Result<Scaler, Problem> {
    let scaling = Scaling::parse(from.text("scale")?);
    let (shift, unit) = (from.take("scale_shift")?, from.take("scale_unit")?);
    let scaler = scaling.and_then(|scaling| Scaler::from_parts(scaling, shift, unit));
    scaler.map_err(|error| damaged(&error.to_string()))
}

fn put_links(to: &mut Container, links: &Links) {
    to.put("link_ends", links.iter().flat_map(|link| [link.a as u32, link.b as u32]));
    let sign = |link: &Link| if link.kind == LinkKind::Must { 1_i64 } else { -1 };
    to.put("link_kinds", links.iter().map(sign));
    to.put("link_confidences", links.iter().map(|link| link.confidence));
}

fn take_links(from: &Container) -> Result<Links, Problem> {
    let ends = from.take::<u32>("link_ends")?;
    let kinds = from.take::<i64>("link_kinds")?;
    let confidences = from.take::<f64>("link_confidences")?;
    let link = |((ends, kind), confidence): ((&[u32], i64), f64)| Link {
        a: ends[0] as usize,
        b: ends[1] as usize,
        kind: if kind > 0 { LinkKind::Must } else { LinkKind::Cannot },
        confidence,
    };
    Ok(ends.chunks_exact(2).zip(kinds).zip(confidences).map(link).collect())
}

fn put_predictor<T: Real + Element>(to: &mut Container, predictor: &Predictor<T>) {
    let kind = match predictor {
        Predictor::Nearest(_) => "nearest",
        Predictor::Basin(_) => "basin",
        Predictor::Replay(_) => "replay",
        Predictor::Assignment(_) => "assignment",
        Predictor::FeatureClimb(_) => "feature-climb",
    };
    to.set("predictor", kind);
    match predictor {
        Predictor::Nearest(nearest) => nearest::put(to, nearest),
        Predictor::Basin(basin) => basin::put(to, basin),
        Predictor::Replay(replay) => replay::put(to, replay),
        Predictor::Assignment(assignment) => assignment::put(to, assignment),
        Predictor::FeatureClimb(climb) => feature_climb::put(to, climb),
    }
}

fn take_predictor<T: Real + Element>(from: &Container) -> Result<Predictor<T>, Problem> {
    match from.text("predictor")? {
        "nearest" => nearest::take(from).map(Predictor::Nearest),
        "basin" => basin::take(from).map(Predictor::Basin),
        "replay" => replay::take(from).map(Predictor::Replay),
        "assignment" => assignment::take(from).map(Predictor::Assignment),
        "feature-climb" => feature_climb::take(from).map(Predictor::FeatureClimb),
        _ => Err(missing("predictor")),
    }
}
