//! Colours and shapes, the one place that knows them: every door and every picture takes them here.
//!
//! A cluster's look depends on its label alone, so that it keeps it from one picture to the next.
//! Links are told apart by their lines, not by colours, which belong to the clusters: must-links
//! are whole, cannot-links dashed. Red is for what is broken, and for nothing else.

use linkshift::params::Named;

/// Red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Color(pub u8, pub u8, pub u8);

impl Color {
    /// As web pages write it: `#005fc9`.
    pub fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }

    /// Some of the way to another colour.
    pub(crate) fn mixed(self, toward: Color, share: f64) -> Color {
        let mix =
            |a: u8, b: u8| (f64::from(a) * (1.0 - share) + f64::from(b) * share).round() as u8;
        Color(mix(self.0, toward.0), mix(self.1, toward.1), mix(self.2, toward.2))
    }
}

/// What everything is drawn on.
pub const PAPER: Color = Color(255, 255, 255);
/// Text, modes, and links that are kept.
pub const INK: Color = Color(40, 40, 46);
/// Axes and their numbers.
pub const FAINT_INK: Color = Color(120, 120, 128);
/// Lines behind the points.
pub const GRID: Color = Color(238, 238, 241);
/// Links that are kept.
pub const KEPT: Color = INK;
/// Links that the labels do not keep.
pub const BROKEN: Color = Color(214, 24, 31);
/// Links that are kept but may be wrong.
pub const SUSPICIOUS: Color = Color(178, 94, 0);
/// Matrices run from paper over this to ink.
pub const MATRIX_MIDDLE: Color = Color(58, 124, 201);

/// The shape of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// ●
    Circle,
    /// ■
    Square,
    /// ▲
    Triangle,
    /// ◆
    Diamond,
    /// A triangle standing on its tip.
    Wedge,
}

impl Named for Shape {
    const ALL: &'static [Self] =
        &[Shape::Circle, Shape::Square, Shape::Triangle, Shape::Diamond, Shape::Wedge];

    fn name(self) -> &'static str {
        match self {
            Shape::Circle => "circle",
            Shape::Square => "square",
            Shape::Triangle => "triangle",
            Shape::Diamond => "diamond",
            Shape::Wedge => "wedge",
        }
    }
}

/// Colour and shape of one cluster's points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Look {
    /// Its colour.
    pub color: Color,
    /// Its shape.
    pub shape: Shape,
}

/// Noise, and points that were not clustered.
pub const NOISE: Look = Look { color: Color(165, 165, 170), shape: Shape::Circle };

/// A dozen hues, none near the red of broken links. They were searched for so that any two stay
/// apart in normal sight and in all three kinds of colour blindness, as the test below measures.
/// Later rounds are not held to that: there the shape has to help.
pub const HUES: [Color; 12] = [
    Color(0, 95, 201),    // blue
    Color(232, 123, 34),  // orange
    Color(123, 76, 154),  // violet
    Color(85, 230, 215),  // aqua
    Color(126, 82, 42),   // brown
    Color(209, 119, 192), // pink
    Color(19, 174, 144),  // teal
    Color(224, 204, 20),  // gold
    Color(44, 36, 132),   // navy
    Color(151, 149, 80),  // olive
    Color(169, 151, 254), // lavender
    Color(143, 19, 92),   // plum
];

/// Each round through the hues has its own shape and is mixed with black or white: 5 × 12 looks.
const ROUNDS: [(Shape, Color, f64); 5] = [
    (Shape::Circle, PAPER, 0.0),
    (Shape::Square, INK, 0.35),
    (Shape::Triangle, PAPER, 0.3),
    (Shape::Diamond, INK, 0.2),
    (Shape::Wedge, PAPER, 0.45),
];

/// The look of a cluster; negative labels are noise.
pub fn look(label: i64) -> Look {
    let Ok(label) = usize::try_from(label) else { return NOISE };
    let (shape, toward, share) = ROUNDS[label / HUES.len() % ROUNDS.len()];
    Look { color: HUES[label % HUES.len()].mixed(toward, share), shape }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Matrix = [[f64; 3]; 3];

    /// How linear RGB appears to an eye; the last three from Machado, Oliveira & Fernandes,
    /// "A physiologically-based model for simulation of color vision deficiency" (2009), severity 1.
    const EYES: [(&str, Matrix); 4] = [
        ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protan",
            [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
        ),
        (
            "deutan",
            [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
        ),
        (
            "tritan",
            [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ],
        ),
    ];

    /// Linear sRGB to XYZ, each row divided by the white point D65.
    const XYZ_OVER_WHITE: Matrix = [
        [0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883],
    ];

    fn times(matrix: &Matrix, v: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
    }

    /// The colour in CIE L*a*b* as an eye sees it.
    fn seen(color: Color, eye: &Matrix) -> [f64; 3] {
        let linear = [color.0, color.1, color.2].map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        let xyz = times(&XYZ_OVER_WHITE, times(eye, linear).map(|part| part.clamp(0.0, 1.0)));
        let [x, y, z] = xyz.map(|part| {
            if part > 216.0 / 24389.0 {
                part.cbrt()
            } else {
                (24389.0 / 27.0 * part + 16.0) / 116.0
            }
        });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
        ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2) + (a[2] - b[2]).powi(2)).sqrt()
    }

    #[test]
    fn the_dozen_hues_stay_apart_for_colour_blind_eyes() {
        // A floor of our choosing, in CIE 1976 differences, of which about 2.3 is just noticeable.
        const LEAST: f64 = 20.0;
        for (name, eye) in &EYES {
            for (index, &a) in HUES.iter().enumerate() {
                for &b in &HUES[..index] {
                    let apart = distance(seen(a, eye), seen(b, eye));
                    assert!(apart > LEAST, "{name}: {a:?} and {b:?} are {apart:.1} apart");
                }
            }
        }
    }

    #[test]
    fn what_is_broken_looks_like_no_cluster() {
        // The same floor as between clusters, for normal sight; others have the cross to go by.
        for &hue in &HUES {
            let apart = distance(seen(BROKEN, &EYES[0].1), seen(hue, &EYES[0].1));
            assert!(apart > 20.0, "{hue:?} is {apart:.1} from broken links");
        }
    }

    #[test]
    fn fifty_clusters_look_different() {
        // A floor of our choosing, in RGB: black and white are 441 apart.
        const LEAST: f64 = 40.0;
        let rgb = |look: Look| [look.color.0, look.color.1, look.color.2].map(f64::from);
        for a in 0..50 {
            for b in 0..a {
                let (a, b) = (look(a), look(b));
                assert!(a.shape != b.shape || distance(rgb(a), rgb(b)) > LEAST, "{a:?} {b:?}");
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
