//! Labelled sets and faces for kernel mean shift: how good it is, beside others on the same links.

use crate::auto_sets::{self, READ, Set, draw_links, is_for_choosing};
use crate::cpu;
use linkshift::kernel_mean_shift::{KernelMeanShift, KernelMeanShiftParams};
use linkshift::params::Value;
use linkshift::scores::{accuracy, adjusted_rand_index, n_clusters};
use linkshift::{Links, Points, Scaler, Scaling, observe, registry};
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::error::Error;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What to measure: `--rows=400 --draws=3 --only=wine,iris --links=n,n/5,20 --methods=kernel,cms`.
pub(crate) struct Wishes {
    rows: usize,
    draws: u64,
    only: Vec<String>,
    links: Vec<String>,
    methods: Vec<String>,
}

impl Wishes {
    pub(crate) fn new(args: &[String]) -> Outcome<Self> {
        let value = |key: &str| args.iter().find_map(|arg| arg.strip_prefix(key));
        let list = |key: &str, otherwise: &str| -> Vec<String> {
            let list = value(key).unwrap_or(otherwise).split(',').map(str::to_owned);
            list.filter(|word| !word.is_empty()).collect()
        };
        Ok(Self {
            rows: value("--rows=").map_or(Ok(400), str::parse)?,
            draws: value("--draws=").map_or(Ok(3), str::parse)?,
            only: list("--only=", ""),
            links: list("--links=", "n,n/5,20"),
            methods: list("--methods=", "kernel:metric=projection,kernel:metric=logdet"),
        })
    }
}

/// ARI, broken links and clusters of each method on each set, labels as found. Links: `n`, `n/5` at
/// random, so many labelled points of each class, or with a `+` before them so many must-links of each.
pub(crate) fn sets(wishes: &Wishes) -> Outcome<()> {
    println!("set\thalf\tlinks\tmethod\tARI\tbroken\tclusters\tcpu s");
    let names = READ.iter().copied().chain(["optdigits"]);
    for name in names.filter(|name| {
        wishes.only.is_empty() || wishes.only.iter().any(|it| it == name || is_half(it, name))
    }) {
        for told in &wishes.links {
            for method in &wishes.methods {
                let mut sums = [0.0; 4];
                for draw in 0..wishes.draws {
                    let Some(set) = auto_sets::load(name, wishes.rows, draw)? else {
                        return Ok(());
                    };
                    let scaling =
                        if name.starts_with("stack") { Scaling::Unit } else { Scaling::MinMax };
                    let points = Scaler::fit(&set.points, scaling).apply(&set.points)?;
                    let links = links(&set, told, draw + 1)?;
                    let found = run(method, &points, &set.labels, &links)?;
                    sums.iter_mut()
                        .zip(found)
                        .for_each(|(sum, it)| *sum += it / wishes.draws as f64);
                }
                let [ari, broken, clusters, seconds] = sums;
                let half = if is_for_choosing(name) { "choosing" } else { "showing" };
                println!(
                    "{name}\t{half}\t{told}\t{method}\t{ari:.3}\t{broken:.0}\t{clusters:.1}\t{seconds:.2}"
                );
            }
        }
    }
    Ok(())
}

fn is_half(wish: &str, name: &str) -> bool {
    wish == if is_for_choosing(name) { "choosing" } else { "showing" }
}

fn links(set: &Set, told: &str, seed: u64) -> Outcome<Links> {
    let n = set.labels.len();
    Ok(match told {
        "n" => draw_links(&set.labels, n, seed),
        "n/5" => draw_links(&set.labels, n / 5, seed),
        must if must.starts_with('+') => {
            Links::from_pairs(&must_links(set, must[1..].parse()?, seed), &[])
        }
        per_class => {
            let per_class: usize = per_class.parse()?;
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut partial = vec![-1; n];
            for class in classes(set) {
                let rows = rows_of(set, class);
                let drawn = index::sample(&mut rng, rows.len(), per_class.min(rows.len()));
                drawn.iter().for_each(|at| partial[rows[at]] = class);
            }
            let mut links = Links::new();
            links.add_labels(&partial)?;
            links
        }
    })
}

/// `kernel:metric=logdet:k=9` → ARI, broken links, clusters and processor seconds; `learned+cms`: of cms on
/// the points where kernel mean shift has learned them to be.
fn run(method: &str, points: &Points<'_, f32>, truth: &[i64], links: &Links) -> Outcome<[f64; 4]> {
    let mut parts = method.split(':');
    let name = parts.next().unwrap_or_default();
    let (name, in_learned_space) = match name.strip_prefix("learned+") {
        Some(name) => (name, true),
        None => (name, false),
    };
    let mut settings: Vec<(&str, Value)> = parts
        .filter_map(|part| part.split_once('='))
        .map(|(key, value)| (key, Value::parse(value)))
        .collect();
    if ["pck", "mpck"].contains(&name) {
        settings.push(("n_clusters", Value::Count(n_clusters(truth) as u64)));
    }
    if ["kernel", "cms", "pck", "mpck", "spectral"].contains(&name) {
        settings.push(("obey", "as-found".into()));
    }
    let start = cpu::seconds().unwrap_or_default();
    let learned;
    let points = match in_learned_space {
        false => points,
        true => {
            let kernel = KernelMeanShift::new(KernelMeanShiftParams::default())?;
            let model = kernel.fit(points, links)?;
            let rows: Vec<f32> = model.embedding().iter().map(|&x| x as f32).collect();
            learned = Points::new(rows, model.rank())?;
            &learned
        }
    };
    let method = registry::find(name).ok_or("no such method")?.configure(&settings)?;
    let model = method.fit(points, links, &mut observe::ignore)?;
    let seconds = cpu::seconds().unwrap_or_default() - start;
    let ari = adjusted_rand_index(truth, model.labels())?;
    let broken = model.link_report().broken.len() as f64;
    Ok([ari, broken, model.n_clusters() as f64, seconds])
}

