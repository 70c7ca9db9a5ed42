//! How long somebody waits who wants to stop: `cargo xtask bench stopping`.
//!
//! Every method of the registry by its defaults fits 100,000 × 10 numbers. First on one thread, where the
//! longest time between two looks is what the unluckiest moment costs, in seconds of that thread's processor, as
//! others may use the machine; a run that takes too long is ended, and then this holds for what was seen of
//! it. Then the same for what its model, of a twentieth of the points, says of all of them. Then, unless
//! `--watch` is given, the fit on all threads, where somebody does stop at some moments: the longest time from
//! the wish to the end of the run, all that it held given back.

#![allow(clippy::print_stdout)] // a bench prints its table

use linkshift::datasets::blobs;
use linkshift::method::{Clusterer, Clusters};
use linkshift::params::{N_CLUSTERS, Value};
use linkshift::registry::{Entry, METHODS};
use linkshift::stop::Stop;
use linkshift::{Links, Points, links, observe};
use std::error::Error;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// A run that is only watched ends after so much of the processor.
const MOST: Duration = Duration::from_secs(20);

/// Moments at which somebody stops, spread over a run.
const MOMENTS: u32 = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let set = blobs(100_000, 10, 20, 1.0, 6.0, 0)?;
    let links = links::draw(&set.labels, 2_000, 0)?;
    let only: Option<String> = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let only_watch = std::env::args().any(|arg| arg == "--watch");
    println!(
        "method              seconds   longest between looks   of predict   longest until it stopped"
    );
    for entry in
        METHODS.iter().filter(|entry| only.as_deref().is_none_or(|only| only == entry.info.name))
    {
        if entry.info.name == "constrained-spectral" {
            println!("constrained-spectral (left out: it holds matrices of all pairs, 80 GB each)");
            continue;
        }
        let method = Fit { entry, points: &set.points, links: &links };
        let name = entry.info.name;
        let watched = watch(|stop| method.run(stop, method.points, method.links))?;
        let few: Vec<usize> = (0..set.points.n_points()).step_by(20).collect();
        let few = set.points.select(&few);
        let model = method.method()?.fit(&few, &Links::new(), &mut observe::ignore)?;
        let told = watch(|stop| stop.during(|| model.predict(method.points).map(drop)))?;
        let mut until = Duration::ZERO;
        for moment in 0..if only_watch { 0 } else { MOMENTS } {
            // Two threads are done sooner than one.
            let after = watched.ran / 2 * (2 * moment + 1) / (2 * MOMENTS);
            until = until.max(method.stopped_after(after)?);
        }
        let seconds =
            [watched.busy, watched.longest, told.longest, until].map(|of| of.as_secs_f64());
        let [busy, between, of_predict, until] = seconds;
        println!("{name:<20}{busy:>7.2}{between:>24.3}{of_predict:>13.3}{until:>27.3}");
        for refused in [watched.refused, told.refused].into_iter().flatten() {
            println!("{:20}ended by: {refused}", "");
        }
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
    /// Of the processor.
    busy: Duration,
    longest: Duration,
    refused: Option<linkshift::Error>,
}

/// Processor seconds of this thread, where the system tells (Linux).
fn of_processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}

/// Runs on one thread, with a look at the clock at every look.
fn watch(
    run: impl Fn(&Stop) -> Result<(), linkshift::Error> + Send + Sync,
) -> Result<Watched, Box<dyn Error>> {
    /// Reading the thread's clock takes longer than most gaps: it is read this often at the most, so a gap is
    /// told too long by no more than this.
    const PAUSE: Duration = Duration::from_millis(10);
    let start = Instant::now();
    let longest = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&longest);
    // When the thread's clock was read last, by the wall's, and what it said.
    let last: Mutex<(Duration, Duration)> = Mutex::default();
    let busy = Arc::new(AtomicU64::new(0));
    let at_last = Arc::clone(&busy);
    let stop = Stop::when(move || {
        let now = start.elapsed();
        let Ok(mut last) = last.lock() else { return true };
        if now.saturating_sub(last.0) > PAUSE {
            let busy = of_processor().unwrap_or(now);
            seen.fetch_max(busy.saturating_sub(last.1).as_nanos() as u64, Relaxed);
            at_last.store(busy.as_nanos() as u64, Relaxed);
            *last = (now, busy);
        }
        last.1 > MOST
    });
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let outcome = pool.install(|| run(&stop));
    let refused = outcome.err().filter(|e| !matches!(e, linkshift::Error::Cancelled { .. }));
    let longest = Duration::from_nanos(longest.load(Relaxed));
    let busy = Duration::from_nanos(busy.load(Relaxed));
    Ok(Watched { ran: start.elapsed(), busy, longest, refused })
}

impl Fit<'_> {
    fn method(&self) -> Result<Box<dyn Clusterer>, linkshift::Error> {
        let settings = match self.entry.info.clusters {
            Clusters::Told => vec![(N_CLUSTERS, Value::Count(20))],
            Clusters::Found | Clusters::Either => Vec::new(),
        };
        self.entry.configure(&settings)
    }

    fn run(
        &self,
        stop: &Stop,
        points: &Points<'_, f64>,
        links: &Links,
    ) -> Result<(), linkshift::Error> {
        let method = self.method()?;
        stop.during(|| method.fit(points, links, &mut observe::ignore).map(drop))
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
        let _ = self.run(&stop, self.points, self.links);
        let end = Instant::now();
        drop(done);
        let wished = person.join().map_err(|_| "the person is gone")?;
        Ok(end.saturating_duration_since(wished))
    }
}
