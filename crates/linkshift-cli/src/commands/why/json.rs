//! Reasons for machines.

use super::Args;
use crate::json::{Object, link, link_list, row};
use linkshift::Real;
use linkshift::why::{Meeting, Reasons, Said};
use linkshift_io::SavedModel;
use serde_json::{Value, json};

/// One object; rows by their ids, if the model has any.
pub(super) fn reasons<T: Real>(args: &Args, reasons: &Reasons, model: &SavedModel<T>) -> Object {
    let ids = model.ids.as_deref();
    let (mut verdict, mut chain, mut cannot, mut chains) = (None, &[][..], None, [&[][..]; 2]);
    match &reasons.links {
        Said::Nothing => {}
        Said::Together { chain: joining } => {
            verdict = Some("together");
            chain = joining;
        }
        Said::Apart { link, chains: joining } => {
            verdict = Some("apart");
            cannot = Some(link);
            chains = [&joining[0], &joining[1]];
        }
    }
    let told = json!({
        "verdict": verdict,
        "kept": reasons.kept(),
        "chain": link_list(chain, ids),
        "cannot": cannot.map(|cannot| link(cannot, ids)),
        "chain_a": link_list(chains[0], ids),
        "chain_b": link_list(chains[1], ids),
    });
    let way = reasons.ways.as_ref().map(|ways| {
        let (met_after, met_at) = match ways.meeting {
            Meeting::FromTheStart => (json!(0), Value::Null),
            Meeting::After { n_iter, bandwidth } => (json!(n_iter), json!(bandwidth)),
            Meeting::Unknown | Meeting::Never { .. } => (Value::Null, Value::Null),
        };
        json!({
            "length_a": ways.lengths[0],
            "length_b": ways.lengths[1],
            "between_ends": ways.between_ends,
            "bandwidth": ways.bandwidth,
            "met_after_iteration": met_after,
            "met_at_bandwidth": met_at,
        })
    });
    let opposing = reasons.opposing.as_ref().map(|opposing| {
        let far = opposing.distances.iter();
        let far = far.map(|(from, far)| json!({ "from": row(*from, ids), "distance": far }));
        json!({ "link": link(&opposing.link, ids), "distances": far.collect::<Vec<Value>>() })
    });
    Object::new("why")
        .with("model", args.model.display().to_string())
        .with("method", &model.method[..])
        .with("a", row(reasons.rows[0], ids))
        .with("b", row(reasons.rows[1], ids))
        .with("together", reasons.together())
        .with("labels", reasons.labels.to_vec())
        .with("links_used", model.uses_links)
        .with("told", told)
        .with("doubtful_links", link_list(&reasons.doubtful, ids))
        .with("way", way)
        .with("nearest_opposing_link", opposing)
}
