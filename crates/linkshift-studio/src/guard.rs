//! The one outer layer: every request goes through it, whatever its route.
//!
//! The server listens on this machine, and so does every page that a browser has open. So each request
//! must name this very server ([DNS rebinding]), show the token of this run, and, if it changes something,
//! come from the page that we served.
//!
//! [DNS rebinding]: https://en.wikipedia.org/wiki/DNS_rebinding

use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, HOST, LOCATION, ORIGIN,
    REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use serde_json::json;

/// What pages of ours may do: nothing but talk to this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
                      connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// Pictures that hold scripts run none.
const PICTURE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// Who may ask.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    token: String,
    cookie: String,
    hosts: Vec<String>,
    origins: Vec<String>,
}

/// Why a request is refused.
type Refusal = (StatusCode, &'static str);

impl Guard {
    /// A guard with a token, for a server at this port; `host` is the address it was bound to.
    pub(crate) fn new(token: String, host: &str, port: u16) -> Self {
        let mut names = vec!["127.0.0.1".to_owned(), "localhost".into(), "[::1]".into()];
        let bound = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
        if !names.contains(&bound) {
            names.push(bound);
        }
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        if port == 80 {
            hosts.extend(names);
        }
        let origins = hosts.iter().map(|host| format!("http://{host}")).collect();
        Self { token, cookie: format!("linkshift-{port}"), hosts, origins }
    }

    /// The response to a request that goes no further, if that is so.
    pub(crate) fn stop<B>(&self, request: &Request<B>) -> Option<Response<Body>> {
        if let Err((status, text)) = self.check_host(request) {
            return Some(refuse(status, text));
        }
        if let Some(token) = token_of(request) {
            return Some(match same(&token, &self.token) {
                true => self.let_in(request.headers()),
                false => refuse(StatusCode::FORBIDDEN, WRONG_TOKEN),
            });
        }
        let checked = self.check_token(request.headers()).and_then(|()| self.check_site(request));
        checked.err().map(|(status, text)| refuse(status, text))
    }

    /// The request must be for this server, by a name of this machine.
    fn check_host<B>(&self, request: &Request<B>) -> Result<(), Refusal> {
        let is_known = |host: &str| self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host));
        let named = one(request.headers(), HOST).is_some_and(is_known);
        let addressed = request.uri().authority().is_none_or(|host| is_known(host.as_str()));
        match named && addressed {
            true => Ok(()),
            false => Err((
                StatusCode::FORBIDDEN,
                "the request names another host: open the address that linkshift studio printed",
            )),
        }
    }

    fn check_token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let all = headers.get_all(COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
        let mut ours = all.flat_map(|all| all.split(';')).filter_map(|one| {
            let (name, value) = one.trim().split_once('=')?;
            (name == self.cookie).then_some(value)
        });
        match ours.any(|token| same(token, &self.token)) {
            true => Ok(()),
            false => Err((
                StatusCode::UNAUTHORIZED,
                "this page does not know the token of this run: open the address that linkshift studio \
                 printed",
            )),
        }
    }

    /// Nothing that another site asks for is done; what changes something is asked for by our page.
    fn check_site<B>(&self, request: &Request<B>) -> Result<(), Refusal> {
        let headers = request.headers();
        let site = headers.get_all("sec-fetch-site").iter();
        let mut site = site.map(|site| site.to_str().unwrap_or_default());
        let is_read = request.method() == Method::GET;
        let is_ours = |site: &str| site == "same-origin" || is_read && site == "none";
        if !site.all(is_ours) {
            return Err((StatusCode::FORBIDDEN, "another site asked for this: it is not done"));
        }
        if is_read {
            return Ok(());
        }
        let origin = one(headers, ORIGIN);
        if !origin.is_some_and(|origin| self.origins.iter().any(|known| known == origin)) {
            return Err((
                StatusCode::FORBIDDEN,
                "the request does not come from the studio's page",
            ));
        }
        // The page must be the one of the very name that the request goes to.
        if origin != one(headers, HOST).map(|host| format!("http://{host}")).as_deref() {
            return Err((
                StatusCode::FORBIDDEN,
                "the request does not come from the studio's page",
            ));
        }
        let kind = one(headers, CONTENT_TYPE).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        match kind.eq_ignore_ascii_case("application/json") {
            true => Ok(()),
            false => Err((
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "send JSON (content type application/json)",
            )),
        }
    }

    /// Takes the token out of the address and into a cookie.
    fn let_in(&self, headers: &HeaderMap) -> Response<Body> {
        let cookie = format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.cookie, self.token);
        let from_elsewhere = one(headers, HeaderName::from_static("sec-fetch-site"))
            .is_some_and(|site| site != "none" && site != "same-origin");
        // A strict cookie is not sent along a redirect from another site; our own page may go on.
        let mut response = match from_elsewhere {
            true => text(
                StatusCode::OK,
                "text/html; charset=utf-8",
                "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=/\"><title>linkshift studio</title>",
            ),
            false => text(StatusCode::SEE_OTHER, "text/plain; charset=utf-8", ""),
        };
        if !from_elsewhere {
            response.headers_mut().insert(LOCATION, HeaderValue::from_static("/"));
        }
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(SET_COOKIE, cookie);
        }
        response
    }
}

const WRONG_TOKEN: &str =
    "the token is not that of this run: open the address that linkshift studio printed";

/// The token of `/?token=…`.
fn token_of<B>(request: &Request<B>) -> Option<String> {
    if request.uri().path() != "/" || request.method() != Method::GET {
        return None;
    }
    let query = request.uri().query().unwrap_or_default();
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(key, _)| key == "token").map(|(_, value)| value.into_owned())
}

/// The only value of a header; none if there are several.
fn one(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut all = headers.get_all(name).iter();
    match (all.next(), all.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

/// Compared in a time that tells nothing of where they differ.
fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let differences = a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b));
    a.len() == b.len() && std::hint::black_box(differences) == 0
}

fn text(status: StatusCode, kind: &'static str, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// An error as JSON.
pub(crate) fn refuse(status: StatusCode, text: &str) -> Response<Body> {
    let mut response = Response::new(Body::from(json!({ "error": text }).to_string()));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// What every response says of itself.
pub(crate) fn seal(response: &mut Response<Body>) {
    let headers = response.headers_mut();
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let policy = if kind.starts_with("image/svg") { PICTURE_POLICY } else { POLICY };
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    let ours = HeaderValue::from_static("same-origin");
    headers.insert("cross-origin-resource-policy", ours.clone());
    headers.insert("cross-origin-opener-policy", ours);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
}

/// 256 bits nobody can guess, as 64 digits.
pub(crate) fn new_token() -> crate::Result<String> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        crate::StudioError::Inside(format!("the system gives no random numbers: {error}"))
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
