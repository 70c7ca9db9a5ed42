//! Which part of the plane a panel shows, and how its numbers are written.

use crate::Scatter;
use std::ops::Range;

/// Empty border on each side, as a share of what is shown.
const PADDING: f64 = 0.04;

/// Spans below this share of the coordinates drown in rounding: such points count as one place.
const SMALLEST_SHARE: f64 = 1e-9;

/// Spans below this have squares that vanish.
const SMALLEST_SPAN: f64 = 1e-150;

/// The box around points and modes, as centre and span along both axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Extent {
    centre: [f64; 2],
    span: [f64; 2],
}

impl Extent {
    pub(crate) fn of(scatter: &Scatter<'_>) -> Self {
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for xy in scatter.xy.iter().chain(&scatter.modes) {
            for axis in 0..2 {
                low[axis] = low[axis].min(xy[axis]);
                high[axis] = high[axis].max(xy[axis]);
            }
        }
        if low[0] > high[0] {
            return Extent { centre: [0.5; 2], span: [1.0; 2] };
        }
        let mut span = [high[0] - low[0], high[1] - low[1]];
        let largest = low.iter().chain(&high).fold(0.0_f64, |most, value| most.max(value.abs()));
        if span[0].max(span[1]) < SMALLEST_SPAN.max(SMALLEST_SHARE * largest) {
            span = [(largest * 1e-3).max(1.0); 2];
        }
        Extent { centre: [low[0] / 2.0 + high[0] / 2.0, low[1] / 2.0 + high[1] / 2.0], span }
    }

    /// Height over width.
    pub(crate) fn aspect(&self) -> f64 {
        self.span[1] / self.span[0]
    }

    /// The ranges of both axes in a frame of so many pixels: one unit is equally long on both, so
    /// that shapes are not distorted.
    pub(crate) fn ranges(&self, width: u32, height: u32) -> [Range<f64>; 2] {
        let pixels = [f64::from(width), f64::from(height)];
        let unit = (self.span[0] / pixels[0]).max(self.span[1] / pixels[1]);
        [0, 1].map(|axis| {
            let half = unit * pixels[axis] * (0.5 + PADDING);
            self.centre[axis] - half..self.centre[axis] + half
        })
    }
}

/// A number beside an axis that shows `range`: as many digits as tell neighbouring ones apart.
pub(crate) fn tick_text(value: f64, range: &Range<f64>) -> String {
    // An axis has at most some fifteen numbers, so that their steps are above a twentieth of it.
    let step = (range.end - range.start) / 20.0;
    if value.abs() < step {
        return "0".to_string();
    }
    let largest = range.start.abs().max(range.end.abs());
    // Steps may be 25 or 0.25, hence one digit more than the step's own size asks for.
    let decimals = |step: f64| (1.0 - step.log10().floor()).clamp(0.0, 12.0) as usize;
    if (1e-3..1e6).contains(&largest) {
        return trimmed(&format!("{value:.*}", decimals(step)));
    }
    let text = format!("{value:.*e}", decimals(step / largest));
    match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{}e{exponent}", trimmed(mantissa)),
        None => text,
    }
}

/// Without zeros at the end of a fraction: 0.50 is 0.5.
fn trimmed(text: &str) -> String {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_tell_them_apart() {
        let texts = |values: [f64; 3], range| values.map(|value| tick_text(value, &range));
        assert_eq!(texts([-0.5, 0.1 + 0.2 - 0.3, 0.25], -1.0..2.0), ["-0.5", "0", "0.25"]);
        assert_eq!(texts([10.0, 20.0, 100.0], 0.0..110.0), ["10", "20", "100"]);
        assert_eq!(texts([1e16, 1.0005e16, 2e7], 0.9995e16..1.001e16), ["1e16", "1.0005e16", "0"]);
        assert_eq!(texts([1e-7, 1.5e-7, -2e-7], -2e-7..2e-7), ["1e-7", "1.5e-7", "-2e-7"]);
    }

    fn extent(xy: Vec<[f64; 2]>) -> Extent {
        Extent::of(&Scatter { xy, ..Scatter::default() })
    }

    #[test]
    fn a_unit_is_equally_long_on_both_axes() {
        let [x, y] = extent(vec![[0.0, 0.0], [4.0, 1.0]]).ranges(800, 400);
        // 4 units over 800 pixels need 0.005 per pixel, 1 over 400 only half of that; the larger
        // holds on both axes, and a border of 4 % comes on either side: 4 · 1.08 and 2 · 1.08.
        assert!((x.end - x.start - 4.32).abs() < 1e-12);
        assert!((y.end - y.start - 2.16).abs() < 1e-12);
    }

    #[test]
    fn points_in_one_place_still_have_room_around_them() {
        for place in [0.0, 7.0, -1e16, 1e150, 1e-300] {
            let [x, y] = extent(vec![[place, place]; 3]).ranges(800, 400);
            assert!(x.start < place && place < x.end && y.start < place && place < y.end);
        }
        assert!(extent(vec![]).aspect().is_finite());
    }
}
