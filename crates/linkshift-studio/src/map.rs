//! The places of points on the map: at once by principal components, later by their neighbours.

use linkshift::{Points, Result};
use linkshift_plot::Projection;
use std::sync::Arc;

/// Where points are drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    /// How the places were found: `columns`, `pca` or `neighbors`.
    pub kind: &'static str,
    /// x and y of each row.
    pub xy: Arc<Vec<f32>>,
    /// The share of the variance that is shown, where that has a meaning.
    pub explained: Option<f64>,
}

impl Map {
    /// Two columns as they are, one as a strip, more by their first two principal components.
    pub fn at_once(points: &Points<'_, f64>) -> Result<Self> {
        let projection = Projection::fit(points)?;
        let xy = projection.apply(points)?;
        let xy = xy.into_iter().flatten().map(|value| value as f32).collect();
        let kind = if points.n_features() > 2 { "pca" } else { "columns" };
        Ok(Self { kind, xy: Arc::new(xy), explained: projection.explained() })
    }
}
