//! The rows of the speed table in docs/speed.md, each with its yardstick in the same run:
//! `cargo xtask bench speed`, `--row NAME` for one of them (the beginning of a name is enough).
//!
//! Yardsticks that are Python (`--python PATH`) run on one thread, as they would for their users;
//! ours runs on all cores unless RAYON_NUM_THREADS says otherwise. Processor seconds stand beside
//! the others, for machines that are not quiet.

#![allow(clippy::print_stdout)] // a bench prints its table

#[path = "support/cpu.rs"]
mod cpu;
#[path = "support/data.rs"]
mod data;
#[path = "support/growth.rs"]
mod growth;
#[path = "support/kmeans_peer.rs"]
mod kmeans_peer;
#[path = "support/memory.rs"]
mod memory;
#[path = "support/numba.rs"]
mod numba;
#[path = "support/scikit_learn.rs"]
mod scikit_learn;
#[path = "support/speed_sets.rs"]
mod speed_sets;

use linkshift::bandwidth::Bandwidth;
use linkshift::boosted::BoostedParams;
use linkshift::cms::{Cms, CmsParams, naive};
use linkshift::kernel_mean_shift::KernelMeanShiftParams;
use linkshift::kmeans::{KMeansParams, PckParams};
use linkshift::mean_shift::MeanShiftParams;
use linkshift::scores::adjusted_rand_index;
use linkshift::spectral::SpectralParams;
use linkshift::{Algorithm, Links, Method, Points, Profile, Real, datasets};
use speed_sets::Task;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

type Fallible<T> = Result<T, Box<dyn Error>>;

/// A fit is repeated, and the least seconds count, until it has taken this long in all.
const LONG_ENOUGH: f64 = 2.0;
const MOST_RUNS: usize = 5;

/// What ours took.
struct Ours {
    seconds: f64,
    cpu: Option<f64>,
    labels: Vec<i64>,
}

/// A row: its name, what it measures, what it has to reach, and how.
struct Row {
    name: &'static str,
    what: &'static str,
    bar: &'static str,
    run: fn(&Row, Option<&Path>) -> Fallible<()>,
}

const ROWS: &[Row] = &[
    Row {
        name: "cms-mnist-paper",
        what: "CMS, MNIST 2,000/2,000, paper's settings",
        bar: "200x numba",
        run: |row, python| beside_numba(row, CmsParams::paper_embedding(), python),
    },
    Row {
        name: "cms-mnist-default",
        what: "the same by default",
        bar: "150x numba",
        run: |row, python| beside_numba(row, CmsParams::default(), python),
    },
    Row {
        name: "cms-moons",
        what: "CMS, moons 500/500, paper's settings",
        bar: "1500x literal",
        run: moons,
    },
    Row {
        name: "cms-60000",
        what: "CMS, 60,000 with 20,000 links",
        bar: "20 s",
        run: |row, _| alone(row, &CmsParams::default(), speed_sets::mnist(60_000, 20_000)?),
    },
    Row {
        name: "cms-million",
        what: "CMS, 10^6 x 10 with 20,000 links",
        bar: "60 s, 2 GB",
        run: |row, _| alone(row, &CmsParams::default(), speed_sets::million()?),
    },
    Row {
        name: "cms-256-20",
        what: "CMS, 2,000 x 256, 20 classes",
        bar: "1 s",
        run: |row, _| alone(row, &CmsParams::default(), speed_sets::titles()?),
    },
    Row {
        name: "cms-256-77",
        what: "CMS, 2,000 x 256, 77 classes",
        bar: "2 s",
        run: |row, _| alone(row, &CmsParams::default(), Some(speed_sets::many_classes()?)),
    },
    Row {
        name: "cms-1024",
        what: "CMS, 1,440 x 1,024",
        bar: "2 s",
        run: |row, _| alone(row, &CmsParams::default(), speed_sets::faces()?),
    },
    Row {
        name: "kernel-256",
        what: "kernel, 2,000 x 256 with 2,000 links",
        bar: "5 s",
        run: |row, _| alone(row, &KernelMeanShiftParams::default(), speed_sets::titles()?),
    },
    Row {
        name: "kernel-50",
        what: "kernel, 700 x 50 with 700 links",
        bar: "1 s",
        run: |row, _| alone(row, &KernelMeanShiftParams::default(), speed_sets::fifty()?),
    },
    Row {
        name: "boosted-1024",
        what: "boosted, 1,440 x 1,024",
        bar: "2 s",
        run: |row, _| {
            alone(row, &BoostedParams::default(), speed_sets::faces()?.map(Task::without_links))
        },
    },
    Row {
        name: "boosted-links-1024",
        what: "the same with 1,440 links",
        bar: "2 s",
        run: |row, _| alone(row, &BoostedParams::default(), speed_sets::faces()?),
    },
    Row {
        name: "spectral-1024",
        what: "spectral, 1,440 x 1,024",
        bar: "1 s",
        run: |row, _| {
            alone(row, &SpectralParams::default(), speed_sets::faces()?.map(Task::without_links))
        },
    },
    Row {
        name: "spectral-links-1024",
        what: "the same with 1,440 links",
        bar: "1 s",
        run: |row, _| alone(row, &SpectralParams::default(), speed_sets::faces()?),
    },
    Row {
        name: "ball-60000",
        what: "mean shift ball, 60,000 x 10, one cluster",
        bar: "2 s",
        run: |row, _| alone(row, &ball(), speed_sets::mnist(60_000, 0)?),
    },
    Row {
        name: "ball-10000",
        what: "mean shift ball, 10,000 x 10, one thread",
        bar: "500x scikit-learn",
        run: beside_scikit_learn,
    },
    Row {
        name: "growth",
        what: "mean shift in the plane, 2,000 to 200,000",
        bar: "truncated n^1.2",
        run: |_, _| grow(),
    },
    Row {
        name: "pck",
        what: "PCK, MNIST 2,000/2,000, one thread, the best of four runs",
        bar: "1000x their PCK",
        run: |row, python| beside_pck(row, KMeansParams::of(10), python),
    },
    Row {
        name: "pck-once",
        what: "the same, one run, as theirs",
        bar: "1000x their PCK",
        run: |row, python| {
            beside_pck(row, KMeansParams { n_init: 1, ..KMeansParams::of(10) }, python)
        },
    },
];

