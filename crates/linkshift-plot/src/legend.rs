//! What the colours and lines mean, below each panel.

use crate::error::PlotError;
use crate::layout::TEXT_SIZE;
use crate::overlay::{LinkLook, Overlay};
use crate::palette::{INK, Look, NOISE, look};
use crate::{Area, Scatter, font, marks};
use linkshift::LinkKind;
use plotters::element::Text;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::collections::BTreeMap;

pub(crate) const ROW_HEIGHT: u32 = 42;

/// Clusters named one by one; the others are summed up.
const MOST_CLUSTERS: usize = 12;

const SYMBOL_WIDTH: u32 = 76;
const COLUMN_GAP: u32 = 36;

enum Symbol {
    Dot(Look),
    Link(LinkLook),
    Mode,
    Nothing,
}

struct Entry {
    symbol: Symbol,
    text: String,
}

/// Clusters first, everything else from a new row on.
pub(crate) struct Legend {
    groups: [Vec<Entry>; 2],
}

impl Legend {
    pub(crate) fn new(scatter: &Scatter<'_>, overlay: &Overlay) -> Self {
        Legend { groups: [cluster_entries(scatter), other_entries(scatter, overlay)] }
    }

    pub(crate) fn n_rows(&self, width: u32) -> u32 {
        let n_columns = self.columns(width).0;
        self.groups.iter().map(|group| group.len().div_ceil(n_columns) as u32).sum()
    }

    /// How many columns fit into a width, and how wide each is.
    fn columns(&self, width: u32) -> (usize, u32) {
        let texts = self.groups.iter().flatten().map(|entry| font::width(&entry.text, TEXT_SIZE));
        let column = SYMBOL_WIDTH + texts.max().unwrap_or(0) + COLUMN_GAP;
        // The last column needs no gap after it.
        (((width + COLUMN_GAP) / column).max(1) as usize, column)
    }

    pub(crate) fn draw(
        &self,
        area: &Area<'_>,
        corner: (u32, u32),
        width: u32,
    ) -> Result<(), PlotError> {
        let (n_columns, column_width) = self.columns(width);
        let style = font::style(TEXT_SIZE, &INK).pos(Pos::new(HPos::Left, VPos::Center));
        let mut first_row = 0;
        for group in &self.groups {
            for (index, entry) in group.iter().enumerate() {
                let row = first_row + index / n_columns;
                let x = (corner.0 + (index % n_columns) as u32 * column_width) as i32;
                let y = (corner.1 + row as u32 * ROW_HEIGHT + ROW_HEIGHT / 2) as i32;
                let end = x + SYMBOL_WIDTH as i32 - 12;
                let middle = ((x + end) / 2, y);
                match &entry.symbol {
                    Symbol::Dot(look) => marks::point(area, middle, 9, *look)?,
                    Symbol::Link(look) => look.draw(area, (x, y), (end, y))?,
                    Symbol::Mode => marks::mode(area, middle)?,
                    Symbol::Nothing => {}
                }
                let text_x = x + SYMBOL_WIDTH as i32;
                area.draw(&Text::new(entry.text.as_str(), (text_x, y), style.clone()))?;
            }
            first_row += group.len().div_ceil(n_columns);
        }
        Ok(())
    }
}

fn cluster_entries(scatter: &Scatter<'_>) -> Vec<Entry> {
    let mut sizes = BTreeMap::new();
    for &label in scatter.labels.iter().filter(|&&label| label >= 0) {
        *sizes.entry(label).or_insert(0) += 1;
    }
    let mut sizes: Vec<(i64, usize)> = sizes.into_iter().collect();
    // Stable: clusters of one size stay in the order of their labels.
    sizes.sort_by_key(|&(_, size)| std::cmp::Reverse(size));
    let n_named = if sizes.len() <= MOST_CLUSTERS + 1 { sizes.len() } else { MOST_CLUSTERS };
    let mut entries: Vec<Entry> = sizes[..n_named]
        .iter()
        .map(|&(label, size)| Entry {
            symbol: Symbol::Dot(look(label)),
            text: format!("cluster {label} ({})", font::count(size)),
        })
        .collect();
    if n_named < sizes.len() {
        let n_points = sizes[n_named..].iter().map(|&(_, size)| size).sum();
        let n_more = font::count(sizes.len() - n_named);
        let text = format!("+ {n_more} more ({})", font::count(n_points));
        entries.push(Entry { symbol: Symbol::Nothing, text });
    }
    entries
}

fn other_entries(scatter: &Scatter<'_>, overlay: &Overlay) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut add = |symbol, name: &str, n: usize| {
        if n > 0 {
            entries.push(Entry { symbol, text: format!("{name} ({})", font::count(n)) });
        }
    };
    if scatter.labels.is_empty() {
        add(Symbol::Dot(NOISE), "points", scatter.xy.len());
    }
    let n_noise = scatter.labels.iter().filter(|&&label| label < 0).count();
    add(Symbol::Dot(NOISE), "noise", n_noise);
    for (kind, broken, name) in [
        (LinkKind::Must, false, "must-link"),
        (LinkKind::Cannot, false, "cannot-link"),
        (LinkKind::Must, true, "broken must-link"),
        (LinkKind::Cannot, true, "broken cannot-link"),
    ] {
        let symbol = Symbol::Link(LinkLook { kind, broken, width: 4 });
        add(symbol, name, overlay.count(kind, broken));
    }
    add(Symbol::Mode, "mode", scatter.modes.len());
    let (n_shown, n_links) = (overlay.shown.len(), overlay.n_links());
    if n_shown < n_links {
        let text = format!("{} of {} links shown", font::count(n_shown), font::count(n_links));
        entries.push(Entry { symbol: Symbol::Nothing, text });
    }
    entries
}
