//! Built-in data, so that a newcomer sees the studio work in one command.

use crate::data::{Column, Data, Numbers};
use crate::error::{Result, StudioError};
use crate::pictures::Pictures;
use linkshift::params::Named;
use linkshift::scale::{Scaler, Scaling};
use linkshift::{Points, datasets};
use linkshift_features::pictures::{N_FEATURES, Picture, column_names, features};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Built-in data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demo {
    /// Small pictures of shapes.
    Shapes,
    /// Two moons, as in `linkshift demo`.
    Moons,
}

impl Named for Demo {
    const ALL: &'static [Self] = &[Demo::Shapes, Demo::Moons];

    fn name(self) -> &'static str {
        match self {
            Demo::Shapes => "shapes",
            Demo::Moons => "moons",
        }
    }
}

/// Pictures of shapes.
const N_SHAPES: usize = 2_400;

/// Pixels of a side.
const SIDE: usize = 32;

/// Points of a pixel's side that are looked at, for smooth edges.
const FINE: usize = 3;

const SEED: u64 = 7;

/// What is drawn.
const SHAPES: [&str; 6] = ["disc", "ring", "square", "triangle", "cross", "stripes"];

impl Demo {
    /// The data.
    pub fn data(self) -> Result<Data> {
        match self {
            Demo::Shapes => shapes(N_SHAPES),
            Demo::Moons => moons(),
        }
    }
}

/// The moons of `linkshift demo`.
fn moons() -> Result<Data> {
    let moons = datasets::moons(500, 0.1, SEED)?;
    let names = ["x", "y"].map(String::from).to_vec();
    let values = moons.points.values().to_vec();
    let numbers = Numbers { names: names.clone(), stride: 2, values };
    let mut data = Data::of_points(Demo::Moons.name(), moons.points);
    data.numbers = numbers;
    data.origin.columns = names;
    data.notes.push("built-in data: name a file of yours to work on it".into());
    Ok(data)
}

/// One shape as it lies in its picture.
struct Shape {
    kind: usize,
    center: [f64; 2],
    size: f64,
    turn: f64,
    ink: [f64; 3],
    paper: f64,
}

impl Shape {
    fn draw(rng: &mut ChaCha8Rng, kind: usize) -> Self {
        let mut about = |middle: f64, reach: f64| middle + reach * (rng.random::<f64>() - 0.5);
        Self {
            kind,
            center: [about(0.5, 0.2), about(0.5, 0.2)],
            size: about(0.3, 0.12),
            turn: about(0.0, 0.6),
            ink: [about(70.0, 120.0), about(70.0, 120.0), about(70.0, 120.0)],
            paper: about(225.0, 40.0),
        }
    }

    /// Whether a place of the picture, from 0 to 1, has ink.
    fn has_ink(&self, x: f64, y: f64) -> bool {
        let (dx, dy) = (x - self.center[0], y - self.center[1]);
        let (sin, cos) = self.turn.sin_cos();
        let (u, v) = ((dx * cos + dy * sin) / self.size, (dy * cos - dx * sin) / self.size);
        let far = u.hypot(v);
        let in_square = u.abs().max(v.abs()) < 0.85;
        match self.kind {
            0 => far < 1.0,
            1 => far < 1.0 && far > 0.6,
            2 => in_square,
            3 => v < 0.75 && v > 2.0 * u.abs() - 1.0,
            4 => far < 1.1 && u.abs().min(v.abs()) < 0.27,
            _ => in_square && (v * 3.5).rem_euclid(1.0) < 0.5,
        }
    }

    fn pixels(&self) -> Vec<u8> {
        let n_fine = (FINE * FINE) as f64;
        let at = |pixel: usize, fine: usize| {
            (pixel as f64 + (fine as f64 + 0.5) / FINE as f64) / SIDE as f64
        };
        let mut pixels = Vec::with_capacity(SIDE * SIDE * 3);
        for y in 0..SIDE {
            for x in 0..SIDE {
                let looks = (0..FINE * FINE)
                    .filter(|look| self.has_ink(at(x, look % FINE), at(y, look / FINE)));
                let share = looks.count() as f64 / n_fine;
                let value =
                    |ink: f64| (ink * share + self.paper * (1.0 - share)).clamp(0.0, 255.0) as u8;
                pixels.extend(self.ink.map(value));
            }
        }
        pixels
    }
}

/// Small pictures of shapes, drawn by us; their features are those of `--image-column`.
fn shapes(n: usize) -> Result<Data> {
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let shapes: Vec<Shape> = (0..n)
        .map(|_| {
            let kind = rng.random_range(0..SHAPES.len());
            Shape::draw(&mut rng, kind)
        })
        .collect();
    let drawn: Vec<Vec<u8>> = shapes.par_iter().map(Shape::pixels).collect();
    let of_one = |pixels: &Vec<u8>| {
        let color = |x: usize, y: usize| {
            let at = 3 * (y * SIDE + x);
            [pixels[at], pixels[at + 1], pixels[at + 2]]
        };
        Picture::from_fn(SIDE, SIDE, color).map(|picture| features(&picture))
    };
    let made: Vec<Vec<f64>> = drawn
        .par_iter()
        .map(of_one)
        .collect::<std::result::Result<_, _>>()
        .map_err(|error| StudioError::inside(error.to_string()))?;
    let told = Points::new(made.concat(), N_FEATURES)?;
    let scaler = Scaler::fit(&told, Scaling::ZScore);
    let mut data = Data::of_points(Demo::Shapes.name(), scaler.apply(&told)?);
    data.origin.scaler = scaler;
    data.origin.columns = column_names();
    let names: Vec<String> = shapes.iter().map(|shape| SHAPES[shape.kind].to_owned()).collect();
    data.shown = vec![Column { name: "drawn as".into(), values: names }];
    let values = drawn.concat();
    data.pictures = Some(Pictures::Pixels { width: SIDE, height: SIDE, n_channels: 3, values });
    data.notes.push("built-in data: name a file of yours to work on it".into());
    Ok(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_what_is_drawn_and_are_the_same_each_time() {
        let data = shapes(30).unwrap();
        assert_eq!((data.n_rows(), data.points.n_features()), (30, N_FEATURES));
        assert_eq!(data.points, shapes(30).unwrap().points);
        assert_eq!(data.pictures.unwrap().of_row(29).unwrap().kind, "image/png");
    }

    #[test]
    fn a_disc_has_ink_in_the_middle_and_a_ring_has_none() {
        let shape = |kind| Shape {
            kind,
            center: [0.5; 2],
            size: 0.3,
            turn: 0.0,
            ink: [0.0; 3],
            paper: 255.0,
        };
        assert!(shape(0).has_ink(0.5, 0.5) && !shape(1).has_ink(0.5, 0.5));
        // Derived: 0.8 of the size from the center, within the ring of 0.6 to 1.
        assert!(shape(1).has_ink(0.5 + 0.24, 0.5));
        assert!((0..6).all(|kind| !shape(kind).has_ink(0.01, 0.01)));
    }

    #[test]
    fn the_moons_are_those_of_the_demo() {
        let data = Demo::Moons.data().unwrap();
        assert_eq!(data.points, datasets::moons(500, 0.1, 7).unwrap().points);
        assert_eq!(Demo::parse("shapes"), Some(Demo::Shapes));
    }
}
