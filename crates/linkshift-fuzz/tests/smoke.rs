//! A second of every target: enough to see that each runs and finds nothing, too little to search.

use linkshift_fuzz::{TARGETS, Workshop, run};
use std::time::Duration;

/// Seeds of earlier findings, tried every time: what was wrong stands beside each.
const ONCE_WRONG: &[(&str, u64)] = &[
    // Two minutes of skipping what is not there (linkshift-io, bounded.rs).
    ("parquet", 6146),
    // Two gigabytes for a batch of a file of two kilobytes (the same).
    ("arrow", 126),
    // A message of several lines.
    ("npy", 24599),
    // A network of 2⁶³ units (linkshift-features, autoencoder/saved.rs).
    ("encoder", 7380),
    // An answer added inside a quote that nothing closed (linkshift-io, answers.rs).
    ("answers", 75_829),
    ("answers", 116_760),
    // Ties without their reverse (linkshift, cms/replay.rs).
    ("model", 64_421),
    // Ties whose reverse is of another strength (the same).
    ("model", 390_089),
    ("model", 509_732),
    // A bandwidth that is infinite in 32 bits, so that the model was refused when it was read (linkshift,
    // bandwidth.rs).
    ("predict", 67_161),
];

#[test]
fn nothing_is_found_in_a_second_of_each_target() {
    let workshop = Workshop::new().expect("a folder");
    let mut findings = Vec::new();
    for target in TARGETS {
        // The same inputs on every machine, and no more of them than a second allows.
        let outcome = run(target, 0, 500, Duration::from_secs(1), &workshop, |_| ());
        assert!(outcome.n_tried > 0, "{} tried nothing", target.name);
        findings.extend(outcome.findings);
    }
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn what_was_found_once_is_not_found_again() {
    let workshop = Workshop::new().expect("a folder");
    for (name, seed) in ONCE_WRONG {
        let target = linkshift_fuzz::find(name).expect("a target");
        assert_eq!(run(target, *seed, 1, Duration::MAX, &workshop, |_| ()).findings, []);
    }
}
