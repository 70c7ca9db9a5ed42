//! COBRAS as a process of its own.

use linkshift::Points;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/cobras.py");

/// Seconds, and labels after each number of answers.
type Timed = (f64, Vec<Vec<i64>>);

/// Seconds of a run of COBRAS (k-means), and its labels after each number of answers.
pub(crate) fn run(
    python: &Path,
    points: &Points<'_, f32>,
    labels: &[i64],
    seed: u64,
    after: &[usize],
) -> Result<Timed, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (points_file, labels_file) = (folder.join("cobras.f64"), folder.join("cobras.i64"));
    let values = points.values().iter();
    fs::write(&points_file, values.flat_map(|&v| f64::from(v).to_le_bytes()).collect::<Vec<_>>())?;
    let bytes: Vec<u8> = labels.iter().flat_map(|label| label.to_le_bytes()).collect();
    fs::write(&labels_file, bytes)?;
    let output = Command::new(python)
        .arg(SCRIPT)
        .arg(points_file)
        .arg(points.n_features().to_string())
        .arg(labels_file)
        .arg(seed.to_string())
        .args(after.iter().map(usize::to_string))
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let mut lines = text.lines();
    let seconds = lines.next().unwrap_or_default().parse()?;
    let parse = |line: &str| line.split(' ').map(str::parse).collect::<Result<Vec<i64>, _>>();
    Ok((seconds, lines.map(parse).collect::<Result<_, _>>()?))
}
