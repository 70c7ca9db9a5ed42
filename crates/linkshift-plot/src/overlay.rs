//! The links over and under the points.
//!
//! What a picture of links must show is where they are not kept. Broken and suspicious links lie on
//! top, with a sign in their middle. Those that are kept lie on top as well while they are few, become
//! faint and lie under the points when they are more, and are left out, and only counted in the
//! legend, when they would hide the points.

use crate::Scatter;
use crate::canvas::{Canvas, Stroke, Xy};
use crate::marks;
use crate::palette::{BROKEN, Color, KEPT, PAPER, SUSPICIOUS};
use linkshift::{Link, LinkKind};
use std::collections::HashSet;

/// Up to so many kept links are drawn in full.
const MOST_PLAIN: usize = 60;

/// Up to so many are drawn faintly; more are left out.
const MOST_FAINT: usize = 300;

/// Most broken, and most suspicious, links that are drawn.
const MOST_MARKED: usize = 150;

/// How much wider than a line its white rim is.
const RIM: f64 = 4.0;

/// What became of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Kept,
    /// Kept, but it may be wrong.
    Suspicious,
    Broken,
}

impl Fate {
    /// From the bottom of the picture to its top.
    pub(crate) const ALL: [Fate; 3] = [Fate::Kept, Fate::Suspicious, Fate::Broken];

    fn color(self) -> Color {
        match self {
            Fate::Kept => KEPT,
            Fate::Suspicious => SUSPICIOUS,
            Fate::Broken => BROKEN,
        }
    }

    /// How many links are drawn of so many.
    fn most(self, n_links: usize) -> usize {
        match self {
            Fate::Kept if n_links > MOST_FAINT => 0,
            Fate::Kept => n_links,
            Fate::Suspicious | Fate::Broken => n_links.min(MOST_MARKED),
        }
    }
}

/// The links of one fate.
struct Group {
    fate: Fate,
    /// Must-links before cannot-links, so that a sample has its share of both.
    links: Vec<Link>,
}

/// The links of a panel.
pub(crate) struct Overlay {
    groups: [Group; 3],
}

impl Overlay {
    pub(crate) fn new(scatter: &Scatter<'_>) -> Self {
        let mut known = HashSet::new();
        // Each is drawn once, as the worst that is said of it.
        let mut group = |fate: Fate, links: &[Link]| {
            let pair = |link: &Link| (link.a.min(link.b), link.a.max(link.b), link.kind);
            let new = links.iter().copied().filter(|link| known.insert(pair(link)));
            let (mut must, cannot): (Vec<Link>, Vec<Link>) =
                new.partition(|link| link.kind == LinkKind::Must);
            must.extend(cannot);
            Group { fate, links: must }
        };
        let broken = group(Fate::Broken, scatter.broken);
        let suspicious = group(Fate::Suspicious, scatter.suspicious);
        let kept = group(Fate::Kept, scatter.links);
        Overlay { groups: [kept, suspicious, broken] }
    }

    fn group(&self, fate: Fate) -> &Group {
        &self.groups[fate as usize]
    }

    /// How many links of one kind and fate there are, drawn or not.
    pub(crate) fn count(&self, kind: LinkKind, fate: Fate) -> usize {
        self.group(fate).links.iter().filter(|link| link.kind == kind).count()
    }

    /// How many of all links of one fate are drawn.
    pub(crate) fn n_drawn(&self, fate: Fate) -> usize {
        fate.most(self.group(fate).links.len())
    }

    /// How many links of one fate there are.
    pub(crate) fn n_links(&self, fate: Fate) -> usize {
        self.group(fate).links.len()
    }

    /// What the links of one fate look like.
    pub(crate) fn look(&self, kind: LinkKind, fate: Fate) -> LinkLook {
        let few = self.n_links(fate) <= MOST_PLAIN;
        let (width, opacity) = match (fate, few) {
            (Fate::Kept, true) => (3.0, 1.0),
            (Fate::Kept, false) => (2.0, 0.3),
            (Fate::Suspicious | Fate::Broken, true) => (5.0, 1.0),
            (Fate::Suspicious | Fate::Broken, false) => (2.5, 0.75),
        };
        LinkLook { kind, fate, width, opacity }
    }

    /// Whether links of this fate lie under the points.
    fn is_under(&self, fate: Fate) -> bool {
        fate == Fate::Kept && self.n_links(fate) > MOST_PLAIN
    }

