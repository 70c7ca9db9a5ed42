//! Runs targets: one seed after the other, with an eye on panics and on the clock.

use crate::requests::Server;
use crate::{Target, Verdict, corpus};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// One input may take this long on a busy machine; all are small.
const SLOW: Duration = Duration::from_secs(20);

/// Requests that one studio gets. They leave behind more answers than a person gives, and its asker, which
/// works out what it believes anew from all of them after each one, would soon do nothing else: by processor
/// seconds 10,000 requests cost 3 at first and 12 after 70,000, 10 of them the asker's.
const MOST_REQUESTS: u32 = 10_000;

/// More are not told: the first few say what is wrong.
const MOST_FINDINGS: usize = 12;

/// What all inputs of a run share: a folder, and things that take long to make.
pub struct Workshop {
    folder: tempfile::TempDir,
    corpus: RefCell<corpus::Corpus>,
    /// A studio, and how many requests it had.
    server: RefCell<Option<(Server, u32)>>,
}

/// An input for which something did not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The target's name.
    pub target: &'static str,
    /// What the input is made from.
    pub seed: u64,
    /// What did not hold.
    pub what: String,
}

/// What a run came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Inputs tried.
    pub n_tried: u64,
    /// The longest that one of them took.
    pub longest: Duration,
    /// Those for which something did not hold, one per text, and not all if there are many.
    pub findings: Vec<Finding>,
}

impl Workshop {
    /// An empty one; on a disk in memory, where there is one.
    pub fn new() -> std::io::Result<Self> {
        let memory = Path::new("/dev/shm");
        let folder = match memory.is_dir() {
            true => tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir())?,
            false => tempfile::tempdir()?,
        };
        Ok(Self { folder, corpus: RefCell::default(), server: RefCell::default() })
    }

    /// A place for a file.
    pub(crate) fn place(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The bytes written to a file of this name.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, String> {
        let path = self.place(name);
        std::fs::write(&path, bytes).map_err(|error| format!("no place for a file: {error}"))?;
        Ok(path)
    }

    /// Valid files of a format, made once.
    pub(crate) fn corpus(&self, format: corpus::Format) -> Result<Vec<Vec<u8>>, String> {
        self.corpus.borrow_mut().of(format, self)
    }

    /// Asks a studio something; a new one now and then.
    pub(crate) fn ask_studio<R>(
        &self,
        ask: impl FnOnce(&Server) -> Result<R, String>,
    ) -> Result<R, String> {
        let mut place = self.server.borrow_mut();
        if place.as_ref().is_none_or(|(_, n_asked)| *n_asked == MOST_REQUESTS) {
            // The old one first, as it has its folder's lock and threads of its own.
            *place = None;
            *place = Some((Server::start(self.folder.path())?, 0));
        }
        let (server, n_asked) = place.as_mut().ok_or("no server")?;
        *n_asked += 1;
        ask(server)
    }
}

/// Tries the input of one seed.
pub fn replay(target: &'static Target, seed: u64, workshop: &Workshop) -> Option<Finding> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let begin = Instant::now();
    let verdict: Verdict =
        panic::catch_unwind(AssertUnwindSafe(|| (target.try_one)(&mut rng, workshop)))
            .unwrap_or_else(|_| Err(format!("it panicked{}", last_panic())));
    let took = begin.elapsed();
    let verdict = match verdict {
        Ok(()) if took > SLOW => Err(format!("it took {:.1} s", took.as_secs_f64())),
        verdict => verdict,
    };
    verdict.err().map(|what| Finding { target: target.name, seed, what })
}

/// Tries seeds from `first` on, until `n_most` are tried or the time is over. `begun` hears of every seed
/// before it is tried, for those that end the process.
pub fn run(
    target: &'static Target,
    first: u64,
    n_most: u64,
    time: Duration,
    workshop: &Workshop,
    mut begun: impl FnMut(u64),
) -> Outcome {
    remember_panics();
    let begin = Instant::now();
    let mut outcome = Outcome::default();
    while outcome.n_tried < n_most && begin.elapsed() < time {
        let seed = first + outcome.n_tried;
        begun(seed);
        let start = Instant::now();
        if let Some(finding) = replay(target, seed, workshop)
            && outcome.findings.len() < MOST_FINDINGS
            && outcome.findings.iter().all(|known| known.what != finding.what)
        {
            outcome.findings.push(finding);
        }
        outcome.longest = outcome.longest.max(start.elapsed());
        outcome.n_tried += 1;
    }
    outcome
}

/// Where the last panic was.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

fn last_panic() -> String {
    let told = LAST_PANIC.lock().ok().and_then(|mut last| last.take());
    told.map_or(String::new(), |told| format!(": {told}"))
}

/// Keeps what panics say, instead of telling it a million times. Those inside readers of others are no
/// findings: they are caught, and say nothing in the program either.
fn remember_panics() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        panic::set_hook(Box::new(|info| {
            let place = info.location().map(|place| format!("{}:{}", place.file(), place.line()));
            let payload = info.payload();
            let text = (payload.downcast_ref::<&str>().copied())
                .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
                .unwrap_or_default();
            let text: String = text.chars().take(200).collect();
            if let Ok(mut last) = LAST_PANIC.lock() {
                *last = Some(format!("{text} at {}", place.unwrap_or_default()));
            }
        }));
    });
}
