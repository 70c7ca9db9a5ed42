//! Model and encoder files. Most damage is found by the checksum; here it is put right again after the
//! damage, so that what lies behind it is reached.

use crate::corpus::Format;
use crate::mutate::damaged;
use crate::readers::file;
use crate::{Verdict, Workshop, numbers};
use linkshift::Real;
use linkshift::why::Reasons;
use linkshift_features::autoencoder::{Encoder, Training};
use linkshift_io::{
    AnyModel, Element, SavedModel, encoder_from_bytes, model_from_bytes, model_to_bytes,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

/// Magic, version and length of the header.
const PREAMBLE: usize = 24;

/// Bytes with the damage that a file system would do, or with damage under a checksum that is right.
fn bytes(rng: &mut ChaCha8Rng, workshop: &Workshop, format: Format) -> Result<Vec<u8>, String> {
    if rng.random_range(0..4) == 0 {
        return file(rng, workshop, format);
    }
    let corpus = workshop.corpus(format)?;
    let whole = &corpus[rng.random_range(0..corpus.len())];
    let length = u32::from_le_bytes(whole[20..24].try_into().unwrap_or_default()) as usize;
    let (header, arrays) = whole[PREAMBLE..whole.len() - 4].split_at(length);
    let mut header: Value = serde_json::from_slice(header).map_err(|error| error.to_string())?;
    let mut arrays = arrays.to_vec();
    for _ in 0..rng.random_range(1..4) {
        match rng.random_range(0..4) {
            0 => arrays = damaged(&arrays, rng),
            1 => lengthen(&mut header, rng),
            _ => change(&mut header, rng),
        }
    }
    tame(&mut header);
    let header = header.to_string().into_bytes();
    let mut made = whole[..20].to_vec();
    made.extend_from_slice(&(header.len() as u32).to_le_bytes());
    made.extend_from_slice(&header);
    made.extend_from_slice(&arrays);
    let checksum = crc32fast::hash(&made);
    made.extend_from_slice(&checksum.to_le_bytes());
    Ok(made)
}

/// Numbers of iterations as people set them, or so large that they must be refused: what lies between is
/// allowed, and takes its time.
fn tame(value: &mut Value) {
    let Value::Object(map) = value else { return };
    for (key, value) in map {
        match value.as_f64() {
            Some(number) if key.contains("iter") && (300.0..2e6).contains(&number) => {
                *value = Value::from(300)
            }
            _ => tame(value),
        }
    }
}

/// Something else in the place of one value of the header.
fn change(value: &mut Value, rng: &mut ChaCha8Rng) {
    match value {
        Value::Object(map) if !map.is_empty() && rng.random_range(0..8) > 0 => {
            let at = rng.random_range(0..map.len());
            if let Some((_, value)) = map.iter_mut().nth(at) {
                change(value, rng);
            }
        }
        Value::Array(all) if !all.is_empty() && rng.random_range(0..4) > 0 => {
            let at = rng.random_range(0..all.len());
            match rng.random_range(0..5) {
                0 => drop(all.remove(at)),
                1 => all.push(all[at].clone()),
                _ => change(&mut all[at], rng),
            }
        }
        value => *value = odd(rng),
    }
}

fn odd(rng: &mut ChaCha8Rng) -> Value {
    let all = [
        "null",
        "true",
        "0",
        "-1",
        "1",
        "2",
        "3",
        "24",
        "4294967295",
        "4294967296",
        "9223372036854775807",
        "18446744073709551615",
        "1e308",
        "-1e308",
        "1e-320",
        "0.5",
        "\"\"",
        "\"x\"",
        "\"f64\"",
        "\"f32\"",
        "\"u32\"",
        "\"nearest\"",
        "\"replay\"",
        "\"basin\"",
        "[]",
        "[0]",
        "[[]]",
        "{}",
        "[1e300,-1e300]",
    ];
    serde_json::from_str(all[rng.random_range(0..all.len())]).unwrap_or(Value::Null)
}

/// Another length or type in the list of arrays.
fn lengthen(header: &mut Value, rng: &mut ChaCha8Rng) {
    let entries = header.get_mut("arrays").and_then(Value::as_array_mut);
    if let Some(entries) = entries.filter(|all| !all.is_empty()) {
        let at = rng.random_range(0..entries.len());
        if let Some(part) = entries[at].get_mut(rng.random_range(0..3)) {
            *part = odd(rng);
        }
    }
}

pub(crate) fn model(rng: &mut ChaCha8Rng, workshop: &Workshop) -> Verdict {
    match model_from_bytes(&bytes(rng, workshop, Format::Model)?) {
        Err(problem) if problem.to_string().is_empty() => Err("an error without a word".into()),
        Err(_) => Ok(()),
        Ok(AnyModel::F32(model)) => is_usable(&model, rng),
        Ok(AnyModel::F64(model)) => is_usable(&model, rng),
    }
}

/// A model that was let in labels new rows, says why, and is written again.
fn is_usable<T: Real + Element>(model: &SavedModel<T>, rng: &mut ChaCha8Rng) -> Verdict {
    let n_columns = model.columns.len();
    if let Some(points) = numbers::rows::<T>(rng, 5, n_columns)
        && let Ok(points) = model.scaler.apply(&points)
        && let Ok(labels) = model.predictor.predict(&points)
        && labels.len() != points.n_points()
    {
        return Err("not a label for every row".into());
    }
    if let Some(record) = model.record() {
        let n = record.points.n_points();
        let (a, b) = (rng.random_range(0..n), rng.random_range(0..n));
        if let Ok(reasons) = Reasons::find(&record, a, b) {
            let _ = reasons.text(&|row| row.to_string(), model.deaf());
        }
    }
    let bytes = model_to_bytes(model).map_err(|error| format!("not written again: {error}"))?;
    model_from_bytes(&bytes).map(drop).map_err(|error| format!("not read again: {error}"))
}

pub(crate) fn encoder(rng: &mut ChaCha8Rng, workshop: &Workshop) -> Verdict {
    let Ok(saved) = encoder_from_bytes(&bytes(rng, workshop, Format::Encoder)?) else {
        return Ok(());
    };
    let _ = Training::load(&saved);
    let Ok(encoder) = Encoder::load(&saved) else { return Ok(()) };
    let Some(points) = numbers::rows::<f64>(rng, 3, 5) else { return Ok(()) };
    match encoder.apply(&points) {
        Ok(coded) if coded.n_points() != 3 => Err("not a row for every row".into()),
        _ => Ok(()),
    }
}
