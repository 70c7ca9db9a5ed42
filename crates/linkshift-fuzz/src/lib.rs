//! Random and damaged input for every door: an error that says what is wrong, or a whole result, and
//! never a panic, a hang or memory without bound.
//!
//! ```text
//! (target, seed) → ChaCha8 → corpus.rs, a valid file ─ mutate.rs, damaged ─→ reader ─→ what must hold
//!                          └ numbers.rs, adversarial points, links, settings → method ┘
//! ```
//!
//! Every input is a function of its target and a seed, so a finding is two words long, and is run again by
//! `cargo xtask fuzz --target NAME --seed SEED`. The toolchain is the stable one: there is no feedback
//! from coverage; instead mutations know the formats (lengths, JSON headers, checksums).

mod closure;
mod container;
mod corpus;
mod methods;
mod mutate;
mod numbers;
mod readers;
mod requests;
mod run;
mod settings;

pub use run::{Finding, Outcome, Workshop, replay, run};

use rand_chacha::ChaCha8Rng;

/// What a target says of one input: nothing, or what did not hold.
pub type Verdict = Result<(), String>;

/// One thing that is tried with random input.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name at the command line.
    pub name: &'static str,
    /// One input.
    pub(crate) try_one: fn(&mut ChaCha8Rng, &Workshop) -> Verdict,
}

/// All targets.
pub static TARGETS: &[Target] = &[
    Target { name: "csv", try_one: readers::csv },
    Target { name: "tsv", try_one: readers::tsv },
    Target { name: "gz", try_one: readers::gz },
    Target { name: "parquet", try_one: readers::parquet },
    Target { name: "arrow", try_one: readers::arrow },
    Target { name: "npy", try_one: readers::npy },
    Target { name: "links", try_one: readers::links },
    Target { name: "answers", try_one: readers::answers },
    Target { name: "picture", try_one: readers::picture },
    Target { name: "model", try_one: container::model },
    Target { name: "encoder", try_one: container::encoder },
    Target { name: "settings", try_one: settings::settings },
    Target { name: "request", try_one: requests::request },
    Target { name: "closure", try_one: closure::closure },
    Target { name: "method", try_one: methods::method },
    Target { name: "predict", try_one: methods::predict },
];

/// The target of this name.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
