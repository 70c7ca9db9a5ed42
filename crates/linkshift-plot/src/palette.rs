//! Colours and shapes: a cluster's look depends on its label alone, so that it keeps it from one
//! picture to the next.

use plotters::style::RGBColor;

pub(crate) const PAPER: RGBColor = RGBColor(255, 255, 255);
pub(crate) const INK: RGBColor = RGBColor(40, 40, 46);
pub(crate) const FAINT_INK: RGBColor = RGBColor(120, 120, 128);
pub(crate) const GRID: RGBColor = RGBColor(238, 238, 241);
pub(crate) const MUST: RGBColor = RGBColor(17, 138, 58);
pub(crate) const CANNOT: RGBColor = RGBColor(214, 24, 31);

/// What a point looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    Circle,
    Square,
    Triangle,
    Diamond,
    /// A triangle standing on its tip.
    Wedge,
}

/// Colour and shape of one cluster's points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Look {
    pub(crate) color: RGBColor,
    pub(crate) shape: Shape,
}

/// Noise, and points that were not clustered.
pub(crate) const NOISE: Look = Look { color: RGBColor(165, 165, 170), shape: Shape::Circle };

/// A dozen hues that stay apart for colour-blind eyes; none is the green or red of the links.
const HUES: [RGBColor; 12] = [
    RGBColor(0, 107, 176),   // blue
    RGBColor(238, 136, 34),  // orange
    RGBColor(118, 66, 160),  // violet
    RGBColor(84, 190, 228),  // sky
    RGBColor(130, 84, 48),   // brown
    RGBColor(228, 116, 178), // pink
    RGBColor(0, 148, 140),   // teal
    RGBColor(214, 178, 30),  // gold
    RGBColor(44, 44, 128),   // navy
    RGBColor(148, 152, 60),  // olive
    RGBColor(172, 158, 232), // lavender
    RGBColor(140, 20, 90),   // plum
];

/// Each round through the hues has its own shape and is mixed with black or white: 5 × 12 looks.
const ROUNDS: [(Shape, RGBColor, f64); 5] = [
    (Shape::Circle, PAPER, 0.0),
    (Shape::Square, INK, 0.35),
    (Shape::Triangle, PAPER, 0.3),
    (Shape::Diamond, INK, 0.2),
    (Shape::Wedge, PAPER, 0.45),
];

/// The look of a cluster; negative labels are noise.
pub(crate) fn look(label: i64) -> Look {
    let Ok(label) = usize::try_from(label) else { return NOISE };
    let (shape, toward, share) = ROUNDS[label / HUES.len() % ROUNDS.len()];
    Look { color: mixed(HUES[label % HUES.len()], toward, share), shape }
}

fn mixed(from: RGBColor, toward: RGBColor, share: f64) -> RGBColor {
    let mix = |a: u8, b: u8| (f64::from(a) * (1.0 - share) + f64::from(b) * share).round() as u8;
    RGBColor(mix(from.0, toward.0), mix(from.1, toward.1), mix(from.2, toward.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Euclidean distance in RGB; crude, but enough to catch two looks that fell together.
    fn apart(a: RGBColor, b: RGBColor) -> f64 {
        let sq = |a: u8, b: u8| (f64::from(a) - f64::from(b)).powi(2);
        (sq(a.0, b.0) + sq(a.1, b.1) + sq(a.2, b.2)).sqrt()
    }

    #[test]
    fn fifty_clusters_look_different() {
        for a in 0..50 {
            for b in 0..a {
                let (a, b) = (look(a), look(b));
                // 40 of 441 (black to white) is where neighbouring dots still read as two colours.
                assert!(a.shape != b.shape || apart(a.color, b.color) > 40.0, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn every_label_has_a_look() {
        assert_eq!(look(i64::MIN), NOISE);
        assert_eq!(look(-1), NOISE);
        assert_eq!(look(60), look(0));
        assert_ne!(look(i64::MAX), NOISE);
    }
}
