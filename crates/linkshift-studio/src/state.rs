//! Everything a page needs but the arrays, as JSON.

use crate::app::{App, Inner, Source};
use crate::entry::{Entry, Said};
use crate::jobs::Job;
use linkshift::ask::{Answer, Choice, Outlook};
use linkshift::params::Named;
use linkshift::{Link, LinkKind};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Entries of the history that are shown.
const MOST_HISTORY: usize = 10;

/// Broken and suspicious links that are listed; the counts are of all.
const MOST_LISTED: usize = 200;

pub(crate) fn state(app: &App) -> Value {
    let inner = app.lock();
    let data = &app.data;
    let now = inner.session.now();
    let links = inner.session.links();
    let report = links.report(&inner.shown.labels);
    let judged = Judged::of(app, &inner, &report.broken);
    let tally = Tally::of(&now.entries);
    let history: Vec<Value> = now
        .entries
        .iter()
        .rev()
        .take(MOST_HISTORY)
        .map(|entry| {
            json!({
                "id": entry.id,
                "kind": entry.said.kind(),
                "rows": entry.said.rows().into_iter().take(50).collect::<Vec<_>>(),
                "answer": entry.said.answer(),
                "certain": entry.is_certain(),
                "comment": entry.comment,
                "look_again": entry.look_again,
                "text": entry.text(data),
                "n_links": entry.n_links(),
                "choices": entry.said.choices(data),
            })
        })
        .collect();
    json!({
        "schema": 1,
        "version": env!("CARGO_PKG_VERSION"),
        "name": data.name,
        "n_rows": data.n_rows(),
        "n_features": data.points.n_features(),
        "shown": data.field_names(),
        "has_text": data.texts.is_some(),
        "has_images": data.pictures.is_some(),
        "revision": inner.revision,
        "positions": inner.map.as_ref().map_or(json!({ "kind": "none", "revision": 0, "explained": null }), |(map, revision)| {
            json!({ "kind": map.kind, "revision": revision, "explained": map.explained })
        }),
        "labels": {
            "revision": inner.shown.revision,
            "source": inner.shown.source.name(),
            "is_current": inner.fitted.as_ref().is_some_and(|fitted| {
                inner.shown.source == Source::Fit && fitted.version == inner.version
            }),
            "method": linkshift::registry::DEFAULT,
        },
        "clusters": clusters(&inner, &judged),
        "answers": tally.to_json(),
        "history": history,
        "can_undo": inner.session.undo_text().is_some(),
        "can_redo": inner.session.redo_text().is_some(),
        "undo_text": inner.session.undo_text(),
        "redo_text": inner.session.redo_text(),
        "links": {
            "n_must": report.must,
            "n_cannot": report.cannot,
            "n_broken": judged.broken.len(),
            "n_suspects": judged.suspects.len(),
            "broken": judged.broken.iter().take(MOST_LISTED).map(link_json).collect::<Vec<_>>(),
            "suspects": judged.suspects.iter().take(MOST_LISTED).map(link_json).collect::<Vec<_>>(),
        },
        "share": judged.share,
        "job": inner.job().map(Job::to_json),
        "outlook": outlook(inner.outlook.as_ref()),
        "notes": notes(&inner),
        "saved_to": app.saved_to.display().to_string(),
        "read_only_links": data.given_from,
    })
}

/// What was said, counted by what it was: each answer and each correction once.
#[derive(Debug, Default, PartialEq)]
struct Tally {
    same: usize,
    different: usize,
    placed: usize,
    groups: usize,
    unsure: usize,
    corrections: usize,
}

impl Tally {
    fn of(entries: &[Arc<Entry>]) -> Self {
        let mut tally = Self::default();
        for entry in entries {
            *match &entry.said {
                Said::Pair { answer: Answer::Unsure, .. }
                | Said::Place { chosen: Choice::Unsure, .. }
                | Said::Group { odd: None, .. } => &mut tally.unsure,
                Said::Pair { answer: Answer::Same, .. } => &mut tally.same,
                Said::Pair { answer: Answer::Different, .. } => &mut tally.different,
                Said::Place { .. } => &mut tally.placed,
                Said::Group { .. } => &mut tally.groups,
                _ => &mut tally.corrections,
            } += 1;
        }
        tally
    }

    fn to_json(&self) -> Value {
        let Self { same, different, placed, groups, unsure, corrections } = self;
        json!({
            "n": same + different + placed + groups + unsure,
            "same": same, "different": different, "placed": placed, "groups": groups,
            "unsure": unsure, "corrections": corrections,
        })
    }
}

fn notes(inner: &Inner) -> Vec<String> {
    let of_fit = inner.fitted.iter().flat_map(|fitted| fitted.model.notes());
    let of_fit = of_fit.filter(|note| note.kind != linkshift::model::NoteKind::NoLinks);
    inner.notes.iter().cloned().chain(of_fit.map(|note| note.text.clone())).collect()
}

