//! The commands that give the same labels.

use crate::app::App;
use serde_json::{Value, json};

pub(crate) fn commands(app: &App) -> Value {
    let mut words = vec!["linkshift".to_owned(), "fit".into()];
    words.extend(app.data.origin.arguments.iter().cloned());
    words.extend(["--links".into(), app.saved_to.display().to_string()]);
    words.extend(["-o".into(), "labels.csv".into()]);
    let shell: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    json!({ "shell": shell.join(" "), "python": app.data.origin.python.join("\n") })
}

/// A word as shells take it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
