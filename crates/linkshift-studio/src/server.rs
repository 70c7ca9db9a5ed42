//! The server: routes behind the guard, and threads that work beside it.

use crate::app::{App, Tick};
use crate::data::Data;
use crate::error::{Result, StudioError};
use crate::guard::{self, Guard};
use crate::jobs::Job;
use crate::routes::{Asked, ROUTES, Reply, Serve};
use crate::{brain, jobs};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, Response, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::routing::{MethodFilter, on};
use futures_util::stream;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::{TcpListener, ToSocketAddrs};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// More is not read of a request.
const MOST_BODY: usize = 32 << 20;

/// A page that nothing happens on hears from us so often.
const STILL_THERE: Duration = Duration::from_secs(15);

/// Events come no closer than this.
const BETWEEN_EVENTS: Duration = Duration::from_millis(40);

/// An address that is taken, before there is anything to serve.
#[derive(Debug)]
pub struct Bound {
    listener: TcpListener,
    token: String,
    host: String,
    port: u16,
}

/// A dialogue with its server.
pub struct Studio {
    app: Arc<App>,
    bound: Bound,
}

impl Bound {
    /// Takes an address of this machine; port 0 is any that is free.
    pub fn new(host: &str, port: u16) -> Result<Self> {
        let failed = |error: std::io::Error| {
            StudioError::Bad(format!(
                "{host}:{port} cannot be listened on ({error}): choose another --port, or 0 for a free one"
            ))
        };
        let mut places = (host, port).to_socket_addrs().map_err(failed)?;
        let place =
            places.next().ok_or_else(|| StudioError::bad(format!("there is no host {host}")))?;
        let listener = TcpListener::bind(place).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        Ok(Self { listener, token: guard::new_token()?, host: host.to_owned(), port })
    }

    /// What to open in a browser; whoever knows it may do all that the studio can.
    pub fn url(&self) -> String {
        let host = match self.host.contains(':') {
            true => format!("[{}]", self.host),
            false => self.host.clone(),
        };
        format!("http://{host}:{}/?token={}", self.port, self.token)
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Whether only this machine can reach it.
    pub fn is_local(&self) -> bool {
        self.listener.local_addr().is_ok_and(|place| place.ip().is_loopback())
    }

    /// Takes up the dialogue about some data whose answers are in a file, or begins it.
    pub fn open(self, data: Data, answers: &Path) -> Result<Studio> {
        Ok(Studio { app: Arc::new(App::open(data, answers)?), bound: self })
    }
}

impl Studio {
    /// What to open in a browser.
    pub fn url(&self) -> String {
        self.bound.url()
    }

