//! A whole dialogue over HTTP.

use super::client::Served;
use crate::data::Data;
use crate::demo::Demo;
use linkshift::{Points, datasets, scores};
use serde_json::{Value, json};
use std::path::Path;

/// Four blobs in three columns, with their classes.
fn blobs() -> (Data, Vec<i64>) {
    let blobs = datasets::blobs(200, 3, 4, 0.5, 10.0, 5).unwrap();
    (Data::of_points("blobs", blobs.points), blobs.labels)
}

fn serve(folder: &Path) -> (Served, Vec<i64>) {
    let (data, classes) = blobs();
    (Served::new(data, &folder.join("blobs.answers.csv")), classes)
}

/// What somebody who knows the classes says.
fn answer_of(question: &Value, classes: &[i64]) -> Value {
    let row = |value: &Value| value.as_u64().unwrap() as usize;
    let class = |value: &Value| classes[row(value)];
    match question["kind"].as_str().unwrap() {
        "pair" => {
            let same = class(&question["a"]) == class(&question["b"]);
            json!({ "kind": "pair", "a": question["a"], "b": question["b"],
                "answer": if same { "same" } else { "different" } })
        }
        "place" => {
            let groups = question["groups"].as_array().unwrap();
            let rows: Vec<&Value> = groups.iter().map(|group| &group["rows"]).collect();
            let chosen = rows.iter().position(|rows| class(&rows[0]) == class(&question["row"]));
            json!({ "kind": "place", "row": question["row"], "groups": rows, "chosen": chosen })
        }
        "group" => {
            let rows = question["rows"].as_array().unwrap();
            let odd: Vec<&Value> =
                rows.iter().filter(|row| class(row) != class(&rows[0])).collect();
            json!({ "kind": "group", "rows": rows, "odd": odd })
        }
        other => panic!("{other} cannot be answered"),
    }
}

fn ari(served: &Served, classes: &[i64]) -> f64 {
    let labels: Vec<i64> = served.labels().into_iter().map(i64::from).collect();
    scores::adjusted_rand_index(classes, &labels).unwrap()
}

#[test]
fn answers_lead_to_the_classes_and_stay() {
    let folder = tempfile::tempdir().unwrap();
    let (served, classes) = serve(folder.path());
    let mut question = served.get("/api/question").json();
    for _ in 0..20 {
        if question["kind"] == "none" {
            break;
        }
        let reply = served.post("/api/answer", &answer_of(&question, &classes));
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.body));
        question = reply.json()["question"].clone();
    }
    let n = served.get("/api/state").json()["answers"]["n"].as_u64().unwrap();
    assert!(n > 3);
    served.fitted();
    // The blobs are twenty deviations apart.
    assert!(ari(&served, &classes) > 0.95);
    let before = (served.labels(), served.get("/api/state").json());
    drop(served);
    let (served, _) = serve(folder.path());
    let state = served.fitted();
    assert_eq!(state["answers"], before.1["answers"]);
    assert_eq!(served.labels(), before.0);
}

#[test]
fn names_and_numbers_stay_from_fit_to_fit_and_start_to_start() {
    let folder = tempfile::tempdir().unwrap();
    let (served, _) = serve(folder.path());
    let state = served.fitted();
    let cluster = &state["clusters"][1];
    let (id, typical) = (cluster["id"].clone(), cluster["typical"][0].as_u64().unwrap() as usize);
    let renamed = served.post("/api/rename", &json!({ "cluster": id, "name": "  cats &\n dogs " }));
    assert_eq!(renamed.status, 200);
    served.post("/api/answer", &json!({ "kind": "pair", "a": 0, "b": 1, "answer": "same" }));
    let name_of_typical = |served: &Served, state: &Value| {
        let label = served.labels()[typical];
        let clusters = state["clusters"].as_array().unwrap().clone();
        let found = clusters.into_iter().find(|one| one["id"] == label).unwrap();
        found["name"].as_str().unwrap().to_owned()
    };
    let state = served.fitted();
    assert_eq!(name_of_typical(&served, &state), "cats & dogs");
    drop(served);
    let (served, _) = serve(folder.path());
    let state = served.fitted();
    assert_eq!(name_of_typical(&served, &state), "cats & dogs");
    let export = served.get("/api/export?what=labels&format=csv");
    let text = String::from_utf8(export.body).unwrap();
    assert!(text.starts_with("label,name\n") && text.contains(",cats & dogs\n"), "{text}");
}

