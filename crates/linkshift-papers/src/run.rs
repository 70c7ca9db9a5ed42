//! An experiment as it runs: repeats computed or taken from the journal, and what was left out.

use crate::data::Data;
use crate::failure::{Failure, Result};
use crate::journal::{Entry, Journal, Key, fingerprint};
use crate::machine;
use crate::table::Mean;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::time::Instant;

/// How much is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Every part once, in less than a minute.
    Quick,
    /// As printed in the paper.
    Full,
    /// Nothing: only what was computed before.
    Recorded,
}

/// An experiment under way.
pub(crate) struct Run<'a> {
    experiment: &'static str,
    effort: Effort,
    journal: &'a mut Journal,
    data: &'a Data,
    commit: &'a str,
    /// Lines about what the outcome lacks.
    left_out: BTreeSet<String>,
    /// Cells with fewer repeats than a full run has.
    partial: Vec<String>,
    /// Of all repeats in the outcome, whenever they were computed.
    seconds: f64,
    processor_seconds: f64,
    /// Repeats in the outcome by commit.
    commits: BTreeMap<String, usize>,
}

/// What a run leaves behind beside its tables.
pub(crate) struct Account {
    pub(crate) left_out: Vec<String>,
    pub(crate) seconds: f64,
    /// Of all cores together.
    pub(crate) processor_seconds: f64,
    pub(crate) commits: BTreeMap<String, usize>,
}

