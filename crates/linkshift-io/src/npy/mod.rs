//! One NumPy array: a matrix of numbers, or one column of them.
//!
//! ```text
//! "\x93NUMPY"             6 bytes
//! version                 two bytes; 1, 2 and 3 differ in the next line and in what names may hold
//! length of the header    u16 in version 1, else u32
//! header                  a Python dictionary: type, order, shape
//! numbers                 one after the other
//! ```

mod header;
mod number;

pub(crate) use number::Number;

use crate::columns::{Choose, TypeOf, numbered};
use crate::error::{At, IoError, Problem};
use crate::format::open;
use crate::number as parse;
use crate::table::{ReadOptions, Rows};
use header::Header;
use linkshift::Real;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// Where the numbers of a file begin is a multiple of this.
const ALIGNMENT: usize = 64;

/// An array whose header is read and whose numbers come next.
struct Array<'a> {
    file: &'a Path,
    content: BufReader<File>,
    n_rows: usize,
    n_columns: usize,
    by_columns: bool,
    big_endian: bool,
}

/// Reads a whole array; its columns are named `f0`, `f1`, ….
pub(crate) fn read<T: Real>(
    file: &Path,
    options: &ReadOptions,
    choose: Choose,
) -> Result<Rows<T>, IoError> {
    let content = open(file)?;
    let length = content.metadata().map_err(|error| IoError::reading(file, error))?.len();
    if length == 0 {
        return Err(IoError::new(file, Problem::Empty));
    }
    let mut content = BufReader::with_capacity(1 << 16, content);
    let (header, n_read) =
        read_header(&mut content, length).map_err(|error| error.in_file(file))?;
    let (order, kind) = header.descr.split_at_checked(1).unwrap_or_default();
    let unusable = || Problem::NpyType { found: shown(&header.descr) };
    let big_endian = match order {
        "<" | "|" => false,
        ">" => true,
        _ => return Err(IoError::new(file, unusable())),
    };
    let (n_rows, n_columns) = match header.shape[..] {
        [n_rows] => (n_rows, 1),
        [n_rows, n_columns] => (n_rows, n_columns),
        _ => return Err(IoError::new(file, Problem::NpyShape { shape: header.shape })),
    };
    let fill: fn(Array<'_>, Rows<T>) -> Result<Rows<T>, IoError> = match kind {
        "f4" => fill::<T, f32>,
        "f8" => fill::<T, f64>,
        "i1" => fill::<T, i8>,
        "i2" => fill::<T, i16>,
        "i4" => fill::<T, i32>,
        "i8" => fill::<T, i64>,
        "u1" => fill::<T, u8>,
        "u2" => fill::<T, u16>,
        "u4" => fill::<T, u32>,
        "u8" => fill::<T, u64>,
        _ => return Err(IoError::new(file, unusable())),
    };
    // Checked before any memory is taken: a damaged header can promise anything.
    let size = kind[1..].parse().unwrap_or(u64::MAX);
    let promised = n_rows.checked_mul(n_columns).and_then(|n| n.checked_mul(size));
    if promised.is_none_or(|promised| promised > length - n_read) {
        return Err(damaged(file, format!("its header promises {n_rows} × {n_columns} numbers")));
    }
    if n_rows == 0 || n_columns == 0 {
        return Err(IoError::new(file, Problem::NoRows));
    }
    let (n_rows, n_columns) = (n_rows as usize, n_columns as usize);
    let names = numbered(n_columns);
    let roles = choose(&names, Some(&vec![TypeOf::Number; n_columns]))?;
    let columns = roles.gathered(options);
    let by_columns = header.fortran_order;
    let array = Array { file, content, n_rows, n_columns, by_columns, big_endian };
    let mut rows = Rows::new(names, roles, columns).within(options.most_bytes);
    rows.make_room(n_rows, 0).map_err(|problem| IoError::new(file, problem))?;
    fill(array, rows)
}

/// Why a header could not be read.
enum HeaderError {
    System(io::Error),
    Damaged(String),
}

impl HeaderError {
    fn in_file(self, file: &Path) -> IoError {
        match self {
            HeaderError::System(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
                IoError::reading(file, error)
            }
            HeaderError::System(_) => damaged(file, "it ends within its header".into()),
            HeaderError::Damaged(reason) => damaged(file, reason),
        }
    }
}

impl From<io::Error> for HeaderError {
    fn from(error: io::Error) -> Self {
        HeaderError::System(error)
    }
}

