//! The default method beside the single ones, over all sets at hand: `cargo xtask bench auto`.
//!
//! Parts by name: `sets`, `wrong`, `none`, `few`, `many`, `large`; all of them if none is named. 400 rows and one draw of links;
//! `--full` takes 2,000 and five, `--rows=` and `--draws=` other numbers, `--only=` some sets by name;
//! `--learn` prints the weights of `auto/prior.rs` and `auto/suspicion.rs` instead.
//!
//! Single methods get columns from 0 to 1, as `auto` finds its own scale. The priors and the
//! constants of `auto` were chosen on the even sets and on drawn ones; the odd sets show what they are
//! worth.

#![allow(clippy::print_stdout)] // a bench prints its table

#[path = "support/auto_sets.rs"]
mod auto_sets;
#[path = "support/data.rs"]
mod data;
#[path = "support/memory.rs"]
mod memory;

use auto_sets::{DRAWN, READ, SHAPES, Set, WEAK, is_for_choosing};
use linkshift::auto::{
    Auto, AutoModel, AutoParams, Trust, held_back_evidence, signs_of_wrong_answers,
};
use linkshift::kmeans::{KMeans, KMeansParams};
use linkshift::scores::{adjusted_rand_index, rand_index};
use linkshift::{Link, LinkKind, Links, Points, Scaler, Scaling, observe, registry};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

type Outcome<R> = Result<R, Box<dyn Error>>;

/// The single methods that `auto` is measured against.
const SINGLE: [&str; 4] = ["cms", "spectral", "boosted", "cdbscan"];

struct Wishes {
    parts: Vec<String>,
    rows: usize,
    draws: u64,
    only: Vec<String>,
    learn: bool,
}

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    let value = |key: &str| args.iter().find_map(|arg| arg.strip_prefix(key));
    let (rows, draws) = if has("--full") { (2_000, 5) } else { (400, 1) };
    let only =
        value("--only=").map_or(Vec::new(), |names| names.split(',').map(str::to_owned).collect());
    let wishes = Wishes {
        parts: args.iter().filter(|arg| !arg.starts_with("--")).cloned().collect(),
        rows: value("--rows=").map_or(Ok(rows), str::parse)?,
        draws: value("--draws=").map_or(Ok(draws), str::parse)?,
        only,
        learn: has("--learn"),
    };
    if wishes.learn {
        learn_judges(&wishes)?;
        return learn(&wishes);
    }
    let wanted = |part: &str| wishes.parts.is_empty() || wishes.parts.iter().any(|it| it == part);
    if wanted("sets") {
        sets(&wishes)?;
    }
    if wanted("wrong") {
        wrong(&wishes)?;
    }
    if wanted("none") {
        none(&wishes)?;
    }
    if wanted("few") {
        few(&wishes)?;
    }
    if wanted("many") {
        many(&wishes)?;
    }
    if wanted("large") {
        large()?;
    }
    Ok(())
}

