//! Built-in data, so that a newcomer sees the studio work in one command.

use crate::data::{Data, Numbers};
use crate::error::Result;
use linkshift::datasets;

/// Built-in data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demo {
    /// Two moons, as in `linkshift demo`.
    Moons,
}

/// The moons of `linkshift demo`.
pub fn moons() -> Result<Data> {
    let moons = datasets::moons(500, 0.1, 7)?;
    let names = ["x", "y"].map(String::from).to_vec();
    let numbers = Numbers { names: names.clone(), stride: 2, values: moons.points.values().to_vec() };
    let mut data = Data::of_points("moons", moons.points);
    data.numbers = numbers;
    data.origin.columns = names;
    Ok(data)
}
