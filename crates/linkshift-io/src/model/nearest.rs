//! [`Nearest`] in a model file.

use super::container::{Container, Element, missing};
use super::parts::{put_points, take_one, take_points};
use crate::error::Problem;
use linkshift::Real;
use linkshift::predictor::{Nearest, Reach};

pub(super) fn put<T: Real + Element>(to: &mut Container, nearest: &Nearest<T>) {
    put_points(to, "places", &nearest.places);
    to.put("place_labels", nearest.labels.iter().copied());
    let (word, limit) = match nearest.reach {
        Reach::Any => ("any", None),
        Reach::UpTo(limit) => ("up-to", Some(limit)),
        Reach::Below(limit) => ("below", Some(limit)),
    };
    to.set("reach", word);
    to.put("reach_limit", limit);
}

pub(super) fn take<T: Real + Element>(from: &Container) -> Result<Nearest<T>, Problem> {
    let limit = || take_one(from, "reach_limit");
    Ok(Nearest {
        places: take_points(from, "places")?,
        labels: from.take("place_labels")?,
        reach: match from.text("reach")? {
            "any" => Reach::Any,
            "up-to" => Reach::UpTo(limit()?),
            "below" => Reach::Below(limit()?),
            _ => return Err(missing("reach")),
        },
    })
}
