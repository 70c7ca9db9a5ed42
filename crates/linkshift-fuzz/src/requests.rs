//! The studio's requests, sent to a server in this process: an answer with a status, never a 500 but
//! where it says what to do, and the server stays.

use crate::mutate::damaged;
use crate::{Verdict, Workshop};
use linkshift::datasets;
use linkshift_studio::{Bound, Data, Studio};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tempfile::TempDir;

/// A studio on thirty points.
pub(crate) struct Server {
    studio: Arc<Studio>,
    thread: Option<JoinHandle<()>>,
    port: u16,
    token: String,
    /// Its files, which go with it.
    _folder: TempDir,
}

impl Server {
    /// Begins a dialogue, in a folder of its own within this one.
    pub(crate) fn start(within: &Path) -> Result<Self, String> {
        let said = |error: &dyn std::fmt::Display| format!("no studio: {error}");
        let folder = tempfile::tempdir_in(within).map_err(|error| said(&error))?;
        let blobs = datasets::blobs(30, 2, 3, 0.3, 3.0, 1).map_err(|error| said(&error))?;
        let bound = Bound::new("127.0.0.1", 0).map_err(|error| said(&error))?;
        let (port, url) = (bound.port(), bound.url());
        let data = Data::of_points("blobs", blobs.points);
        let studio = Arc::new(
            bound.open(data, &folder.path().join("answers.csv")).map_err(|error| said(&error))?,
        );
        let serving = studio.clone();
        let thread = std::thread::spawn(move || {
            let _ = serving.serve(|| false);
        });
        let token = url.split("token=").nth(1).unwrap_or_default().to_owned();
        Ok(Self { studio, thread: Some(thread), port, token, _folder: folder })
    }

    /// The status, or none if the server said nothing.
    fn ask(
        &self,
        method: &str,
        path: &[u8],
        body: &[u8],
    ) -> std::io::Result<Option<(u16, Vec<u8>)>> {
        let (port, token) = (self.port, &self.token);
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        let mut request = format!("{method} ").into_bytes();
        request.extend_from_slice(path);
        request.extend_from_slice(
            format!(
                " HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nCookie: linkshift-{port}={token}\r\n\
                 Content-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
                body.len()
            )
            .as_bytes(),
        );
        request.extend_from_slice(body);
        stream.write_all(&request)?;
        let mut reply = Vec::new();
        // A server that refuses before all was sent closes the line: what came before counts.
        let _ = stream.read_to_end(&mut reply);
        let head = String::from_utf8_lossy(&reply[..reply.len().min(12)]).into_owned();
        Ok(head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .map(|status| (status, reply)))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.studio.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

const POSTS: &[(&str, &str)] = &[
    ("/api/answer", r#"{"kind":"pair","a":1,"b":2,"answer":"same"}"#),
    (
        "/api/answer",
        r#"{"kind":"pair","a":3,"b":29,"answer":"different","comment":"x","certain":true}"#,
    ),
    ("/api/answer", r#"{"kind":"place","row":4,"groups":[[1,2],[9]],"chosen":1}"#),
    ("/api/answer", r#"{"kind":"place","row":4,"groups":[[1],[9]],"chosen":"none"}"#),
    ("/api/answer", r#"{"kind":"group","rows":[1,2,3],"odd":[3]}"#),
    ("/api/correct", r#"{"kind":"together","rows":[1,2,3]}"#),
    ("/api/correct", r#"{"kind":"apart","rows":[1],"cluster":0,"together":true}"#),
    ("/api/correct", r#"{"kind":"move","rows":[4],"cluster":1}"#),
    ("/api/correct", r#"{"kind":"merge","clusters":[0,1]}"#),
    ("/api/undo", "{}"),
    ("/api/undo", "{}"),
    ("/api/redo", "{}"),
    ("/api/edit", r#"{"id":1,"answer":"unsure"}"#),
    ("/api/edit", r#"{"id":2,"comment":"y","look_again":true}"#),
    ("/api/rename", r#"{"cluster":0,"name":"first"}"#),
    ("/api/ask_again", r#"{"id":1}"#),
    ("/api/cancel", "{}"),
    ("/api/selection", r#"{"rows":[1,2,3]}"#),
];

const GETS: &[&str] = &[
    "/api/state",
    "/api/labels",
    "/api/links",
    "/api/rows?rows=1,2,3",
    "/api/rows?from=0&to=9",
    "/api/image/3",
    "/api/search?q=1",
    "/api/question",
    "/api/why?a=1&b=2",
    "/api/export?what=labels&format=csv",
    "/api/export?what=links&format=csv",
    "/api/export?what=model",
    "/api/command",
    "/api/nothing",
];

pub(crate) fn request(rng: &mut ChaCha8Rng, workshop: &Workshop) -> Verdict {
    let (method, path, body) = if rng.random_range(0..4) == 0 {
        let path = GETS[rng.random_range(0..GETS.len())];
        ("GET", damaged_path(path, rng), Vec::new())
    } else {
        let (path, body) = POSTS[rng.random_range(0..POSTS.len())];
        ("POST", path.as_bytes().to_vec(), damaged(body.as_bytes(), rng))
    };
    let shown = || format!("{} {}", String::from_utf8_lossy(&path), String::from_utf8_lossy(&body));
    let gone = |error: std::io::Error| format!("the server is gone: {error}");
    match workshop.ask_studio(|server| server.ask(method, &path, &body).map_err(gone)) {
        Err(gone) => Err(gone),
        Ok(None) => Err("no answer to a request".into()),
        Ok(Some((status, reply))) if status >= 500 => {
            let text = String::from_utf8_lossy(&reply);
            let end = text.rsplit("\r\n\r\n").next().unwrap_or_default();
            // What a server may not have ready yet, it says.
            match end.contains("not ready") || end.contains("yet") {
                true => Ok(()),
                false => Err(format!("status {status}: {end} ({})", shown())),
            }
        }
        Ok(Some(_)) => Ok(()),
    }
}

/// Damage after the path's own name, and no byte that would end the line.
fn damaged_path(path: &str, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let bytes = damaged(path.as_bytes(), rng);
    let is_good = |byte: &u8| byte.is_ascii_graphic();
    let mut bytes: Vec<u8> = bytes.into_iter().filter(is_good).collect();
    if bytes.first() != Some(&b'/') {
        bytes.insert(0, b'/');
    }
    bytes
}
