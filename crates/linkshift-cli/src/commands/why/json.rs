//! Reasons for machines.

use linkshift::why::{Meeting, Reasons, Said};
use linkshift::{Link, LinkKind, Real};
use linkshift_io::SavedModel;
use serde_json::{Value, json};

/// One object; rows by their ids, if the model has any.
pub(super) fn reasons<T: Real>(reasons: &Reasons, model: &SavedModel<T>) -> Value {
    let name = |row: usize| match &model.ids {
        Some(ids) => json!(ids[row]),
        None => json!(row),
    };
    let link = |link: &Link| {
        let kind = match link.kind {
            LinkKind::Must => "must",
            LinkKind::Cannot => "cannot",
        };
        json!({
            "a": name(link.a),
            "b": name(link.b),
            "kind": kind,
            "confidence": link.confidence,
        })
    };
    let chain = |chain: &[Link]| chain.iter().map(link).collect::<Vec<Value>>();
    let links = match &reasons.links {
        Said::Nothing => json!({ "say": null }),
        Said::Together { chain: joining } => {
            json!({ "say": "together", "chain": chain(joining) })
        }
        Said::Apart { link: cannot, chains } => json!({
            "say": "apart",
            "cannot": link(cannot),
            "chain_a": chain(&chains[0]),
            "chain_b": chain(&chains[1]),
        }),
    };
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
        let far = far.map(|(row, far)| json!({ "from": name(*row), "distance": far }));
        json!({ "link": link(&opposing.link), "distances": far.collect::<Vec<Value>>() })
    });
    json!({
        "schema": 2,
        "a": name(reasons.rows[0]),
        "b": name(reasons.rows[1]),
        "together": reasons.together(),
        "clusters": reasons.labels,
        "method": model.method,
        "uses_links": model.uses_links,
        "links": links,
        "kept": reasons.kept(),
        "doubtful_links": reasons.doubtful.iter().map(link).collect::<Vec<Value>>(),
        "way": way,
        "nearest_opposing_link": opposing,
    })
}
