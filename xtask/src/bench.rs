//! Measuring: the benches of the core, the studio in a browser, and the Python in which scikit-learn runs beside them.

use crate::python::Environment;
use crate::{Failure, USAGE, cargo, root, studio, succeed, wheel};
use std::fs;
use std::path::PathBuf;

/// The one place that names the benches.
const MANIFEST: &str = "crates/linkshift/Cargo.toml";

/// Not of the core: a million points in a browser.
const STUDIO: &str = "studio";

/// A package that a bench runs beside ours: its module, and what installs it, call by call.
struct Peer {
    bench: &'static str,
    module: &'static str,
    installs: &'static [&'static [&'static str]],
}

const SCIKIT_LEARN: &[&str] = &["scikit-learn>=1.9,<1.10"];

const KMEANS_PEER: &[&str] = &["active-semi-supervised-clustering==0.0.1", "metric-learn", "scipy"];

/// The peers that the ratios are about.
const PEERS: &[Peer] = &[
    Peer {
        bench: "speed",
        module: "active_semi_clustering", // installed last
        installs: &[SCIKIT_LEARN, &["numba", "pandas", "polars"], KMEANS_PEER],
    },
    Peer { bench: "mean-shift", module: "sklearn", installs: &[SCIKIT_LEARN] },
    Peer { bench: "spectral", module: "sklearn", installs: &[SCIKIT_LEARN] },
    Peer { bench: "boosted", module: "sklearn", installs: &[SCIKIT_LEARN] },
    Peer { bench: "kmeans", module: "active_semi_clustering", installs: &[KMEANS_PEER] },
    Peer {
        bench: "ask",
        module: "cobras_ts",
        // Without what it needs for time series only.
        installs: &[SCIKIT_LEARN, &["--no-deps", "cobras-ts==0.1.3"]],
    },
];

/// A bench in Python, on a fresh wheel: only run by its name, as it takes minutes.
struct PythonBench {
    name: &'static str,
    script: &'static str,
    packages: &'static [&'static str],
    peers: &'static [&'static str],
}

const PYTHON_BENCHES: &[PythonBench] = &[
    PythonBench {
        name: "dask",
        script: "crates/linkshift-py/benches/dask_rows.py",
        packages: &["dask[array,dataframe]", "distributed"],
        peers: &["dask-ml"],
    },
    PythonBench {
        name: "reading",
        script: "crates/linkshift-py/benches/reading.py",
        packages: &["numpy", "pyarrow"],
        peers: &["polars"],
    },
    PythonBench {
        name: "recipes",
        script: "crates/linkshift-py/benches/recipes.py",
        packages: &["pandas", "pyarrow", "ray", "pyspark"],
        peers: &[],
    },
];

#[derive(Debug, PartialEq)]
struct Wishes {
    names: Vec<String>,
    full: bool,
    peers: bool,
    /// The one row of a table that is wanted.
    row: Option<String>,
}

/// Runs all benches or some, each in a process of its own, so that peak memory is its own too.
pub(crate) fn run(args: &[&str]) -> Result<(), Failure> {
    let manifest = fs::read_to_string(root().join(MANIFEST));
    let mut all = benches(&manifest.map_err(|error| format!("cannot read {MANIFEST}: {error}"))?);
    all.push(STUDIO.into());
    if args == ["--list"] {
        let in_python = PYTHON_BENCHES.iter().map(|bench| bench.name.to_owned());
        println!("{}", all.iter().cloned().chain(in_python).collect::<Vec<_>>().join("\n"));
        return Ok(());
    }
    if let [name, options @ ..] = args
        && let Some(bench) = PYTHON_BENCHES.iter().find(|bench| bench.name == *name)
    {
        return in_python(bench, options);
    }
    if args == [STUDIO, "--dialogue"] {
        return studio::dialogue();
    }
    let wishes = read(args, &all)?;
    for name in &wishes.names {
        if name == STUDIO {
            studio::bench()?;
            continue;
        }
        let peer = PEERS.iter().find(|peer| peer.bench == name && wishes.peers);
        let mut bench =
            cargo(&["bench", "--quiet", "--package", "linkshift", "--bench", name, "--"]);
        if wishes.full {
            bench.arg("--full");
        }
        if let Some(row) = &wishes.row {
            bench.args(["--row", row]);
        }
        if let Some(peer) = peer {
            bench.arg("--python").arg(python_with(peer)?);
        }
        succeed(&mut bench)?;
    }
    Ok(())
}