fn outlook(outlook: Option<&Outlook>) -> Value {
    let look_back = Outlook::LOOK_BACK;
    let (settled, text) = match outlook {
        None => (false, format!("too early to say: answer at least {look_back} questions")),
        Some(outlook) => {
            let text = match outlook.agreement {
                None if outlook.settled => "nothing is left to ask".into(),
                None => format!("too early to say: answer at least {look_back} questions"),
                Some(agreement) => {
                    let change = match outlook.settled {
                        true => "further answers are expected to change little",
                        false => "further answers still change something",
                    };
                    format!(
                        "{change}: {look_back} answers ago the clusters were alike to {agreement:.3} (ARI)"
                    )
                }
            };
            (outlook.settled, text)
        }
    };
    json!({ "settled": settled, "text": text })
}

fn clusters(inner: &Inner, judged: &Judged) -> Vec<Value> {
    let places = inner.map.as_ref().map(|(map, _)| map);
    let mut sums: BTreeMap<i64, (f64, f64, f64)> = BTreeMap::new();
    if let Some(map) = places {
        for (label, xy) in inner.shown.labels.iter().zip(map.xy.chunks_exact(2)) {
            let sum = sums.entry(*label).or_default();
            *sum = (sum.0 + f64::from(xy[0]), sum.1 + f64::from(xy[1]), sum.2 + 1.0);
        }
    }
    let touches = |links: &[(Link, Value)], id: i64| {
        let of = |row: usize| inner.shown.labels.get(row).copied();
        links.iter().filter(|(link, _)| of(link.a) == Some(id) || of(link.b) == Some(id)).count()
    };
    let one = |cluster: &crate::clusters::Cluster| {
        let id = cluster.id;
        let center = sums.get(&id).map(|(x, y, n)| [x / n, y / n]);
        json!({
            "id": id,
            "name": inner.name_of(id),
            "named": inner.session.now().names.contains_key(&id),
            "size": cluster.size,
            "typical": cluster.typical,
            "doubtful": cluster.doubtful,
            "center": center,
            "share": judged.by_cluster.get(&id),
            "n_broken": touches(&judged.broken, id),
            "n_suspects": touches(&judged.suspects, id),
        })
    };
    inner.shown.clusters.iter().map(one).collect()
}

fn link_json((_, json): &(Link, Value)) -> &Value {
    json
}

/// What is known of the links' and the clusters' worth.
struct Judged {
    broken: Vec<(Link, Value)>,
    suspects: Vec<(Link, Value)>,
    share: Value,
    by_cluster: BTreeMap<i64, Value>,
}

impl Judged {
    fn of(app: &App, inner: &Inner, broken: &[Link]) -> Self {
        let fitted = inner.fitted.as_ref().filter(|_| inner.shown.source == Source::Fit);
        let suspects: Vec<(Link, Value)> = fitted.map_or(Vec::new(), |fitted| {
            let worth = crate::worth::suspects(fitted);
            worth.into_iter().map(|suspect| {
                let likely = match suspect.link.kind {
                    LinkKind::Must => Answer::Different,
                    LinkKind::Cannot => Answer::Same,
                };
                let json = json!({
                    "a": suspect.link.a, "b": suspect.link.b, "kind": suspect.link.kind.name(),
                    "reason": suspect.reason, "likely": likely.name(),
                    "names": [app.data.name_of(suspect.link.a), app.data.name_of(suspect.link.b)],
                });
                (suspect.link, json)
            }).collect()
        });
        let is_suspect = |link: &Link| {
            suspects
                .iter()
                .any(|(other, _)| (other.a, other.b, other.kind) == (link.a, link.b, link.kind))
        };
        let is_stale = fitted.is_some_and(|fitted| fitted.version != inner.version);
        let reason = |link: &Link| match link.kind {
            _ if is_suspect(link) => "probably wrong, so it was not obeyed",
            _ if is_stale => "answered after the fit began; the next one takes it in",
            LinkKind::Must => "the two are in different clusters",
            LinkKind::Cannot => "the two are in one cluster",
        };
        let broken = broken.iter().map(|link| {
            let json = json!({
                "a": link.a, "b": link.b, "kind": link.kind.name(), "reason": reason(link),
                "names": [app.data.name_of(link.a), app.data.name_of(link.b)],
            });
            (*link, json)
        });
        Self {
            broken: broken.collect(),
            suspects,
            share: fitted.and_then(|fitted| crate::worth::share(fitted)).unwrap_or(Value::Null),
            by_cluster: fitted.map(|fitted| crate::worth::by_cluster(fitted)).unwrap_or_default(),
        }
    }
}
