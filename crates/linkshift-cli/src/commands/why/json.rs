//! Reasons for machines; `docs/json.md` lists the keys.

use crate::json::{Object, link, link_list, row};
use linkshift::Real;
use linkshift::why::{Meeting, Opposing, Reasons, Said, Ways};
use linkshift_io::SavedModel;
use serde_json::{Value, json};

/// One object; rows by their ids, if the model has any.
pub(super) fn reasons<T: Real>(reasons: &Reasons, model: &SavedModel<T>, source: String) -> Object {
    let ids = model.ids.as_deref();
    Object::new("why")
        .with("model", source)
        .with("method", &model.method[..])
        .with("a", row(reasons.rows[0], ids))
        .with("b", row(reasons.rows[1], ids))
        .with("together", reasons.together())
        .with("labels", reasons.labels.to_vec())
        .with("links_used", model.uses_links)
        .with("told", told(reasons, ids))
        .with("doubtful_links", link_list(&reasons.doubtful, ids))
        .with("way", reasons.ways.as_ref().map(way))
        .with("nearest_opposing_link", reasons.opposing.as_ref().map(|it| opposing(it, ids)))
}

fn told(reasons: &Reasons, ids: Option<&[String]>) -> Value {
    let (verdict, chain, cannot, chains) = match &reasons.links {
        Said::Nothing => (None, &[][..], None, [&[][..]; 2]),
        Said::Together { chain } => (Some("together"), &chain[..], None, [&[][..]; 2]),
        Said::Apart { link, chains: [a, b] } => {
            (Some("apart"), &[][..], Some(link), [&a[..], &b[..]])
        }
    };
    json!({
        "verdict": verdict,
        "kept": reasons.kept(),
        "chain": link_list(chain, ids),
        "cannot": cannot.map(|cannot| link(cannot, ids)),
        "chain_a": link_list(chains[0], ids),
        "chain_b": link_list(chains[1], ids),
    })
}

fn way(ways: &Ways) -> Value {
    let (met_after, met_at) = match ways.meeting {
        Meeting::FromTheStart => (Some(0), None),
        Meeting::After { n_iter, bandwidth } => (Some(n_iter), Some(bandwidth)),
        Meeting::Unknown | Meeting::Never { .. } => (None, None),
    };
    json!({
        "length_a": ways.lengths[0],
        "length_b": ways.lengths[1],
        "between_ends": ways.between_ends,
        "bandwidth": ways.bandwidth,
        "met_after_iteration": met_after,
        "met_at_bandwidth": met_at,
    })
}

fn opposing(opposing: &Opposing, ids: Option<&[String]>) -> Value {
    let far = opposing.distances.iter();
    let far = far.map(|(from, far)| json!({ "from": row(*from, ids), "distance": far }));
    json!({ "link": link(&opposing.link, ids), "distances": far.collect::<Vec<Value>>() })
}
