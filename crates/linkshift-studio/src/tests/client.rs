//! A server in this process, and a client that sends exactly what it is told to.

use crate::data::Data;
use crate::server::{Bound, Studio};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A studio that serves until it is dropped.
pub(super) struct Served {
    studio: Arc<Studio>,
    thread: Option<JoinHandle<()>>,
    pub(super) port: u16,
    pub(super) token: String,
}

/// What came back.
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

impl Response {
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

impl Served {
    pub(super) fn new(data: Data, answers: &Path) -> Self {
        let bound = Bound::new("127.0.0.1", 0).unwrap();
        let (port, url) = (bound.port(), bound.url());
        let studio = Arc::new(bound.open(data, answers).unwrap());
        let serving = studio.clone();
        let thread = Some(std::thread::spawn(move || serving.serve(|| false).unwrap()));
        let token = url.split("token=").nth(1).unwrap().to_owned();
        Self { studio, thread, port, token }
    }

    /// Sends these very lines.
    pub(super) fn raw(&self, lines: &[String], body: &str) -> Response {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let head = lines.join("\r\n");
        let request =
            format!("{head}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        // Events never end: their head, and what comes with it, is enough.
        let mut piece = [0; 4096];
        while let Ok(n) = stream.read(&mut piece) {
            bytes.extend_from_slice(&piece[..n]);
            let is_stream = bytes.windows(17).any(|part| part == b"text/event-stream");
            if n == 0 || is_stream && bytes.windows(6).any(|part| part == b"event:") {
                break;
            }
        }
        let at = bytes.windows(4).position(|part| part == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(bytes[..at].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Response { status, head, body: bytes[at + 4..].to_vec() }
    }

    /// The lines of a good request.
    pub(super) fn lines(&self, method: &str, path: &str) -> Vec<String> {
        let (port, token) = (self.port, &self.token);
        let mut lines = vec![
            format!("{method} {path} HTTP/1.1"),
            format!("Host: 127.0.0.1:{port}"),
            format!("Cookie: other=1; linkshift-{port}={token}"),
        ];
        if method == "POST" {
            lines.push(format!("Origin: http://127.0.0.1:{port}"));
            lines.push("Content-Type: application/json".into());
        }
        lines
    }

    pub(super) fn get(&self, path: &str) -> Response {
        self.raw(&self.lines("GET", path), "")
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Response {
        self.raw(&self.lines("POST", path), &body.to_string())
    }

    /// The state, once it is as wanted.
    pub(super) fn state_when(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        let begin = Instant::now();
        loop {
            let state = self.get("/api/state").json();
            if wanted(&state) {
                return state;
            }
            assert!(begin.elapsed() < Duration::from_secs(120), "it never came to that: {state}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The state after a full fit of all that was said.
    pub(super) fn fitted(&self) -> Value {
        let revision = self.get("/api/state").json()["labels"]["revision"].as_u64().unwrap();
        self.post("/api/fit", &serde_json::json!({}));
        let is_new = |state: &Value| state["labels"]["revision"].as_u64().unwrap() > revision;
        let is_done =
            |state: &Value| state["labels"]["is_current"] == true && state["job"].is_null();
        self.state_when(|state| is_new(state) && is_done(state))
    }

    pub(super) fn labels(&self) -> Vec<i32> {
        let bytes = self.get("/api/labels").body;
        bytes.chunks_exact(4).map(|four| i32::from_le_bytes(four.try_into().unwrap())).collect()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.studio.stop();
        self.thread.take().unwrap().join().unwrap();
    }
}
