//! Nobody but our own page gets anything, on any route.

use super::client::{Response, Served};
use crate::data::{Column, Data};
use crate::routes::ROUTES;
use linkshift::Points;

const HOSTILE: &str = "<img src=x onerror=alert(1)>\"'\r\nSet-Cookie: a=b";

fn served(folder: &tempfile::TempDir) -> Served {
    let points = Points::new(vec![0.0, 0.1, 5.0, 5.1], 1).unwrap();
    let mut data = Data::of_points(HOSTILE, points);
    data.ids = Some((0..4).map(|row| format!("{row}{HOSTILE}")).collect());
    data.shown = vec![Column { name: HOSTILE.into(), values: vec![HOSTILE.into(); 4] }];
    Served::new(data, &folder.path().join("answers.csv"))
}

/// Every route with its method and a path that leads to it, and some that lead nowhere.
fn paths() -> Vec<(&'static str, String)> {
    let known = ROUTES.iter().map(|route| {
        (if route.is_post { "POST" } else { "GET" }, route.path.replace("{row}", "0"))
    });
    let others = [
        ("GET", "/nothing"),
        ("POST", "/nothing"),
        ("GET", "/api"),
        ("PUT", "/api/answer"),
        ("DELETE", "/api/state"),
        ("OPTIONS", "/api/answer"),
        ("GET", "/../Cargo.toml"),
    ];
    known.chain(others.map(|(method, path)| (method, path.to_owned()))).collect()
}

fn is_refused(response: &Response, expected: &[u16], what: &str) {
    assert!(expected.contains(&response.status), "{what}: {}", response.head);
    assert!(response.header("set-cookie").is_none(), "{what}");
    assert!(response.header("access-control-allow-origin").is_none(), "{what}");
    assert_eq!(response.header("x-content-type-options"), Some("nosniff"), "{what}");
    assert!(response.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
    let text = response.json()["error"].as_str().unwrap().to_owned();
    assert!(text.len() > 10, "{what}: {text}");
}

/// Every route with a good request changed in one way.
fn walk(change: impl Fn(&Served, &mut Vec<String>), only_writes: bool, expected: &[u16]) {
    let folder = tempfile::tempdir().unwrap();
    let served = served(&folder);
    for (method, path) in paths() {
        if only_writes && method == "GET" {
            continue;
        }
        let mut lines = served.lines(method, &path);
        change(&served, &mut lines);
        is_refused(&served.raw(&lines, "{}"), expected, &format!("{method} {path}"));
    }
    let state = served.get("/api/state").json();
    assert_eq!(
        (state["answers"]["n"].as_u64(), state["can_undo"].as_bool()),
        (Some(0), Some(false))
    );
}

#[test]
fn without_a_token() {
    walk(|_, lines| lines.retain(|line| !line.starts_with("Cookie")), false, &[401]);
}

#[test]
fn with_a_wrong_token() {
    let wrong = |served: &Served, lines: &mut Vec<String>| {
        let port = served.port;
        lines.retain(|line| !line.starts_with("Cookie"));
        let almost = format!("{}0", &served.token[..served.token.len() - 1]);
        let almost = if almost == served.token { "x".repeat(64) } else { almost };
        lines.push(format!(
            "Cookie: linkshift-{port}={almost}; linkshift-{port}=; linkshift-1={}",
            served.token
        ));
    };
    walk(wrong, false, &[401]);
}

#[test]
fn by_another_name_of_this_machine() {
    for host in [
        "evil.example",
        "127.0.0.1",
        "127.0.0.1:1",
        "localhost.evil.example:PORT",
        "0.0.0.0:PORT",
        "",
    ] {
        let renamed = |served: &Served, lines: &mut Vec<String>| {
            lines.retain(|line| !line.starts_with("Host"));
            lines.push(format!("Host: {}", host.replace("PORT", &served.port.to_string())));
        };
        walk(renamed, false, &[400, 403]);
    }
}

#[test]
fn with_two_hosts_or_an_address_of_another() {
    let twice = |_: &Served, lines: &mut Vec<String>| lines.push("Host: evil.example".into());
    walk(twice, false, &[400, 403]);
    let absolute = |_: &Served, lines: &mut Vec<String>| {
        lines[0] = lines[0].replacen(" /", " http://evil.example/", 1);
    };
    walk(absolute, false, &[403]);
}

#[test]
fn from_another_site() {
    for site in ["cross-site", "same-site", "nonsense"] {
        let marked =
            |_: &Served, lines: &mut Vec<String>| lines.push(format!("Sec-Fetch-Site: {site}"));
        walk(marked, false, &[403]);
    }
    // Typing an address is nobody's script, but it writes nothing either.
    walk(|_, lines| lines.push("Sec-Fetch-Site: none".into()), true, &[403]);
}

#[test]
fn from_another_origin() {
    for origin in [
        "http://evil.example",
        "null",
        "http://127.0.0.1",
        "https://127.0.0.1:PORT",
        "http://localhost:PORT",
    ] {
        let other = |served: &Served, lines: &mut Vec<String>| {
            lines.retain(|line| !line.starts_with("Origin"));
            lines.push(format!("Origin: {}", origin.replace("PORT", &served.port.to_string())));
        };
        walk(other, true, &[403]);
    }
    walk(|_, lines| lines.retain(|line| !line.starts_with("Origin")), true, &[403]);
}

#[test]
fn with_another_content_type() {
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/jsonx",
    ] {
        let other = |_: &Served, lines: &mut Vec<String>| {
            lines.retain(|line| !line.starts_with("Content-Type"));
            lines.push(format!("Content-Type: {kind}"));
        };
        walk(other, true, &[403, 415]);
    }
}

