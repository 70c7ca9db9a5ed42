//! The file that a model is in: a JSON header, named arrays of plain numbers, and a checksum.
//!
//! ```text
//! "linkshift model\n"   16 bytes
//! format version        u32
//! length of the header  u32
//! header                JSON; its "arrays" say name, type and length of each array, in order
//! arrays                one after the other, little-endian
//! CRC-32 of all before  u32
//! ```

use crate::error::{IoError, Problem};
use crate::write::write_beside;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;

const MAGIC: &[u8; 16] = b"linkshift model\n";

/// Raised with every change that an older linkshift would read wrongly.
pub(super) const VERSION: u32 = 1;

/// Magic, version and length of the header.
const PREAMBLE: usize = MAGIC.len() + 8;
const CHECKSUM: usize = 4;

/// A number that arrays are made of.
pub trait Element: Copy + 'static {
    /// Its type's name in the file.
    #[doc(hidden)]
    const TYPE: &'static str;
    #[doc(hidden)]
    const SIZE: usize = size_of::<Self>();
    #[doc(hidden)]
    fn append_to(self, bytes: &mut Vec<u8>);
    /// From exactly as many bytes as it has.
    #[doc(hidden)]
    fn from_bytes(bytes: &[u8]) -> Self;
}

macro_rules! element {
    ($($type:ident)*) => {$(
        impl Element for $type {
            const TYPE: &'static str = stringify!($type);

            fn append_to(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn from_bytes(bytes: &[u8]) -> Self {
                bytes.try_into().map_or_else(|_| Self::default(), Self::from_le_bytes)
            }
        }
    )*};
}

element!(f32 f64 u32 i64);

/// Named values and arrays, on their way to a file or from it.
#[derive(Debug, Default)]
pub(super) struct Container {
    header: Map<String, Value>,
    arrays: Vec<Array>,
}

#[derive(Debug)]
struct Array {
    name: String,
    element: String,
    bytes: Vec<u8>,
}

impl Container {
    pub(super) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.header.insert(name.to_owned(), value.into());
    }

    pub(super) fn put<E: Element>(&mut self, name: &str, values: impl IntoIterator<Item = E>) {
        let mut bytes = Vec::new();
        values.into_iter().for_each(|value| value.append_to(&mut bytes));
        self.arrays.push(Array { name: name.to_owned(), element: E::TYPE.to_owned(), bytes });
    }

    /// A value of the header; null if there is none.
    pub(super) fn get(&self, name: &str) -> &Value {
        self.header.get(name).unwrap_or(&Value::Null)
    }

    pub(super) fn text(&self, name: &str) -> Result<&str, Problem> {
        self.get(name).as_str().ok_or_else(|| missing(name))
    }

    pub(super) fn number(&self, name: &str) -> Result<f64, Problem> {
        self.get(name).as_f64().ok_or_else(|| missing(name))
    }

    pub(super) fn count(&self, name: &str) -> Result<usize, Problem> {
        let count = self.get(name).as_u64().and_then(|count| usize::try_from(count).ok());
        count.ok_or_else(|| missing(name))
    }

    pub(super) fn flag(&self, name: &str) -> Result<bool, Problem> {
        self.get(name).as_bool().ok_or_else(|| missing(name))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.arrays.iter().any(|array| array.name == name)
    }

    /// The array of this name and type.
    pub(super) fn take<E: Element>(&self, name: &str) -> Result<Vec<E>, Problem> {
        let is_it = |array: &&Array| array.name == name && array.element == E::TYPE;
        let array = self.arrays.iter().find(is_it).ok_or_else(|| missing(name))?;
        Ok(array.bytes.chunks_exact(E::SIZE).map(E::from_bytes).collect())
    }

    /// Writes the file, whole or not at all.
    pub(super) fn write(mut self, path: &Path) -> Result<(), IoError> {
        let entry = |array: &Array| json!([array.name, array.element, array.bytes.len()]);
        let entries: Vec<Value> = self.arrays.iter().map(entry).collect();
        self.set("arrays", entries);
        let header = Value::Object(self.header).to_string();
        let Ok(header_length) = u32::try_from(header.len()) else {
            return Err(IoError::new(path, Problem::ModelTooLarge));
        };
        let mut bytes = MAGIC.to_vec();
        VERSION.append_to(&mut bytes);
        header_length.append_to(&mut bytes);
        bytes.extend_from_slice(header.as_bytes());
        self.arrays.iter().for_each(|array| bytes.extend_from_slice(&array.bytes));
        crc32fast::hash(&bytes).append_to(&mut bytes);
        write_beside(path, |file| file.write_all(&bytes))
    }

    /// Reads a file and makes sure that it is what was written.
    pub(super) fn read(path: &Path) -> Result<Self, IoError> {
        let bytes = fs::read(path).map_err(|error| IoError::reading(path, error))?;
        Self::parse(&bytes).map_err(|problem| IoError::new(path, problem))
    }

    fn parse(bytes: &[u8]) -> Result<Self, Problem> {
        let start = &bytes[..bytes.len().min(MAGIC.len())];
        if start.is_empty() || *start != MAGIC[..start.len()] {
            return Err(Problem::NotAModel);
        }
        if bytes.len() < PREAMBLE + CHECKSUM {
            return Err(damaged("it ends after its first few bytes"));
        }
        let version = u32::from_bytes(&bytes[MAGIC.len()..][..4]);
        if version > VERSION {
            return Err(Problem::ModelVersion { found: version, known: VERSION });
        }
        let (content, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        if crc32fast::hash(content) != u32::from_bytes(checksum) {
            return Err(damaged(
                "its checksum does not match: bytes were changed, or the end is missing",
            ));
        }
        let header_length = u32::from_bytes(&content[MAGIC.len() + 4..PREAMBLE]) as usize;
        let rest = &content[PREAMBLE..];
        let header = rest.get(..header_length).ok_or_else(|| damaged("its header is cut off"))?;
        let header: Value =
            serde_json::from_slice(header).map_err(|error| damaged(&error.to_string()))?;
        let Value::Object(header) = header else { return Err(missing("header")) };
        let mut container = Self { header, arrays: Vec::new() };
        container.read_arrays(&rest[header_length..])?;
        Ok(container)
    }

    fn read_arrays(&mut self, mut bytes: &[u8]) -> Result<(), Problem> {
        let entries = self.get("arrays").as_array().cloned().ok_or_else(|| missing("arrays"))?;
        for entry in entries {
            let name = entry[0].as_str().ok_or_else(|| missing("arrays"))?.to_owned();
            let element = entry[1].as_str().ok_or_else(|| missing(&name))?.to_owned();
            let length = entry[2].as_u64().and_then(|length| usize::try_from(length).ok());
            let parts = length.and_then(|length| bytes.split_at_checked(length));
            let (own, rest) = parts.ok_or_else(|| missing(&name))?;
            self.arrays.push(Array { name, element, bytes: own.to_vec() });
            bytes = rest;
        }
        Ok(())
    }
}

pub(super) fn damaged(reason: &str) -> Problem {
    Problem::ModelDamaged { reason: reason.to_owned() }
}

/// A part that is not there, or is something else.
pub(super) fn missing(name: &str) -> Problem {
    damaged(&format!("it has no usable {name:?}"))
}
