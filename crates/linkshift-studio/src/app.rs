//! One dialogue, shared by all that work on it: the routes, the asker, the fit, the map.
//!
//! What is slow is done outside the lock, by threads of their own ([`crate::brain`], [`crate::jobs`]); they
//! take what they need, compute, and put back what they found if it is still wanted.

use crate::clusters::{Cluster, describe, spread};
use crate::correct;
use crate::data::Data;
use crate::entry::{Entry, Said};
use crate::error::{Result, StudioError};
use crate::jobs::{Fitted, Job};
use crate::live::{Opinion, at_once};
use crate::map::Map;
use crate::question::Question;
use crate::session::{Change, Session, Snapshot};
use crate::store::{Anchors, Opened, Store};
use linkshift::ask::{Answer, Outlook, Reply, Told};
use linkshift::obey::with_links_kept;
use linkshift::stop::Stop;
use linkshift::{Link, Links, keep_numbers};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{
    AtomicBool,
    Ordering::{Relaxed, SeqCst},
};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long an answer waits for the next question before it says that there is none yet.
const MOST_WAITING: Duration = Duration::from_secs(20);

/// Rows that stand for each cluster from one start to the next.
const N_ANCHORS: usize = 24;

/// Where labels come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    None,
    Answers,
    Fit,
}

impl Source {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Source::None => "none",
            Source::Answers => "answers",
            Source::Fit => "fit",
        }
    }
}

/// Labels as they are shown.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    pub(crate) labels: Arc<Vec<i64>>,
    pub(crate) source: Source,
    pub(crate) revision: u64,
    pub(crate) clusters: Arc<Vec<Cluster>>,
}

/// What pages are told of changes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    pub(crate) state: u64,
    pub(crate) labels: u64,
    pub(crate) positions: u64,
    pub(crate) job: Option<Job>,
}

/// All that the lock guards.
pub(crate) struct Inner {
    pub(crate) session: Session,
    pub(crate) store: Store,
    /// Counts changes of what was told.
    pub(crate) version: u64,
    /// When that was.
    pub(crate) changed_at: Instant,
    pub(crate) revision: u64,
    pub(crate) shown: Shown,
    pub(crate) map: Option<(Map, u64)>,
    /// The next question, and the version it belongs to; the outer `None` is not known yet.
    pub(crate) question: Option<(u64, Option<Question>)>,
    pub(crate) outlook: Option<Outlook>,
    /// A pair that was asked for.
    pub(crate) asked_again: Option<(usize, usize)>,
    pub(crate) fitted: Option<Arc<Fitted>>,
    /// What the asker thinks now, or thought a moment ago.
    pub(crate) opinion: Option<Arc<Opinion>>,
    pub(crate) fit_wanted: bool,
    pub(crate) map_wanted: bool,
    pub(crate) jobs: [Option<Job>; 2],
    pub(crate) notes: Vec<String>,
    numbering: Numbers,
}

/// Cluster numbers that stay.
struct Numbers {
    reference: Vec<i64>,
    first_unused: i64,
    /// Whether the reference is of a fit, or of the last start; labels of the asker are too fleeting.
    is_firm: bool,
}

/// A dialogue and all that is known of it.
pub(crate) struct App {
    pub(crate) data: Arc<Data>,
    pub(crate) saved_to: PathBuf,
    pub(crate) inner: Mutex<Inner>,
    pub(crate) changed: Condvar,
    pub(crate) tick: watch::Sender<Tick>,
    pub(crate) stopped: Arc<AtomicBool>,
    /// Whether the job in each place is to stop.
    pub(crate) cancel: [Arc<AtomicBool>; 2],
    /// A page has the positions: from then on cores are free for slow work.
    pub(crate) positions_sent: AtomicBool,
    pub(crate) started: Instant,
}