/// One cell: a method with its settings on a set.
pub(crate) struct Cell<'a, S> {
    pub(crate) set: &'a str,
    pub(crate) method: &'a str,
    /// All that the result depends on beside set, method and seed.
    pub(crate) settings: &'a S,
    /// How many repeats a full run has.
    pub(crate) repeats: u64,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        experiment: &'static str,
        effort: Effort,
        journal: &'a mut Journal,
        data: &'a Data,
        commit: &'a str,
    ) -> Self {
        Self {
            experiment,
            effort,
            journal,
            data,
            commit,
            left_out: BTreeSet::new(),
            partial: Vec::new(),
            seconds: 0.0,
            processor_seconds: 0.0,
            commits: BTreeMap::new(),
        }
    }

    pub(crate) fn is_quick(&self) -> bool {
        self.effort == Effort::Quick
    }

    /// Whether nothing may be computed.
    pub(crate) fn is_recorded(&self) -> bool {
        self.effort == Effort::Recorded
    }

    pub(crate) fn data(&self) -> &'a Data {
        self.data
    }

    /// States something that the outcome lacks.
    pub(crate) fn leave_out(&mut self, what: impl Into<String>) {
        self.left_out.insert(what.into());
    }

    /// Of a list that a full run goes through whole, a quick one takes those at `quick`.
    pub(crate) fn some_of<T: Clone>(&self, all: &[T], quick: &[usize]) -> Vec<T> {
        match self.effort {
            Effort::Quick => quick.iter().filter_map(|&at| all.get(at).cloned()).collect(),
            _ => all.to_vec(),
        }
    }

    /// The mean of each measure over the repeats of a cell; a quick run makes one repeat.
    pub(crate) fn mean<S: Debug, const N: usize>(
        &mut self,
        cell: &Cell<'_, S>,
        work: impl Fn(&Data, u64) -> Result<[f64; N]>,
    ) -> Result<[Option<Mean>; N]> {
        let n_repeats = if self.is_quick() { 1 } else { cell.repeats };
        let mut found = Vec::new();
        for seed in 0..n_repeats {
            match self.repeat(cell, seed, &work)? {
                Some(values) => found.push(values),
                None if self.is_recorded() => {} // others may be there
                None => break,                   // a set that is absent stays so
            }
        }
        let n_failed = found.iter().filter(|values| values[0].is_nan()).count();
        if n_failed > 0 {
            let (n, method, set) = (found.len(), cell.method, cell.set);
            self.leave_out(format!("{method} on {set} gave up in {n_failed} of {n} repeats"));
        }
        if !found.is_empty() && (found.len() as u64) < cell.repeats && !self.is_quick() {
            let (n, all) = (found.len(), cell.repeats);
            self.partial.push(format!("{} on {}: {n} of {all}", cell.method, cell.set));
        }
        Ok(std::array::from_fn(|at| Mean::of(found.iter().map(|values| values[at]))))
    }

    /// One repeat, from the journal or computed now; none if its data is not at hand.
    fn repeat<S: Debug, const N: usize>(
        &mut self,
        cell: &Cell<'_, S>,
        seed: u64,
        work: impl Fn(&Data, u64) -> Result<[f64; N]>,
    ) -> Result<Option<[f64; N]>> {
        let key = Key {
            experiment: self.experiment.into(),
            set: cell.set.into(),
            method: cell.method.into(),
            settings: fingerprint(cell.settings),
            seed,
        };
        if let Some(entry) = self.journal.get(&key)
            && let Ok(values) = entry.values.clone().try_into()
        {
            self.seconds += entry.seconds;
            self.processor_seconds += entry.processor_seconds;
            *self.commits.entry(entry.commit.clone()).or_default() += 1;
            return Ok(Some(values));
        }
        if self.is_recorded() {
            return Ok(None);
        }
        let (start, computed) = (Instant::now(), machine::processor_seconds());
        let values = match work(self.data, seed) {
            Ok(values) => values,
            Err(Failure::NoData(why)) => {
                self.leave_out(why);
                return Ok(None);
            }
            Err(Failure::Core(why)) => {
                self.leave_out(format!("{} on {}: {why}", cell.method, cell.set));
                [f64::NAN; N]
            }
            Err(other) => return Err(other),
        };
        let seconds = start.elapsed().as_secs_f64();
        let processor_seconds = machine::processor_seconds() - computed;
        crate::tell(&format!(
            "{}  {}  {}  repeat {}  {seconds:.1} s",
            self.experiment,
            cell.set,
            cell.method,
            seed + 1
        ));
        self.seconds += seconds;
        self.processor_seconds += processor_seconds;
        *self.commits.entry(self.commit.to_string()).or_default() += 1;
        let commit = self.commit.to_string();
        let entry = Entry { values: values.to_vec(), seconds, processor_seconds, commit };
        self.journal.add(key, entry)?;
        Ok(Some(values))
    }

    pub(crate) fn finish(mut self) -> Account {
        if let Some(first) = self.partial.first() {
            let n = self.partial.len();
            self.left_out.insert(format!("{n} numbers are of fewer repeats ({first}, …)"));
        }
        Account {
            left_out: self.left_out.into_iter().collect(),
            seconds: self.seconds,
            processor_seconds: self.processor_seconds,
            commits: self.commits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell as Counter;

    const CELL: Cell<'static, &str> =
        Cell { set: "moons", method: "CMS", settings: &"default", repeats: 3 };

    /// Runs one cell; what it found, how often it computed, and what was left out.
    fn measure(
        folder: &tempfile::TempDir,
        effort: Effort,
        settings: &'static str,
        work: impl Fn(u64) -> Result<[f64; 1]>,
    ) -> (Option<Mean>, usize, Vec<String>) {
        let mut journal = Journal::open(&folder.path().join("repeats.tsv")).unwrap();
        let data = Data::at(folder.path().into());
        let mut run = Run::new("test", effort, &mut journal, &data, "abc");
        let n_computed = Counter::new(0);
        let counted = |_: &Data, seed| {
            n_computed.set(n_computed.get() + 1);
            work(seed)
        };
        let [mean] = run.mean(&Cell { settings: &settings, ..CELL }, counted).unwrap();
        (mean, n_computed.get(), run.finish().left_out)
    }

    #[test]
    fn what_is_done_is_not_computed_again_unless_the_settings_changed() {
        let folder = tempfile::tempdir().unwrap();
        let seeds = |seed| Ok([seed as f64]);
        // A quick run makes the first repeat, a full one the other two. Derived: (0 + 1 + 2) / 3 = 1.
        assert_eq!(measure(&folder, Effort::Quick, "a", seeds).1, 1);
        let (mean, n_computed, _) = measure(&folder, Effort::Full, "a", seeds);
        assert_eq!((mean.unwrap().mean, mean.unwrap().n, n_computed), (1.0, 3, 2));
        assert_eq!(measure(&folder, Effort::Full, "a", seeds).1, 0);
        assert_eq!(measure(&folder, Effort::Full, "b", seeds).1, 3);
    }

    #[test]
    fn a_document_computes_nothing_and_says_what_is_partial() {
        let folder = tempfile::tempdir().unwrap();
        let seeds = |seed| Ok([seed as f64]);
        assert_eq!(measure(&folder, Effort::Recorded, "a", seeds).1, 0);
        measure(&folder, Effort::Quick, "a", seeds);
        let (mean, n_computed, left_out) = measure(&folder, Effort::Recorded, "a", seeds);
        assert_eq!((mean.unwrap().n, n_computed), (1, 0));
        assert_eq!(left_out, ["1 numbers are of fewer repeats (CMS on moons: 1 of 3, …)"]);
    }

    #[test]
    fn absent_data_is_a_line_and_not_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let absent = |_| Err(Failure::NoData("no such set".into()));
        let (mean, n_computed, left_out) = measure(&folder, Effort::Full, "a", absent);
        assert_eq!((mean, n_computed, left_out), (None, 1, vec!["no such set".to_string()]));
    }

    #[test]
    fn a_method_that_gives_up_is_a_result() {
        let folder = tempfile::tempdir().unwrap();
        let refused = || Failure::Core(linkshift::Error::param("k", 0, "at least 1"));
        let first_fails = |seed| if seed == 0 { Err(refused()) } else { Ok([5.0]) };
        let (mean, _, left_out) = measure(&folder, Effort::Full, "a", first_fails);
        assert_eq!((mean.unwrap().mean, mean.unwrap().n), (5.0, 2));
        assert!(left_out.iter().any(|line| line.contains("gave up in 1 of 3")), "{left_out:?}");
        // It is not tried again.
        assert_eq!(measure(&folder, Effort::Full, "a", first_fails).1, 0);
    }
}
