//! A picture as a list of shapes and texts, in pixels from its upper left corner.
//!
//! Drawing is done once, onto this list; an SVG and a PNG are two ways of writing it down, hence show
//! the same.

use crate::palette::{Color, PAPER};

/// A place: to the right, and down.
pub(crate) type Xy = (f64, f64);

/// A picture.
#[derive(Debug, Clone)]
pub(crate) struct Canvas {
    pub(crate) size: (u32, u32),
    /// From the bottom to the top.
    pub(crate) items: Vec<Item>,
}

#[derive(Debug, Clone)]
pub(crate) enum Item {
    Fill { shape: Shape, color: Color, opacity: f64 },
    Outline { shape: Shape, stroke: Stroke },
    Text(Text),
}

#[derive(Debug, Clone)]
pub(crate) enum Shape {
    Circle {
        center: Xy,
        radius: f64,
    },
    /// From the upper left corner to the lower right one.
    Rectangle(Xy, Xy),
    Polygon(Vec<Xy>),
    /// Points one after the other, the last not joined to the first.
    Line(Vec<Xy>),
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stroke {
    pub(crate) color: Color,
    pub(crate) width: f64,
    pub(crate) opacity: f64,
    /// Lengths of dashes and of the gaps between them; a whole line has none.
    pub(crate) dashes: Option<[f64; 2]>,
}

impl Stroke {
    /// A whole line that nothing shines through.
    pub(crate) fn new(color: Color, width: f64) -> Self {
        Stroke { color, width, opacity: 1.0, dashes: None }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Text {
    pub(crate) text: String,
    /// The left end, middle or right end of the line that the letters stand on.
    pub(crate) at: Xy,
    pub(crate) side: Side,
    pub(crate) size: u32,
    pub(crate) color: Color,
    /// Whether it is read from below upwards.
    pub(crate) upwards: bool,
}

/// Which part of a text is at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Middle,
    Right,
}

impl Canvas {
    /// An empty sheet of paper.
    pub(crate) fn new(size: (u32, u32)) -> Self {
        let mut canvas = Canvas { size, items: Vec::new() };
        let corner = (f64::from(size.0), f64::from(size.1));
        canvas.fill(Shape::Rectangle((0.0, 0.0), corner), PAPER, 1.0);
        canvas
    }

    pub(crate) fn fill(&mut self, shape: Shape, color: Color, opacity: f64) {
        self.items.push(Item::Fill { shape, color, opacity });
    }

    pub(crate) fn outline(&mut self, shape: Shape, stroke: Stroke) {
        self.items.push(Item::Outline { shape, stroke });
    }

    pub(crate) fn line(&mut self, from: Xy, to: Xy, stroke: Stroke) {
        self.outline(Shape::Line(vec![from, to]), stroke);
    }

    pub(crate) fn text(&mut self, text: Text) {
        if !text.text.trim().is_empty() {
            self.items.push(Item::Text(text));
        }
    }
}
