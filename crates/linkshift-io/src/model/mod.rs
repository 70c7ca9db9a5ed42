//! Model files: a fitted model with all that labelling new rows takes, and all that explaining it
//! takes.
//!
//! The format is linkshift's own and versioned (`container.rs`); a file for each kind of predictor
//! says which arrays it is made of. A file that is damaged, or of a newer format, is an error that
//! says so, never a wrong label. The same bytes can be kept elsewhere than in a file, as Python's
//! pickles do.

mod assignment;
mod basin;
mod container;
mod encoder;
mod feature_climb;
mod intake;
mod nearest;
mod parts;
mod projected;
mod replay;
mod settings;

pub use container::Element;
pub use encoder::{
    SavedEncoder, encoder_from_bytes, encoder_to_bytes, read_encoder, write_encoder,
};
pub use intake::{Content, ContentKind, Intake, TextParts};

use crate::error::{IoError, Problem};
use crate::write::write_beside;
use container::{Container, damaged, missing};
use linkshift::method::LinkUse;
use linkshift::params::{N_CLUSTERS, Value};
use linkshift::predictor::{Held, Holding};
use linkshift::why::Record;
use linkshift::{
    Clusterer, Link, LinkKind, Links, Model, Points, Predictor, Real, Scaler, Scaling,
};
use parts::{put_points, take_points};
use settings::{put_settings, take_settings};
use std::fs;
use std::path::Path;

/// A fitted model, and what it was fitted on.
///
/// ```
/// use linkshift::{Links, datasets, observe, registry};
/// use linkshift_io::{AnyModel, SavedModel, read_model, write_model};
///
/// let moons = datasets::moons(90, 0.1, 7)?;
/// let method = registry::find("mean-shift").expect("it is there").configure(&[])?;
/// let model = method.fit(&moons.points, &Links::new(), &mut observe::ignore)?;
/// let columns = vec!["x".into(), "y".into()];
/// let saved = SavedModel {
///     points: Some(moons.points.clone()),
///     ..SavedModel::new(&*method, model, Links::new(), columns)
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
    /// What was set of its parameters, number of clusters and seed among them.
    pub settings: Vec<(String, Value)>,
    /// The names of the columns, in order.
    pub columns: Vec<String>,
    /// How the rows of a file become points; none if the points came from elsewhere than a file.
    pub intake: Option<Intake>,
    /// The column of ids, if there was one.
    pub id_column: Option<String>,
    /// The ids of the rows, if there were any.
    pub ids: Option<Vec<String>>,
    /// How columns were brought to one scale.
    pub scaler: Scaler,
    /// The rows, on that scale; none if they were left out, in which case nobody can say why.
    pub points: Option<Points<'static, T>>,
    /// The cluster of each row; −1 is noise.
    pub labels: Vec<i64>,
    /// The least number that no cluster has had, in this model or one that it kept numbers of.
    pub first_unused: i64,
    /// The center of each cluster, in the order of their first rows; none if all is noise.
    pub centers: Option<Points<'static, T>>,
    /// The bandwidth that the centers belong to, if they are modes among the points.
    pub mode_bandwidth: Option<f64>,
    /// Iterations done; files of version 1 do not say.
    pub n_iter: Option<usize>,
    /// Whether the method came to rest; files of version 1 do not say.
    pub converged: Option<bool>,
    /// What a person should know besides: the kind of each note, and its sentence.
    pub notes: Vec<(String, String)>,
    /// The links, as they were told.
    pub links: Links,
    /// Whether the method listened to them.
    pub uses_links: bool,
    /// What labels new rows.
    pub predictor: Predictor<T>,
}

impl<T: Real> SavedModel<T> {
    /// A model as its method left it: of points that were not scaled, have no ids and are not kept.
    pub fn new(
        method: &dyn Clusterer,
        model: Model<T>,
        links: Links,
        columns: Vec<String>,
    ) -> Self {
        let settings = method.settings().into_iter().map(|(key, value)| (key.to_owned(), value));
        let notes = model.notes().iter();
        Self {
            method: method.info().name.to_owned(),
            settings: settings.collect(),
            scaler: Scaler::none(columns.len()),
            columns,
            intake: None,
            id_column: None,
            ids: None,
            points: None,
            labels: model.labels().to_vec(),
            first_unused: model.labels().iter().max().map_or(0, |&last| last + 1),
            centers: model.centers().cloned(),
            mode_bandwidth: model.mode_bandwidth(),
            n_iter: Some(model.n_iter()),
            converged: Some(model.converged()),
            notes: notes.map(|note| (note.kind.name().to_owned(), note.text.clone())).collect(),
            links,
            uses_links: method.info().links != LinkUse::Unused,
            predictor: model.into_predictor(),
        }
    }

