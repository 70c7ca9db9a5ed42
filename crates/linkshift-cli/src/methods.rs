//! Methods and their settings as they are written at the command line. What there is to know of
//! them stands in the core: [`registry`] has the methods, and each method a table of parameters.

use crate::failure::{Failure, Result};
use crate::{memory, progress};
use linkshift::method::{Clusterer, Clusters};
use linkshift::observe::Observer;
use linkshift::params::{MEMORY_MB, N_CLUSTERS, SEED, Value};
use linkshift::registry::{self, Entry, METHODS};
use linkshift::{Error, Real};
use linkshift_io::Element;

/// A type of numbers that is computed with and kept in files.
pub(crate) trait Number: Real + Element {}

impl<T: Real + Element> Number for T {}

/// What is set of a method; the same options wherever one is chosen.
#[derive(Debug, clap::Args)]
pub(crate) struct SettingArgs {
    /// Number of clusters, for methods that do not find it themselves
    #[arg(short = 'k', long = "clusters", value_name = "K", value_parser = from_one)]
    pub(crate) k: Option<u64>,
    /// A parameter of the method, e.g. --set bandwidth=0.4; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Seed of everything that is drawn by chance
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Most memory that the run may use, in MB, with the program and the points: it is refused or
    /// stopped if it needs more [default: the method may use three quarters of what is free]
    #[arg(long, value_name = "MB", value_parser = from_one)]
    pub(crate) memory: Option<u64>,
}

/// Reads a number that clap's own words (`not in 1..18446744073709551615`) would not explain.
fn from_one(text: &str) -> Result<u64, &'static str> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("give a whole number from 1, such as 3"),
    }
}

/// A method, ready to fit.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) method: Box<dyn Clusterer>,
    /// What was set by hand: all but the seed and the memory.
    pub(crate) given: Vec<(String, Value)>,
    entry: &'static Entry,
    seed: u64,
    /// What the run may use, if that was told.
    memory: Option<u64>,
}

impl Chosen {
    /// The method of an entry with what the options say; `implied` is set by other options.
    pub(crate) fn new(
        entry: &'static Entry,
        args: &SettingArgs,
        implied: &[(&str, Value)],
    ) -> Result<Self> {
        let given = given(entry, args, implied)?;
        let memory = args.memory.filter(|_| given.iter().all(|(key, _)| key != MEMORY_MB));
        let method = entry.configure(&complete(entry, args, &given));
        let method = method.map_err(|error| explained(entry, error))?;
        Ok(Self { method, given, entry, seed: args.seed, memory })
    }

