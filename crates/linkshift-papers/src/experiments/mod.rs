//! The experiments, one file each, by paper.

mod beyond;
mod boosted;
mod cms;
mod kernel;
mod kmeans;
mod spectral;

use crate::data::Data;
use crate::failure::{Failure, Result};
use crate::run::Run;
use crate::table::Table;
use linkshift::Link;
use linkshift_plot::MatrixPicture;

/// A paper.
pub(crate) struct Paper {
    pub(crate) name: &'static str,
    pub(crate) reference: &'static str,
}

/// One table or figure.
pub(crate) struct Experiment {
    pub(crate) name: &'static str,
    pub(crate) paper: &'static Paper,
    /// What it is about, in a line.
    pub(crate) what: &'static str,
    /// About how long a full run takes, on two cores.
    pub(crate) minutes: f64,
    pub(crate) run: fn(&mut Run<'_>) -> Result<Outcome>,
}

/// What an experiment comes to.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) tables: Vec<Table>,
    /// Beside the charts that are drawn of all tables.
    pub(crate) pictures: Vec<Picture>,
}

impl From<Vec<Table>> for Outcome {
    fn from(tables: Vec<Table>) -> Self {
        Self { tables, pictures: Vec::new() }
    }
}

impl Outcome {
    /// With a picture too, unless nothing may be computed or its data is not at hand.
    fn with_picture(
        mut self,
        run: &mut Run<'_>,
        draw: impl Fn(&Data) -> Result<Picture>,
    ) -> Result<Self> {
        if !run.is_recorded() {
            match draw(run.data()) {
                Ok(picture) => self.pictures.push(picture),
                Err(Failure::NoData(why)) => run.leave_out(why),
                Err(other) => return Err(other),
            }
        }
        Ok(self)
    }
}

/// A picture of what was clustered.
pub(crate) enum Picture {
    /// Points in the plane.
    Plane(Vec<Panel>),
    /// A number for each pair.
    Matrices(Vec<MatrixPicture>),
}

/// One clustering in the plane.
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) xy: Vec<[f64; 2]>,
    pub(crate) labels: Vec<i64>,
    pub(crate) links: Vec<Link>,
    pub(crate) modes: Vec<[f64; 2]>,
}

/// All of them, paper by paper.
pub(crate) const ALL: &[&Experiment] = &[
    &cms::table_1::EXPERIMENT,
    &cms::table_2::EXPERIMENT,
    &cms::images::EXPERIMENT,
    &cms::table_3::EXPERIMENT,
    &cms::table_4::EXPERIMENT,
    &cms::figure_4::EXPERIMENT,
    &cms::figure_6::EXPERIMENT,
    &kernel::figure_3::EXPERIMENT,
    &kernel::figure_4::EXPERIMENT,
    &kernel::figure_6::EXPERIMENT,
    &kernel::figure_8::EXPERIMENT,
    &kernel::figure_9::EXPERIMENT,
    &kmeans::figure_7::EXPERIMENT,
    &kmeans::figure_8::EXPERIMENT,
    &boosted::tables::EXPERIMENT,
    &boosted::figure_7::EXPERIMENT,
    &boosted::figure_8::EXPERIMENT,
    &spectral::figure_2::EXPERIMENT,
    &spectral::digits::EXPERIMENT,
    &beyond::all_sets::EXPERIMENT,
    &beyond::wrong_links::EXPERIMENT,
];