#[test]
fn corrections_become_links_and_survive_the_next_fit() {
    let folder = tempfile::tempdir().unwrap();
    let (served, classes) = serve(folder.path());
    let state = served.fitted();
    let ids: Vec<i64> = state["clusters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids.len(), 4);
    let merged =
        served.post("/api/correct", &json!({ "kind": "merge", "clusters": [ids[0], ids[1]] }));
    // Derived: 12 rows of each cluster in one star.
    assert_eq!(merged.json()["state"]["history"][0]["n_links"], 23);
    let state = served.fitted();
    assert_eq!(state["clusters"].as_array().unwrap().len(), 3, "{}", state["clusters"]);
    assert_eq!(state["links"]["n_broken"], 0);

    // Ten rows of another cluster leave it, together.
    let labels = served.labels();
    let left: Vec<usize> =
        (0..200).filter(|&row| i64::from(labels[row]) == ids[2]).take(10).collect();
    let parted =
        served.post("/api/correct", &json!({ "kind": "apart", "rows": left, "cluster": ids[2] }));
    assert_eq!(parted.status, 200);
    let state = served.fitted();
    assert_eq!(state["links"]["n_broken"], 0, "{}", state["links"]);
    let labels = served.labels();
    assert!(left.iter().all(|&row| labels[row] == labels[left[0]]));
    let rest: Vec<usize> =
        (0..200).filter(|row| classes[*row] == classes[left[0]] && !left.contains(row)).collect();
    let strangers = rest.iter().filter(|&&row| labels[row] == labels[left[0]]).count();
    assert!(strangers < rest.len() / 2, "{strangers} of {} followed", rest.len());

    // All of it back.
    for _ in 0..2 {
        assert_eq!(served.post("/api/undo", &json!({})).status, 200);
    }
    let state = served.fitted();
    assert_eq!(
        state["links"]["n_must"].as_u64().unwrap() + state["links"]["n_cannot"].as_u64().unwrap(),
        0
    );
    assert_eq!(state["clusters"].as_array().unwrap().len(), 4);
}

#[test]
fn a_merge_overrules_plain_answers_that_held_the_clusters_apart() {
    let folder = tempfile::tempdir().unwrap();
    let (served, _) = serve(folder.path());
    let state = served.fitted();
    let row = |cluster: usize, at: usize| state["clusters"][cluster]["typical"][at].clone();
    for at in 0..4 {
        let body =
            json!({ "kind": "pair", "a": row(0, at), "b": row(1, at), "answer": "different" });
        assert_eq!(served.post("/api/answer", &body).status, 200);
    }
    let two = json!([state["clusters"][0]["id"], state["clusters"][1]["id"]]);
    served.post("/api/correct", &json!({ "kind": "merge", "clusters": two }));
    let is_one = |state: &Value| state["clusters"].as_array().unwrap().len() == 3;
    // At once, and after the full fit.
    served.state_when(is_one);
    let state = served.fitted();
    assert!(is_one(&state), "{}", state["clusters"]);
    assert_eq!((&state["answers"]["n"], &state["links"]["n_cannot"]), (&json!(0), &json!(0)));
    // One step back, and the four answers are there again.
    let state = served.post("/api/undo", &json!({})).json()["state"].clone();
    assert_eq!(state["answers"]["n"], 4);
}

#[test]
fn every_export_is_what_its_readers_take() {
    let folder = tempfile::tempdir().unwrap();
    let (served, _) = serve(folder.path());
    served.post("/api/answer", &json!({ "kind": "pair", "a": 0, "b": 1, "answer": "same" }));
    served.fitted();
    let labels: Vec<i64> = served.labels().into_iter().map(i64::from).collect();
    for format in ["csv", "parquet", "arrow"] {
        let bytes = served.get(&format!("/api/export?what=labels&format={format}")).body;
        let path = folder.path().join(format!("labels.{format}"));
        std::fs::write(&path, bytes).unwrap();
        let column = linkshift_io::read_column(&path, Some("label")).unwrap();
        let read: Vec<i64> = column.iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!(read, labels, "{format}");
    }
    let model = served.get("/api/export?what=model&format=model").body;
    let linkshift_io::AnyModel::F64(model) = linkshift_io::model_from_bytes(&model).unwrap() else {
        panic!("it was f64")
    };
    assert_eq!(model.labels, labels);
    for (what, format, begin) in [
        ("map", "svg", &b"<svg"[..]),
        ("map", "png", b"\x89PNG"),
        ("links", "csv", b"a,b,kind"),
        ("answers", "csv", b"a,b,kind"),
    ] {
        let bytes = served.get(&format!("/api/export?what={what}&format={format}")).body;
        assert!(bytes.starts_with(begin), "{what}.{format}");
    }
    assert_eq!(served.get("/api/export?what=secrets&format=csv").status, 400);
}

#[test]
fn nothing_one_thing_and_all_the_same_work_too() {
    for (n, d) in [(1, 3), (2, 1), (50, 4)] {
        let folder = tempfile::tempdir().unwrap();
        let points = Points::new(vec![7.0; n * d], d).unwrap();
        let served = Served::new(Data::of_points("same", points), &folder.path().join("s.csv"));
        assert_eq!(served.get("/api/positions").body.len(), 8 * n);
        let state = served.state_when(|state| state["labels"]["source"] == "fit");
        assert_eq!(state["n_rows"], n);
        let question = served.get("/api/question").json();
        if n == 1 {
            assert_eq!(question["kind"], "none");
        }
    }
}

#[test]
fn a_studio_that_has_ended_lets_go_of_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("blobs.csv");
    let open = || crate::Bound::new("127.0.0.1", 0).unwrap().open(blobs().0, &path);
    let first = open().unwrap();
    assert!(open().is_err());
    first.serve(|| true).unwrap();
    open().unwrap();
    drop(first);
}

#[test]
fn events_tell_of_changes() {
    let folder = tempfile::tempdir().unwrap();
    let data = Demo::Moons.data().unwrap();
    let served = Served::new(data, &folder.path().join("moons.csv"));
    let events = served.get("/api/events");
    assert_eq!(events.header("content-type"), Some("text/event-stream"));
    let text = String::from_utf8(events.body).unwrap();
    assert!(text.contains("event: state\ndata: {\"revision\":"), "{text}");
}
