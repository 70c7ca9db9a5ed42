//! Memory of this process.

/// The most memory this process ever held, where the system tells (Linux).
pub(crate) fn peak() -> String {
    peak_mib().map_or_else(|| "unknown".to_string(), |mib| format!("{mib:.0} MiB"))
}

fn peak_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024.0)
}