/// The header, and how many bytes come before the numbers.
fn read_header(content: &mut impl Read, length: u64) -> Result<(Header, u64), HeaderError> {
    let mut start = [0; 8];
    content.read_exact(&mut start)?;
    if start[..6] != *MAGIC {
        return Err(HeaderError::Damaged("it does not begin like one".into()));
    }
    let mut size = [0; 4];
    let n_size = match start[6] {
        1 => 2,
        2 | 3 => 4,
        version => return Err(HeaderError::Damaged(format!("its version is {version}"))),
    };
    content.read_exact(&mut size[..n_size])?;
    let n_header = u64::from(u32::from_le_bytes(size));
    let n_read = 8 + n_size as u64 + n_header;
    if n_read > length {
        return Err(HeaderError::Damaged("it ends within its header".into()));
    }
    let mut text = vec![0; n_header as usize];
    content.read_exact(&mut text)?;
    // Names of fields may be in another encoding; arrays with fields are refused anyway.
    let header = Header::parse(&String::from_utf8_lossy(&text)).map_err(HeaderError::Damaged)?;
    Ok((header, n_read))
}

/// Puts every number where its column belongs, whichever index runs faster in the file.
fn fill<T: Real, N: Number>(mut array: Array<'_>, mut rows: Rows<T>) -> Result<Rows<T>, IoError> {
    let Array { file, n_rows, n_columns, by_columns, big_endian, .. } = array;
    let n_features = rows.roles.features.len();
    let mut feature_of = vec![None; n_columns];
    for (feature, &column) in rows.roles.features.iter().enumerate() {
        feature_of[column] = Some(feature);
    }
    rows.values = vec![T::zero(); n_rows * n_features];
    rows.n_rows = n_rows;
    let mut bytes = [0; 8];
    for at in 0..n_rows * n_columns {
        let bytes = &mut bytes[..N::SIZE];
        array.content.read_exact(bytes).map_err(|error| IoError::reading(file, error))?;
        let value = N::from_bytes(bytes, big_endian);
        let (row, column) = match by_columns {
            false => (at / n_columns, at % n_columns),
            true => (at % n_rows, at / n_rows),
        };
        let converted = || {
            parse::convert::<T, N>(value).map_err(|problem| {
                IoError::new(file, problem).at(At::Row(row)).column(&rows.names[column])
            })
        };
        if let Some(feature) = feature_of[column] {
            let value = if parse::is_gap(value) { T::nan() } else { converted()? };
            rows.values[row * n_features + feature] = value;
        }
        if rows.roles.weight == Some(column) {
            rows.weights.push(converted()?);
        }
        if rows.roles.label == Some(column) {
            rows.labels.push(&parse::text_of(&value));
        }
        if rows.roles.content == Some(column) {
            rows.contents.push(parse::text_of(&value));
        }
        if rows.roles.id == Some(column) {
            rows.ids.push(parse::text_of(&value));
        }
    }
    Ok(rows)
}

/// Begins a file for an array of this shape, rows first.
pub(crate) fn write_header<N: Number>(target: &mut dyn Write, shape: &[usize]) -> io::Result<()> {
    let order = if N::SIZE == 1 { "|" } else { "<" };
    let kind = N::KIND;
    let shape: String = shape.iter().map(|n| format!("{n}, ")).collect();
    // A tuple of one has a comma, one of more has none at its end.
    let shape = if shape.matches(',').count() == 1 {
        shape.trim_end()
    } else {
        shape.trim_end_matches(", ")
    };
    let mut header =
        format!("{{'descr': '{order}{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    // Spaces and a newline bring the numbers to a place where any reader may map them into memory.
    let before = MAGIC.len() + 4;
    let n_header = (before + header.len() + 1).next_multiple_of(ALIGNMENT) - before;
    header.push_str(&" ".repeat(n_header - header.len() - 1));
    header.push('\n');
    target.write_all(MAGIC)?;
    target.write_all(&[1, 0])?;
    target.write_all(&(n_header as u16).to_le_bytes())?;
    target.write_all(header.as_bytes())
}

/// Goes on with numbers.
pub(crate) fn write_numbers<N: Number>(
    target: &mut dyn Write,
    numbers: impl Iterator<Item = N>,
) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(N::SIZE);
    for number in numbers {
        bytes.clear();
        number.append_to(&mut bytes);
        target.write_all(&bytes)?;
    }
    Ok(())
}

/// A type as an error shows it: on one line, whatever a damaged header holds.
fn shown(descr: &str) -> String {
    let plain: String = descr.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    crate::error::shorten(&plain)
}

fn damaged(file: &Path, reason: String) -> IoError {
    IoError::new(file, Problem::Damaged { format: "NPY", reason })
}
