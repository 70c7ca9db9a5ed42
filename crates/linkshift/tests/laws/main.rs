//! The laws that every method obeys, run over every method of the registry.
//!
//! `cases.rs` lists the methods with the settings they run with, and who cannot keep which law, and
//! why. A law is a function of a case; it is called for those that are excepted, too, and an
//! exception that no case needs any more fails.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

mod cases;
mod checksums;
mod drawn;
mod links;
mod observing;
mod odd_input;
mod prediction;
mod sameness;
mod scenes;
mod weights;
