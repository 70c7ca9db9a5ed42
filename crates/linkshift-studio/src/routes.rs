//! What can be asked for: one table, from which the server is built and which the tests walk.

use crate::app::{App, Inner};
use crate::entry::{Entry, Said};
use crate::error::{Result, StudioError};
use crate::export::export;
use crate::jobs::Job;
use crate::session::Change;
use crate::{command, state};
use linkshift::why::{Reasons, Record};
use linkshift::{Link, LinkKind};
use serde_json::{Value, json};
use std::sync::atomic::Ordering::SeqCst;

/// A request, taken apart.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// What stands after the question mark.
    pub(crate) query: Vec<(String, String)>,
    /// The last part of the path.
    pub(crate) last: String,
    /// What was sent along.
    pub(crate) body: Value,
}

/// A response.
#[derive(Debug)]
pub(crate) enum Reply {
    Json(Value),
    Bytes {
        kind: &'static str,
        bytes: Vec<u8>,
        revision: Option<u64>,
        /// The name under which it is kept, if it is to be.
        file: Option<String>,
    },
}

/// How a route is served.
#[derive(Clone, Copy)]
pub(crate) enum Serve {
    /// A file of the page.
    File(&'static str, &'static [u8]),
    /// By a function.
    By(fn(&App, &Asked) -> Result<Reply>),
    /// By the stream of events.
    Events,
}

/// A route.
pub(crate) struct Route {
    pub(crate) is_post: bool,
    pub(crate) path: &'static str,
    pub(crate) serve: Serve,
}

const fn get(path: &'static str, by: fn(&App, &Asked) -> Result<Reply>) -> Route {
    Route { is_post: false, path, serve: Serve::By(by) }
}

const fn post(path: &'static str, by: fn(&App, &Asked) -> Result<Reply>) -> Route {
    Route { is_post: true, path, serve: Serve::By(by) }
}

const fn file(path: &'static str, kind: &'static str, bytes: &'static [u8]) -> Route {
    Route { is_post: false, path, serve: Serve::File(kind, bytes) }
}

/// All routes.
pub(crate) static ROUTES: &[Route] = &[
    file("/", "text/html; charset=utf-8", include_bytes!("../page/dist/index.html")),
    file("/app.js", "text/javascript; charset=utf-8", include_bytes!("../page/dist/app.js")),
    file("/app.css", "text/css; charset=utf-8", include_bytes!("../page/dist/app.css")),
    file("/icon.svg", "image/svg+xml", include_bytes!("../page/dist/icon.svg")),
    get("/api/state", |app, _| Ok(Reply::Json(state::state(app)))),
    get("/api/positions", positions),
    get("/api/labels", labels),
    get("/api/links", links),
    get("/api/rows", rows),
    get("/api/image/{row}", image),
    get("/api/search", search),
    get("/api/question", |app, _| Ok(Reply::Json(app.question_json()))),
    get("/api/why", why),
    get("/api/export", export),
    get("/api/command", |app, _| Ok(Reply::Json(command::commands(app)))),
    Route { is_post: false, path: "/api/events", serve: Serve::Events },
    post("/api/answer", answer),
    post("/api/correct", answer),
    post("/api/undo", |app, _| changed(app, &Change::Undo)),
    post("/api/redo", |app, _| changed(app, &Change::Redo)),
    post("/api/edit", edit),
    post("/api/rename", rename),
    post("/api/ask_again", ask_again),
    post("/api/fit", fit),
    post("/api/map", map),
    post("/api/cancel", cancel),
    post("/api/selection", selection),
];

impl Asked {
    /// A value of the query.
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == key).map(|(_, value)| &value[..])
    }

    fn row(&self, key: &str, app: &App) -> Result<usize> {
        let text = self.get(key).unwrap_or_default();
        parse_row(text, app.data.n_rows())
    }
}

fn parse_row(text: &str, n_rows: usize) -> Result<usize> {
    let row = text.parse().ok().filter(|&row: &usize| row < n_rows);
    row.ok_or_else(|| {
        let last = n_rows.saturating_sub(1);
        let text: String = text.chars().take(20).collect();
        StudioError::bad(format!("there is no row {text:?}: rows are 0 to {last}"))
    })
}

/// What every change answers: where all stands now, and the next question.
fn reply(app: &App) -> Result<Reply> {
    let question = app.question_json();
    let labels_revision = app.lock().shown.revision;
    Ok(Reply::Json(json!({
        "state": state::state(app),
        "question": question,
        "labels_revision": labels_revision,
    })))
}

fn changed(app: &App, change: &Change) -> Result<Reply> {
    app.change(&mut app.lock(), change)?;
    reply(app)
}

