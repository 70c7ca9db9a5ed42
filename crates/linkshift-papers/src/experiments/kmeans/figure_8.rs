//! Figures 8 and 9: the same curves on pictures, by the paper's 297 features of them.
//!
//! Its pictures, Caltech5 and SIMPLIcity10, are not to be had. Faces stand in for them, and pictures
//! that are drawn with the classes of the paper's Table I.

use super::PAPER;
use super::curves::curves;
use super::drawn;
use crate::data::{Data, Set};
use crate::experiments::{Experiment, Outcome};
use crate::failure::{Failure, Result};
use crate::run::Run;
use linkshift::pca::Pca;
use linkshift::{Points, Scaling};
use linkshift_features::pictures::{self, Picture};
use rayon::prelude::*;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "kmeans-figure-8",
    paper: &PAPER,
    what: "NMI by answers: pictures by 297 features (faces and drawn ones instead of Caltech5 and SIMPLIcity10)",
    minutes: 2.0,
    run,
};

/// Principal components that are kept; the paper's.
const N_COMPONENTS: usize = 50;

/// Faces by set, with width and height; their pixels are stored column by column.
const FACES: [(&str, usize, usize); 2] = [("pie10_21_55x44", 44, 55), ("orl_32x32", 32, 32)];

/// Drawn pictures by name, with how many of each class: Caltech5's and SIMPLIcity10's.
const DRAWN: [(&str, &[usize]); 2] =
    [("drawn, as Caltech5", &[76, 47, 53, 63, 86]), ("drawn, as SIMPLIcity10", &[100; 10])];

const NO_NUMBERS: &str =
    "the paper prints no numbers for these figures, and its pictures are not to be had.";

fn run(run: &mut Run<'_>) -> Result<Outcome> {
    let mut tables = Vec::new();
    for (name, width, height) in FACES {
        let title = format!("AMPCC, Figures 8 and 9 on faces: {name}, by answers");
        let mut table = curves(run, title, name, |data| {
            described(data, name, || faces(data, name, width, height))
        })?;
        table.deviation(NO_NUMBERS);
        table.deviation(
            "grey faces of one size, where the paper has photographs of things in colour.",
        );
        tables.push(table);
    }
    for (name, sizes) in run.some_of(&DRAWN, &[0]) {
        let title = format!("AMPCC, Figures 8 and 9 on pictures that are {name}, by answers");
        let mut table =
            curves(run, title, name, |data| described(data, name, || drawn::all(sizes)))?;
        table.deviation(NO_NUMBERS);
        table.deviation(
            "pictures are drawn by us, in classes of the paper's sizes with two looks each: what they \
             show is that the chain from pictures to curves works, not how hard photographs are.",
        );
        tables.push(table);
    }
    Ok(tables.into())
}

/// Pictures with their classes.
pub(super) type Album = (Vec<Picture>, Vec<i64>);

/// The features of pictures as the paper has them: each of mean 0 and deviation 1, then components.
fn described(data: &Data, name: &str, album: impl Fn() -> Result<Album>) -> Result<Set> {
    let set = data.made(&format!("{name}, described"), || {
        let (pictures, labels) = album()?;
        let rows: Vec<Vec<f64>> = pictures.par_iter().map(pictures::features).collect();
        let values: Vec<f32> = rows.iter().flatten().map(|&value| value as f32).collect();
        let points = Points::new(values, pictures::N_FEATURES)?;
        let set = Set { points, labels }.scaled(Scaling::ZScore)?;
        let points = Pca::fit(&set.points, N_COMPONENTS)?.apply(&set.points)?;
        Ok(Set { points, ..set })
    })?;
    Ok(Set::clone(&set))
}

fn faces(data: &Data, name: &str, width: usize, height: usize) -> Result<Album> {
    let set = data.set(name)?;
    let picture = |row: &[f32]| {
        Picture::from_fn(width, height, |x, y| [row[x * height + y] as u8; 3])
            .map_err(|why| Failure::NoData(format!("{name} is left out: {why}")))
    };
    let pictures = set.points.rows().map(picture).collect::<Result<_>>()?;
    Ok((pictures, set.labels.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_pictures_become_points_of_the_papers_columns_and_classes() {
        let data = Data::at("nowhere".into());
        let (name, sizes) = DRAWN[0];
        let set = described(&data, name, || drawn::all(sizes)).unwrap();
        // Outside: Table I of the paper has 325 rows, 50 columns and 5 classes.
        let shape = (set.points.n_points(), set.points.n_features(), set.n_classes());
        assert_eq!(shape, (325, 50, 5));
    }

    #[test]
    fn faces_that_are_absent_are_left_out_with_a_word() {
        let data = Data::at("nowhere".into());
        let why = faces(&data, "orl_32x32", 32, 32).unwrap_err();
        assert!(matches!(why, Failure::NoData(_)), "{why}");
    }
}
