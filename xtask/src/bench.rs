//! Measuring: the benches of the core, and the Python in which scikit-learn runs beside them.

use crate::python::Environment;
use crate::{Failure, USAGE, cargo, succeed};
use std::path::PathBuf;

const NAMES: &[&str] =
    &["mean-shift", "cms", "boosted", "kernel", "kmeans", "spectral", "ask", "neighbors", "links"];

/// A package that a bench runs beside ours: its module, and what installs it, call by call.
struct Peer {
    bench: &'static str,
    module: &'static str,
    installs: &'static [&'static [&'static str]],
}

const SCIKIT_LEARN: &[&str] = &["scikit-learn>=1.9,<1.10"];

/// The peers that the ratios are about.
const PEERS: &[Peer] = &[
    Peer { bench: "mean-shift", module: "sklearn", installs: &[SCIKIT_LEARN] },
    Peer { bench: "spectral", module: "sklearn", installs: &[SCIKIT_LEARN] },
    Peer { bench: "boosted", module: "sklearn", installs: &[SCIKIT_LEARN] },
    Peer {
        bench: "kmeans",
        module: "active_semi_clustering",
        installs: &[&["active-semi-supervised-clustering==0.0.1", "metric-learn", "scipy"]],
    },
    Peer {
        bench: "ask",
        module: "cobras_ts",
        // Without what it needs for time series only.
        installs: &[SCIKIT_LEARN, &["--no-deps", "cobras-ts==0.1.3"]],
    },
];

#[derive(Debug, PartialEq)]
struct Wishes<'a> {
    names: Vec<&'a str>,
    full: bool,
    peers: bool,
}

/// Runs all benches or one, each in a process of its own, so that peak memory is its own too.
pub(crate) fn run(args: &[&str]) -> Result<(), Failure> {
    let wishes = read(args)?;
    for name in wishes.names {
        let peer = PEERS.iter().find(|peer| peer.bench == name && wishes.peers);
        let mut bench =
            cargo(&["bench", "--quiet", "--package", "linkshift", "--bench", name, "--"]);
        if wishes.full {
            bench.arg("--full");
        }
        if let Some(peer) = peer {
            bench.arg("--python").arg(python_with(peer)?);
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

/// The Python of an environment with the peer, made on first use.
fn python_with(peer: &Peer) -> Result<PathBuf, Failure> {
    let environment = Environment::new(&format!("bench-venv-{}", peer.bench));
    if !environment.has(peer.module) {
        let install =
            || peer.installs.iter().try_for_each(|packages| environment.install(packages));
        let made = environment.make().and_then(|()| install());
        made.map_err(|failure| {
            format!("{failure}\n{} is not at hand; --no-peers goes without", peer.module)
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