impl App {
    /// Takes up the dialogue about some data that a file holds, or begins it.
    pub(crate) fn open(data: Data, answers: &Path) -> Result<Self> {
        let data = Arc::new(data);
        let Opened { store, session, anchors, mut notes } = Store::open(answers, &data)?;
        notes.extend(data.notes.iter().cloned());
        if data.n_hidden() > 0 {
            let n = data.n_hidden();
            notes.push(format!("{n} more columns are clustered by but not shown"));
        }
        let numbering = Numbers::from_anchors(&anchors, data.n_rows());
        let shown = Shown {
            labels: Arc::new(vec![-1; data.n_rows()]),
            source: Source::None,
            revision: 1,
            clusters: Arc::default(),
        };
        let inner = Inner {
            session,
            store,
            version: 1,
            changed_at: Instant::now(),
            revision: 1,
            shown,
            map: None,
            question: None,
            outlook: None,
            asked_again: None,
            fitted: None,
            opinion: None,
            fit_wanted: true,
            map_wanted: true,
            jobs: [None, None],
            notes,
            numbering,
        };
        let tick = Tick { state: 1, labels: 1, positions: 0, job: None };
        Ok(Self {
            data,
            saved_to: answers.to_owned(),
            inner: Mutex::new(inner),
            changed: Condvar::new(),
            tick: watch::Sender::new(tick),
            stopped: Arc::default(),
            cancel: Default::default(),
            positions_sent: AtomicBool::new(false),
            started: Instant::now(),
        })
    }

