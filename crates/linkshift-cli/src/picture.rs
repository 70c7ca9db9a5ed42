//! A clustering as a panel of a picture.

use crate::failure::Result;
use linkshift::{Link, Points, Real};
use linkshift_plot::{Projection, Scatter};

/// What a panel shows.
pub(crate) struct Panel<'a, T: Real> {
    pub(crate) title: String,
    pub(crate) points: &'a Points<'a, T>,
    pub(crate) columns: &'a [String],
    pub(crate) labels: &'a [i64],
    /// None if all is noise.
    pub(crate) centers: Option<&'a Points<'static, T>>,
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
            modes: self.centers.map_or(Ok(Vec::new()), |centers| projection.apply(centers))?,
            axis_names: projection.axis_names(self.columns),
        })
    }
}
