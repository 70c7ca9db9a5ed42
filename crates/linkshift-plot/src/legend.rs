//! What the colours and lines mean, below each panel.

use crate::canvas::{Canvas, Side, Text};
use crate::layout::TEXT_SIZE;
use crate::overlay::{Fate, LinkLook, Overlay};
use crate::palette::{INK, Look, NOISE, look};
use crate::{Scatter, font, marks};
use linkshift::LinkKind;
use std::collections::BTreeMap;

pub(crate) const ROW_HEIGHT: u32 = 42;

/// Clusters named one by one; the others are summed up.
const MOST_CLUSTERS: usize = 12;

const SYMBOL_WIDTH: u32 = 108;
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
        let widest = texts.fold(0.0, f64::max).ceil() as u32;
        let column = SYMBOL_WIDTH + widest + COLUMN_GAP;
        // The last column needs no gap after it.
        (((width + COLUMN_GAP) / column).max(1) as usize, column)
    }

    pub(crate) fn draw(&self, canvas: &mut Canvas, corner: (u32, u32), width: u32) {
        let (n_columns, column_width) = self.columns(width);
        let mut first_row = 0;
        for group in &self.groups {
            for (index, entry) in group.iter().enumerate() {
                let row = first_row + index / n_columns;
                let x = f64::from(corner.0 + (index % n_columns) as u32 * column_width);
                let y = f64::from(corner.1 + row as u32 * ROW_HEIGHT + ROW_HEIGHT / 2);
                let end = x + f64::from(SYMBOL_WIDTH) - 12.0;
                let middle = ((x + end) / 2.0, y);
                match &entry.symbol {
                    Symbol::Dot(look) => marks::point(canvas, middle, 9.0, *look),
                    Symbol::Link(look) => look.draw(canvas, (x, y), (end, y)),
                    Symbol::Mode => marks::mode(canvas, middle),
                    Symbol::Nothing => {}
                }
                canvas.text(Text {
                    text: entry.text.clone(),
                    at: (
                        x + f64::from(SYMBOL_WIDTH),
                        y + f64::from(TEXT_SIZE) * font::CAPITAL / 2.0,
                    ),
                    side: Side::Left,
                    size: TEXT_SIZE,
                    color: INK,
                    upwards: false,
                });
            }
            first_row += group.len().div_ceil(n_columns);
        }
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
    for fate in Fate::ALL {
        for (kind, name) in [(LinkKind::Must, "must-link"), (LinkKind::Cannot, "cannot-link")] {
            let name = match fate {
                Fate::Kept => name.to_owned(),
                Fate::Suspicious => format!("suspicious {name}"),
                Fate::Broken => format!("broken {name}"),
            };
            let n_links = overlay.count(kind, fate);
            match overlay.n_drawn(fate) {
                0 => add(Symbol::Nothing, &format!("{name}, not drawn"), n_links),
                _ => add(
                    Symbol::Link(LinkLook { width: 3.0, ..overlay.look(kind, fate) }),
                    &name,
                    n_links,
                ),
            }
        }
    }
    let mode_name = if scatter.mode_name.is_empty() { "mode" } else { scatter.mode_name };
    add(Symbol::Mode, mode_name, scatter.modes.len());
    for (fate, name) in [(Fate::Suspicious, "suspicious"), (Fate::Broken, "broken")] {
        let (n_drawn, n_links) = (overlay.n_drawn(fate), overlay.n_links(fate));
        if n_drawn < n_links {
            let [n_drawn, n_links] = [n_drawn, n_links].map(font::count);
            let text = format!("{n_drawn} of {n_links} {name} links drawn");
            entries.push(Entry { symbol: Symbol::Nothing, text });
        }
    }
    entries
}