fn main() -> Fallible<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value_of =
        |flag: &str| args.iter().position(|arg| arg == flag).and_then(|at| args.get(at + 1));
    let python = value_of("--python").map(PathBuf::from);
    let wanted = value_of("--row").map_or("", String::as_str);
    let rows: Vec<&Row> = ROWS.iter().filter(|row| row.name.starts_with(wanted)).collect();
    if rows.is_empty() {
        let names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        return Err(format!("no row is called {wanted}; there are {}", names.join(", ")).into());
    }
    println!("row                  seconds  processor  yardstick    ratio    ARI  what (to reach)");
    for row in rows {
        (row.run)(row, python.as_deref())?;
    }
    Ok(())
}

/// The least seconds of a few fits.
fn measure<P: Algorithm, T: Real>(
    params: &P,
    points: &Points<'_, T>,
    links: &Links,
) -> Fallible<Ours> {
    let method = Method::new(params.clone())?;
    let (mut best, mut spent) =
        (Ours { seconds: f64::INFINITY, cpu: None, labels: Vec::new() }, 0.0);
    for _ in 0..MOST_RUNS {
        let (start, before) = (Instant::now(), cpu::seconds());
        let model = method.fit(points, links)?;
        let seconds = start.elapsed().as_secs_f64();
        let cpu = cpu::seconds().zip(before).map(|(after, before)| after - before);
        if seconds < best.seconds {
            best = Ours { seconds, cpu, labels: model.labels().to_vec() };
        }
        spent += seconds;
        if spent > LONG_ENOUGH {
            break;
        }
    }
    Ok(best)
}

/// One line of the table.
fn tell(row: &Row, ours: &Ours, yardstick: Option<f64>, truth: &[i64]) -> Fallible<()> {
    let cpu = ours.cpu.map_or_else(String::new, |cpu| format!("{cpu:.2}"));
    let theirs = yardstick.map_or_else(|| "-".into(), |theirs| format!("{theirs:.1}"));
    let ratio = yardstick.map_or_else(|| "-".into(), |t| format!("{:.0}x", t / ours.seconds));
    let ari = adjusted_rand_index(truth, &ours.labels)?;
    println!(
        "{:<20}{:>8.3}{cpu:>11}{theirs:>11}{ratio:>9}{ari:>7.3}  {} ({}; peak so far {})",
        row.name,
        ours.seconds,
        row.what,
        row.bar,
        memory::peak()
    );
    Ok(())
}

fn alone<P: Algorithm>(row: &Row, params: &P, task: Option<Task>) -> Fallible<()> {
    let Some(Task { points, links, truth }) = task else { return Ok(()) };
    tell(row, &measure(params, &points, &links)?, None, &truth)
}

