//! Picture files, many at a time.

use super::picture::Picture;
use super::{N_FEATURES, features};
use crate::error::{FeatureError, PictureProblem, Result};
use linkshift::params::Named;
use linkshift::{Points, Real};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// What becomes of pictures that cannot be used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Broken {
    /// The first one is an error.
    #[default]
    Error,
    /// They are left out, and listed.
    Skip,
}

impl Named for Broken {
    const ALL: &'static [Self] = &[Broken::Error, Broken::Skip];

    fn name(self) -> &'static str {
        match self {
            Broken::Error => "error",
            Broken::Skip => "skip",
        }
    }
}

/// Points made of pictures.
#[derive(Debug, Clone, PartialEq)]
pub struct PicturePoints<T: Real> {
    /// A row for each picture that can be used.
    pub points: Points<'static, T>,
    /// Which of the given files each row is.
    pub rows: Vec<usize>,
    /// Those that were left out.
    pub broken: Vec<BrokenPicture>,
}

/// A picture that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenPicture {
    /// Which of the given files it is, from 0.
    pub row: usize,
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: PictureProblem,
}

/// The features of picture files, on all cores. Files are opened one per core, so memory holds no
/// more pictures than that.
pub fn read_pictures<T: Real, P: AsRef<Path> + Sync>(
    paths: &[P],
    broken: Broken,
) -> Result<PicturePoints<T>> {
    let read = |path: &P| -> Result<Vec<T>, PictureProblem> {
        let picture = Picture::read(path.as_ref())?;
        Ok(features(&picture).into_iter().map(T::of).collect())
    };
    let all: Vec<Result<Vec<T>, PictureProblem>> = paths.par_iter().map(read).collect();
    let mut values = Vec::with_capacity(all.len() * N_FEATURES);
    let (mut rows, mut left_out) = (Vec::new(), Vec::new());
    for (row, (features, path)) in all.into_iter().zip(paths).enumerate() {
        let path = path.as_ref().to_owned();
        match features {
            Ok(features) => {
                values.extend(features);
                rows.push(row);
            }
            Err(problem) if broken == Broken::Error => {
                return Err(FeatureError::Picture { row, path, problem });
            }
            Err(problem) => left_out.push(BrokenPicture { row, path, problem }),
        }
    }
    if rows.is_empty() {
        return Err(match left_out.into_iter().next() {
            Some(BrokenPicture { path, problem, .. }) => {
                FeatureError::NoPictures { n_pictures: paths.len(), path, problem }
            }
            None => FeatureError::Empty,
        });
    }
    Ok(PicturePoints { points: Points::new(values, N_FEATURES)?, rows, broken: left_out })
}
