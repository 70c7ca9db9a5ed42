//! Sets from outside the project: `f0,f1,…,label` as text, gzipped.

use flate2::read::GzDecoder;
use linkshift::Points;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

/// Points and labels.
type Set = (Points<'static, f32>, Vec<i64>);

/// A set by name, or `None` (and a line that says so) where it is absent.
pub(crate) fn read(name: &str) -> Result<Option<Set>, Box<dyn Error>> {
    let folder = std::env::var_os("LINKSHIFT_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let Ok(file) = File::open(folder.join(format!("{name}.csv.gz"))) else {
        println!("{name}: not found in {} (set LINKSHIFT_DATA); skipped", folder.display());
        return Ok(None);
    };
    let mut values = Vec::new();
    let mut labels = Vec::new();
    let mut n_features = 0;
    for line in BufReader::new(GzDecoder::new(file)).lines().skip(1) {
        let line = line?;
        let mut fields: Vec<&str> = line.split(',').collect();
        labels.push(fields.pop().unwrap_or_default().parse()?);
        n_features = fields.len();
        for field in fields {
            values.push(field.parse::<f32>()?);
        }
    }
    Ok(Some((Points::new(values, n_features)?, labels)))
}
