//! The peer package active-semi-supervised-clustering as a process of its own.

use linkshift::{LinkKind, Links, Points};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/kmeans_peer.py");

/// Seconds and labels, or what the peer said when it failed.
pub(crate) type Run = Result<(f64, Vec<i64>), String>;

/// Seconds and labels of one of its methods on one thread; what it says if it gives up.
pub(crate) fn fit(
    python: &Path,
    method: &str,
    points: &Points<'_, f32>,
    links: &Links,
    n_clusters: usize,
    seed: u64,
) -> Result<Run, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [points_file, links_file, labels_file] =
        ["peer-points.f64", "peer-links.txt", "peer-labels.txt"].map(|name| folder.join(name));
    let values = points.values().iter();
    fs::write(&points_file, values.flat_map(|&x| f64::from(x).to_le_bytes()).collect::<Vec<u8>>())?;
    let sign = |kind| if kind == LinkKind::Must { 1 } else { -1 };
    let line = |link: &linkshift::Link| format!("{} {} {}\n", link.a, link.b, sign(link.kind));
    fs::write(&links_file, links.iter().map(line).collect::<String>())?;
    let output = Command::new(python)
        .arg(SCRIPT)
        .arg(method)
        .arg(&points_file)
        .arg(points.n_features().to_string())
        .arg(&links_file)
        .args([n_clusters.to_string(), seed.to_string()])
        .arg(&labels_file)
        .envs(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"].map(|name| (name, "1")))
        .output()?;
    if !output.status.success() {
        return Ok(Err(String::from_utf8_lossy(&output.stderr).trim().to_string()));
    }
    let seconds = String::from_utf8(output.stdout)?.trim().parse()?;
    let labels = fs::read_to_string(labels_file)?;
    Ok(Ok((seconds, labels.lines().map(str::parse).collect::<Result<_, _>>()?)))
}
