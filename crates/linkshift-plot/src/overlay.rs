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

/// How long a dash is.
const DASH: f64 = 16.0;

/// How much wider than a line its white rim is.
const RIM: u32 = 4;

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

    /// Draws the links between the points' pixels; crosses last, so that no line hides one.
    pub(crate) fn draw(&self, area: &Area<'_>, pixels: &[(i32, i32)]) -> Result<(), PlotError> {
        let width = match self.shown.len() {
            0..=60 => 4,
            61..=300 => 3,
            _ => 1,
        };
        for &(link, broken) in &self.shown {
            let look = LinkLook { kind: link.kind, broken, width };
            look.draw_line(area, pixels[link.a], pixels[link.b])?;
        }
        for &(link, broken) in self.shown.iter().filter(|(_, broken)| *broken) {
            let look = LinkLook { kind: link.kind, broken, width };
            look.draw_cross(area, pixels[link.a], pixels[link.b])?;
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
    /// One link by itself, as in the legend.
    pub(crate) fn draw(
        &self,
        area: &Area<'_>,
        from: (i32, i32),
        to: (i32, i32),
    ) -> Result<(), PlotError> {
        self.draw_line(area, from, to)?;
        if self.broken { self.draw_cross(area, from, to) } else { Ok(()) }
    }

    fn line_width(&self) -> u32 {
        if self.broken { self.width + 2 } else { self.width }
    }

    fn draw_line(
        &self,
        area: &Area<'_>,
        from: (i32, i32),
        to: (i32, i32),
    ) -> Result<(), PlotError> {
        let width = self.line_width();
        // A white rim parts a few links from the points below; many would whiten the picture.
        if self.width > 1 {
            line(area, from, to, PAPER, width + RIM)?;
        }
        match self.kind {
            LinkKind::Must => line(area, from, to, MUST, width),
            LinkKind::Cannot => dashes(from, to)
                .into_iter()
                .try_for_each(|(from, to)| line(area, from, to, CANNOT, width)),
        }
    }

    fn draw_cross(
        &self,
        area: &Area<'_>,
        from: (i32, i32),
        to: (i32, i32),
    ) -> Result<(), PlotError> {
        let middle = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
        let arm = 4 + 2 * self.width as i32;
        let width = self.line_width();
        diagonal_cross(area, middle, arm + 2, PAPER, width + RIM)?;
        diagonal_cross(area, middle, arm, INK, width)
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

/// Dashes with gaps of two thirds of their length, beginning and ending with a dash.
fn dashes(from: (i32, i32), to: (i32, i32)) -> Vec<Segment> {
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let n_gaps = ((dx.hypot(dy) - DASH) / (DASH * 5.0 / 3.0)).round().max(0.0);
    // A dash is 3 parts, a gap 2; n gaps between n + 1 dashes fill the line.
    let n_parts = 5.0 * n_gaps + 3.0;
    let at = |part: f64| {
        let share = part / n_parts;
        (from.0 + (dx * share).round() as i32, from.1 + (dy * share).round() as i32)
    };
    let starts = (0..=n_gaps as u32).map(|dash| 5.0 * f64::from(dash));
    starts.map(|start| (at(start), at(start + 3.0))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_begin_and_end_at_the_points() {
        // 3 · 16 + 2 · 32/3 = 69.3, so 69 pixels are three dashes.
        let segments = dashes((0, 0), (69, 0));
        assert_eq!(segments.len(), 3);
        assert_eq!((segments[0].0, segments[2].1), ((0, 0), (69, 0)));
        assert_eq!(dashes((5, 5), (5, 5)), [((5, 5), (5, 5))]);
    }

    fn overlay(links: &[Link], broken: &[Link]) -> Overlay {
        let axis_names = [String::new(), String::new()];
        let (title, xy, modes) = (String::new(), vec![], vec![]);
        Overlay::new(&Scatter { title, xy, labels: &[], links, broken, modes, axis_names })
    }

    #[test]
    fn a_broken_link_is_counted_once_whichever_way_round_it_is_given() {
        let overlay = overlay(&[Link::must(0, 1), Link::must(1, 2)], &[Link::must(2, 1)]);
        assert_eq!(overlay.n_links(), 2);
        assert_eq!(overlay.count(LinkKind::Must, false), 1);
        assert_eq!(overlay.count(LinkKind::Must, true), 1);
    }

    #[test]
    fn a_sample_has_all_broken_links_and_both_kinds() {
        // Kinds alternate: a stride over the list as it is could miss one of them altogether.
        let link = |a: usize| {
            if a.is_multiple_of(2) { Link::must(a, a + 1) } else { Link::cannot(a, a + 1) }
        };
        let links: Vec<Link> = (0..20_000).map(link).collect();
        let overlay = overlay(&links, &links[..30]);
        let shown = |kind, broken| {
            overlay.shown.iter().filter(|shown| (shown.0.kind, shown.1) == (kind, broken)).count()
        };
        assert_eq!(overlay.shown.len(), MOST_LINKS);
        assert_eq!((shown(LinkKind::Must, true), shown(LinkKind::Cannot, true)), (15, 15));
        // The other 970 are half of each kind, as the 19,970 kept links are.
        assert_eq!((shown(LinkKind::Must, false), shown(LinkKind::Cannot, false)), (485, 485));
    }
}
