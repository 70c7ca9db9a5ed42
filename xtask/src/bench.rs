//! Measuring: the benches of the core, and the Python in which scikit-learn runs beside them.

use crate::python::Environment;
use crate::{Failure, USAGE, cargo, succeed};
use std::path::PathBuf;

const NAMES: &[&str] = &["mean-shift", "cms", "neighbors", "links", "spectral"];

/// Those that run scikit-learn beside ours.
const WITH_PEERS: &[&str] = &["mean-shift", "spectral"];

/// The peer that the ratios are about.
const SCIKIT_LEARN: &str = "scikit-learn>=1.9,<1.10";

#[derive(Debug, PartialEq)]
struct Wishes<'a> {
    names: Vec<&'a str>,
    full: bool,
    peers: bool,
}

/// Runs all benches or one, each in a process of its own, so that peak memory is its own too.
pub(crate) fn run(args: &[&str]) -> Result<(), Failure> {
    let wishes = read(args)?;
    let python = if wishes.peers && wishes.names.iter().any(|name| WITH_PEERS.contains(name)) {
        Some(python_with_scikit_learn()?)
    } else {
        None
    };
    for name in wishes.names {
        let mut bench =
            cargo(&["bench", "--quiet", "--package", "linkshift", "--bench", name, "--"]);
        if wishes.full {
            bench.arg("--full");
        }
        if let Some(python) = &python {
            bench.arg("--python").arg(python);
        }
        succeed(&mut bench)?;
    }
    Ok(())
}

fn read<'a>(args: &[&'a str]) -> Result<Wishes<'a>, Failure> {
    let mut wishes = Wishes { names: Vec::new(), full: false, peers: true };
    for &arg in args {
        match arg {
            "--full" => wishes.full = true,
            "--no-peers" => wishes.peers = false,
            name if NAMES.contains(&name) => wishes.names.push(name),
            unknown => return Err(format!("no such bench or option: {unknown}\n{USAGE}")),
        }
    }
    if wishes.names.is_empty() {
        wishes.names = NAMES.to_vec();
    }
    Ok(wishes)
}

/// The Python of an environment with scikit-learn, made on first use.
fn python_with_scikit_learn() -> Result<PathBuf, Failure> {
    let environment = Environment::new("bench-venv");
    if !environment.has("sklearn") {
        let made = environment.make().and_then(|()| environment.install(&[SCIKIT_LEARN]));
        made.map_err(|failure| {
            format!("{failure}\nscikit-learn is not at hand; --no-peers goes without")
        })?;
    }
    Ok(environment.python())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_means_all_benches() {
        assert_eq!(
            read(&["--full"]),
            Ok(Wishes { names: NAMES.to_vec(), full: true, peers: true })
        );
    }

    #[test]
    fn one_name_means_one_bench() {
        let expected = Wishes { names: vec!["links"], full: false, peers: false };
        assert_eq!(read(&["links", "--no-peers"]), Ok(expected));
        assert!(read(&["link"]).is_err());
    }
}