    /// The state; a thread that panicked while it had it left it whole, as all changes are last steps.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something changed, or some time has passed.
    pub(crate) fn wait<'a>(
        &self,
        inner: MutexGuard<'a, Inner>,
        most: Duration,
    ) -> MutexGuard<'a, Inner> {
        self.changed.wait_timeout(inner, most).unwrap_or_else(PoisonError::into_inner).0
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(SeqCst)
    }

    /// Whether the job in a place is to stop.
    pub(crate) fn is_cancelled(&self, place: usize) -> bool {
        self.is_stopped() || self.cancel[place].load(SeqCst)
    }

    /// The same for the middle of its steps.
    pub(crate) fn stop_of(&self, place: usize) -> Stop {
        let (stopped, cancelled) = (Arc::clone(&self.stopped), Arc::clone(&self.cancel[place]));
        Stop::when(move || stopped.load(Relaxed) || cancelled.load(Relaxed))
    }

    /// Ends all that runs.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, SeqCst);
        self.tick.send_modify(|_| {});
        self.changed.notify_all();
    }

    /// Counts a change and tells everybody.
    pub(crate) fn touch(&self, inner: &mut Inner) {
        inner.revision += 1;
        let tick = Tick {
            state: inner.revision,
            labels: inner.shown.revision,
            positions: inner.map.as_ref().map_or(0, |map| map.1),
            job: inner.job().cloned(),
        };
        self.tick.send_replace(tick);
        self.changed.notify_all();
    }

    /// Tells of a job's progress alone.
    pub(crate) fn touch_job(&self, inner: &Inner) {
        let job = inner.job().cloned();
        self.tick.send_modify(|tick| tick.job = job);
    }

    /// Does a change: tried, on the disk, then true.
    pub(crate) fn change(&self, inner: &mut Inner, change: &Change) -> Result<()> {
        let after = inner.session.after(change)?;
        inner.store.write(change, inner.session.now(), &after.now)?;
        if inner.session.commit(after) {
            inner.version += 1;
            inner.changed_at = Instant::now();
        }
        self.touch(inner);
        Ok(())
    }

    /// Takes an answer or a correction.
    pub(crate) fn say(
        &self,
        said: Said,
        certain: bool,
        comment: String,
        look_again: bool,
    ) -> Result<()> {
        said.check(self.data.n_rows())?;
        let mut inner = self.lock();
        let reply = match said.is_correction() {
            true => {
                Reply::links(correct::links_of(&said, &self.data, &inner.shown.labels)?)?.certain()
            }
            false if certain => said.reply()?.certain(),
            false => said.reply()?,
        };
        let pair = match said {
            Said::Pair { a, b, .. } => Some((a, b)),
            _ => None,
        };
        let id = inner.session.next_id();
        let entry = Entry { id, said, reply, comment, look_again };
        let gone = overruled(&entry, inner.session.now(), &inner.shown.labels);
        let change = match gone.is_empty() {
            true => inner.session.say(entry),
            false => Change::Edit { gone, entry: Some(entry) },
        };
        self.change(&mut inner, &change)?;
        let again = inner.asked_again;
        if again.is_some_and(|(a, b)| pair == Some((a, b)) || pair == Some((b, a))) {
            inner.asked_again = None;
        }
        Ok(())
    }

    /// Gives a cluster a name.
    pub(crate) fn rename(&self, cluster: i64, name: &str) -> Result<()> {
        let name: String = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.chars().count() > 200 {
            return Err(StudioError::bad(
                "the name is longer than 200 characters: choose a shorter one",
            ));
        }
        let mut inner = self.lock();
        if !inner.shown.clusters.iter().any(|one| one.id == cluster) {
            let text = format!("there is no cluster {cluster} any more: choose one of the list");
            return Err(StudioError::missing(text));
        }
        let anchors = inner.anchors(&self.data);
        inner.store.write_anchors(&anchors)?;
        self.change(&mut inner, &Change::Rename { cluster, name })
    }

    /// The next question, if it is known in time.
    pub(crate) fn question(&self) -> Question {
        let until = Instant::now() + MOST_WAITING;
        let mut inner = self.lock();
        loop {
            if let Some((a, b)) = inner.asked_again {
                return Question::Again { a, b };
            }
            match &inner.question {
                Some((version, question)) if *version == inner.version => {
                    return question.clone().unwrap_or(Question::None);
                }
                // Nothing was asked yet: looking at many points takes a while.
                None if self.started.elapsed() > Duration::from_secs(2) => return Question::Wait,
                _ if Instant::now() >= until || self.is_stopped() => return Question::Wait,
                _ => inner = self.wait(inner, Duration::from_millis(100)),
            }
        }
    }

    /// The next question as the page takes it.
    pub(crate) fn question_json(&self) -> serde_json::Value {
        let question = self.question();
        let inner = self.lock();
        question.to_json(&|row| {
            let cluster = inner.shown.labels.get(row).copied().unwrap_or(-1);
            (cluster, if cluster >= 0 { inner.name_of(cluster) } else { String::new() })
        })
    }

    /// The last fit's labels with what the asker has learned since, made to obey all that was said; before
    /// the first fit the asker's own.
    pub(crate) fn labels_at_once(&self) -> Result<Option<Vec<i64>>> {
        let inner = self.lock();
        let opinion = inner.opinion.clone();
        let Some(fitted) = inner.fitted.clone() else {
            return Ok(opinion.map(|opinion| opinion.labels().to_vec()));
        };
        let links = inner.session.links();
        let now = inner.session.now().clone();
        drop(inner);
        let labels = fitted.model.labels();
        let mut labels = match &opinion {
            Some(now) => at_once(labels, fitted.opinion.as_deref(), now)?,
            None => labels.to_vec(),
        };
        join_merged(&mut labels, &now);
        let suspects = crate::worth::suspects(&fitted);
        let is_suspect = |link: &Link| {
            let same = |other: &Link| (other.a, other.b, other.kind) == (link.a, link.b, link.kind);
            suspects.iter().any(|suspect| same(&suspect.link))
        };
        let trusted: Links = links.iter().filter(|link| !is_suspect(link)).copied().collect();
        let closure = trusted.consistent(self.data.n_rows())?.kept.close(self.data.n_rows())?;
        let labels = keep_numbers(&vec![-1; labels.len()], &labels, 0)?.apply(&labels);
        Ok(Some(with_links_kept(&labels, &self.data.points, &closure)))
    }

    /// Shows new labels under numbers that stay.
    pub(crate) fn show_labels(
        &self,
        version: u64,
        labels: &[i64],
        fitted: Option<Fitted>,
    ) -> Result<()> {
        let source = if fitted.is_some() { Source::Fit } else { Source::Answers };
        let numbered = self.lock().numbering.number(labels, source)?;
        let clusters = describe(&self.data.points, &numbered);
        let mut inner = self.lock();
        // Labels at once are of no use when there are newer answers, or a fit that has them all; a fit
        // of older answers is, to be followed by another.
        let is_fitted = inner.fitted.as_ref().is_some_and(|fitted| fitted.version >= version);
        if source == Source::Answers && (inner.version != version || is_fitted) {
            return Ok(());
        }
        inner.shown = Shown {
            labels: Arc::new(numbered),
            source,
            revision: inner.shown.revision + 1,
            clusters: Arc::new(clusters),
        };
        if let Some(mut fitted) = fitted {
            fitted.number(labels, &inner.shown.labels);
            inner.fitted = Some(Arc::new(fitted));
            let anchors = inner.anchors(&self.data);
            inner.store.write_anchors(&anchors)?;
        }
        self.touch(&mut inner);
        Ok(())
    }
}