#[test]
fn the_token_is_taken_out_of_the_address_once() {
    let folder = tempfile::tempdir().unwrap();
    let served = served(&folder);
    let host = format!("Host: localhost:{}", served.port);
    let open = |token: &str, more: &[&str]| {
        let mut lines = vec![format!("GET /?token={token} HTTP/1.1"), host.clone()];
        lines.extend(more.iter().map(ToString::to_string));
        served.raw(&lines, "")
    };
    let good = open(&served.token, &[]);
    assert_eq!((good.status, good.header("location")), (303, Some("/")));
    let cookie = good.header("set-cookie").unwrap();
    assert!(cookie.starts_with(&format!("linkshift-{}={}", served.port, served.token)), "{cookie}");
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    // From a notebook's page the strict cookie would not follow a redirect: a page of ours goes on.
    let elsewhere = open(&served.token, &["Sec-Fetch-Site: cross-site"]);
    assert_eq!(elsewhere.status, 200);
    assert!(String::from_utf8(elsewhere.body).unwrap().contains("url=/"));
    assert_eq!(open("0", &[]).status, 403);
    assert!(open("0", &[]).header("set-cookie").is_none());
}

#[test]
fn every_route_answers_the_page_itself() {
    let folder = tempfile::tempdir().unwrap();
    let served = served(&folder);
    for route in ROUTES {
        let method = if route.is_post { "POST" } else { "GET" };
        let path = route.path.replace("{row}", "0");
        let mut lines = served.lines(method, &path);
        lines.push("Sec-Fetch-Site: same-origin".into());
        let response = served.raw(&lines, "{}");
        // An empty body may be refused by the route, but not by the guard.
        assert!([200, 400, 404].contains(&response.status), "{method} {path}: {}", response.head);
    }
}

#[test]
fn hostile_texts_stay_texts() {
    let folder = tempfile::tempdir().unwrap();
    let served = served(&folder);
    let rows = served.get("/api/rows?rows=0,3");
    assert_eq!(rows.header("content-type"), Some("application/json"));
    assert_eq!(rows.json()[0]["fields"][0][1].as_str(), Some(HOSTILE));
    let export = served.get("/api/export?what=answers&format=csv");
    assert_eq!(export.status, 200);
    let disposition = export.header("content-disposition").unwrap();
    assert!(
        !disposition.contains(['<', '\'']) && export.header("set-cookie").is_none(),
        "{disposition}"
    );
    for path in [
        "/api/image/0",
        "/api/image/..%2f..%2fetc%2fpasswd",
        "/api/image/-1",
        "/api/image/99999999999999999999",
    ] {
        assert!([400, 404].contains(&served.get(path).status), "{path}");
    }
    for body in [
        "",
        "{",
        "[]",
        "{\"kind\":\"pair\",\"a\":-1,\"b\":2,\"answer\":\"same\"}",
        "{\"kind\":\"pair\",\"a\":0,\"b\":0,\"answer\":\"same\"}",
        "{\"kind\":\"pair\",\"a\":0,\"b\":9,\"answer\":\"same\"}",
        "{\"kind\":\"pair\",\"a\":0,\"b\":1,\"answer\":\"maybe\"}",
        "{\"kind\":\"merge\",\"clusters\":[7,8]}",
    ] {
        let response = served.raw(&served.lines("POST", "/api/answer"), body);
        assert!([400, 404].contains(&response.status), "{body}: {}", response.status);
    }
    assert_eq!(served.get("/api/state").json()["can_undo"].as_bool(), Some(false));
}
