//! The command line as a process: what goes in, what comes out, and with which exit code.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

mod ask;
mod auto;
mod bad_input;
mod commands;
mod common;
mod embed;
mod fit;
#[cfg(target_os = "linux")]
mod full_disk;
mod intake;
#[cfg(unix)]
mod interrupt;
mod json;
mod kernel;
#[cfg(unix)]
mod kill_matrix;
mod killed;
#[cfg(target_os = "linux")]
mod memory;
mod models;
mod odd_input;
mod previous;
mod same;
mod scrambled;
mod spectral;
mod stream;
mod studio;
mod teaching;
mod why;
