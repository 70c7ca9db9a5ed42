//! The places of points on the map: at once by principal components, later by their neighbours.

use linkshift::{Points, Result};
use linkshift_plot::{Projection, neighbor_map};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Where points are drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Map {
    /// How the places were found: `columns`, `pca` or `neighbors`.
    pub(crate) kind: &'static str,
    /// x and y of each row.
    pub(crate) xy: Arc<Vec<f32>>,
    /// The share of the variance that is shown, where that has a meaning.
    pub(crate) explained: Option<f64>,
}

impl Map {
    /// Two columns as they are, one as a strip, more by their first two principal components.
    pub(crate) fn at_once(points: &Points<'_, f64>) -> Result<Self> {
        let projection = Projection::fit(points)?;
        let xy = projection.apply(points)?;
        let xy = xy.into_iter().flatten().map(|value| value as f32).collect();
        let kind = if points.n_features() > 2 { "pca" } else { "columns" };
        Ok(Self { kind, xy: Arc::new(xy), explained: projection.explained() })
    }

    /// Neighbours near each other; `None` if `watch` stopped it.
    pub(crate) fn by_neighbors(
        points: &Points<'_, f64>,
        seed: u64,
        watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Option<Self>> {
        let places = neighbor_map(points, seed, watch)?;
        Ok(places.map(|places| {
            let xy = places.into_iter().flatten().map(|value| value as f32).collect();
            Self { kind: "neighbors", xy: Arc::new(xy), explained: None }
        }))
    }
}
