//! The strongest literal version of constrained mean shift, compiled with numba, as a process of its
//! own. It is looked for in `$LINKSHIFT_YARDSTICK`, or in `../shared/yardstick` beside the repository.

use linkshift::{LinkKind, Links, Points};
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Seconds of its iterations on one thread, without compiling; `None` (and a line that says so)
/// where it is absent.
pub(crate) fn cms(
    python: &Path,
    points: &Points<'_, f32>,
    links: &Links,
    labels: &[i64],
) -> Result<Option<f64>, Box<dyn Error>> {
    let folder = std::env::var_os("LINKSHIFT_YARDSTICK").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/yardstick")),
        PathBuf::from,
    );
    let script = folder.join("cms_numba.py");
    if !script.exists() {
        println!("cms_numba.py: not found in {} (set LINKSHIFT_YARDSTICK)", folder.display());
        return Ok(None);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [points_file, links_file] = ["numba.csv", "numba-links.csv"].map(|name| folder.join(name));
    let mut table: String = (0..points.n_features()).map(|col| format!("f{col},")).collect();
    table.push_str("label\n");
    for (row, label) in points.rows().zip(labels) {
        for value in row {
            write!(table, "{value},")?;
        }
        writeln!(table, "{label}")?;
    }
    fs::write(&points_file, table)?;
    let mut told = "a,b,kind\n".to_string();
    for link in links.iter() {
        let kind = if link.kind == LinkKind::Must { "must" } else { "cannot" };
        writeln!(told, "{},{},{kind}", link.a, link.b)?;
    }
    fs::write(&links_file, told)?;
    let one_thread = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"];
    let output = Command::new(python)
        .args([script, points_file, links_file])
        .envs(one_thread.map(|name| (name, "1")))
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    // "138.2 s, 12 clusters, ARI 0.770"
    let told = String::from_utf8(output.stdout)?;
    Ok(Some(told.split(' ').next().unwrap_or_default().parse()?))
}
