//! Reasons in words.

use super::{Meeting, Opposing, Reasons, Said, Ways};
use crate::links::Link;
use crate::params::Named as _;
use std::fmt::Write;

/// What a row is called.
type Named<'a> = &'a dyn Fn(usize) -> String;

impl Reasons {
    /// A few aligned lines. `deaf` is the method's name if it was given links and does not use them.
    pub fn text(&self, named: Named<'_>, deaf: Option<&str>) -> String {
        let mut lines = vec![("rows", verdict(self, named)), ("links", said(self, named))];
        if !self.kept() {
            lines.push(("", "the clusters break this".into()));
        }
        for link in &self.doubtful {
            let confidence = link.confidence;
            let text = format!("{} was told with confidence {confidence}", told(link, named));
            lines.push(("", text));
        }
        if let Some(method) = deaf {
            lines.push(("", format!("{method} does not listen to links")));
        }
        if let Some(ways) = &self.ways {
            lines.push(("way", lengths(self, ways, named)));
            lines.push(("", ends(self, ways)));
        }
        lines.push(("opposing", opposing(self, named)));
        let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        lines.iter().fold(String::new(), |mut text, (name, value)| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:width$}  {value}");
            text
        })
    }
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
    format!("{} {}", link.kind.name(), ends_of(link, named))
}

fn ends_of(link: &Link, named: Named<'_>) -> String {
    format!("{}–{}", named(link.a), named(link.b))
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