    /// What a parameter was set to.
    pub fn setting(&self, key: &str) -> Option<&Value> {
        self.settings.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    /// The number of clusters, if it was told.
    pub fn n_clusters(&self) -> Option<usize> {
        let told = self.setting(N_CLUSTERS).and_then(Value::as_number);
        told.map(|count| count as usize)
    }

    /// All that can be asked why; none if the points were left out.
    pub fn record(&self) -> Option<Record<'_, T>> {
        self.points.as_ref().map(|points| self.record_on(points))
    }

    /// The same with points that were kept elsewhere.
    pub fn record_on<'a>(&'a self, points: &'a Points<'a, T>) -> Record<'a, T> {
        Record {
            points,
            labels: &self.labels,
            links: &self.links,
            centers: self.centers.as_ref(),
            mode_bandwidth: self.mode_bandwidth,
            predictor: &self.predictor,
        }
    }

    /// The method's name, if it was given links and does not use them.
    pub fn deaf(&self) -> Option<&str> {
        (!self.links.is_empty() && !self.uses_links).then_some(&self.method)
    }
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
    let bytes = model_to_bytes(model).map_err(|problem| IoError::new(path, problem))?;
    write_beside(path, |file| file.write_all(&bytes))
}

/// Reads a model that [`write_model`] wrote.
pub fn read_model(path: &Path) -> Result<AnyModel, IoError> {
    let bytes = fs::read(path).map_err(|error| IoError::reading(path, error))?;
    model_from_bytes(&bytes).map_err(|problem| IoError::new(path, problem))
}

/// What [`write_model`] would write.
pub fn model_to_bytes<T: Real + Element>(model: &SavedModel<T>) -> Result<Vec<u8>, Problem> {
    let mut to = Container::new();
    to.set("linkshift", env!("CARGO_PKG_VERSION"));
    to.set("method", &model.method[..]);
    put_settings(&mut to, &model.settings);
    to.set("dtype", T::NAME);
    to.set("columns", &model.columns[..]);
    if let Some(intake) = &model.intake {
        intake::put(&mut to, intake);
    }
    to.set("id_column", model.id_column.clone());
    to.set("ids", model.ids.clone());
    put_scaler(&mut to, &model.scaler);
    if let Some(points) = &model.points {
        put_points(&mut to, "points", points);
    }
    to.put("labels", model.labels.iter().copied());
    to.set("first_unused", model.first_unused);
    if let Some(centers) = &model.centers {
        put_points(&mut to, "modes", centers);
    }
    to.set("mode_bandwidth", model.mode_bandwidth);
    to.set("n_iter", model.n_iter);
    to.set("converged", model.converged);
    let notes = model.notes.iter().map(|(kind, text)| vec![kind.clone(), text.clone()]);
    to.set("notes", notes.collect::<Vec<_>>());
    put_links(&mut to, &model.links);
    to.set("uses_links", model.uses_links);
    put_predictor(&mut to, &model.predictor);
    to.into_bytes()
}

/// The model that these bytes of [`model_to_bytes`], or of a file, stand for.
pub fn model_from_bytes(bytes: &[u8]) -> Result<AnyModel, Problem> {
    let from = Container::parse(bytes)?;
    if from.text("encoder").is_ok() {
        return Err(damaged("it is an encoder of linkshift embed, not a model"));
    }
    match from.text("dtype") {
        Ok("f32") => take_model(&from).map(AnyModel::F32),
        Ok("f64") => take_model(&from).map(AnyModel::F64),
        _ => Err(missing("dtype")),
    }
}

