//! Answers that are wrong now and then, kinds of questions, and how long a question takes.

use crate::data;
use linkshift::ask::{Asker, Chooser, Kind, KnownLabels, Oracle, run, run_kinds};
use linkshift::params::Named;
use linkshift::scores::{Scores, adjusted_rand_index};
use linkshift::{Points, Scaler, Scaling, datasets};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

pub(crate) const PARTS: [&str; 6] = ["choosers", "errors", "finish", "kinds", "latency", "peers"];

/// Sets by which constants were chosen: every second one by name.
const CHOSEN_BY: [&str; 9] =
    ["cms_mnist", "digits", "glass", "iris", "parkinsons", "s4", "segmentation", "usps", "wine"];

/// Sets that had no part in it.
const SHOWN_ON: [&str; 10] = [
    "aggregation",
    "dermatology",
    "ecoli",
    "ionosphere",
    "optdigits",
    "pendigits",
    "satimage4",
    "sonar",
    "wdbc",
    "yeast",
];

const RATES: [f64; 4] = [0.0, 0.05, 0.1, 0.2];

const AFTER: [usize; 5] = [25, 50, 100, 200, 400];

/// Of larger sets so many rows, drawn by seed 0.
const MOST_ROWS: usize = 2_000;

type Set = (Points<'static, f32>, Vec<i64>);

fn read(name: &str) -> Result<Option<Set>, Box<dyn Error>> {
    let Some((points, labels)) = data::read(name)? else { return Ok(None) };
    let (points, labels) = super::at_most(MOST_ROWS, points, labels);
    Ok(Some((Scaler::fit(&points, Scaling::MinMax).apply(&points)?, labels)))
}

pub(crate) fn errors(args: &[String], n_seeds: u64) -> Result<(), Box<dyn Error>> {
    println!("ARI after 25, 50, 100, 200, 400 answers by share of wrong ones (mean of {n_seeds}");
    println!("seeds), what share it is taken for, suspects (of them wrong), expected share of");
    println!("right pairs and what it is, after the last");
    let named = |name: &&str| args.iter().any(|arg| arg == name);
    let all = || CHOSEN_BY.iter().chain(&SHOWN_ON);
    let any_named = all().any(named);
    let mut n_sets = 0;
    let mut promised = Vec::new();
    let mut overall = [[0.0; AFTER.len()]; RATES.len()];
    for name in all().filter(|name| !any_named || named(name)) {
        let Some((points, labels)) = read(name)? else { continue };
        let by = if CHOSEN_BY.contains(name) { "chosen by" } else { "shown on" };
        println!("\n{name}, {} points ({by})", points.n_points());
        for (rate, overall) in RATES.into_iter().zip(&mut overall) {
            let n_seeds = if rate == 0.0 { 1 } else { n_seeds };
            let mut means = [0.0; AFTER.len()];
            let mut ends = [0.0; 5];
            for seed in 0..n_seeds {
                let mut asker = Asker::new(points.clone(), Chooser::Border, 0)?;
                let mut oracle = KnownLabels::new(labels.clone()).with_errors(rate, seed)?;
                for (mean, budget) in means.iter_mut().zip(AFTER) {
                    run(&mut asker, &mut oracle, budget, |_| Ok(()))?;
                    let found = asker.labels();
                    *mean += adjusted_rand_index(&labels, &found)? / n_seeds as f64;
                    if let Some(share) = asker.outlook().share {
                        promised.push((share, Scores::of(&labels, &found)?.ri));
                    }
                }
                let suspects = asker.suspects();
                let mut honest = KnownLabels::new(labels.clone());
                let is_wrong = |a: usize, b: usize, said| honest.answer(a, b) != said;
                let mut is_wrong = is_wrong;
                let found = suspects
                    .iter()
                    .filter(|suspect| {
                        let told = suspect.told;
                        is_wrong(told.a, told.b, told.answer)
                    })
                    .count();
                let right = Scores::of(&labels, &asker.labels())?.ri;
                let share = asker.outlook().share.unwrap_or_default();
                let at_end = [
                    asker.error_rate().unwrap_or_default(),
                    suspects.len() as f64,
                    found as f64,
                    share,
                    right,
                ];
                ends.iter_mut().zip(at_end).for_each(|(sum, one)| *sum += one / n_seeds as f64);
            }
            overall.iter_mut().zip(means).for_each(|(sum, mean)| *sum += mean);
            let means: String = means.iter().map(|mean| format!("{mean:>7.3}")).collect();
            let [taken, n_suspects, n_found, share, right] = ends;
            println!(
                "{:>4.0} %{means}   {taken:.3}   {n_suspects:.0} ({n_found:.0})   {share:.3} {right:.3}",
                rate * 100.0
            );
        }
        n_sets += 1;
    }
    calibration(&promised);
    println!("\nmean of {n_sets} sets");
    for (rate, sums) in RATES.iter().zip(overall) {
        let means: String =
            sums.iter().map(|sum| format!("{:>7.3}", sum / f64::from(n_sets))).collect();
        println!("{:>4.0} %{means}", rate * 100.0);
    }
    Ok(())
}

/// Expected shares of right pairs beside the true ones, by what was expected.
fn calibration(promised: &[(f64, f64)]) {
    println!(
        "\nexpected share of right pairs, and what it was (all sets, rates and numbers of answers)"
    );
    for (from, to) in [(0.0, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 0.99), (0.99, 1.01)]
    {
        let within: Vec<_> = promised.iter().filter(|one| (from..to).contains(&one.0)).collect();
        let n = within.len().max(1) as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| within.iter().map(|one| of(one)).sum::<f64>() / n;
        println!(
            "{from:.2} to {to:.2}: {:>4} runs, expected {:.3}, was {:.3}",
            within.len(),
            mean(|one| one.0),
            mean(|one| one.1)
        );
    }
    let off: f64 = promised.iter().map(|one| (one.0 - one.1).abs()).sum();
    println!("off by {:.3} on average", off / promised.len().max(1) as f64);
}

/// The default method's fit at the end, and what was kept.
pub(crate) fn finish(args: &[String]) -> Result<(), Box<dyn Error>> {
    println!(
        "\nARI after 100 and 200 answers: the asker's own labels, the default method's fit, what was kept"
    );
    println!("(by answers held back: their shares)");
    let named = |name: &&str| args.iter().any(|arg| arg == name);
    let all = || CHOSEN_BY.iter().chain(&SHOWN_ON);
    let any_named = all().any(named);
    let (mut means, mut n_runs) = ([[0.0; 3]; 2], 0.0);
    for name in all().filter(|name| !any_named || named(name)) {
        let Some((points, labels)) = data::read(name)? else { continue };
        let (points, labels) = super::at_most(MOST_ROWS / 2, points, labels);
        let points = Scaler::fit(&points, Scaling::MinMax).apply(&points)?;
        for rate in [0.0, 0.1] {
            let mut asker = Asker::new(points.clone(), Chooser::Border, 0)?;
            let mut oracle = KnownLabels::new(labels.clone()).with_errors(rate, 0)?;
            for (budget, sums) in [100, 200].into_iter().zip(&mut means) {
                run(&mut asker, &mut oracle, budget, |_| Ok(()))?;
                let end = asker.finish(&mut linkshift::observe::ignore)?;
                let ari = |found: &[i64]| adjusted_rand_index(&labels, found);
                let aris = [ari(&asker.labels())?, ari(end.model.labels())?, ari(&end.labels)?];
                sums.iter_mut().zip(aris).for_each(|(sum, ari)| *sum += ari);
                println!(
                    "{name:<14}{:>4.0} %{budget:>5}{:>7.3}{:>7.3}{:>7.3}  {} ({:.3}, {:.3})",
                    rate * 100.0,
                    aris[0],
                    aris[1],
                    aris[2],
                    end.kept.name(),
                    end.own.unwrap_or_default(),
                    end.fit.unwrap_or_default(),
                );
            }
            n_runs += 1.0;
        }
    }
    for (budget, sums) in [100, 200].into_iter().zip(means) {
        let shown = sums.map(|sum| format!("{:>7.3}", sum / n_runs)).concat();
        println!("mean after {budget}: {shown}");
    }
    Ok(())
}

pub(crate) fn kinds() -> Result<(), Box<dyn Error>> {
    const AFTER: [usize; 3] = [25, 50, 100];
    println!("\nARI after 25, 50, 100 interactions, by the kinds of questions (no answer wrong)");
    for name in ["orl_32x32", "pie68_22x22", "stackoverflow_wl256", "digits", "cms_mnist"] {
        let Some((points, labels)) = data::read(name)? else { continue };
        let (points, labels) = super::at_most(3_000, points, labels);
        let points = Scaler::fit(&points, Scaling::MinMax).apply(&points)?;
        for (what, kinds) in [
            ("pairs", &[Kind::Pair][..]),
            ("pairs, places", &[Kind::Pair, Kind::Place][..]),
            ("all", &Kind::ASKED[..]),
        ] {
            let mut asker = Asker::new(points.clone(), Chooser::Border, 0)?;
            let mut oracle = KnownLabels::new(labels.clone());
            let mut aris = String::new();
            for budget in AFTER {
                run_kinds(&mut asker, &mut oracle, kinds, budget, |_| Ok(()))?;
                let ari = adjusted_rand_index(&labels, &asker.labels())?;
                aris += &format!("{ari:>7.3}");
            }
            let count = |kind: Kind| {
                asker.answers().replies().iter().filter(|reply| reply.kind() == kind).count()
            };
            let [pairs, places, groups] = Kind::ASKED.map(count);
            let seconds: f64 =
                asker.answers().replies().iter().map(|reply| reply.kind().seconds()).sum();
            println!(
                "{name:<20} {what:<14}{aris}   {pairs} pairs, {places} places, {groups} groups: {seconds:.0} s"
            );
        }
    }
    Ok(())
}

pub(crate) fn latency(full: bool) -> Result<(), Box<dyn Error>> {
    println!(
        "\nseconds of the first question, and mean of the next 20 with their answers; blobs of"
    );
    println!(
        "10 groups in 10 columns (processor seconds behind each); memory of the process at the most so far"
    );
    let sizes = [2_000, 10_000, 100_000, 500_000, 1_000_000];
    for n in sizes.into_iter().take(if full { 5 } else { 3 }) {
        let blobs = datasets::blobs(n, 10, 10, 1.0, 5.0, 3)?;
        let points = blobs.cast::<f32>()?;
        let labels = blobs.labels;
        drop(blobs.points);
        let mut oracle = KnownLabels::new(labels);
        let (start, busy) = (Instant::now(), processor_seconds());
        let mut asker = Asker::new(points, Chooser::Border, 0)?;
        let first = asker.question(&Kind::ASKED);
        let (seconds, of_first) = (start.elapsed().as_secs_f64(), processor_seconds() - busy);
        let (start, busy) = (Instant::now(), processor_seconds());
        let mut question = first;
        for _ in 0..20 {
            let Some(asked) = question else { break };
            asker.reply(oracle.reply(&asked)?)?;
            question = asker.question(&Kind::ASKED);
        }
        let next = start.elapsed().as_secs_f64() / 20.0;
        let of_next = (processor_seconds() - busy) / 20.0;
        println!(
            "{n:>9} {seconds:>8.2} ({of_first:.2}) {next:>7.3} ({of_next:.3})   {} MB",
            peak_megabytes()
        );
    }
    Ok(())
}

/// What the process has computed, on all threads, in hundredths of a second; 0 where the system does not tell.
fn processor_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    ticks.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// What the process held at the most, where the system tells.
fn peak_megabytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok());
    kilobytes.unwrap_or_default() / 1024
}

/// Ours beside COBRAS on every set: ARI after 25, 50, 100, 200 answers, none of them wrong.
pub(crate) fn peers(
    args: &[String],
    python: Option<&Path>,
    n_seeds: u64,
) -> Result<(), Box<dyn Error>> {
    println!(
        "\nARI after 25, 50, 100, 200 answers, none wrong: ours, COBRAS (mean of {n_seeds} seeds)"
    );
    let named = |name: &&str| args.iter().any(|arg| arg == name);
    let all = || CHOSEN_BY.iter().chain(&SHOWN_ON);
    let any_named = all().any(named);
    let shown = |aris: [f64; 4]| aris.map(|ari| format!("{ari:>7.3}")).concat();
    for name in all().filter(|name| !any_named || named(name)) {
        let Some((points, labels)) = read(name)? else { continue };
        let (ours, _) = super::by_walk(Chooser::Border, &points, &labels, 0)?;
        print!("{name:<14}{}", shown(ours));
        if let Some(python) = python {
            let (theirs, seconds) =
                super::mean(n_seeds, |seed| super::by_cobras(python, &points, &labels, seed))?;
            print!("  {}{seconds:>8.1} s", shown(theirs));
        }
        println!();
    }
    Ok(())
}