/// The equations compiled with numba, factors of 1 skipped, with the paper's settings.
fn beside_numba(row: &Row, params: CmsParams, python: Option<&Path>) -> Fallible<()> {
    let Some(task) = speed_sets::mnist(2_000, 2_000)? else { return Ok(()) };
    let ours = measure(&params, &task.points, &task.links)?;
    let theirs = match python {
        Some(python) => numba::cms(python, &task.points, &task.links, &task.truth)?,
        None => None,
    };
    tell(row, &ours, theirs, &task.truth)
}

/// A few iterations of the literal version, which all cost the same, are timed and multiplied.
fn moons(row: &Row, _: Option<&Path>) -> Fallible<()> {
    const TIMED: usize = 3;
    let moons = datasets::moons(500, 0.05, 0)?;
    let task = Task::of(moons.cast::<f32>()?, moons.labels, 500)?;
    let params = CmsParams::paper_toy();
    let ours = measure(&params, &task.points, &task.links)?;
    let model = Cms::new(params.clone())?.fit(&task.points, &task.links)?;
    let pairs: Vec<_> = task.links.close(500)?.directed_cannot().collect();
    let start = Instant::now();
    naive::fit(&task.points, &pairs, &model.bandwidths()[..TIMED], &params, &mut |_, _| ());
    // The label step builds the weights once more: one iteration's cost.
    let each = start.elapsed().as_secs_f64() / (TIMED + 1) as f64;
    tell(row, &ours, Some(each * (model.n_iter() + 1) as f64), &task.truth)
}

fn ball() -> MeanShiftParams {
    MeanShiftParams { profile: Profile::Ball, ..Default::default() }
}

/// Blobs with 20 centers, bandwidth 2, one thread against one thread.
fn beside_scikit_learn(row: &Row, python: Option<&Path>) -> Fallible<()> {
    const BANDWIDTH: f64 = 2.0;
    let set = datasets::blobs(10_000, 10, 20, 1.0, 10.0, 1)?;
    let params = MeanShiftParams::like_scikit_learn(BANDWIDTH);
    let ours = on_one_thread(|| measure(&params, &set.points, &Links::new()))?;
    let Some(python) = python else { return tell(row, &ours, None, &set.labels) };
    let (theirs, labels) = scikit_learn::mean_shift(python, &set.points, BANDWIDTH, "all")?;
    // The ARI is that between the two.
    tell(row, &ours, Some(theirs), &labels)
}

fn beside_pck(row: &Row, common: KMeansParams, python: Option<&Path>) -> Fallible<()> {
    let Some(task) = speed_sets::mnist(2_000, 2_000)? else { return Ok(()) };
    let params = PckParams { common, ..Default::default() };
    let ours = on_one_thread(|| measure(&params, &task.points, &task.links))?;
    let theirs = match python {
        Some(python) => {
            Some(kmeans_peer::fit(python, "PCKMeans", &task.points, &task.links, 10, 0)??.0)
        }
        None => None,
    };
    tell(row, &ours, theirs, &task.truth)
}

fn on_one_thread(work: impl FnOnce() -> Fallible<Ours> + Send) -> Fallible<Ours> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    // Errors of a bench need not cross threads as what they are.
    pool.install(|| work().map_err(|error| error.to_string())).map_err(Into::into)
}

/// Seconds by number of points at a fixed bandwidth: what is near grows along.
fn grow() -> Fallible<()> {
    println!(
        "\nGrowth of mean shift in the plane, bandwidth 2, 20 blobs (processor seconds beside)"
    );
    println!("       n        ball (cpu)   truncated (cpu)");
    let profiles = [Profile::Ball, Profile::TRUNCATED];
    let mut measured = [Vec::new(), Vec::new()];
    let mut processor = [Vec::new(), Vec::new()];
    for n in [2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000] {
        let points = datasets::blobs(n, 2, 20, 1.0, 10.0, 1)?.points;
        print!("{n:>8}");
        for (at, profile) in profiles.into_iter().enumerate() {
            let bandwidth = Bandwidth::Fixed(2.0);
            let params = MeanShiftParams { bandwidth, profile, ..Default::default() };
            let ours = measure(&params, &points, &Links::new())?;
            let cpu = ours.cpu.unwrap_or(ours.seconds).max(0.001);
            print!("{:>10.3}{cpu:>8.2}", ours.seconds);
            measured[at].push((n, ours.seconds));
            processor[at].push((n, cpu));
        }
        println!();
    }
    for (what, measured) in [("exponents", &measured), ("of cpu", &processor)] {
        let [ball, truncated] = [0, 1].map(|at| growth::exponent(&measured[at]));
        println!("{what:<10}ball n^{ball:.2}, truncated n^{truncated:.2}");
    }
    Ok(())
}