fn take_model<T: Real + Element>(from: &Container) -> Result<SavedModel<T>, Problem> {
    let some_points = |name: &str| from.has(name).then(|| take_points(from, name)).transpose();
    let labels: Vec<i64> = from.take("labels")?;
    // Version 1 had a center even where all is noise.
    let has_clusters = labels.iter().any(|&label| label >= 0);
    let model = SavedModel {
        method: from.text("method")?.to_owned(),
        settings: take_settings(from)?,
        columns: from.texts("columns")?.ok_or_else(|| missing("columns"))?,
        intake: intake::take(from)?,
        id_column: from.get("id_column").as_str().map(str::to_owned),
        ids: from.texts("ids")?,
        scaler: take_scaler(from)?,
        points: some_points("points")?,
        labels,
        first_unused: from.get("first_unused").as_i64().ok_or_else(|| missing("first_unused"))?,
        centers: some_points("modes")?.filter(|_| has_clusters),
        mode_bandwidth: from.get("mode_bandwidth").as_f64(),
        n_iter: from.get("n_iter").as_u64().map(|n_iter| n_iter as usize),
        converged: from.get("converged").as_bool(),
        notes: take_notes(from)?,
        links: take_links(from)?,
        uses_links: from.flag("uses_links")?,
        predictor: take_predictor(from)?,
    };
    check(&model)?;
    Ok(model)
}

/// Fails if the parts do not fit each other.
fn check<T: Real>(model: &SavedModel<T>) -> Result<(), Problem> {
    let (n, d) = (model.labels.len(), model.columns.len());
    let (points, centers) = (model.points.as_ref(), model.centers.as_ref());
    let counts = [
        ("points", points.map_or(n, Points::n_points), n),
        ("points", points.map_or(d, Points::n_features), d),
        ("intake", model.intake.as_ref().map_or(d, |intake| intake.n_columns(d)), d),
        ("ids", model.ids.as_ref().map_or(n, Vec::len), n),
        ("scale", model.scaler.shift().len(), d),
        ("modes", centers.map_or(d, Points::n_features), d),
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

/// None in files of version 1.
fn take_notes(from: &Container) -> Result<Vec<(String, String)>, Problem> {
    let notes = from.get("notes").as_array().map_or(&[][..], Vec::as_slice);
    let note = |note: &serde_json::Value| {
        Some((note[0].as_str()?.to_owned(), note[1].as_str()?.to_owned()))
    };
    notes.iter().map(note).collect::<Option<_>>().ok_or_else(|| missing("notes"))
}

fn put_scaler(to: &mut Container, scaler: &Scaler) {
    to.set("scale", scaler.scaling().name());
    to.put("scale_shift", scaler.shift().iter().copied());
    to.put("scale_unit", scaler.unit().iter().copied());
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
    let mut put = |kind: &str| to.set("predictor", kind);
    match predictor {
        Predictor::Nearest(nearest) => {
            put("nearest");
            nearest::put(to, nearest);
        }
        Predictor::Basin(basin) => {
            put("basin");
            basin::put(to, basin);
        }
        Predictor::Replay(replay) => {
            put("replay");
            replay::put(to, replay);
        }
        Predictor::Assignment(assignment) => {
            put("assignment");
            assignment::put(to, assignment);
        }
        Predictor::FeatureClimb(climb) => {
            put("feature-climb");
            feature_climb::put(to, climb);
        }
        Predictor::Projected(projected) => {
            put("projected");
            projected::put(to, projected);
        }
        // Points that links moved stand beside the way that labels all others.
        Predictor::Holding(holding) => {
            to.put("moved", holding.held.values.iter().copied());
            to.put("moved_labels", holding.held.labels.iter().copied());
            put_predictor(to, &holding.others);
        }
    }
}

fn take_predictor<T: Real + Element>(from: &Container) -> Result<Predictor<T>, Problem> {
    let others = take_way(from)?;
    if !from.has("moved") {
        return Ok(others);
    }
    let held = Held { values: from.take("moved")?, labels: from.take("moved_labels")? };
    Ok(Predictor::Holding(Box::new(Holding { held, others })))
}

fn take_way<T: Real + Element>(from: &Container) -> Result<Predictor<T>, Problem> {
    match from.text("predictor")? {
        "nearest" => nearest::take(from).map(Predictor::Nearest),
        "basin" => basin::take(from).map(Predictor::Basin),
        "replay" => replay::take(from).map(Predictor::Replay),
        "assignment" => assignment::take(from).map(Predictor::Assignment),
        "projected" => projected::take(from).map(Predictor::Projected),
        "feature-climb" => feature_climb::take(from).map(Predictor::FeatureClimb),
        _ => Err(missing("predictor")),
    }
}