fn positions(app: &App, _: &Asked) -> Result<Reply> {
    let map = app.map();
    let Some((map, revision)) = map else {
        return Err(StudioError::inside("the map is not ready yet: try again in a moment"));
    };
    let bytes = map.xy.iter().flat_map(|value| value.to_le_bytes()).collect();
    app.positions_sent.store(true, SeqCst);
    Ok(Reply::Bytes { kind: BINARY, bytes, revision: Some(revision), file: None })
}

const BINARY: &str = "application/octet-stream";

fn labels(app: &App, _: &Asked) -> Result<Reply> {
    let shown = app.lock().shown.clone();
    let bytes = shown.labels.iter().flat_map(|&label| (label as i32).to_le_bytes()).collect();
    Ok(Reply::Bytes { kind: BINARY, bytes, revision: Some(shown.revision), file: None })
}

fn links(app: &App, _: &Asked) -> Result<Reply> {
    let inner = app.lock();
    let links = inner.session.links();
    let labels = inner.shown.labels.clone();
    let suspects: std::collections::HashSet<(usize, usize, LinkKind)> =
        match (&inner.fitted, inner.shown.source) {
            (Some(fitted), crate::app::Source::Fit) => crate::worth::suspects(fitted)
                .iter()
                .map(|suspect| (suspect.link.a, suspect.link.b, suspect.link.kind))
                .collect(),
            _ => Default::default(),
        };
    drop(inner);
    let one = |link: &Link| {
        let together = labels[link.a] >= 0 && labels[link.a] == labels[link.b];
        let is_must = link.kind == LinkKind::Must;
        let state = match suspects.contains(&(link.a, link.b, link.kind)) {
            true => 2,
            false => u8::from(together != is_must),
        };
        json!([link.a, link.b, u8::from(is_must), state])
    };
    Ok(Reply::Json(links.iter().map(one).collect()))
}

/// Rows that can be asked for at once.
const MOST_ROWS: usize = 200;

fn rows(app: &App, asked: &Asked) -> Result<Reply> {
    let list = asked.get("rows").unwrap_or_default();
    let list: Vec<&str> = list.split(',').filter(|text| !text.is_empty()).collect();
    if list.len() > MOST_ROWS {
        return Err(StudioError::bad(format!("ask for at most {MOST_ROWS} rows at once")));
    }
    let data = &app.data;
    let labels = app.lock().shown.labels.clone();
    let one = |text: &&str| -> Result<Value> {
        let row = parse_row(text, data.n_rows())?;
        Ok(json!({
            "row": row,
            "id": data.name_of(row),
            "fields": data.fields(row),
            "text": data.texts.as_ref().map(|texts| &texts[row]),
            "image": data.pictures.is_some(),
            "cluster": labels[row],
            "chance": null,
        }))
    };
    Ok(Reply::Json(Value::Array(list.iter().map(one).collect::<Result<_>>()?)))
}

fn image(app: &App, asked: &Asked) -> Result<Reply> {
    let row = parse_row(&asked.last, app.data.n_rows())?;
    let pictures = app.data.pictures.as_ref();
    let pictures = pictures.ok_or_else(|| StudioError::missing("these data have no pictures"))?;
    let picture = pictures.of_row(row)?;
    Ok(Reply::Bytes { kind: picture.kind, bytes: picture.bytes, revision: None, file: None })
}

/// Rows of a search that are sent.
const MOST_FOUND: usize = 1_000;

fn search(app: &App, asked: &Asked) -> Result<Reply> {
    let word = asked.get("q").unwrap_or_default().trim();
    if word.is_empty() {
        return Ok(Reply::Json(json!({ "rows": [], "n": 0 })));
    }
    let found = app.data.search(word);
    let n = found.len();
    Ok(Reply::Json(
        json!({ "rows": found.into_iter().take(MOST_FOUND).collect::<Vec<_>>(), "n": n }),
    ))
}

fn answer(app: &App, asked: &Asked) -> Result<Reply> {
    let body = &asked.body;
    let said = Said::from_json(body)?;
    let is_certain = body["certain"].as_bool().unwrap_or_default();
    let comment = comment(body)?.unwrap_or_default();
    app.say(said, is_certain, comment, body["look_again"].as_bool().unwrap_or_default())?;
    reply(app)
}

/// The comment, if there is one.
fn comment(body: &Value) -> Result<Option<String>> {
    const MOST_CHARS: usize = 2_000;
    match body["comment"].as_str() {
        Some(text) if text.chars().count() > MOST_CHARS => Err(StudioError::bad(format!(
            "the comment is longer than {MOST_CHARS} characters: shorten it"
        ))),
        other => Ok(other.map(str::to_owned)),
    }
}