    /// Fits by the method, shown to a person. What the process holds already counts into what the run
    /// may use.
    pub(crate) fn fit<R>(
        &self,
        fit: impl FnOnce(&(dyn Clusterer + 'static), &mut Observer<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let Some((allowed_mb, held_mb)) = self.memory.zip(memory::held_mb()) else {
            return progress::watched(|observer| fit(&*self.method, observer));
        };
        /// What is said to be needed is a little more, so that it is enough the next time.
        const ROUNDED: u64 = 40;
        let said = |needed_mb: u64| held_mb + needed_mb + (held_mb + needed_mb) / ROUNDED + 1;
        let left = allowed_mb.saturating_sub(held_mb);
        if left == 0 {
            let remedy = "the program and the table alone are so large; allow more".to_owned();
            return Err(Error::Memory { needed_mb: said(0), allowed_mb, remedy });
        }
        let limited = SettingArgs { k: None, set: Vec::new(), seed: self.seed, memory: Some(left) };
        let method = self.entry.configure(&complete(self.entry, &limited, &self.given))?;
        progress::watched(|observer| fit(&*method, observer)).map_err(|error| match error {
            Error::Memory { needed_mb, remedy, .. } => {
                Error::Memory { needed_mb: said(needed_mb), allowed_mb, remedy }
            }
            other => other,
        })
    }

    /// Fails if there are fewer points than clusters asked for.
    pub(crate) fn check_points(&self, n_points: usize) -> Result<()> {
        check_points(self.method.n_clusters(), n_points)
    }
}

/// See [`Chosen::check_points`].
pub(crate) fn check_points(n_clusters: Option<usize>, n_points: usize) -> Result<()> {
    match n_clusters {
        Some(k) if k > n_points => Err(Failure::Input(format!(
            "-k {k}: there are only {n_points} points: ask for fewer clusters"
        ))),
        _ => Ok(()),
    }
}

/// What is set by hand, each key once.
pub(crate) fn given(
    entry: &Entry,
    args: &SettingArgs,
    implied: &[(&str, Value)],
) -> Result<Vec<(String, Value)>> {
    let mut given: Vec<(String, Value)> = Vec::new();
    let is_set = |given: &[(String, Value)], key: &str| given.iter().any(|(known, _)| known == key);
    for text in &args.set {
        let Some((key, value)) = text.split_once('=') else {
            return Err(Failure::Input(format!("--set {text}: write it as key=value")));
        };
        let key = key.trim();
        if is_set(&given, key) {
            return Err(Failure::Input(format!("--set {key} is given twice: give it once")));
        }
        given.push((key.to_owned(), Value::parse(value)));
    }
    let name = entry.info.name;
    let k = args.k.map(|k| (N_CLUSTERS, Value::Count(k)));
    if let (Some(k), Clusters::Found) = (args.k, entry.info.clusters) {
        let text =
            format!("-k {k}: method {name} finds the number of clusters itself: leave -k out");
        return Err(Failure::Input(text));
    }
    for (key, value) in implied.iter().cloned().chain(k) {
        if is_set(&given, key) {
            let text = format!("--set {key} says the same as another option: leave one out");
            return Err(Failure::Input(text));
        }
        given.push((key.to_owned(), value));
    }
    if entry.info.clusters == Clusters::Told && !is_set(&given, N_CLUSTERS) {
        let text = format!("method {name} must be told the number of clusters: add -k 3, say");
        return Err(Failure::Input(text));
    }
    Ok(given)
}

/// What is given, with seed and memory where the method has a use for them.
pub(crate) fn complete<'a>(
    entry: &Entry,
    args: &SettingArgs,
    given: &'a [(String, Value)],
) -> Vec<(&'a str, Value)> {
    let memory_mb = args.memory.or_else(memory::usable_mb).map(Value::Count);
    let beside = [(SEED, Some(Value::Count(args.seed))), (MEMORY_MB, memory_mb)];
    let mut all: Vec<(&str, Value)> =
        given.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
    for (key, value) in beside {
        let is_given = all.iter().any(|(known, _)| *known == key);
        if let (Some(value), true) = (value, entry.has(key) && !is_given) {
            all.push((key, value));
        }
    }
    all
}

/// The method of this name; if none is named, the default.
pub(crate) fn find(name: Option<&str>) -> Result<&'static Entry> {
    let name = name.unwrap_or(registry::DEFAULT);
    registry::find(name).ok_or_else(|| {
        let known: Vec<&str> = METHODS.iter().map(|entry| entry.info.name).collect();
        let near = did_you_mean(name, &known);
        let text = format!("there is no method {name:?}{near}; there is: {}", known.join(", "));
        Failure::Input(text)
    })
}

/// The names of the methods that can do something, for an option that not all of them have.
pub(crate) fn names(can: impl Fn(&Entry) -> bool) -> String {
    let names: Vec<&str> =
        METHODS.iter().filter(|entry| can(entry)).map(|entry| entry.info.name).collect();
    names.join(" or ")
}

/// An error about settings, with the word that may have been meant.
pub(crate) fn explained(entry: &Entry, error: Error) -> Failure {
    match &error {
        Error::UnknownParam { method, key, known } => {
            let near = did_you_mean(key, known);
            let known = known.join(", ");
            let others = names(|entry| entry.has(key));
            let others = match others.is_empty() {
                true => String::new(),
                false => format!("; a parameter of {others}: choose one with --method"),
            };
            Failure::Input(format!(
                "{method} has no parameter {key:?}{near}; it has {known}{others}"
            ))
        }
        Error::Param { name, value, .. } => {
            let params = entry.params();
            let words = params.iter().find(|param| param.key == *name).map(|param| &param.words);
            // A word that is known is refused for another reason than its spelling.
            let unknown = words.filter(|words| !words.contains(&value.as_str()));
            let near = unknown.map_or(String::new(), |words| did_you_mean(value, words));
            Failure::Input(format!("{error}{near}"))
        }
        _ => error.into(),
    }
}

