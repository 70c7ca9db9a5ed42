//! The links on top of the points.

use crate::error::PlotError;
use crate::palette::{CANNOT, INK, MUST, PAPER};
use crate::{Area, Scatter};
use linkshift::{Link, LinkKind};
use plotters::element::PathElement;
use plotters::style::{Color, RGBColor};
use std::collections::HashSet;

/// More lines than this only blacken the picture.
const MOST_LINKS: usize = 1_000;

/// The links of a panel, and which of them are drawn.
pub(crate) struct Overlay {
    /// The links to draw with whether they are broken; broken ones last, so on top.
    pub(crate) shown: Vec<(Link, bool)>,
    kept: Vec<Link>,
    broken: Vec<Link>,
}

impl Overlay {
    pub(crate) fn new(scatter: &Scatter<'_>) -> Self {
        let pair = |link: &Link| (link.a.min(link.b), link.a.max(link.b), link.kind);
        let in_broken: HashSet<_> = scatter.broken.iter().map(pair).collect();
        let kept = scatter.links.iter().filter(|link| !in_broken.contains(&pair(link)));
        let (kept, broken) = (by_kind(kept), by_kind(scatter.broken.iter()));
        let shown_broken = sample(&broken, MOST_LINKS);
        let shown_kept = sample(&kept, MOST_LINKS - shown_broken.len());
        let shown = shown_kept.into_iter().map(|link| (link, false));
        let shown = shown.chain(shown_broken.into_iter().map(|link| (link, true))).collect();
        Overlay { shown, kept, broken }
    }

    /// How many links there are, drawn or not.
    pub(crate) fn n_links(&self) -> usize {
        self.kept.len() + self.broken.len()
    }

    /// How many links of one kind are broken, or kept.
    pub(crate) fn count(&self, kind: LinkKind, broken: bool) -> usize {
        let links = if broken { &self.broken } else { &self.kept };
        links.iter().filter(|link| link.kind == kind).count()
    }

    /// Draws the links between the points' pixels.
    pub(crate) fn draw(&self, area: &Area<'_>, pixels: &[(i32, i32)]) -> Result<(), PlotError> {
        let width = match self.shown.len() {
            0..=60 => 4,
            61..=300 => 3,
            _ => 2,
        };
        for &(link, broken) in &self.shown {
            let look = LinkLook { kind: link.kind, broken, width };
            look.draw(area, pixels[link.a], pixels[link.b])?;
        }
        Ok(())
    }
}

/// Must-links before cannot-links, so that a sample has its share of both.
fn by_kind<'a>(links: impl Iterator<Item = &'a Link>) -> Vec<Link> {
    let (mut must, cannot): (Vec<Link>, Vec<Link>) =
        links.partition(|link| link.kind == LinkKind::Must);
    must.extend(cannot);
    must
}

/// At most `most` links at equal strides.
fn sample(links: &[Link], most: usize) -> Vec<Link> {
    let n = links.len().min(most);
    (0..n).map(|index| links[index * links.len() / n]).collect()
}

/// What a link looks like.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinkLook {
    pub(crate) kind: LinkKind,
    pub(crate) broken: bool,
    /// Of a kept link's line; a broken one's is heavier.
    pub(crate) width: u32,
}

impl LinkLook {
    pub(crate) fn draw(
        &self,
        area: &Area<'_>,
        from: (i32, i32),
        to: (i32, i32),
    ) -> Result<(), PlotError> {
        let width = if self.broken { self.width + 2 } else { self.width };
        // A white rim parts a few links from the points below; many would whiten the picture.
        if self.width > 2 {
            line(area, from, to, PAPER, width + 4)?;
        }
        match self.kind {
            LinkKind::Must => line(area, from, to, MUST, width)?,
            LinkKind::Cannot => {
                for (from, to) in dashes(from, to, 4.0 * f64::from(self.width.max(3))) {
                    line(area, from, to, CANNOT, width)?;
                }
            }
        }
        if self.broken {
            let middle = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
            let arm = 4 + 2 * self.width as i32;
            diagonal_cross(area, middle, arm + 2, PAPER, width + 4)?;
            diagonal_cross(area, middle, arm, INK, width)?;
        }
        Ok(())
    }
}

fn line(
    area: &Area<'_>,
    from: (i32, i32),
    to: (i32, i32),
    color: RGBColor,
    width: u32,
) -> Result<(), PlotError> {
    area.draw(&PathElement::new([from, to], color.stroke_width(width)))?;
    Ok(())
}

fn diagonal_cross(
    area: &Area<'_>,
    (x, y): (i32, i32),
    arm: i32,
    color: RGBColor,
    width: u32,
) -> Result<(), PlotError> {
    line(area, (x - arm, y - arm), (x + arm, y + arm), color, width)?;
    line(area, (x - arm, y + arm), (x + arm, y - arm), color, width)
}

type Segment = ((i32, i32), (i32, i32));

/// Dashes of about `length` with gaps of two thirds of that, beginning and ending with a dash.
fn dashes(from: (i32, i32), to: (i32, i32), length: f64) -> Vec<Segment> {
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let n_gaps = ((dx.hypot(dy) - length) / (length * 5.0 / 3.0)).round().max(0.0);
    // n gaps and n + 1 dashes, with a gap as 2 and a dash as 3, fill the line.
    let whole = 5.0 * n_gaps + 3.0;
    let at = |units: f64| {
        let share = units / whole;
        (from.0 + (dx * share).round() as i32, from.1 + (dy * share).round() as i32)
    };
    (0..=n_gaps as u32)
        .map(|dash| 5.0 * f64::from(dash))
        .map(|start| (at(start), at(start + 3.0)))
        .collect()
}
