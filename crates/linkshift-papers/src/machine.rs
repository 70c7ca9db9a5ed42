//! Where and when: what a document of measurements has to name.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// The commit of the sources, with a mark if they differ from it; `unknown` without git.
pub(crate) fn commit() -> String {
    let head = git(&["rev-parse", "--short=12", "HEAD"]);
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]);
    match (head, changed) {
        (Some(head), Some(changed)) if changed.is_empty() => head,
        (Some(head), _) => format!("{head} with changes"),
        (None, _) => "unknown".into(),
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let output = Command::new("git").args(arguments).current_dir(root).output().ok()?;
    let told = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| told.trim().to_string())
}

/// The processor and the number of cores, where the system tells (Linux).
pub(crate) fn name() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = told.lines().find(|line| line.starts_with("model name"));
    let model = model.and_then(|line| line.split_once(": ")).map_or("unknown", |(_, model)| model);
    format!("{model}, {cores} cores")
}

/// Seconds that all threads of this process together have computed so far, where the system tells
/// (Linux), else 0.
pub(crate) fn processor_seconds() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0; // the unit of the file on every Linux
    let told = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name in brackets may hold blanks; user time is the 12th field after it.
    let ticks = told.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(11));
    ticks.and_then(|ticks| ticks.parse::<f64>().ok()).unwrap_or(0.0) / TICKS_PER_SECOND
}

/// Today, as 2026-01-31 (universal time).
pub(crate) fn date() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = civil((seconds / 86_400) as i64);
    format!("{year}-{month:02}-{day:02}")
}

/// The date of a day counted from 1970-01-01, in years that begin in March, so that the day that
/// some years lack is their last.
fn civil(days: i64) -> (i64, i64, i64) {
    // From 0000-03-01; 146,097 days are 400 years.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        // Outside: `date -u -d @SECONDS` of GNU coreutils 9.
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_088), (2024, 12, 31));
        assert_eq!(civil(20_454), (2026, 1, 1));
    }
}
