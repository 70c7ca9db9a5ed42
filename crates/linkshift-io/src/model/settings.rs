//! What was set of a method's parameters, in a model file.

use super::container::{Container, missing};
use crate::error::Problem;
use linkshift::params::{N_CLUSTERS, SEED, Value};
use serde_json::{Map, Value as Json, json};

/// Values as they are: a number is a number, a word a word, null is left to the method.
pub(super) fn put_settings(to: &mut Container, settings: &[(String, Value)]) {
    let setting = |(key, value): &(String, Value)| (key.clone(), to_json(value));
    to.set("settings", settings.iter().map(setting).collect::<Map<String, Json>>());
}

pub(super) fn take_settings(from: &Container) -> Result<Vec<(String, Value)>, Problem> {
    let all = from.get("settings").as_object().ok_or_else(|| missing("settings"))?;
    if from.version() == 1 {
        return take_texts(from, all);
    }
    let setting = |(key, value): (&String, &Json)| Some((key.clone(), from_json(value)?));
    all.iter().map(setting).collect::<Option<_>>().ok_or_else(|| missing("settings"))
}

/// Version 1 has texts, and two parameters beside them.
fn take_texts(from: &Container, all: &Map<String, Json>) -> Result<Vec<(String, Value)>, Problem> {
    let setting = |(key, text): (&String, &Json)| Some((key.clone(), Value::parse(text.as_str()?)));
    let settings: Option<Vec<_>> = all.iter().map(setting).collect();
    let mut settings = settings.ok_or_else(|| missing("settings"))?;
    for (key, default) in [(N_CLUSTERS, None), (SEED, Some(0))] {
        let count = from.get(key).as_u64();
        if let Some(count) = count.filter(|_| count != default) {
            settings.push((key.to_owned(), Value::Count(count)));
        }
    }
    Ok(settings)
}

fn to_json(value: &Value) -> Json {
    match value {
        Value::Auto => Json::Null,
        Value::Flag(flag) => json!(flag),
        Value::Count(count) => json!(count),
        Value::Number(number) => json!(number),
        Value::Word(word) => json!(word),
        Value::List(numbers) => json!(numbers),
    }
}

fn from_json(value: &Json) -> Option<Value> {
    Some(match value {
        Json::Null => Value::Auto,
        Json::Bool(flag) => Value::Flag(*flag),
        Json::Number(number) => match number.as_u64() {
            Some(count) => Value::Count(count),
            None => Value::Number(number.as_f64()?),
        },
        Json::String(word) => Value::Word(word.clone()),
        Json::Array(numbers) => {
            Value::List(numbers.iter().map(Json::as_f64).collect::<Option<_>>()?)
        }
        Json::Object(_) => return None,
    })
}
