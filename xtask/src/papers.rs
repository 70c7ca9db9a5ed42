//! The papers' experiments in a hurry, as a test that they run; and the table of peers.

use crate::python::{Environment, target};
use crate::{Failure, succeed, test, wheel};

/// The table of peers.
const PEERS: &str = "crates/linkshift-papers/peers/peers.py";

/// What installs the peers, call by call.
const PACKAGES: &[&[&str]] = &[
    &["scikit-learn>=1.9,<1.10", "hdbscan==0.8.44", "fast_hdbscan==0.3.2"],
    &["active-semi-supervised-clustering==0.0.1", "metric-learn", "scipy"],
    // Without what it needs for time series only.
    &["--no-deps", "cobras-ts==0.1.3"],
];

/// Every experiment once, with what data there is, into a folder of its own.
pub(crate) fn quick() -> Result<(), Failure> {
    test::build()?;
    let mut papers = test::built("linkshift-papers");
    succeed(papers.args(["all", "--quick", "--fresh", "--out"]).arg(target().join("papers-quick")))
}

/// linkshift's wheel beside other systems on the same points and links.
pub(crate) fn peers(args: &[&str]) -> Result<(), Failure> {
    let environment = Environment::new("peers-venv");
    if !environment.has("cobras_ts") {
        environment.make()?;
        PACKAGES.iter().try_for_each(|packages| environment.install(packages))?;
    }
    let wheel = wheel::build(&target().join("peers-wheel"))?;
    environment.install(&["--force-reinstall", "--no-deps", &wheel.to_string_lossy()])?;
    succeed(environment.command(&[PEERS]).args(args))
}
