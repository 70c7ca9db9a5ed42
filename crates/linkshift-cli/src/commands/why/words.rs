//! Reasons for people, and for machines.

use super::reasons::{Meeting, Opposing, Reasons, Said, Ways};
use crate::methods::Number;
use crate::summary::aligned;
use linkshift::{Link, LinkKind};
use linkshift_io::SavedModel;
use serde_json::{Value, json};

/// What a row is called.
type Named<'a> = &'a dyn Fn(usize) -> String;

/// A few aligned lines.
pub(super) fn text<T: Number>(
    reasons: &Reasons,
    model: &SavedModel<T>,
    named: Named<'_>,
) -> String {
    let mut lines = vec![("rows", verdict(reasons, named))];
    lines.push(("links", said(reasons, named)));
    if !reasons.links.agrees(reasons.together()) {
        lines.push(("", "the clusters break this".into()));
    }
    for link in &reasons.doubtful {
        let confidence = link.confidence;
        lines.push(("", format!("{} was told with confidence {confidence}", told(link, named))));
    }
    if !model.links.is_empty() && !model.uses_links {
        lines.push(("", format!("{} does not listen to links", model.method)));
    }
    if let Some(ways) = &reasons.ways {
        lines.push(("way", lengths(reasons, ways, named)));
        lines.push(("", ends(reasons, ways)));
    }
    lines.push(("opposing", opposing(reasons, named)));
    aligned(&lines)
}

fn verdict(reasons: &Reasons, named: Named<'_>) -> String {
    let [a, b] = reasons.rows.map(named);
    let [in_a, in_b] = reasons.labels.map(place);
    match reasons.together() {
        true => format!("{a} and {b} are together, {in_a}"),
        false => format!("{a} and {b} are apart: {a} is {in_a}, {b} {in_b}"),
    }
}

fn place(label: i64) -> String {
    if label < 0 { "in no cluster".into() } else { format!("in cluster {label}") }
}

fn said(reasons: &Reasons, named: Named<'_>) -> String {
    let [a, b] = reasons.rows;
    match &reasons.links {
        Said::Nothing => "no certain link speaks of the two, told or concluded".into(),
        Said::Together { chain } if chain.len() == 1 => {
            format!("{} was told", told(&chain[0], named))
        }
        Said::Together { chain } => {
            format!("{} must-links join them: {}", chain.len(), walk(a, chain, named))
        }
        Said::Apart { link, chains } if chains.iter().all(Vec::is_empty) => {
            format!("{} was told", told(link, named))
        }
        Said::Apart { link, chains } => {
            let because = [(a, &chains[0]), (b, &chains[1])]
                .into_iter()
                .filter(|(_, chain)| !chain.is_empty())
                .map(|(row, chain)| walk(row, chain, named));
            let because = because.collect::<Vec<_>>().join(" and ");
            format!("{} parts them, since must-links join {because}", told(link, named))
        }
    }
}

fn lengths(reasons: &Reasons, ways: &Ways, named: Named<'_>) -> String {
    let [a, b] = reasons.rows.map(named);
    let [of_a, of_b] = ways.lengths.map(number);
    format!("{a} went {of_a} to its mode, {b} went {of_b}")
}

fn ends(reasons: &Reasons, ways: &Ways) -> String {
    let apart = number(ways.between_ends / ways.bandwidth);
    let bandwidth = number(ways.bandwidth);
    let ends = format!("the two ends are {apart} bandwidths of {bandwidth} from each other");
    match &ways.meeting {
        Meeting::Unknown if reasons.together() => "both ended at the same mode".into(),
        Meeting::Unknown => ends,
        Meeting::Never { .. } if reasons.together() => format!("they came near; {ends}"),
        Meeting::Never { n_iter } => format!("they did not meet in {n_iter} iterations; {ends}"),
        Meeting::FromTheStart => "they went as one from the start".into(),
        Meeting::After { n_iter, bandwidth } => {
            format!("they met after iteration {n_iter}, at a bandwidth of {}", number(*bandwidth))
        }
    }
}

fn opposing(reasons: &Reasons, named: Named<'_>) -> String {
    let where_from = match reasons.together() {
        true => "from their cluster to another",
        false => "between the two clusters",
    };
    let Some(Opposing { link, distances }) = &reasons.opposing else {
        return format!("no cannot-link leads {where_from}");
    };
    let far = distances.iter().map(|(row, far)| match *far {
        0.0 => format!("at {}", named(*row)),
        far => format!("{} from {}", number(far), named(*row)),
    });
    let far = far.collect::<Vec<_>>().join(" and ");
    format!("the nearest cannot-link {where_from} is {}, {far}", ends_of(link, named))
}

/// `a – b – c`.
fn walk(from: usize, chain: &[Link], named: Named<'_>) -> String {
    let mut at = from;
    let mut names = vec![named(at)];
    for link in chain {
        at = if link.a == at { link.b } else { link.a };
        names.push(named(at));
    }
    names.join(" – ")
}

fn told(link: &Link, named: Named<'_>) -> String {
    format!("{} {}", kind(link), ends_of(link, named))
}

fn ends_of(link: &Link, named: Named<'_>) -> String {
    format!("{}–{}", named(link.a), named(link.b))
}

fn kind(link: &Link) -> &'static str {
    match link.kind {
        LinkKind::Must => "must",
        LinkKind::Cannot => "cannot",
    }
}

/// Three digits that count.
fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        size if !(1e-3..1e6).contains(&size) => format!("{value:.2e}"),
        size if size < 1.0 => format!("{value:.3}"),
        size if size < 100.0 => format!("{value:.2}"),
        _ => format!("{value:.0}"),
    }
}

impl Said {
    /// Whether the clusters are as the links say.
    fn agrees(&self, together: bool) -> bool {
        match self {
            Said::Nothing => true,
            Said::Together { .. } => together,
            Said::Apart { .. } => !together,
        }
    }
}

/// The same as one JSON object.
pub(super) fn json<T: Number>(reasons: &Reasons, model: &SavedModel<T>, named: Named<'_>) -> Value {
    let name = |row: usize| match &model.ids {
        Some(ids) => json!(ids[row]),
        None => json!(row),
    };
    let link = |link: &Link| {
        json!({
            "a": name(link.a),
            "b": name(link.b),
            "kind": kind(link),
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
        "a": name(reasons.rows[0]),
        "b": name(reasons.rows[1]),
        "together": reasons.together(),
        "clusters": reasons.labels,
        "method": model.method,
        "uses_links": model.uses_links,
        "links": links,
        "kept": reasons.links.agrees(reasons.together()),
        "doubtful_links": reasons.doubtful.iter().map(link).collect::<Vec<Value>>(),
        "way": way,
        "nearest_opposing_link": opposing,
        "explanation": text(reasons, model, named),
    })
}
