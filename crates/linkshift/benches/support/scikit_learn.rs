//! scikit-learn as a process of its own.

use linkshift::Points;
use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/scikit_learn.py");

/// Seconds and labels of scikit-learn's `MeanShift` on one thread; `seeding` is all or bins.
pub(crate) fn mean_shift(
    python: &Path,
    points: &Points<'_, f64>,
    bandwidth: f64,
    seeding: &str,
) -> Result<(f64, Vec<i64>), Box<dyn Error>> {
    std::io::stdout().flush()?; // it may take minutes: show what there is
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (points_file, labels_file) = (folder.join("points.f64"), folder.join("labels.txt"));
    let bytes: Vec<u8> = points.values().iter().flat_map(|value| value.to_le_bytes()).collect();
    fs::write(&points_file, bytes)?;
    let output = Command::new(python)
        .arg(SCRIPT)
        .arg(points_file)
        .args([points.n_features().to_string(), bandwidth.to_string()])
        .arg(&labels_file)
        .arg(seeding)
        .envs(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"].map(|name| (name, "1")))
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let seconds = String::from_utf8(output.stdout)?.trim().parse()?;
    let labels = fs::read_to_string(labels_file)?;
    Ok((seconds, labels.lines().map(str::parse).collect::<Result<_, _>>()?))
}
