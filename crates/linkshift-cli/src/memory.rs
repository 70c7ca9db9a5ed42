//! How much memory a run may use, and whether it keeps to that.
//!
//! A method is refused before it begins if it is known to need more. What nobody can know before (how
//! many modes there are) is watched: a run that holds more than `--memory` says is stopped. The reader of the
//! table counts for itself what it takes, as no watch is sure to be awake in time.

use crate::failure::{Failure, Result};
use crate::interrupt;
use linkshift::Error;
use linkshift_io::{IoError, Problem};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

/// The run holds more than it may.
static EXCEEDED: AtomicBool = AtomicBool::new(false);

/// Between two looks, while much is left.
const LONGEST_PAUSE: Duration = Duration::from_millis(10);

/// Between two looks, when little is left.
const SHORTEST_PAUSE: Duration = Duration::from_micros(200);

/// What a run is thought to take at most between two looks: a megabyte in each half millisecond.
const PAUSE_PER_MB: Duration = Duration::from_micros(500);

/// Three quarters of the free memory in MB, where the system tells (Linux).
pub(crate) fn usable_mb() -> Option<u64> {
    Some(told_kb("/proc/meminfo", "MemAvailable:")? / 1024 * 3 / 4)
}

/// What this process holds, in MB, where the system tells.
pub(crate) fn held_mb() -> Option<u64> {
    Some(told_kb("/proc/self/status", "VmRSS:")?.div_ceil(1024))
}

fn told_kb(file: &str, key: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Watches the memory of this process until it is dropped.
#[derive(Debug)]
pub(crate) struct Watch {
    limit_mb: Option<u64>,
    is_over: Arc<AtomicBool>,
}

impl Watch {
    /// Begins to watch, if there is a limit.
    pub(crate) fn new(limit_mb: Option<u64>) -> Self {
        EXCEEDED.store(false, SeqCst);
        let is_over = Arc::new(AtomicBool::new(false));
        if let Some(limit_mb) = limit_mb {
            let is_over = Arc::clone(&is_over);
            thread::spawn(move || {
                while !is_over.load(SeqCst) {
                    match left_mb(limit_mb) {
                        Some(0) => break,
                        left => thread::sleep(pause(left)),
                    }
                }
                if !is_over.load(SeqCst) {
                    EXCEEDED.store(true, SeqCst);
                    // While a table is read, say, nobody looks.
                    if !interrupt::is_attended() {
                        std::process::exit(failure(limit_mb).report().into());
                    }
                }
            });
        }
        Self { limit_mb, is_over }
    }

    /// What the table may take beside what is held already, if there is a limit.
    pub(crate) fn left_bytes(&self) -> Option<usize> {
        let left_mb = self.limit_mb?.saturating_sub(held_mb().unwrap_or_default());
        usize::try_from(left_mb << 20).ok()
    }

    /// What a reader says that had no room is what the watch would have said.
    pub(crate) fn explained(&self, failure_of_reader: Failure) -> Failure {
        match (self.limit_mb, failure_of_reader) {
            (Some(limit_mb), Failure::Io(IoError { problem: Problem::NoRoom, .. })) => {
                failure(limit_mb)
            }
            (_, other) => other,
        }
    }

    /// Fails if the run held too much.
    pub(crate) fn check(&self) -> Result<()> {
        match self.limit_mb {
            Some(limit_mb) if is_exceeded() => Err(failure(limit_mb)),
            _ => Ok(()),
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.is_over.store(true, SeqCst);
    }
}

/// Whether the run under way should stop, as it holds too much.
pub(crate) fn is_exceeded() -> bool {
    EXCEEDED.load(SeqCst)
}

/// What this process may still take, begun megabytes whole, where the system tells. A little more than was
/// said is forgiven: pages come in lumps.
fn left_mb(limit_mb: u64) -> Option<u64> {
    let held_kb = told_kb("/proc/self/status", "VmRSS:")?;
    Some((limit_mb * 1024 / 20 * 21).saturating_sub(held_kb).div_ceil(1024))
}

/// How long to wait before the next look: what is read meanwhile should not exceed what is left.
fn pause(left_mb: Option<u64>) -> Duration {
    let pause = left_mb.and_then(|mb| PAUSE_PER_MB.checked_mul(u32::try_from(mb).ok()?));
    pause.map_or(LONGEST_PAUSE, |pause| pause.clamp(SHORTEST_PAUSE, LONGEST_PAUSE))
}

fn failure(allowed_mb: u64) -> Failure {
    let remedy = "the run was stopped when it held so much; allow more, or take fewer points \
                  (--stream --draw N finds the clusters from N rows)";
    let needed_mb = held_mb().unwrap_or_default().max(allowed_mb + 1);
    Failure::Core(Error::Memory { needed_mb, allowed_mb, remedy: remedy.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_less_is_left_the_sooner_it_is_looked_again() {
        assert_eq!(pause(Some(0)), SHORTEST_PAUSE);
        // 4 MB · .5 ms.
        assert_eq!(pause(Some(4)), Duration::from_millis(2));
        assert_eq!(pause(Some(u64::MAX)), LONGEST_PAUSE);
        assert_eq!(pause(None), LONGEST_PAUSE);
    }
}
