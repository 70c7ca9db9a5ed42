//! A clustering as a panel of a picture.

use crate::failure::Result;
use linkshift::{Link, Points, Real};
use linkshift_io::{Output, Staged, write_beside};
use linkshift_plot::{Format, PlotError, Projection, Scatter};

/// Draws a picture in the format that the output's name says, and stages its file.
pub(crate) fn stage(
    staged: &mut Staged,
    output: &Output,
    draw: impl FnOnce(Format) -> Result<Vec<u8>, PlotError>,
) -> Result<()> {
    let picture = draw(Format::of(output.path())?)?;
    Ok(staged.add(output, |path| write_beside(path, |file| file.write_all(&picture)))?)
}

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
}

impl<'a, T: Real> Panel<'a, T> {
    /// The panel in the plane.
    pub(crate) fn project(&self) -> Result<Scatter<'a>> {
        let projection = Projection::fit(self.points)?;
        Ok(Scatter {
            title: self.title.clone(),
            xy: projection.apply(self.points)?,
            labels: self.labels,
            links: self.links,
            broken: self.broken,
            suspicious: &[],
            modes: self.centers.map_or(Ok(Vec::new()), |centers| projection.apply(centers))?,
            mode_name: self.center_name,
            axis_names: projection.axis_names(self.columns),
        })
    }
}