/// ` (did you mean "…"?)` if one of the known words may have been meant.
pub(crate) fn did_you_mean(word: &str, known: &[&str]) -> String {
    /// Two of three letters right.
    const ALIKE: f64 = 0.65;
    let word = word.to_lowercase();
    let likeness = |known: &str| strsim::normalized_damerau_levenshtein(&word, known);
    let nearest = known.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match nearest {
        Some(near) if likeness(near) >= ALIKE => format!(" (did you mean {near:?}?)"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(name: &str, k: Option<u64>, set: &[&str]) -> Result<Chosen> {
        let set = set.iter().map(ToString::to_string).collect();
        let entry = find(Some(name))?;
        let memory = entry.has(MEMORY_MB).then_some(70);
        Chosen::new(entry, &SettingArgs { k, set, seed: 5, memory }, &[])
    }

    fn error_of(name: &str, k: Option<u64>, set: &[&str]) -> String {
        choose(name, k, set).unwrap_err().to_string()
    }

    #[test]
    fn seed_and_memory_go_to_those_who_have_a_use_for_them() {
        let cms = choose("cms", None, &["max_iter = 7"]).unwrap();
        let expected =
            [("max_iter", 7), (MEMORY_MB, 70), (SEED, 5)].map(|(key, n)| (key, Value::Count(n)));
        assert_eq!(cms.method.settings(), expected);
        assert_eq!(cms.given, [("max_iter".to_owned(), Value::Count(7))]);
        let cdbscan = choose("cdbscan", None, &["memory_mb=9"]).unwrap();
        assert_eq!(cdbscan.method.settings(), [(MEMORY_MB, Value::Count(9))]);
    }

    #[test]
    fn every_method_keeps_to_a_limit_of_memory() {
        assert!(METHODS.iter().all(|entry| entry.has(MEMORY_MB)));
    }

    #[test]
    fn texts_that_are_no_settings_are_refused() {
        let blurring = error_of("mean-shift", None, &["blurring"]);
        assert_eq!(blurring, "--set blurring: write it as key=value");
        let twice = error_of("mean-shift", None, &["k=1", "k=2"]);
        assert_eq!(twice, "--set k is given twice: give it once");
        assert!(error_of("kmeans", Some(2), &["n_clusters=2"]).ends_with("leave one out"));
    }

    #[test]
    fn what_was_meant_is_guessed() {
        let unknown = error_of("mean-shift", None, &["bandwith=1"]);
        assert!(unknown.contains("did you mean \"bandwidth\"?"), "{unknown}");
        assert!(unknown.contains("merge_tolerance"), "{unknown}");
        let kernel = "kernel = bal cannot work: it must be ball, rbf, truncated or gaussian (did you mean \"ball\"?)";
        assert_eq!(error_of("mean-shift", None, &["kernel=bal"]), kernel);
        let preset = error_of("cms", None, &["preset=paper-toys"]);
        assert!(preset.ends_with("(did you mean \"paper-toy\"?)"), "{preset}");
        let needy = error_of("spectral", None, &["preset=paper"]);
        assert!(needy.ends_with("unless n_clusters is set too"), "{needy}");
    }

    #[test]
    fn the_number_of_clusters_is_told_where_it_is_wanted() {
        assert!(error_of("pck", None, &[]).ends_with("add -k 3, say"));
        assert!(error_of("cms", Some(3), &[]).ends_with("leave -k out"));
        assert_eq!(choose("pck", Some(3), &[]).unwrap().method.n_clusters(), Some(3));
        assert_eq!(choose("pck", None, &["n_clusters=3"]).unwrap().method.n_clusters(), Some(3));
        assert_eq!(choose("spectral", None, &[]).unwrap().method.n_clusters(), None);
    }
}