impl Wishes {
    fn names(&self, from: &[&'static str]) -> Vec<&'static str> {
        let wanted = |name: &&str| self.only.is_empty() || self.only.iter().any(|it| it == name);
        from.iter().copied().filter(wanted).collect()
    }
}

/// ARI and seconds of a single method on columns from 0 to 1, remembered in the target folder.
fn single(key: &str, method: &str, set: &Set, links: &Links) -> Outcome<(f64, f64)> {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("auto-singles.txt");
    let known = fs::read_to_string(&file).unwrap_or_default();
    let key = format!("{key}/{method}");
    let known = known.lines().filter_map(|line| line.split_once('\t')).find(|(it, _)| *it == key);
    if let Some((ari, seconds)) = known.and_then(|(_, numbers)| numbers.split_once('\t')) {
        return Ok((ari.parse()?, seconds.parse()?));
    }
    let scaled = Scaler::fit(&set.points, Scaling::MinMax).apply(&set.points)?;
    let start = Instant::now();
    let fitted = registry::find(method).ok_or("no such method")?.configure(&[])?.fit(
        &scaled,
        links,
        &mut observe::ignore,
    );
    let seconds = start.elapsed().as_secs_f64();
    let ari =
        fitted.map_or(0.0, |model| adjusted_rand_index(&set.labels, model.labels()).unwrap_or(0.0));
    let mut all = fs::read_to_string(&file).unwrap_or_default();
    all.push_str(&format!("{key}\t{ari}\t{seconds}\n"));
    fs::write(&file, all)?;
    Ok((ari, seconds))
}

fn auto(points: &Points<'_, f32>, links: &Links, trust: Trust) -> Outcome<(AutoModel<f32>, f64)> {
    let start = Instant::now();
    let model = Auto::new(AutoParams { trust, ..AutoParams::default() })?.fit(points, links)?;
    Ok((model, start.elapsed().as_secs_f64()))
}

/// Every set, with as many links as points and with a fifth.
fn sets(wishes: &Wishes) -> Outcome<()> {
    println!(
        "set                      links   cms  spec  boos  cdbs |  best  auto   gain | k/classes  broken sus | promised        true |  time/cms"
    );
    let mut means: HashMap<(bool, bool), Vec<[f64; 2]>> = HashMap::new();
    let (mut n_promised, mut n_covered) = (0, 0);
    let names = [wishes.names(READ), wishes.names(DRAWN)].concat();
    for name in names {
        for few in [false, true] {
            let mut sum = [0.0; 2];
            for draw in 0..wishes.draws {
                let Some(set) = auto_sets::load(name, wishes.rows, draw)? else { continue };
                let n_links = set.labels.len() / if few { 5 } else { 1 };
                let links = auto_sets::draw_links(&set.labels, n_links, draw);
                let key = format!("{name}/{}/{draw}/{n_links}", wishes.rows);
                let mut all = Vec::new();
                for method in SINGLE {
                    all.push(single(&key, method, &set, &links)?);
                }
                let (model, seconds) = auto(&set.points, &links, Trust::Some)?;
                let ari = adjusted_rand_index(&set.labels, model.labels())?;
                let right = rand_index(&set.labels, model.labels())?;
                let best = all.iter().map(|it| it.0).fold(f64::MIN, f64::max);
                let promise = model.promise().ok_or("links were held back")?;
                n_promised += 1;
                n_covered += usize::from(promise.low <= right && right <= promise.high);
                sum = [sum[0] + best, sum[1] + ari];
                let n_classes = linkshift::scores::n_clusters(&set.labels);
                println!(
                    "{name:<24}{n_links:>6} {} | {best:.3} {ari:.3} {:>+.3} | {:>4}/{n_classes:<4} {:>6} {:>4} | {:.3} {:.3}–{:.3} {right:.3} | {:>8.1}",
                    all.iter().map(|it| format!("{:>6.3}", it.0)).collect::<String>(),
                    ari - best,
                    model.n_clusters(),
                    model.link_report().broken.len(),
                    model.suspects().len(),
                    promise.share,
                    promise.low,
                    promise.high,
                    seconds / all[0].1,
                );
            }
            let mean = sum.map(|sum| sum / wishes.draws as f64);
            means.entry((few, is_for_choosing(name))).or_default().push(mean);
        }
    }
    for few in [false, true] {
        for (choosing, what) in [(true, "choosing"), (false, "showing")] {
            let Some(all) = means.get(&(few, choosing)) else { continue };
            let mean = |at: usize| all.iter().map(|it| it[at]).sum::<f64>() / all.len() as f64;
            let worst = all.iter().map(|it| it[1] - it[0]).fold(f64::MAX, f64::min);
            println!(
                "{} links, sets for {what}: best single in hindsight {:.4}, auto {:.4}, worst {worst:+.3}",
                if few { "n/5" } else { "n" },
                mean(0),
                mean(1),
            );
        }
    }
    println!("promises that held: {n_covered} of {n_promised}");
    Ok(())
}

/// What wrong answers cost, and how many are found.
fn wrong(wishes: &Wishes) -> Outcome<()> {
    const SETS: &[&str] =
        &["digits", "cms_mnist", "cms_fashion_mnist", "cms_gtsrb", "iris", "aggregation", "wine"];
    println!("set                  wrong  found    sus  precision recall |   ARI   loss");
    let mut losses: HashMap<usize, Vec<f64>> = HashMap::new();
    let mut found: HashMap<usize, Vec<[f64; 3]>> = HashMap::new();
    for name in wishes.names(SETS) {
        for draw in 0..wishes.draws {
            let mut without = 0.0;
            for percent in [0, 5, 10, 20] {
                let Some(set) = auto_sets::load(name, wishes.rows, draw)? else { continue };
                let told = auto_sets::draw_links(&set.labels, set.labels.len(), draw);
                let (links, is_wrong) = flipped(&told, f64::from(percent as u32) / 100.0, draw);
                if percent == 0 {
                    // False suspects must not flatter the loss.
                    let (trusting, _) = auto(&set.points, &links, Trust::All)?;
                    without = adjusted_rand_index(&set.labels, trusting.labels())?;
                }
                let (model, _) = auto(&set.points, &links, Trust::Some)?;
                let ari = adjusted_rand_index(&set.labels, model.labels())?;
                losses.entry(percent).or_default().push(without - ari);
                if percent == 10 || percent == 0 {
                    let n_suspects = model.suspects().len() as f64;
                    let hits = model.suspects().iter().filter(|it| is_wrong[it.position]).count();
                    let n_wrong = is_wrong.iter().filter(|it| **it).count() as f64;
                    found.entry(percent).or_default().push([
                        n_suspects / links.len() as f64,
                        hits as f64 / n_suspects.max(1.0),
                        hits as f64 / n_wrong.max(1.0),
                    ]);
                }
                let hits =
                    model.suspects().iter().filter(|it| is_wrong[it.position]).count() as f64;
                let n_wrong = is_wrong.iter().filter(|it| **it).count() as f64;
                println!(
                    "{name:<20} {percent:>4} % {:>6.3} {:>6} {:>10.2} {:>6.2} | {ari:.3} {:>+.3}",
                    model.wrong_rate(),
                    model.suspects().len(),
                    hits / (model.suspects().len() as f64).max(1.0),
                    hits / n_wrong.max(1.0),
                    without - ari,
                );
            }
        }
    }
    for percent in [0, 5, 10, 20] {
        let all = losses.get(&percent).map_or(&[][..], |all| all);
        println!("{percent} % wrong: mean loss {:.3}", all.iter().sum::<f64>() / all.len() as f64);
    }
    for percent in [0, 10] {
        let all = found.get(&percent).map_or(&[][..], |all| all);
        let mean = |at: usize| all.iter().map(|it| it[at]).sum::<f64>() / all.len() as f64;
        println!(
            "{percent} % wrong: suspects {:.4} of the links, precision {:.2}, recall {:.2}",
            mean(0),
            mean(1),
            mean(2),
        );
    }
    Ok(())
}

/// Each link becomes its opposite with this probability; and which did.
fn flipped(links: &Links, rate: f64, seed: u64) -> (Links, Vec<bool>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed + 1_000);
    let is_wrong: Vec<bool> = links.iter().map(|_| rng.random::<f64>() < rate).collect();
    let turn = |(link, is_wrong): (&Link, &bool)| match (link.kind, is_wrong) {
        (_, false) => *link,
        (LinkKind::Must, true) => Link { kind: LinkKind::Cannot, ..*link },
        (LinkKind::Cannot, true) => Link { kind: LinkKind::Must, ..*link },
    };
    (links.iter().zip(&is_wrong).map(turn).collect(), is_wrong)
}

/// Without links: beside the single methods without any, and k-means that is told how many.
fn none(wishes: &Wishes) -> Outcome<()> {
    const PLAIN: [&str; 4] = ["spectral", "boosted", "cdbscan", "mean-shift"];
    println!(
        "set                             {}  told k |   auto  k/classes  who",
        PLAIN.join("  ")
    );
    let mut means: BTreeMap<&str, Vec<Vec<f64>>> = BTreeMap::new();
    for name in [wishes.names(READ), wishes.names(DRAWN), wishes.names(SHAPES)].concat() {
        for draw in 0..wishes.draws {
            let Some(set) = auto_sets::load(name, wishes.rows, draw)? else { continue };
            let key = format!("{name}/{}/{draw}/0", wishes.rows);
            let links = Links::new();
            let mut all = Vec::new();
            for method in PLAIN {
                all.push(single(&key, method, &set, &links)?.0);
            }
            let n_classes = linkshift::scores::n_clusters(&set.labels);
            all.push(told_how_many(&set)?);
            let (model, _) = auto(&set.points, &links, Trust::Some)?;
            all.push(adjusted_rand_index(&set.labels, model.labels())?);
            let shown: String = all.iter().map(|ari| format!("{ari:>9.3}")).collect();
            let who = model.followed().unwrap_or("all together");
            println!("{name:<30}{shown} {:>4}/{n_classes:<4} {who}", model.n_clusters());
            let half = match (READ.contains(&name), is_for_choosing(name)) {
                (true, true) => "even",
                (true, false) => "odd",
                (false, _) => "drawn",
            };
            means.entry(half).or_default().push(all);
        }
    }
    for (half, all) in means {
        let mean = |at: usize| all.iter().map(|it| it[at]).sum::<f64>() / all.len() as f64;
        let shown: String = (0..all[0].len()).map(|at| format!("{:>9.3}", mean(at))).collect();
        println!("{:<30}{shown}", format!("mean, {half} sets"));
    }
    Ok(())
}

/// ARI of k-means that is told the number of classes.
fn told_how_many(set: &Set) -> Outcome<f64> {
    let n_clusters = linkshift::scores::n_clusters(&set.labels);
    let params = KMeansParams { n_clusters, ..KMeansParams::default() };
    let told = KMeans::new(params)?.fit(&set.points, &Links::new())?;
    Ok(adjusted_rand_index(&set.labels, told.labels())?)
}

/// A handful of links against none.
fn few(wishes: &Wishes) -> Outcome<()> {
    const COUNTS: [usize; 5] = [0, 1, 5, 10, 20];
    println!("set                     {}", COUNTS.map(|n| format!("{n:>8}")).concat());
    let mut all = Vec::new();
    for name in [wishes.names(READ), wishes.names(DRAWN)].concat() {
        let mut sums = [0.0; COUNTS.len()];
        for draw in 0..wishes.draws {
            let Some(set) = auto_sets::load(name, wishes.rows, draw)? else { continue };
            for (sum, n_links) in sums.iter_mut().zip(COUNTS) {
                let links = auto_sets::draw_links(&set.labels, n_links, draw);
                let (model, _) = auto(&set.points, &links, Trust::Some)?;
                *sum += adjusted_rand_index(&set.labels, model.labels())? / wishes.draws as f64;
            }
        }
        println!("{name:<24}{}", sums.map(|sum| format!("{sum:>8.3}")).concat());
        all.push((is_for_choosing(name), sums));
    }
    for (choosing, what) in [(true, "choosing"), (false, "showing")] {
        let half: Vec<&[f64; COUNTS.len()]> =
            all.iter().filter(|it| it.0 == choosing).map(|it| &it.1).collect();
        for (at, n_links) in COUNTS.iter().enumerate() {
            let mean = half.iter().map(|it| it[at]).sum::<f64>() / half.len() as f64;
            let worst = half.iter().map(|it| it[at] - it[0]).fold(f64::MAX, f64::min);
            println!("sets for {what}, {n_links} links: {mean:.4}, worst {worst:+.3}");
        }
    }
    Ok(())
}

/// Many classes, so that hardly any of the links are must-links, beside k-means that is told how many.
fn many(wishes: &Wishes) -> Outcome<()> {
    println!("set                      links  must | k-means told k  auto   gain  clusters");
    for name in wishes.names(&["stackoverflow_wl256", "drawn: 77 in 256 columns"]) {
        for draw in 0..wishes.draws {
            let Some(set) = auto_sets::load(name, wishes.rows, draw)? else { continue };
            let links = auto_sets::draw_links(&set.labels, set.labels.len(), draw);
            let n_must = links.iter().filter(|link| link.kind == LinkKind::Must).count();
            let n_classes = linkshift::scores::n_clusters(&set.labels);
            let told = told_how_many(&set)?;
            let (model, _) = auto(&set.points, &links, Trust::Some)?;
            let ari = adjusted_rand_index(&set.labels, model.labels())?;
            println!(
                "{name:<24}{:>6} {n_must:>5} | {told:>14.3} {ari:.3} {:>+.3} {:>5}/{n_classes}",
                links.len(),
                ari - told,
                model.n_clusters(),
            );
        }
    }
    Ok(())
}

/// Seconds and memory for 60,000 points with 20,000 links.
fn large() -> Outcome<()> {
    let Some(set) = auto_sets::load("cms_mnist", 60_000, 0)? else { return Ok(()) };
    let links = auto_sets::draw_links(&set.labels, set.labels.len() / 3, 0);
    let (model, seconds) = auto(&set.points, &links, Trust::Some)?;
    println!(
        "{} points, {} links: {seconds:.1} s, ARI {:.3}, {} clusters, {} broken, {} suspects, peak {}",
        set.labels.len(),
        links.len(),
        adjusted_rand_index(&set.labels, model.labels())?,
        model.n_clusters(),
        model.link_report().broken.len(),
        model.suspects().len(),
        memory::peak(),
    );
    Ok(())
}

/// The weights of `auto/suspicion.rs`: logistic regressions over the sets for choosing, drawn ones, and
/// those in which points say little, which count half; each run counts alike.
fn learn_judges(wishes: &Wishes) -> Outcome<()> {
    let known = [wishes.names(READ), wishes.names(DRAWN)].concat();
    let known = known.into_iter().filter(|name| is_for_choosing(name)).map(|name| (name, 1.0));
    let weak = wishes.names(WEAK).into_iter().map(|name| (name, 0.5));
    let mut runs = Vec::new();
    for (name, importance) in known.chain(weak) {
        for draw in 0..wishes.draws {
            for (per_link, percents) in [(1, &[0, 5, 10, 20][..]), (5, &[0, 10])] {
                for &percent in percents {
                    let Some(set) = auto_sets::load(name, wishes.rows, draw)? else { continue };
                    let n_links = set.labels.len() / per_link;
                    let told = auto_sets::draw_links(&set.labels, n_links, draw);
                    let (links, is_wrong) = flipped(&told, f64::from(percent) / 100.0, draw);
                    runs.push((set, links, is_wrong, importance));
                }
            }
        }
    }
    let mut right: Vec<Vec<f64>> = runs.iter().map(|run| vec![1.0; run.1.len()]).collect();
    for round in 1..=2 {
        let mut all = Vec::new();
        for ((set, links, _, _), right) in runs.iter().zip(&right) {
            all.push(signs_of_wrong_answers(&set.points, links, right)?);
        }
        let mut cases = Vec::new();
        for (signs, (_, _, is_wrong, importance)) in all.iter().zip(&runs) {
            let n_judged = signs.iter().filter(|(_, is_judged)| *is_judged).count() as f64;
            let judged = signs.iter().zip(is_wrong).filter(|((_, is_judged), _)| *is_judged);
            cases.extend(judged.map(|((signs, _), &is_wrong)| {
                (signs.clone(), is_wrong, 100.0 * importance / n_judged)
            }));
        }
        let weights = standardised_regression(&cases);
        let text: Vec<String> = weights.iter().map(|weight| format!("{weight:.2}")).collect();
        println!("judges, round {round}: [{}]", text.join(", "));
        let log_odds = |signs: &[f64]| {
            signs.iter().zip(&weights).map(|(x, w)| x * w).sum::<f64>() + weights[signs.len()]
        };
        for (right, signs) in right.iter_mut().zip(&all) {
            for (right, (signs, is_judged)) in right.iter_mut().zip(signs) {
                *right = if *is_judged { 1.0 / (1.0 + log_odds(signs).exp()) } else { 1.0 };
            }
        }
    }
    Ok(())
}

/// [`regression`] where the kinds of evidence have different units.
fn standardised_regression(cases: &[(Vec<f64>, bool, f64)]) -> Vec<f64> {
    let (n, k) = (cases.len() as f64, cases.first().map_or(0, |case| case.0.len()));
    let mean = |of: &dyn Fn(&[f64]) -> f64| cases.iter().map(|case| of(&case.0)).sum::<f64>() / n;
    let means: Vec<f64> = (0..k).map(|at| mean(&|signs| signs[at])).collect();
    let units: Vec<f64> =
        (0..k).map(|at| mean(&|signs| (signs[at] - means[at]).powi(2)).sqrt().max(1e-9)).collect();
    let scaled = |(signs, is_wrong, importance): &(Vec<f64>, bool, f64)| {
        let signs = (0..k).map(|at| (signs[at] - means[at]) / units[at]).collect();
        (signs, *is_wrong, *importance)
    };
    let scaled: Vec<(Vec<f64>, bool, f64)> = cases.iter().map(scaled).collect();
    let found = regression(&scaled);
    let mut weights: Vec<f64> = (0..k).map(|at| found[at] / units[at]).collect();
    let shift: f64 = weights.iter().zip(&means).map(|(w, mean)| w * mean).sum();
    weights.push(found[k] - shift);
    weights
}

/// Pooled logistic regressions over the sets for choosing, each set counting alike.
fn learn(wishes: &Wishes) -> Outcome<()> {
    let names: Vec<&str> = [wishes.names(READ), wishes.names(DRAWN)].concat();
    for few in [false, true] {
        let mut cases: Vec<(Vec<f64>, bool, f64)> = Vec::new();
        for &name in names.iter().filter(|name| is_for_choosing(name)) {
            for draw in 0..wishes.draws {
                let Some(set) = auto_sets::load(name, wishes.rows, draw)? else { continue };
                let n_links = set.labels.len() / if few { 5 } else { 1 };
                let links = auto_sets::draw_links(&set.labels, n_links, draw);
                let held = held_back_evidence(&set.points, &links)?;
                let n_must = held.iter().filter(|case| case.1).count() as f64;
                let n_cannot = held.len() as f64 - n_must;
                cases.extend(held.into_iter().map(|(evidence, is_must)| {
                    // Both kinds count alike, but a handful must not count for hundreds.
                    let of_kind = if is_must { n_must } else { n_cannot };
                    (evidence, is_must, 100.0 / of_kind.max(20.0))
                }));
            }
        }
        let weights = regression(&cases);
        let text: Vec<String> = weights.iter().map(|weight| format!("{weight:.2}")).collect();
        println!("{}: [{}]", if few { "FEW" } else { "MANY" }, text.join(", "));
    }
    Ok(())
}

/// Logistic regression by gradient descent; the last weight is the constant.
fn regression(cases: &[(Vec<f64>, bool, f64)]) -> Vec<f64> {
    let k = cases.first().map_or(0, |case| case.0.len()) + 1;
    let total: f64 = cases.iter().map(|case| case.2).sum();
    let mut weights = vec![0.0; k];
    let mut before = vec![0.0; k];
    for _ in 0..2_000 {
        let mut slope = vec![0.0; k];
        for (evidence, is_must, importance) in cases {
            let sum: f64 = evidence.iter().zip(&weights).map(|(x, w)| x * w).sum();
            let p = 1.0 / (1.0 + (-(sum + weights[k - 1])).exp());
            let miss = importance * (p - f64::from(u8::from(*is_must)));
            slope.iter_mut().zip(evidence).for_each(|(to, x)| *to += miss * x);
            slope[k - 1] += miss;
        }
        for at in 0..k {
            // Momentum, and a little drawing to nought.
            before[at] = 0.9 * before[at] - 0.1 * (slope[at] / total + 1e-3 * weights[at]);
            weights[at] += before[at];
        }
    }
    weights
}
