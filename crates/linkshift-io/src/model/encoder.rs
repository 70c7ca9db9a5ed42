//! Encoders: what turns rows into fewer columns, finished or still in training.

use super::container::{Container, damaged, missing};
use super::intake::{self, Intake};
use super::{put_scaler, take_scaler};
use crate::error::{IoError, Problem};
use crate::write::write_beside;
use linkshift::Scaler;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;

/// An encoder as plain data, in the same container as models.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedEncoder {
    /// Which one it is, e.g. `autoencoder`.
    pub kind: String,
    /// Numbers by name.
    pub numbers: Vec<(String, Vec<f64>)>,
    /// Larger arrays by name.
    pub arrays: Vec<(String, Vec<f32>)>,
    /// How the rows of a file become points; none if the points came from elsewhere than a file.
    pub intake: Option<Intake>,
    /// How columns are brought to one scale before.
    pub scaler: Scaler,
}

impl SavedEncoder {
    /// The numbers of a name.
    pub fn numbers(&self, name: &str) -> Option<&[f64]> {
        self.numbers.iter().find(|(known, _)| known == name).map(|(_, numbers)| &numbers[..])
    }

    /// The array of a name.
    pub fn array(&self, name: &str) -> Option<&[f32]> {
        self.arrays.iter().find(|(known, _)| known == name).map(|(_, array)| &array[..])
    }
}

/// Writes an encoder; the file is whole or not there.
pub fn write_encoder(path: &Path, encoder: &SavedEncoder) -> Result<(), IoError> {
    let bytes = encoder_to_bytes(encoder).map_err(|problem| IoError::new(path, problem))?;
    write_beside(path, |file| file.write_all(&bytes))
}

/// Reads an encoder.
pub fn read_encoder(path: &Path) -> Result<SavedEncoder, IoError> {
    let bytes = fs::read(path).map_err(|error| IoError::reading(path, error))?;
    encoder_from_bytes(&bytes).map_err(|problem| IoError::new(path, problem))
}

/// What [`write_encoder`] would write.
pub fn encoder_to_bytes(encoder: &SavedEncoder) -> Result<Vec<u8>, Problem> {
    let mut to = Container::new();
    to.set("linkshift", env!("CARGO_PKG_VERSION"));
    to.set("encoder", &encoder.kind[..]);
    let numbers = encoder.numbers.iter().map(|(name, all)| (name.clone(), json!(all)));
    to.set("numbers", Value::Object(numbers.collect::<Map<_, _>>()));
    if let Some(intake) = &encoder.intake {
        intake::put(&mut to, intake);
    }
    put_scaler(&mut to, &encoder.scaler);
    to.set("parts", encoder.arrays.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>());
    encoder.arrays.iter().for_each(|(name, array)| to.put(name, array.iter().copied()));
    to.into_bytes()
}

/// The encoder that these bytes of [`encoder_to_bytes`], or of a file, stand for.
pub fn encoder_from_bytes(bytes: &[u8]) -> Result<SavedEncoder, Problem> {
    let from = Container::parse(bytes)?;
    let kind = from.text("encoder").map_err(|_| damaged("it is a model, not an encoder"))?;
    let numbers = from.get("numbers").as_object().ok_or_else(|| missing("numbers"))?;
    let numbers = numbers.iter().map(|(name, all)| {
        let all = all.as_array()?.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>()?;
        Some((name.clone(), all))
    });
    let names = from.texts("parts")?.unwrap_or_default();
    let arrays = names.into_iter().map(|name| Ok((name.clone(), from.take::<f32>(&name)?)));
    Ok(SavedEncoder {
        kind: kind.to_owned(),
        numbers: numbers.collect::<Option<_>>().ok_or_else(|| missing("numbers"))?,
        arrays: arrays.collect::<Result<_, Problem>>()?,
        intake: intake::take(&from)?,
        scaler: take_scaler(&from)?,
    })
}
