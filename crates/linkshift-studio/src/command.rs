//! The commands that give the same labels.

use crate::app::App;
use serde_json::{Value, json};

pub(crate) fn commands(app: &App) -> Value {
    let origin = &app.data.origin;
    let is_certain = app.lock().session.all_certain();
    let is_given = !app.data.given.is_empty();
    if origin.arguments.is_empty() {
        let text = "# these data are not in a file: export labels or model instead";
        return json!({ "shell": text, "python": python(app, &links_file(app), is_certain) });
    }
    let mut words = vec!["linkshift".to_owned(), "fit".into()];
    words.extend(origin.arguments.iter().cloned());
    words.extend(["--links".into(), links_file(app)]);
    if is_certain {
        words.extend(["--set".into(), "trust=all".into()]);
    }
    words.extend(["-o".into(), "labels.csv".into()]);
    let shell = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    let first = match is_given {
        true => "# first export the links, which hold those that came with the data too\n",
        false => "",
    };
    json!({
        "shell": format!("{first}{shell}"),
        "python": python(app, &links_file(app), is_certain),
    })
}

/// The file that holds all links: the answers, or, if links came with the data, an export.
fn links_file(app: &App) -> String {
    match app.data.given.is_empty() {
        true => app.saved_to.display().to_string(),
        false => format!("{}.links.csv", app.data.name.split('.').next().unwrap_or_default()),
    }
}

fn python(app: &App, links: &str, is_certain: bool) -> String {
    let origin = &app.data.origin;
    let mut lines = match origin.python.is_empty() {
        true => vec![
            "# X: the points, as an array".to_owned(),
            "import pandas as pd".into(),
            "import linkshift".into(),
        ],
        false => origin.python.clone(),
    };
    let trust = if is_certain { ", trust=\"all\"" } else { "" };
    lines.extend([
        format!("links = pd.read_csv({links:?}, comment=\"#\")"),
        "links = links[links[\"kind\"] != \"unsure\"]".into(),
        "if \"confidence\" in links:".into(),
        "    links = links.fillna({\"confidence\": 0.99})".into(),
        format!(
            "labels = linkshift.cluster(X, links=links, random_state={}{trust}).labels_",
            origin.seed
        ),
    ]);
    lines.join("\n")
}

/// A word as shells take it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_reach_the_command_as_they_are() {
        assert_eq!(quoted("people.csv"), "people.csv");
        assert_eq!(quoted("it's; rm -rf $HOME"), "'it'\\''s; rm -rf $HOME'");
        assert_eq!(quoted(""), "''");
    }
}