    /// Draws the links that lie under the points, between the points' pixels.
    pub(crate) fn draw_under(&self, canvas: &mut Canvas, pixels: &[Xy]) {
        self.draw(canvas, pixels, |fate| self.is_under(fate));
    }

    /// Draws the links that lie on top.
    pub(crate) fn draw_over(&self, canvas: &mut Canvas, pixels: &[Xy]) {
        self.draw(canvas, pixels, |fate| !self.is_under(fate));
    }

    /// Signs after all lines, so that no line hides one.
    fn draw(&self, canvas: &mut Canvas, pixels: &[Xy], is_chosen: impl Fn(Fate) -> bool) {
        let chosen = || self.groups.iter().filter(|group| is_chosen(group.fate));
        let looks = || {
            chosen().flat_map(|group| {
                let drawn = sample(&group.links, self.n_drawn(group.fate));
                drawn.into_iter().map(|link| (link, self.look(link.kind, group.fate)))
            })
        };
        for (link, look) in looks() {
            look.draw_line(canvas, pixels[link.a], pixels[link.b]);
        }
        for (link, look) in looks() {
            look.draw_sign(canvas, pixels[link.a], pixels[link.b]);
        }
    }
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
    pub(crate) fate: Fate,
    pub(crate) width: f64,
    pub(crate) opacity: f64,
}

impl LinkLook {
    /// One link by itself, as in the legend.
    pub(crate) fn draw(&self, canvas: &mut Canvas, from: Xy, to: Xy) {
        self.draw_line(canvas, from, to);
        self.draw_sign(canvas, from, to);
    }

    fn draw_line(&self, canvas: &mut Canvas, from: Xy, to: Xy) {
        let dashes = match self.kind {
            LinkKind::Must => None,
            LinkKind::Cannot => Some([4.0 * self.width, 3.0 * self.width]),
        };
        let opacity = self.opacity;
        // A white rim parts a few links from the points below; many would whiten the picture.
        if opacity == 1.0 {
            canvas.line(from, to, Stroke { opacity: 0.8, ..Stroke::new(PAPER, self.width + RIM) });
        }
        let stroke = Stroke { opacity, dashes, ..Stroke::new(self.fate.color(), self.width) };
        canvas.line(from, to, stroke);
    }

    fn draw_sign(&self, canvas: &mut Canvas, from: Xy, to: Xy) {
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let radius = 3.0 + 2.2 * self.width;
        match self.fate {
            Fate::Kept => {}
            Fate::Suspicious => marks::question(canvas, middle, radius, SUSPICIOUS),
            Fate::Broken => marks::cross(canvas, middle, radius, BROKEN),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlay(links: &[Link], suspicious: &[Link], broken: &[Link]) -> Overlay {
        Overlay::new(&Scatter { links, suspicious, broken, ..Scatter::default() })
    }

    #[test]
    fn a_link_is_counted_once_whichever_way_round_it_is_given() {
        let links = [Link::must(0, 1), Link::must(1, 2), Link::must(2, 3)];
        let overlay = overlay(&links, &[Link::must(3, 2), Link::must(1, 2)], &[Link::must(2, 1)]);
        assert_eq!(Fate::ALL.map(|fate| overlay.count(LinkKind::Must, fate)), [1, 1, 1]);
    }

    /// Kinds alternate: a stride over the list as it is could miss one of them altogether.
    fn many() -> Vec<Link> {
        let link = |a: usize| match a.is_multiple_of(2) {
            true => Link::must(a, a + 1),
            false => Link::cannot(a, a + 1),
        };
        (0..20_000).map(link).collect()
    }

    #[test]
    fn many_kept_links_are_left_out_and_broken_ones_are_not() {
        let links = many();
        let overlay = overlay(&links, &[], &links[..30]);
        assert_eq!(Fate::ALL.map(|fate| overlay.n_drawn(fate)), [0, 0, 30]);
        assert_eq!(overlay.n_links(Fate::Kept), 19_970);
    }

    #[test]
    fn a_sample_has_both_kinds() {
        let links = many();
        let overlay = overlay(&links, &[], &links);
        let shown = sample(&overlay.group(Fate::Broken).links, overlay.n_drawn(Fate::Broken));
        let n_must = shown.iter().filter(|link| link.kind == LinkKind::Must).count();
        assert_eq!((n_must, shown.len()), (MOST_MARKED / 2, MOST_MARKED));
    }
}
