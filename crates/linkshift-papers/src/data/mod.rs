//! The sets: those from outside by name, checked, and those that are drawn.

pub(crate) mod catalog;

use crate::failure::{Failure, Result};
use crate::journal::hex;
use linkshift::{Dataset, Points, Scaler, Scaling};
use linkshift_features::autoencoder::{AutoencoderParams, Training};
use linkshift_io::{ReadOptions, read_table};
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Points with their classes.
#[derive(Debug, Clone)]
pub(crate) struct Set {
    pub(crate) points: Points<'static, f32>,
    pub(crate) labels: Vec<i64>,
}

impl Set {
    /// A set that was drawn.
    pub(crate) fn drawn(set: &Dataset) -> Result<Self> {
        Ok(Self { points: set.cast()?, labels: set.labels.clone() })
    }

    pub(crate) fn select(&self, rows: &[usize]) -> Self {
        let labels = rows.iter().map(|&row| self.labels[row]).collect();
        Self { points: self.points.select(rows), labels }
    }

    /// `n` rows by seed, or all of them in another order if there are no more.
    pub(crate) fn sample(&self, n: usize, seed: u64) -> Self {
        let n_rows = self.labels.len();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        self.select(&index::sample(&mut rng, n_rows, n.min(n_rows)).into_vec())
    }

    pub(crate) fn scaled(&self, scaling: Scaling) -> Result<Self> {
        let points = Scaler::fit(&self.points, scaling).apply(&self.points)?;
        Ok(Self { points, labels: self.labels.clone() })
    }

    /// The points in double precision.
    pub(crate) fn wide(&self) -> Result<Points<'static, f64>> {
        let values: Vec<f64> = self.points.values().iter().map(|&value| value.into()).collect();
        Ok(Points::new(values, self.points.n_features())?)
    }

    pub(crate) fn n_classes(&self) -> usize {
        linkshift::scores::n_clusters(&self.labels)
    }

    /// The rows of a class.
    pub(crate) fn rows_of(&self, class: i64) -> Vec<usize> {
        (0..self.labels.len()).filter(|&row| self.labels[row] == class).collect()
    }
}

/// The folder of sets; each is read once.
pub(crate) struct Data {
    folder: PathBuf,
    read: RefCell<HashMap<String, Rc<Set>>>,
}

impl Data {
    /// `$LINKSHIFT_DATA`, or `shared/data` beside the repository.
    pub(crate) fn find() -> Self {
        let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
        Self::at(std::env::var_os("LINKSHIFT_DATA").map_or_else(|| beside.into(), PathBuf::from))
    }

    pub(crate) fn at(folder: PathBuf) -> Self {
        Self { folder, read: RefCell::default() }
    }

    /// A set by name. One that is absent or not the right file is [`Failure::NoData`].
    pub(crate) fn set(&self, name: &str) -> Result<Rc<Set>> {
        if let Some(set) = self.read.borrow().get(name) {
            return Ok(set.clone());
        }
        let of_pictures = self.folder.join(format!("{name}.parquet"));
        let path = match of_pictures.exists() {
            true => of_pictures,
            false => self.folder.join(format!("{name}.csv.gz")),
        };
        self.check(name, &path)?;
        let options = ReadOptions { label_column: Some("label".into()), ..ReadOptions::default() };
        let table = read_table::<f32>(&path, &options)?;
        let labels = table.labels.clone().unwrap_or_default();
        let set = Rc::new(Set { points: Points::new(table.values, table.n_features)?, labels });
        self.read.borrow_mut().insert(name.into(), set.clone());
        Ok(set)
    }

    /// What an autoencoder makes of a set; trained once.
    pub(crate) fn embedded(&self, name: &str, params: &AutoencoderParams) -> Result<Rc<Set>> {
        self.made(&format!("{name}, embedded"), || {
            let set = self.set(name)?;
            let mut training = Training::new(&set.points, params)?;
            while !training.is_done() {
                training.pass(&set.points, &mut |_| ControlFlow::Continue(()))?;
            }
            let points = training.encoder().apply(&set.points)?;
            Ok(Set { points, labels: set.labels.clone() })
        })
    }

    /// A set that takes long to make; made once.
    pub(crate) fn made(&self, name: &str, make: impl FnOnce() -> Result<Set>) -> Result<Rc<Set>> {
        if let Some(set) = self.read.borrow().get(name) {
            return Ok(set.clone());
        }
        let set = Rc::new(make()?);
        self.read.borrow_mut().insert(name.into(), set.clone());
        Ok(set)
    }

    fn check(&self, name: &str, path: &Path) -> Result<()> {
        let wanted = catalog::SETS.iter().find(|(set, _)| *set == name).map(|(_, sha)| *sha);
        let Ok(bytes) = std::fs::read(path) else {
            return Err(Failure::NoData(format!(
                "{name} is left out: there is no {name}.csv.gz in {} (LINKSHIFT_DATA names another \
                 folder; docs/data.md says where to get it)",
                self.folder.display()
            )));
        };
        let found = hex(&Sha256::digest(&bytes));
        match wanted {
            Some(wanted) if wanted == found => Ok(()),
            _ => Err(Failure::NoData(format!(
                "{name} is left out: {} has SHA-256 {found}, not the one in docs/data.md",
                path.display()
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_that_is_absent_says_where_to_get_it() {
        let folder = tempfile::tempdir().unwrap();
        let told = Data::at(folder.path().into()).set("iris").unwrap_err().to_string();
        assert!(told.contains("iris.csv.gz") && told.contains("docs/data.md"), "{told}");
    }

    #[test]
    fn another_file_of_the_same_name_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("iris.csv.gz"), "f0,label\n1,0\n").unwrap();
        let told = Data::at(folder.path().into()).set("iris").unwrap_err().to_string();
        assert!(told.contains("SHA-256"), "{told}");
    }

    #[test]
    fn the_document_names_every_set_with_its_fingerprint() {
        let document = include_str!("../../../../docs/data.md");
        for (name, sha) in catalog::SETS {
            assert!(document.contains(&format!("| `{name}` |")), "{name}");
            assert!(document.contains(sha), "{name}");
        }
    }
}
