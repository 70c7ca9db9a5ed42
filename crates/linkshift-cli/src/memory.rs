//! How much memory a run may use.

/// Three quarters of the free memory in MB, where the system tells (Linux).
pub(crate) fn usable_mb() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let free_kb: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(free_kb / 1024 * 3 / 4)
}