/// Faces by two must-links per subject between four lights, histograms of light by ten per class, as in
/// the paper of 2009, in `draws` draws; with nothing set but the kernel of histograms.
pub(crate) fn faces(wishes: &Wishes) -> Outcome<()> {
    println!("\nFaces and histograms: accuracy, clusters, of each choice of links");
    let choices: [(&str, &[[usize; 4]]); 3] = [
        ("pie10_21_55x44", &[[0, 5, 10, 15], [2, 7, 12, 18], [0, 7, 14, 20], [3, 8, 13, 17]]),
        ("pie68_22x22", &[[0, 3, 5, 8], [1, 4, 6, 9]]),
        ("orl_32x32", &[[0, 3, 5, 8], [1, 4, 6, 9]]),
    ];
    let wanted = |name: &str| wishes.only.is_empty() || wishes.only.iter().any(|it| it == name);
    for (name, choices) in choices.into_iter().filter(|(name, _)| wanted(name)) {
        let Some(set) = auto_sets::load(name, usize::MAX, 0)? else { return Ok(()) };
        for chain in [false, true] {
            let mut links = Vec::new();
            for four in choices {
                let mut pairs = Vec::new();
                for class in 0..n_clusters(&set.labels) as i64 {
                    let rows = rows_of(&set, class);
                    let [a, b, c, d] = four.map(|at| rows[at]);
                    pairs.extend([(a, b), (c, d)]);
                    pairs.extend(chain.then_some((b, c)));
                }
                links.push(pairs);
            }
            let told = if chain { "chain of three" } else { "two links" };
            accuracies(&format!("{name}, {told}"), "kernel", &set, &links)?;
        }
    }
    if !wanted("pie10_32x32") {
        return Ok(());
    }
    let Some(images) = auto_sets::load("pie10_32x32", usize::MAX, 0)? else { return Ok(()) };
    for classes in [[0, 1, 2, 3], [4, 5, 6, 7]] {
        let set = histograms(&images, classes)?;
        for n_links in [7, 10] {
            let links: Vec<_> =
                (0..wishes.draws).map(|seed| must_links(&set, n_links, seed)).collect();
            for kernel in ["chi2", "auto"] {
                let method = format!("kernel:kernel={kernel}");
                accuracies(
                    &format!("histograms {classes:?}, {n_links} links, {kernel}"),
                    &method,
                    &set,
                    &links,
                )?;
            }
        }
    }
    Ok(())
}

/// So many pairs within each class.
fn must_links(set: &Set, n_links: usize, seed: u64) -> Vec<(usize, usize)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pairs = Vec::new();
    for rows in classes(set).map(|class| rows_of(set, class)).filter(|rows| rows.len() > 1) {
        for _ in 0..n_links {
            let pair = index::sample(&mut rng, rows.len(), 2);
            pairs.push((rows[pair.index(0)], rows[pair.index(1)]));
        }
    }
    pairs
}

/// The classes, ascending.
fn classes(set: &Set) -> impl Iterator<Item = i64> + use<> {
    BTreeSet::from_iter(set.labels.iter().copied()).into_iter()
}

fn rows_of(set: &Set, class: i64) -> Vec<usize> {
    (0..set.labels.len()).filter(|&row| set.labels[row] == class).collect()
}

/// 100 images of each of four faces, each as how its light is spread over its pixels.
fn histograms(images: &Set, classes: [i64; 4]) -> Outcome<Set> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut rows = Vec::new();
    for class in classes {
        let of_class = rows_of(images, class);
        rows.extend(index::sample(&mut rng, of_class.len(), 100).iter().map(|at| of_class[at]));
    }
    let mut light = Vec::new();
    for &row in &rows {
        let image = images.points.row(row);
        let total: f32 = image.iter().sum();
        light.extend(image.iter().map(|grey| grey / total.max(1.0)));
    }
    let labels = rows.iter().map(|&row| images.labels[row]).collect();
    Ok(Set { points: Points::new(light, images.points.n_features())?, labels })
}

fn accuracies(title: &str, method: &str, set: &Set, links: &[Vec<(usize, usize)>]) -> Outcome<()> {
    let mut parts = method.split(':');
    let name = parts.next().unwrap_or_default();
    let mut settings = vec![("obey", Value::from("as-found"))];
    settings
        .extend(parts.filter_map(|part| part.split_once('=')).map(|(k, v)| (k, Value::parse(v))));
    let fitted = registry::find(name).ok_or("no such method")?.configure(&settings)?;
    let (mut texts, mut mean) = (Vec::new(), 0.0);
    for pairs in links {
        let model =
            fitted.fit(&set.points, &Links::from_pairs(pairs, &[]), &mut observe::ignore)?;
        let share = accuracy(&set.labels, model.labels())?;
        mean += share / links.len() as f64;
        texts.push(format!("{share:.3} ({})", model.n_clusters()));
    }
    println!("{title}: mean {mean:.3}; {}", texts.join(" "));
    Ok(())
}