    /// Serves until `stop` says so; it is asked ten times a second.
    pub fn serve(&self, stop: impl Fn() -> bool) -> Result<()> {
        let failed =
            |error: std::io::Error| StudioError::inside(format!("the server failed: {error}"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(failed)?;
        let workers = self.work();
        let served = runtime.block_on(async {
            let listener =
                self.bound.listener.try_clone().and_then(tokio::net::TcpListener::from_std);
            let listener = listener.map_err(failed)?;
            let server = axum::serve(listener, self.router());
            let stopped = async {
                while !stop() && !self.app.is_stopped() {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            };
            tokio::select! {
                served = server => served.map_err(failed),
                () = stopped => Ok(()),
            }
        });
        self.app.stop();
        // All that was acknowledged is on the disk; what still runs may be left.
        runtime.shutdown_timeout(Duration::from_millis(500));
        workers.into_iter().for_each(|worker| {
            let _ = worker.join();
        });
        self.app.lock().store.release();
        served
    }

    /// The cluster of each row, as it is shown now; −1 is none.
    pub fn labels(&self) -> Vec<i64> {
        self.app.lock().shown.labels.to_vec()
    }

    /// The names that clusters were given.
    pub fn names(&self) -> BTreeMap<i64, String> {
        self.app.lock().session.now().names.clone()
    }

    /// What was answered and corrected, in order.
    pub fn answers(&self) -> Vec<linkshift::ask::Reply> {
        self.app.lock().session.now().replies()
    }

    /// Ends [`serve`](Self::serve), from another thread.
    pub fn stop(&self) {
        self.app.stop();
    }

    /// Starts all that works in the background.
    fn work(&self) -> Vec<std::thread::JoinHandle<()>> {
        let tasks: [fn(&App) -> Result<()>; 3] = [App::draw_map, brain::run, jobs::run_fits];
        let start = |task: fn(&App) -> Result<()>| {
            let app = self.app.clone();
            std::thread::spawn(move || {
                if let Err(error) = task(&app) {
                    let mut inner = app.lock();
                    inner.notes.push(error.to_string());
                    app.touch(&mut inner);
                }
            })
        };
        tasks.into_iter().map(start).collect()
    }

    fn router(&self) -> Router {
        let guard =
            Arc::new(Guard::new(self.bound.token.clone(), &self.bound.host, self.bound.port));
        router(self.app.clone(), guard)
    }
}

/// The routes behind the guard.
pub(crate) fn router(app: Arc<App>, guard: Arc<Guard>) -> Router {
    let mut router = Router::new();
    for route in ROUTES {
        let filter = if route.is_post { MethodFilter::POST } else { MethodFilter::GET };
        let serve = route.serve;
        let app = app.clone();
        let handler = move |request: Request| respond(app.clone(), serve, request);
        router = router.route(route.path, on(filter, handler));
    }
    let missing = || async { guard::refuse(StatusCode::NOT_FOUND, "there is no such page") };
    router.fallback(missing).layer(from_fn_with_state(guard, guarded))
}

async fn guarded(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response<Body> {
    let mut response = match guard.stop(&request) {
        Some(refused) => refused,
        None => next.run(request).await,
    };
    guard::seal(&mut response);
    response
}

async fn respond(app: Arc<App>, serve: Serve, request: Request) -> Response<Body> {
    let by = match serve {
        Serve::File(kind, bytes) => return with_kind(Body::from(bytes), kind),
        Serve::Events => return events(&app),
        Serve::By(by) => by,
    };
    let asked = match take_apart(request).await {
        Ok(asked) => asked,
        Err((status, text)) => return guard::refuse(status, text),
    };
    let done = tokio::task::spawn_blocking(move || by(&app, &asked)).await;
    match done {
        Ok(Ok(reply)) => reply.into_response(),
        Ok(Err(error)) => {
            let status = StatusCode::from_u16(error.status());
            guard::refuse(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), &error.to_string())
        }
        Err(_) => guard::refuse(
            StatusCode::INTERNAL_SERVER_ERROR,
            "something in linkshift broke; nothing that was saved is lost: try again",
        ),
    }
}

async fn take_apart(request: Request) -> Result<Asked, (StatusCode, &'static str)> {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, MOST_BODY).await;
    let body = body.map_err(|_| (StatusCode::PAYLOAD_TOO_LARGE, "more than 32 MB: send less"))?;
    let query = form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes());
    let is_post = parts.method == axum::http::Method::POST;
    let body = match is_post {
        true => serde_json::from_slice(&body)
            .map_err(|_| (StatusCode::BAD_REQUEST, "the body is not JSON"))?,
        false => Value::Null,
    };
    Ok(Asked {
        query: query.into_owned().collect(),
        last: parts.uri.path().rsplit('/').next().unwrap_or_default().to_owned(),
        body,
    })
}

fn with_kind(body: Body, kind: &'static str) -> Response<Body> {
    let mut response = Response::new(body);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

impl Reply {
    fn into_response(self) -> Response<Body> {
        match self {
            Reply::Json(json) => with_kind(Body::from(json.to_string()), "application/json"),
            Reply::Bytes { kind, bytes, revision, file } => {
                let mut response = with_kind(Body::from(bytes), kind);
                let headers = response.headers_mut();
                if let Some(revision) = revision {
                    headers.insert("x-revision", HeaderValue::from(revision));
                }
                let file = file.map(|name| format!("attachment; filename=\"{name}\""));
                if let Some(Ok(file)) = file.map(|file| HeaderValue::from_str(&file)) {
                    headers.insert(CONTENT_DISPOSITION, file);
                }
                response
            }
        }
    }
}

/// One page's stream of events.
struct Stream {
    app: Arc<App>,
    ticks: watch::Receiver<Tick>,
    last: Option<Tick>,
}

fn events(app: &Arc<App>) -> Response<Body> {
    let begin = Stream { app: app.clone(), ticks: app.tick.subscribe(), last: None };
    let events = stream::unfold(begin, |mut stream| async {
        let text = stream.next().await?;
        Some((Ok::<_, Infallible>(Bytes::from(text)), stream))
    });
    with_kind(Body::from_stream(events), "text/event-stream")
}

impl Stream {
    /// What happened since the last time; `None` if nothing will any more.
    async fn next(&mut self) -> Option<String> {
        if self.last.is_some() {
            tokio::time::sleep(BETWEEN_EVENTS).await;
            let waited = tokio::time::timeout(STILL_THERE, self.ticks.changed()).await;
            match waited {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return None,
                Err(_) => return Some(": still there\n\n".into()),
            }
        }
        if self.app.is_stopped() {
            return None;
        }
        let tick = self.ticks.borrow_and_update().clone();
        let event = |name: &str, data: &Value| format!("event: {name}\ndata: {data}\n\n");
        let revision = |revision: u64| json!({ "revision": revision });
        let last = self.last.replace(tick.clone());
        let differs =
            |what: fn(&Tick) -> u64| last.as_ref().is_none_or(|last| what(last) != what(&tick));
        let mut text = String::new();
        if differs(|tick| tick.state) {
            text += &event("state", &revision(tick.state));
        }
        if differs(|tick| tick.labels) {
            text += &event("labels", &revision(tick.labels));
        }
        if differs(|tick| tick.positions) && tick.positions > 0 {
            text += &event("positions", &revision(tick.positions));
        }
        if last.is_none_or(|last| last.job != tick.job) {
            text += &event("job", &tick.job.as_ref().map_or(Value::Null, Job::to_json));
        }
        Some(if text.is_empty() { ": nothing new\n\n".into() } else { text })
    }
}