fn edit(app: &App, asked: &Asked) -> Result<Reply> {
    let body = &asked.body;
    let id = body["id"].as_u64();
    let id = id.ok_or_else(|| StudioError::bad("say which entry: its id is missing"))?;
    let mut inner = app.lock();
    let old = Entry::clone(inner.session.entry(id)?);
    let entry = match body["delete"].as_bool() {
        Some(true) => None,
        _ => Some(edited(old, body)?),
    };
    app.change(&mut inner, &Change::Edit { gone: vec![id], entry })?;
    drop(inner);
    reply(app)
}

fn edited(old: Entry, body: &Value) -> Result<Entry> {
    let mut entry = old;
    if let Some(answer) = body.get("answer") {
        entry.said = entry.said.with_answer(answer)?;
    }
    let is_certain = body["certain"].as_bool().unwrap_or(entry.is_certain());
    if !entry.said.is_correction() {
        let reply = entry.said.reply()?;
        entry.reply = if is_certain { reply.certain() } else { reply };
    }
    if let Some(text) = comment(body)? {
        entry.comment = text;
    }
    if let Some(look_again) = body["look_again"].as_bool() {
        entry.look_again = look_again;
    }
    Ok(entry)
}

fn rename(app: &App, asked: &Asked) -> Result<Reply> {
    let cluster = asked.body["cluster"].as_i64();
    let cluster =
        cluster.ok_or_else(|| StudioError::bad("say which cluster: its number is missing"))?;
    let name = asked.body["name"].as_str();
    app.rename(cluster, name.ok_or_else(|| StudioError::bad("say the name"))?)?;
    reply(app)
}

fn ask_again(app: &App, asked: &Asked) -> Result<Reply> {
    let row = |key: &str| {
        let row = asked.body[key].as_u64().map(|row| row as usize);
        let row = row.filter(|&row| row < app.data.n_rows());
        row.ok_or_else(|| StudioError::bad("say which two rows, a and b"))
    };
    let (a, b) = (row("a")?, row("b")?);
    if a == b {
        return Err(StudioError::bad("a and b are the same row: name two"));
    }
    let mut inner = app.lock();
    inner.asked_again = Some((a, b));
    app.touch(&mut inner);
    drop(inner);
    reply(app)
}

fn job_of(inner: &Inner) -> Value {
    json!({ "job": inner.job().map(Job::to_json) })
}

fn fit(app: &App, _: &Asked) -> Result<Reply> {
    let mut inner = app.lock();
    inner.fit_wanted = true;
    app.changed.notify_all();
    Ok(Reply::Json(job_of(&inner)))
}

/// Lays out the map by neighbours after all, if that was cancelled.
fn map(app: &App, _: &Asked) -> Result<Reply> {
    let mut inner = app.lock();
    inner.map_wanted = true;
    app.changed.notify_all();
    Ok(Reply::Json(job_of(&inner)))
}

/// Stops the job that is shown, or the one whose kind is named.
fn cancel(app: &App, asked: &Asked) -> Result<Reply> {
    let inner = app.lock();
    let kind = asked.body["kind"].as_str().or(inner.job().map(|job| job.kind));
    for (job, cancel) in inner.jobs.iter().zip(&app.cancel) {
        if job.as_ref().is_some_and(|job| Some(job.kind) == kind) {
            cancel.store(true, SeqCst);
        }
    }
    Ok(Reply::Json(job_of(&inner)))
}

fn why(app: &App, asked: &Asked) -> Result<Reply> {
    let (a, b) = (asked.row("a", app)?, asked.row("b", app)?);
    let fitted = app.lock().fitted.clone();
    let Some(fitted) = fitted else {
        return Err(StudioError::missing("there is no full fit yet: wait until it is done"));
    };
    let record = Record::of(&fitted.model, &app.data.points, &fitted.links);
    let reasons = Reasons::find(&record, a, b)?;
    let text = reasons.text(&|row| app.data.name_of(row), None);
    Ok(Reply::Json(json!({ "text": text, "together": reasons.together() })))
}

fn selection(app: &App, asked: &Asked) -> Result<Reply> {
    let rows = asked.body["rows"].as_array();
    let rows = rows.ok_or_else(|| StudioError::bad("say which rows"))?;
    let inner = app.lock();
    let n_rows = app.data.n_rows();
    let mut table = vec![["row", "id", "cluster", "name"].map(String::from)];
    for row in rows {
        let row = row.as_u64().map(|row| row as usize).filter(|&row| row < n_rows);
        let row = row.ok_or_else(|| StudioError::bad("rows must be numbers of rows"))?;
        let cluster = inner.shown.labels[row];
        let name = if cluster >= 0 { inner.name_of(cluster) } else { String::new() };
        table.push([row.to_string(), app.data.name_of(row), cluster.to_string(), name]);
    }
    let file = Some("selection.csv".into());
    let bytes = crate::export::csv(&table);
    Ok(Reply::Bytes { kind: "text/csv; charset=utf-8", bytes, revision: None, file })
}
