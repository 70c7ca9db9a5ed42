//! Processor time of this process.

/// Seconds that all threads together have computed so far, where the system tells (Linux): what
/// counts on a machine that others use too.
pub(crate) fn seconds() -> Option<f64> {
    const TICKS_PER_SECOND: f64 = 100.0; // the unit of the file on every Linux
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in brackets may hold blanks; user time is the 12th field after it.
    let after_name = stat.rsplit_once(')')?.1;
    let ticks: f64 = after_name.split_whitespace().nth(11)?.parse().ok()?;
    Some(ticks / TICKS_PER_SECOND)
}
