//! `linkshift studio` as a process: started, spoken to, killed, started again.

use crate::common::{PATIENCE, Place};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A studio that is killed when the test is over.
pub(crate) struct Studio {
    child: Child,
    address: String,
    token: String,
}

impl Studio {
    pub(crate) fn start(place: &Place, args: &str) -> Self {
        let mut command = place.command(&format!("studio {args} --no-browser --port 0"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (address, token) = line.trim().split_once("/?token=").unwrap();
        let address = address.strip_prefix("http://").unwrap().to_owned();
        assert!(address.starts_with("127.0.0.1:") && token.len() == 64, "{line}");
        Self { child, address, token: token.to_owned() }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, Vec<u8>) {
        let mut stream = self.send(method, path, body);
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let at = bytes.windows(4).position(|part| part == b"\r\n\r\n").unwrap();
        let head = String::from_utf8_lossy(&bytes[..at]).into_owned();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), bytes[at + 4..].to_vec())
    }

    /// A request whose answer nobody has read yet.
    pub(crate) fn send(&self, method: &str, path: &str, body: &str) -> TcpStream {
        let (address, token) = (&self.address, &self.token);
        let port = address.rsplit(':').next().unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
             Cookie: linkshift-{port}={token}\r\nContent-Type: application/json\r\n\
             Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        let (status, body) = self.ask("GET", path, "");
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).unwrap()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Value {
        let (status, body) = self.ask("POST", path, &body.to_string());
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).unwrap()
    }

    /// kill −9.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// The state after a full fit of all that was said.
    fn fitted(&self) -> Value {
        let revision = self.get("/api/state")["labels"]["revision"].as_u64();
        self.post("/api/fit", &json!({}));
        let begin = Instant::now();
        loop {
            let state = self.get("/api/state");
            let is_new = state["labels"]["revision"].as_u64() > revision;
            if is_new && state["labels"]["is_current"] == true && state["job"].is_null() {
                return state;
            }
            assert!(begin.elapsed() < PATIENCE, "{state}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn blobs() -> Place {
    let place = Place::new();
    place.good("make blobs -n 150 --dimensions 3 --centers 3 --noise 0.4 -o data.csv");
    place
}

const DATA: &str = "data.csv --label-column label";

#[test]
fn killed_at_any_time_it_goes_on_where_it_was() {
    let place = blobs();
    let mut said = 0;
    let mut names = Value::Null;
    for round in 0..3 {
        let mut studio = Studio::start(&place, DATA);
        let state = studio.get("/api/state");
        assert_eq!(state["answers"]["n"], said, "{state}");
        for step in 0..3 {
            let row = 10 * round + 2 * step;
            let body = json!({ "kind": "pair", "a": row, "b": row + 1, "answer": "unsure", "comment": "é,\"" });
            studio.post("/api/answer", &body);
            said += 1;
        }
        let state = studio.fitted();
        if round == 0 {
            let id = state["clusters"][0]["id"].clone();
            studio.post("/api/rename", &json!({ "cluster": id, "name": "first" }));
            names = state["clusters"][0]["typical"][0].clone();
        } else {
            let clusters = state["clusters"].as_array().unwrap();
            let named = clusters.iter().find(|cluster| cluster["name"] == "first").unwrap();
            assert!(named["typical"].as_array().unwrap().contains(&names), "{named}");
        }
        studio.kill();
    }
    let studio = Studio::start(&place, DATA);
    let before = studio.get("/api/state");
    assert_eq!(before["history"][0]["comment"], "é,\"");
    for _ in 0..9 {
        studio.post("/api/undo", &json!({}));
    }
    let state = studio.get("/api/state");
    // Derived: nine answers and a name were said; nine steps back leave the first answer.
    assert_eq!((&state["answers"]["n"], &state["can_undo"]), (&json!(1), &json!(true)));
}

#[test]
fn two_studios_on_one_file_are_one_too_many() {
    let place = blobs();
    let first = Studio::start(&place, DATA);
    let second = place.run(&format!("studio {DATA} --no-browser"));
    assert_eq!(second.code, Some(2));
    assert!(
        second.stderr.contains("another studio works on data.answers.csv"),
        "{}",
        second.stderr
    );
    assert!(second.stdout.is_empty());
    drop(first);
    let other = Studio::start(&place, &format!("{DATA} --answers other.csv"));
    other.get("/api/state");
}

#[test]
fn the_command_gives_the_exported_labels() {
    let place = blobs();
    let studio = Studio::start(&place, DATA);
    let labels = studio.fitted()["clusters"].clone();
    let two = json!([labels[0]["id"], labels[1]["id"]]);
    studio.post("/api/answer", &json!({ "kind": "pair", "a": 0, "b": 1, "answer": "same" }));
    studio.post("/api/correct", &json!({ "kind": "merge", "clusters": two }));
    studio.fitted();
    let (_, exported) = studio.ask("GET", "/api/export?what=labels&format=csv", "");
    place.write("exported.csv", exported);
    let shell = studio.get("/api/command")["shell"].as_str().unwrap().to_owned();
    let args = shell.strip_prefix("linkshift ").unwrap();
    place.good(args);
    let column = |name: &str| -> Vec<String> {
        let text = place.read(name);
        text.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect()
    };
    let (ours, theirs) = (column("exported.csv"), column("labels.csv"));
    // The same clusters; the studio's numbers stay from fit to fit, those of `fit` begin anew.
    let pairs: std::collections::BTreeSet<(&String, &String)> = ours.iter().zip(&theirs).collect();
    let distinct = |all: &[String]| all.iter().collect::<std::collections::BTreeSet<_>>().len();
    assert_eq!((pairs.len(), distinct(&ours)), (distinct(&theirs), pairs.len()));
}

#[test]
fn answers_are_those_of_ask() {
    let place = blobs();
    place.good("ask data.csv --oracle-column label --budget 5 --answers data.answers.csv");
    let studio = Studio::start(&place, DATA);
    let state = studio.get("/api/state");
    assert!(state["answers"]["n"].as_u64().unwrap() >= 1, "{state}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_cleanly() {
    let place = blobs();
    let mut studio = Studio::start(&place, DATA);
    studio.get("/api/state");
    let sent = Command::new("kill").args(["-INT", &studio.child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    assert_eq!(studio.child.wait().unwrap().code(), Some(0));
}

#[test]
fn bad_input_says_what_to_do() {
    let place = blobs();
    for (args, says) in [
        ("studio none.csv", "none.csv"),
        ("studio - ", "name one"),
        ("studio data.csv --show nothing", "nothing"),
        ("studio data.csv --port 1x", "port"),
        ("studio data.csv --answers answers.parquet", "answers.parquet"),
    ] {
        let run = place.run(&format!("{args} --no-browser"));
        assert_eq!(run.code, Some(2), "{args}: {}", run.stderr);
        assert!(run.stderr.contains(says) && run.stdout.is_empty(), "{args}: {}", run.stderr);
    }
}

#[test]
fn links_that_are_known_are_taken_and_left_alone() {
    let place = blobs();
    place.write("links.csv", "a,b,kind\n0,1,must\n");
    let studio = Studio::start(&place, &format!("{DATA} --links links.csv"));
    let state = studio.get("/api/state");
    assert_eq!(
        (&state["links"]["n_must"], &state["read_only_links"]),
        (&json!(1), &json!("links.csv"))
    );
    assert_eq!(place.read("links.csv"), "a,b,kind\n0,1,must\n");
}
