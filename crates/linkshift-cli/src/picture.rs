//! A clustering as a panel of a picture.

use crate::failure::{Failure, Result};
use crate::interrupt;
use linkshift::{Link, Points, Real};
use linkshift_io::{Output, Staged, write_beside};
use linkshift_plot::{Format, PlotError, Projection, Scatter, neighbor_map};
use std::ops::{ControlFlow, RangeInclusive};

/// Draws a picture in the format that the output's name says, and stages its file.
pub(crate) fn stage(
    staged: &mut Staged,
    output: &Output,
    draw: impl FnOnce(Format) -> Result<Vec<u8>, PlotError>,
) -> Result<()> {
    let picture = draw(Format::of(output.path())?)?;
    Ok(staged.add(output, |path| write_beside(path, |file| file.write_all(&picture)))?)
}

/// So many points are laid out by their neighbours: fewer have none to speak of, more take minutes.
const FEW_POINTS: RangeInclusive<usize> = 50..=20_000;

/// What a panel shows.
pub(crate) struct Panel<'a, T: Real> {
    pub(crate) title: String,
    pub(crate) points: &'a Points<'a, T>,
    pub(crate) columns: &'a [String],
    pub(crate) labels: &'a [i64],
    /// None if all is noise.
    pub(crate) centers: Option<&'a Points<'static, T>>,
    /// What they are.
    pub(crate) center_name: &'a str,
    pub(crate) links: &'a [Link],
    pub(crate) broken: &'a [Link],
    pub(crate) suspicious: &'a [Link],
}

impl<'a, T: Real> Panel<'a, T> {
    /// The panel as a map by neighbours, if there are more than two columns and not too many points; by
    /// components otherwise.
    pub(crate) fn map(&self, seed: u64) -> Result<Scatter<'a>> {
        let scatter = self.project()?;
        let n_points = self.points.n_points();
        if self.points.n_features() <= 2 || !FEW_POINTS.contains(&n_points) {
            return Ok(scatter);
        }
        let mut watch = |_: f64| match interrupt::asked() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let xy = neighbor_map(self.points, seed, &mut watch)?.ok_or(Failure::Cancelled)?;
        // Only points have neighbours: centers have no place on such a map.
        let title = format!("{}, map by neighbours", scatter.title);
        Ok(Scatter { title, xy, modes: Vec::new(), axis_names: Default::default(), ..scatter })
    }

    /// The panel in the plane.
    pub(crate) fn project(&self) -> Result<Scatter<'a>> {
        let projection = Projection::fit(self.points)?;
        Ok(Scatter {
            title: self.title.clone(),
            xy: projection.apply(self.points)?,
            labels: self.labels,
            links: self.links,
            broken: self.broken,
            suspicious: self.suspicious,
            modes: self.centers.map_or(Ok(Vec::new()), |centers| projection.apply(centers))?,
            mode_name: self.center_name,
            axis_names: projection.axis_names(self.columns),
        })
    }
}
