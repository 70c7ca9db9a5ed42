//! [`Projected`] in a model file.

use super::container::{Container, Element};
use super::nearest;
use crate::error::Problem;
use linkshift::Real;
use linkshift::auto::{LinearMap, Projected};

pub(super) fn put<T: Real + Element>(to: &mut Container, projected: &Projected<T>) {
    to.put("map_shift", projected.map.shift.iter().copied());
    to.put("map", projected.map.matrix.iter().copied());
    nearest::put(to, &projected.nearest);
}

pub(super) fn take<T: Real + Element>(from: &Container) -> Result<Projected<T>, Problem> {
    let map = LinearMap { shift: from.take("map_shift")?, matrix: from.take("map")? };
    Ok(Projected { map, nearest: nearest::take(from)? })
}
