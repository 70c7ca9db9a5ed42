//! Slow work in the background: the full fit, and the map by neighbours.

use crate::app::App;
use crate::error::Result;
use crate::live::Opinion;
use crate::map::Map;
use linkshift::params::{SEED, Value as Setting};
use linkshift::{Error, Links, Model, observe, registry};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

/// When answers pause for so long, the full fit begins.
const PAUSE: Duration = Duration::from_millis(1_200);

/// Progress is told so often at most.
const EVERY: Duration = Duration::from_millis(200);

/// Something under way.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Job {
    pub(crate) kind: &'static str,
    pub(crate) text: String,
    /// The share that is done.
    pub(crate) progress: f64,
    pub(crate) seconds_left: Option<f64>,
    pub(crate) can_cancel: bool,
}

impl Job {
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "kind": self.kind,
            "text": self.text,
            "progress": self.progress,
            "seconds_left": self.seconds_left,
            "can_cancel": self.can_cancel,
        })
    }
}

/// Places of jobs.
pub(crate) const FIT: usize = 0;
pub(crate) const MAP: usize = 1;

/// A finished fit.
#[derive(Debug)]
pub(crate) struct Fitted {
    /// Of what was told.
    pub(crate) version: u64,
    pub(crate) links: Links,
    pub(crate) all_certain: bool,
    /// What the asker thought when the fit began.
    pub(crate) opinion: Option<Arc<Opinion>>,
    pub(crate) model: Model<f64>,
    /// The numbers that the model's clusters are shown by.
    pub(crate) numbers: BTreeMap<i64, i64>,
}

impl Fitted {
    /// Learns the numbers that labels got.
    pub(crate) fn number(&mut self, labels: &[i64], shown: &[i64]) {
        self.numbers = labels.iter().copied().zip(shown.iter().copied()).collect();
    }
}

/// Fits whenever answers pause, until the app is stopped.
pub(crate) fn run_fits(app: &App) -> Result<()> {
    app.wait_for_page();
    let mut done = 0;
    while let Some(Wanted { version, links, all_certain, opinion }) = next_fit(app, done) {
        done = version;
        app.cancel[FIT].store(false, SeqCst);
        match fit(app, &links, all_certain) {
            Ok(model) => {
                let labels = model.labels().to_vec();
                let fitted = Fitted {
                    version,
                    links,
                    all_certain,
                    opinion,
                    model,
                    numbers: BTreeMap::new(),
                };
                finish(app, FIT, None);
                app.show_labels(version, &labels, Some(fitted))?;
                let now = app.lock().version;
                if now != version
                    && let Some(labels) = app.labels_at_once()?
                {
                    app.show_labels(now, &labels, None)?;
                }
            }
            Err(Error::Cancelled { .. }) => finish(app, FIT, None),
            Err(error) => finish(app, FIT, Some(format!("the full fit failed: {error}"))),
        }
    }
    Ok(())
}

/// What is to be fitted.
struct Wanted {
    version: u64,
    links: Links,
    all_certain: bool,
    opinion: Option<Arc<Opinion>>,
}

/// Waits until there is something to fit.
fn next_fit(app: &App, done: u64) -> Option<Wanted> {
    let mut inner = app.lock();
    loop {
        if app.is_stopped() {
            return None;
        }
        let is_paused = inner.version != done && inner.changed_at.elapsed() >= PAUSE;
        if std::mem::take(&mut inner.fit_wanted) || is_paused {
            return Some(Wanted {
                version: inner.version,
                links: inner.session.links(),
                all_certain: inner.session.all_certain(),
                opinion: inner.opinion.clone(),
            });
        }
        inner = app.wait(inner, Duration::from_millis(200));
    }
}

/// The default method with the links of the moment.
fn fit(app: &App, links: &Links, all_certain: bool) -> Result<Model<f64>, Error> {
    let method = method(all_certain, app.data.origin.seed)?;
    let started = Instant::now();
    let mut told = Instant::now();
    let job = |progress: f64| Job {
        kind: "fit",
        text: match links.len() {
            0 => "full fit, no links yet".into(),
            1 => "full fit with 1 link".into(),
            n => format!("full fit with {n} links"),
        },
        progress,
        seconds_left: left(started, progress),
        can_cancel: true,
    };
    begin(app, FIT, job(0.0));
    let mut watch = |step: &observe::Step| {
        if told.elapsed() >= EVERY {
            told = Instant::now();
            let share = step.n_iter as f64 / step.max_iter.max(1) as f64;
            progress(app, FIT, job(share.clamp(0.0, 1.0)));
        }
        ControlFlow::Continue(())
    };
    let stop = app.stop_of(FIT);
    aside(|| stop.during(|| method.fit(&app.data.points, links, &mut watch)))
}

/// Does slow work with threads of its own, so that the next question need not queue behind it.
fn aside<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match rayon::ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(work),
        // No threads are to be had: then with those that there are.
        Err(_) => work(),
    }
}

/// The map by neighbours; `None` if it was stopped.
pub(crate) fn map(app: &App) -> Result<Option<Map>> {
    let (started, mut told) = (Instant::now(), Instant::now());
    let job = |progress: f64| Job {
        kind: "map",
        text: "laying out the map by neighbours".into(),
        progress,
        seconds_left: left(started, progress),
        can_cancel: true,
    };
    begin(app, MAP, job(0.0));
    let mut watch = |share: f64| {
        if told.elapsed() >= EVERY {
            told = Instant::now();
            progress(app, MAP, job(share));
        }
        match app.is_cancelled(MAP) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    Ok(aside(|| Map::by_neighbors(&app.data.points, app.data.origin.seed, &mut watch))?)
}

/// The default method. Where every link is certain none may be judged wrong.
pub(crate) fn method(all_certain: bool, seed: u64) -> Result<Box<dyn linkshift::Clusterer>, Error> {
    let entry = registry::find(registry::DEFAULT);
    let entry = entry.ok_or_else(|| Error::param("method", registry::DEFAULT, "a known method"))?;
    let mut settings = vec![(SEED, Setting::Count(seed))];
    if all_certain {
        settings.push(("trust", Setting::from("all")));
    }
    entry.configure(&settings)
}

/// Seconds until the end if it goes on like this.
fn left(started: Instant, progress: f64) -> Option<f64> {
    let seconds = started.elapsed().as_secs_f64();
    (progress > 0.02).then(|| (seconds * (1.0 - progress) / progress).ceil())
}

pub(crate) fn begin(app: &App, place: usize, job: Job) {
    let mut inner = app.lock();
    inner.jobs[place] = Some(job);
    app.touch(&mut inner);
}

pub(crate) fn progress(app: &App, place: usize, job: Job) {
    let mut inner = app.lock();
    inner.jobs[place] = Some(job);
    app.touch_job(&inner);
}

pub(crate) fn finish(app: &App, place: usize, note: Option<String>) {
    let mut inner = app.lock();
    inner.jobs[place] = None;
    inner.notes.extend(note);
    app.touch(&mut inner);
}
