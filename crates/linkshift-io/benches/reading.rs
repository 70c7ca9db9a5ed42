//! Seconds that reading tables takes, of each file named: `cargo xtask bench reading`, which has polars
//! read them, too.

#![allow(clippy::print_stdout)] // a bench prints its figures

use linkshift_io::{IoError, ReadOptions, read_table};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

/// Readings of which the fastest counts.
const RUNS: usize = 5;

fn main() -> Result<(), IoError> {
    for file in std::env::args().skip(1).filter(|arg| !arg.starts_with("--")) {
        let mut best = f64::INFINITY;
        for _ in 0..RUNS {
            let start = Instant::now();
            black_box(read_table::<f64>(Path::new(&file), &ReadOptions::default())?);
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{best}");
    }
    Ok(())
}
