//! The frame of a panel: where numbers lie in it, its grid, and what stands beside it.

use crate::canvas::{Canvas, Side, Stroke, Text, Xy};
use crate::font;
use crate::layout::{TEXT_SIZE, TITLE_SIZE, X_LABELS, Y_LABELS};
use crate::palette::{FAINT_INK, GRID, INK};
use crate::range::tick_text;
use std::ops::Range;

/// The size of numbers beside an axis.
pub(crate) const NUMBER_SIZE: u32 = TEXT_SIZE - 2;

const TICK: f64 = 8.0;

/// A rectangle of the picture and the part of the plane that it shows.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// Its upper left corner.
    pub(crate) corner: Xy,
    /// Its width and height.
    pub(crate) size: Xy,
    pub(crate) x: Range<f64>,
    pub(crate) y: Range<f64>,
}

impl Frame {
    /// Where a place of the plane is in the picture.
    pub(crate) fn pixel(&self, [x, y]: [f64; 2]) -> Xy {
        let share = |value: f64, range: &Range<f64>| {
            // Halves, because the span of huge numbers of either sign could overflow.
            (value / 2.0 - range.start / 2.0) / (range.end / 2.0 - range.start / 2.0)
        };
        (
            self.corner.0 + self.size.0 * share(x, &self.x),
            self.corner.1 + self.size.1 * (1.0 - share(y, &self.y)),
        )
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.corner.1 + self.size.1
    }

    fn middle(&self) -> Xy {
        (self.corner.0 + self.size.0 / 2.0, self.corner.1 + self.size.1 / 2.0)
    }

    pub(crate) fn draw_title(&self, canvas: &mut Canvas, title: &str) {
        canvas.text(Text {
            text: font::fit(title, TITLE_SIZE, self.size.0),
            at: (self.middle().0, self.corner.1 - 24.0),
            side: Side::Middle,
            size: TITLE_SIZE,
            color: INK,
            upwards: false,
        });
    }

    /// Grid, numbers and names; an axis without a number of ticks is a mere line.
    pub(crate) fn draw_axes(&self, canvas: &mut Canvas, names: [&str; 2], n_ticks: [usize; 2]) {
        let (left, right) = (self.corner.0, self.corner.0 + self.size.0);
        let (top, bottom) = (self.corner.1, self.bottom());
        let (grid, axis) = (Stroke::new(GRID, 2.0), Stroke::new(FAINT_INK, 2.0));
        let number = |text, at, side| {
            let (size, color) = (NUMBER_SIZE, FAINT_INK);
            Text { text, at, side, size, color, upwards: false }
        };
        for tick in ticks(&self.x, n_ticks[0]) {
            let x = self.pixel([tick, self.y.start]).0;
            canvas.line((x, top), (x, bottom), grid);
            canvas.line((x, bottom), (x, bottom + TICK), axis);
            let at = (x, bottom + TICK + 4.0 + f64::from(NUMBER_SIZE) * 0.9);
            canvas.text(number(tick_text(tick, &self.x), at, Side::Middle));
        }
        for tick in ticks(&self.y, n_ticks[1]) {
            let y = self.pixel([self.x.start, tick]).1;
            canvas.line((left, y), (right, y), grid);
            canvas.line((left - TICK, y), (left, y), axis);
            let at = (left - TICK - 6.0, y + f64::from(NUMBER_SIZE) * font::CAPITAL / 2.0);
            canvas.text(number(tick_text(tick, &self.y), at, Side::Right));
        }
        canvas.line((left, top), (left, bottom), axis);
        canvas.line((left, bottom), (right, bottom), axis);
        let name = |text, at, upwards| {
            let (side, size, color) = (Side::Middle, TEXT_SIZE, INK);
            Text { text, at, side, size, color, upwards }
        };
        let x_name = font::fit(names[0], TEXT_SIZE, self.size.0);
        let at = (self.middle().0, bottom + f64::from(X_LABELS) - 6.0);
        canvas.text(name(x_name, at, false));
        let y_name = font::fit(names[1], TEXT_SIZE, self.size.1);
        let at = (left - f64::from(Y_LABELS) + f64::from(TEXT_SIZE) * 0.8, self.middle().1);
        canvas.text(name(y_name, at, true));
    }
}

/// Round numbers in a range, at most about so many.
fn ticks(range: &Range<f64>, most: usize) -> Vec<f64> {
    if most == 0 {
        return Vec::new();
    }
    let least = (range.end / 2.0 - range.start / 2.0) * 2.0 / most as f64;
    let power = 10.0_f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| *step >= least).unwrap_or(10.0 * power);
    let first = (range.start / step).ceil();
    // Counted, not added up: beside a large number a step may be too small to be added.
    let all = (0..=most).map(|n| (first + n as f64) * step);
    let mut ticks: Vec<f64> = all.filter(|tick| tick.is_finite() && *tick <= range.end).collect();
    ticks.dedup();
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_within_the_range() {
        // At most 5 over 3.2 are at least 0.64 apart: the next round step is 1.
        assert_eq!(ticks(&(-1.1..2.1), 5), [-1.0, 0.0, 1.0, 2.0]);
        assert_eq!(ticks(&(0.0..100.0), 4), [0.0, 25.0, 50.0, 75.0, 100.0]);
        assert_eq!(ticks(&(0.0..1.0), 0), [0.0; 0]);
        for range in [-1e150..1e150, 1e16..1e16 + 4.0, 1e-150..3e-150, -1e308..1e308] {
            let ticks = ticks(&range, 10);
            assert!(
                ticks.len() <= 11 && ticks.iter().all(|t| t.is_finite()),
                "{range:?}: {ticks:?}"
            );
        }
    }

    #[test]
    fn places_are_turned_upside_down() {
        let frame = Frame { corner: (10.0, 20.0), size: (100.0, 50.0), x: 0.0..1.0, y: 0.0..2.0 };
        assert_eq!(frame.pixel([0.0, 2.0]), (10.0, 20.0));
        assert_eq!(frame.pixel([1.0, 0.0]), (110.0, 70.0));
    }
}
