//! The asker, in a thread of its own: after every change the next question, the labels by the answers
//! alone, and whether it is worth going on.

use crate::app::App;
use crate::error::Result;
use crate::live::Opinion;
use crate::question::Question;
use linkshift::Points;
use linkshift::ask::{Asker, Chooser, Kind, Reply};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Works until the app is stopped.
pub(crate) fn run(app: &App) -> Result<()> {
    let data = app.data.clone();
    let n_features = data.points.n_features();
    let points = Points::new(data.points.values(), n_features)?;
    let points = match data.points.weights() {
        Some(weights) => points.with_weights(weights)?,
        None => points,
    };
    if points.n_points() < 2 {
        return publish(app, 1, None);
    }
    app.wait_for_page();
    let mut asker = Asker::new(points, Chooser::Border, data.origin.seed)?;
    let mut done = 0;
    while let Some((version, told)) = next_version(app, done) {
        let is_empty = told.is_empty();
        asker = asker.resume(told)?;
        let question = asker.question(&Kind::ASKED).map(Question::from);
        publish(app, version, question)?;
        if app.lock().version == version {
            let opinion = Opinion::new(asker.labels(), asker.chances());
            app.lock().opinion = Some(Arc::new(opinion));
            if !is_empty && let Some(labels) = app.labels_at_once()? {
                app.show_labels(version, &labels, None)?;
            }
        }
        if is_quiet(app, version) {
            let outlook = asker.outlook();
            let mut inner = app.lock();
            inner.outlook = Some(outlook);
            app.touch(&mut inner);
        }
        done = version;
    }
    Ok(())
}

/// Whether nobody answers for a moment: what is not urgent must not delay the next question.
fn is_quiet(app: &App, version: u64) -> bool {
    const MOMENT: Duration = Duration::from_millis(400);
    let begin = Instant::now();
    let mut inner = app.lock();
    while inner.version == version && begin.elapsed() < MOMENT && !app.is_stopped() {
        inner = app.wait(inner, Duration::from_millis(50));
    }
    inner.version == version && !app.is_stopped()
}

fn publish(app: &App, version: u64, question: Option<Question>) -> Result<()> {
    let mut inner = app.lock();
    inner.question = Some((version, question));
    app.touch(&mut inner);
    Ok(())
}

/// Waits for answers that were not looked at yet.
fn next_version(app: &App, done: u64) -> Option<(u64, Vec<Reply>)> {
    let mut inner = app.lock();
    loop {
        if app.is_stopped() {
            return None;
        }
        if inner.version != done {
            let told = inner.session.replies_with_given();
            return Some((inner.version, told));
        }
        inner = app.wait(inner, Duration::from_millis(500));
    }
}