/// Runs a bench in Python, in an environment of its own.
fn in_python(bench: &PythonBench, options: &[&str]) -> Result<(), Failure> {
    let (mut packages, mut args) = (bench.packages.to_vec(), vec![bench.script]);
    if !bench.peers.is_empty() && !options.contains(&"--no-peers") {
        packages.extend(bench.peers);
        args.push("--peer");
    }
    args.extend(options.iter().filter(|&&option| option != "--no-peers"));
    let environment = wheel::installed(&format!("bench-venv-{}", bench.name), &packages)?;
    succeed(&mut environment.command(&args))
}

/// The names that a manifest gives to its benches.
fn benches(manifest: &str) -> Vec<String> {
    let tables = manifest.split("[[bench]]").skip(1);
    let name = |table: &str| {
        let line = table.lines().find_map(|line| line.trim().strip_prefix("name"))?;
        line.split('"').nth(1).map(str::to_string)
    };
    tables.filter_map(name).collect()
}

fn read(args: &[&str], all: &[String]) -> Result<Wishes, Failure> {
    let mut wishes = Wishes { names: Vec::new(), full: false, peers: true, row: None };
    let mut args = args.iter().copied();
    while let Some(arg) = args.next() {
        match arg {
            "--row" => match args.next() {
                Some(row) => wishes.row = Some(row.into()),
                None => return Err(format!("--row is followed by the name of a row\n{USAGE}")),
            },
            "--full" => wishes.full = true,
            "--no-peers" => wishes.peers = false,
            name if all.iter().any(|known| known == name) => wishes.names.push(name.into()),
            unknown => {
                let known = all.join(", ");
                return Err(format!(
                    "no such bench or option: {unknown}; there are {known}\n{USAGE}"
                ));
            }
        }
    }
    if wishes.names.is_empty() {
        wishes.names = all.to_vec();
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

    fn all() -> Vec<String> {
        benches(include_str!("../../crates/linkshift/Cargo.toml"))
    }

    #[test]
    fn the_benches_are_those_of_the_manifest() {
        let manifest =
            "[[bench]]\nname = \"a\"\npath = \"x.rs\"\n\n[[bench]]\nname = \"b\"\n[lints]";
        assert_eq!(benches(manifest), ["a", "b"]);
    }

    #[test]
    fn every_peer_has_its_bench() {
        for peer in PEERS {
            assert!(all().iter().any(|name| name == peer.bench), "{}", peer.bench);
        }
    }

    #[test]
    fn no_name_means_all_benches() {
        let expected = Wishes { names: all(), full: true, peers: true, row: None };
        assert_eq!(read(&["--full"], &all()), Ok(expected));
    }

    #[test]
    fn one_name_means_one_bench() {
        let names = vec!["links".into()];
        let expected = Wishes { names, full: false, peers: false, row: None };
        assert_eq!(read(&["links", "--no-peers"], &all()), Ok(expected));
        assert!(read(&["link"], &all()).is_err());
    }

    #[test]
    fn one_row_of_a_table_can_be_asked_for() {
        let row = |args: &[&str]| read(args, &all()).map(|wishes| wishes.row);
        assert_eq!(row(&["speed", "--row", "pck"]), Ok(Some("pck".into())));
        assert!(row(&["speed", "--row"]).is_err());
    }
}
