//! The places of points on the map: at once by principal components, later by their neighbours.

use crate::app::App;
use crate::error;
use crate::jobs;
use linkshift::{Points, Result};
use linkshift_plot::{Projection, neighbor_map};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

/// From so many rows on, slow work waits for the first page.
const MANY_ROWS: usize = 200_000;

/// It waits so long for one to come, and so long for it to draw.
const FOR_A_PAGE: Duration = Duration::from_secs(30);
const TO_DRAW: Duration = Duration::from_secs(8);

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

impl App {
    /// The map, as soon as there is one.
    pub(crate) fn map(&self) -> Option<(Map, u64)> {
        let mut inner = self.lock();
        while inner.map.is_none() && !self.is_stopped() {
            inner = self.wait(inner, Duration::from_millis(200));
        }
        inner.map.clone()
    }

    /// Finds the places of points: at once, and then better ones.
    pub(crate) fn draw_map(&self) -> error::Result<()> {
        let points = &self.data.points;
        self.show_map(Map::at_once(points)?);
        self.wait_for_page();
        if points.n_features() <= 2 || points.n_points() < 3 || self.is_stopped() {
            return Ok(());
        }
        if points.n_points() > linkshift_plot::MOST_LAID_OUT {
            let n = linkshift_plot::MOST_LAID_OUT;
            let text = format!(
                "the map by neighbours lays out about {n} points and puts every other one between its \
                 nearest of them; all points are drawn"
            );
            self.lock().notes.push(text);
        }
        while self.map_is_wanted() {
            self.cancel[jobs::MAP].store(false, SeqCst);
            match jobs::map(self)? {
                Some(map) => {
                    self.show_map(map);
                    break;
                }
                None => jobs::finish(self, jobs::MAP, None),
            }
        }
        Ok(())
    }

    /// Waits until the map by neighbours is wanted; `false` when the app is stopped.
    fn map_is_wanted(&self) -> bool {
        let mut inner = self.lock();
        while !std::mem::take(&mut inner.map_wanted) && !self.is_stopped() {
            inner = self.wait(inner, Duration::from_millis(500));
        }
        !self.is_stopped()
    }

    fn show_map(&self, map: Map) {
        let mut inner = self.lock();
        let revision = inner.map.as_ref().map_or(1, |map| map.1 + 1);
        inner.map = Some((map, revision));
        inner.jobs[jobs::MAP] = None;
        self.touch(&mut inner);
    }

    /// With many points slow work waits until a page has drawn them, or does not come.
    pub(crate) fn wait_for_page(&self) {
        if self.data.n_rows() < MANY_ROWS {
            return;
        }
        let is_drawn = || self.positions_sent.load(SeqCst);
        while !is_drawn() && !self.is_stopped() && self.started.elapsed() < FOR_A_PAGE {
            std::thread::sleep(Duration::from_millis(100));
        }
        let drawn = Instant::now();
        while is_drawn() && !self.is_stopped() && drawn.elapsed() < TO_DRAW {
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}