/// Clusters that were merged are one, whoever stood for them.
fn join_merged(labels: &mut [i64], now: &Snapshot) {
    for entry in now.entries.iter().filter(|entry| matches!(entry.said, Said::Merge { .. })) {
        let mut merged: Vec<i64> = entry.reply.rows().iter().map(|&row| labels[row]).collect();
        merged.sort_unstable();
        merged.dedup();
        if let [first, others @ ..] = &merged[..] {
            let joined = labels.iter_mut().filter(|label| others.contains(label));
            joined.for_each(|label| *label = *first);
        }
    }
}

/// Plain answers that a correction overrules, being the newer word: those that hold apart what it joins.
fn overruled(entry: &Entry, now: &Snapshot, labels: &[i64]) -> Vec<u64> {
    let joined: HashSet<usize> = match &entry.said {
        Said::Merge { clusters } => {
            let rows = labels.iter().enumerate();
            rows.filter(|(_, label)| clusters.contains(label)).map(|(row, _)| row).collect()
        }
        Said::Together { rows } => rows.iter().copied().collect(),
        _ => return Vec::new(),
    };
    let parts = |told: &Told| {
        let is_between = joined.contains(&told.a) && joined.contains(&told.b);
        // Inside one of the clusters it says nothing against joining it with another.
        let is_inside =
            matches!(entry.said, Said::Merge { .. }) && labels[told.a] == labels[told.b];
        told.answer == Answer::Different && is_between && !is_inside
    };
    let answers = now.entries.iter().filter(|other| !other.is_certain());
    let gone = answers.filter(|other| other.reply.told().iter().any(parts));
    gone.map(|other| other.id).collect()
}

impl Inner {
    /// The job that is shown: the fit before the map.
    pub(crate) fn job(&self) -> Option<&Job> {
        self.jobs.iter().flatten().next()
    }

    /// What stands for the clusters from one start to the next.
    fn anchors(&self, data: &Data) -> Anchors {
        let members = crate::clusters::members(&self.shown.labels);
        let rows = members.iter().map(|(&id, rows)| (id, spread(&data.points, rows, N_ANCHORS)));
        Anchors { rows: rows.collect(), first_unused: self.numbering.first_unused }
    }

    /// The least number that no cluster has had.
    pub(crate) fn first_unused(&self) -> i64 {
        self.numbering.first_unused
    }

    /// The name of a cluster, its own or a plain one.
    pub(crate) fn name_of(&self, cluster: i64) -> String {
        let own = self.session.now().names.get(&cluster);
        own.cloned().unwrap_or_else(|| format!("cluster {cluster}"))
    }
}

impl Numbers {
    fn from_anchors(anchors: &Anchors, n_rows: usize) -> Self {
        let mut reference = vec![-1; n_rows];
        for (id, rows) in &anchors.rows {
            rows.iter().filter(|&&row| row < n_rows).for_each(|&row| reference[row] = *id);
        }
        let is_firm = !anchors.rows.is_empty();
        Self { reference, first_unused: anchors.first_unused, is_firm }
    }

    fn number(&mut self, labels: &[i64], source: Source) -> Result<Vec<i64>> {
        let numbering = keep_numbers(&self.reference, labels, self.first_unused)?;
        let numbered = numbering.apply(labels);
        self.first_unused = numbering.first_unused();
        if source == Source::Fit || !self.is_firm {
            self.reference.clone_from(&numbered);
            self.is_firm |= source == Source::Fit;
        }
        Ok(numbered)
    }
}
