//! How long somebody waits who wants to stop: `cargo xtask bench stopping`.
//!
//! Every method of the registry by its defaults fits 100,000 × 10 numbers. First on one thread, where the
//! longest time between two looks is what the unluckiest moment costs; a run that takes too long is ended,
//! and then this holds for what was seen of it. Then on all threads, where somebody does stop at some moments: the
//! longest time from the wish to the end of the run, all that it held given back.

#![allow(clippy::print_stdout)] // a bench prints its table

use linkshift::datasets::blobs;
use linkshift::method::Clusters;
use linkshift::params::{N_CLUSTERS, Value};
use linkshift::registry::{Entry, METHODS};
use linkshift::stop::Stop;
use linkshift::{Links, Points, links, observe};
use std::error::Error;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// A run that is only watched ends after this long.
const MOST: Duration = Duration::from_secs(60);

/// Moments at which somebody stops, spread over a run.
const MOMENTS: u32 = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let set = blobs(100_000, 10, 20, 1.0, 6.0, 0)?;
    let links = links::draw(&set.labels, 2_000, 0)?;
    let only: Option<String> = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    println!("method                seconds  longest between looks  longest until it stopped");
    for entry in
        METHODS.iter().filter(|entry| only.as_deref().is_none_or(|only| only == entry.info.name))
    {
        if entry.info.name == "constrained-spectral" {
            println!("constrained-spectral (left out: it holds matrices of all pairs, 80 GB each)");
            continue;
        }
        let method = Fit { entry, points: &set.points, links: &links };
        let name = entry.info.name;
        let watched = method.watch()?;
        let ran = watched.ran.as_secs_f64();
        if let Some(refused) = watched.refused {
            println!(
                "{name:<20}{ran:>9.2}  longest {:.3}, then: {refused}",
                watched.longest.as_secs_f64()
            );
            continue;
        }
        let mut longest = Duration::ZERO;
        for moment in 0..MOMENTS {
            // Two threads are done sooner than one.
            let after = watched.ran / 2 * (2 * moment + 1) / (2 * MOMENTS);
            longest = longest.max(method.stopped_after(after)?);
        }
        let (between, until) = (watched.longest.as_secs_f64(), longest.as_secs_f64());
        println!("{name:<20}{ran:>9.2}{between:>23.3}{until:>26.3}");
    }
    Ok(())
}

/// A method with all that it needs.
struct Fit<'a> {
    entry: &'a Entry,
    points: &'a Points<'static, f64>,
    links: &'a Links,
}

/// What was seen of a run.
struct Watched {
    ran: Duration,
    longest: Duration,
    refused: Option<linkshift::Error>,
}

impl Fit<'_> {
    fn run(&self, stop: &Stop) -> Result<(), linkshift::Error> {
        let settings = match self.entry.info.clusters {
            Clusters::Told => vec![(N_CLUSTERS, Value::Count(20))],
            Clusters::Found | Clusters::Either => Vec::new(),
        };
        let method = self.entry.configure(&settings)?;
        stop.during(|| method.fit(self.points, self.links, &mut observe::ignore).map(drop))
    }

    /// On one thread, with a look at the clock at every look.
    fn watch(&self) -> Result<Watched, Box<dyn Error>> {
        let start = Instant::now();
        let (last, longest) = (AtomicU64::new(0), Arc::new(AtomicU64::new(0)));
        let seen = Arc::clone(&longest);
        let stop = Stop::when(move || {
            let now = start.elapsed();
            let before = last.swap(now.as_nanos() as u64, Relaxed);
            let gap = now.as_nanos() as u64 - before;
            seen.fetch_max(gap, Relaxed);
            now > MOST
        });
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        let outcome = pool.install(|| self.run(&stop));
        let refused = outcome.err().filter(|e| !matches!(e, linkshift::Error::Cancelled { .. }));
        let longest = Duration::from_nanos(longest.load(Relaxed));
        Ok(Watched { ran: start.elapsed(), longest, refused })
    }

    /// How long the run goes on after somebody wanted it to stop.
    fn stopped_after(&self, after: Duration) -> Result<Duration, Box<dyn Error>> {
        let asked = Arc::new(AtomicBool::new(false));
        let stop = Stop::when({
            let asked = Arc::clone(&asked);
            move || asked.load(Relaxed)
        });
        let (done, is_done) = mpsc::channel::<()>();
        let person = thread::spawn(move || {
            let _ = is_done.recv_timeout(after);
            asked.store(true, Relaxed);
            Instant::now()
        });
        // It may be done before.
        let _ = self.run(&stop);
        let end = Instant::now();
        drop(done);
        let wished = person.join().map_err(|_| "the person is gone")?;
        Ok(end.saturating_duration_since(wished))
    }
}
