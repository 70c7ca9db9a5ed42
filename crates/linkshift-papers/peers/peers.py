"""linkshift beside other systems, on the same points and links: seconds, memory, ARI, links
broken.

peers.py [--quick] [--out FOLDER]

The CMS paper's protocol: min-max scaled points, as many links as points, drawn from the classes, at
least one cannot-link between each two classes. Every fit is a process of its own, with all cores,
and is stopped after five minutes. Writes peers.csv and peers.md into the folder.
"""

import argparse
import csv
import gzip
import hashlib
import io
import os
import subprocess
import sys
import tempfile
from itertools import combinations
from pathlib import Path

import numpy as np
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import minmax_scale
from systems import SYSTEMS

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("LINKSHIFT_DATA", ROOT / ".." / "shared" / "data"))
SETS = {"moons": 500, "aggregation": 788, "s4": 1000, "cms_mnist": 2000, "cms_gtsrb": 2000}
MOST_SECONDS = 300


def read(name, n, rng):
    """Points and classes, or None where the set is absent or another file."""
    if name == "moons":
        return make_moons(n, noise=0.05, random_state=0)
    file = DATA / f"{name}.csv.gz"
    if not file.exists():
        print(f"{name} is left out: no {file} (docs/data.md says where to get it)")
        return None
    content = file.read_bytes()
    if hashlib.sha256(content).hexdigest() not in (ROOT / "docs" / "data.md").read_text():
        print(f"{name} is left out: {file} is not the file that docs/data.md names")
        return None
    table = np.loadtxt(io.BytesIO(gzip.decompress(content)), delimiter=",", skiprows=1)
    table = table[rng.choice(len(table), n, replace=False)]
    return table[:, :-1], table[:, -1].astype(int)


def draw_links(truth, n_links, rng):
    """Must and cannot pairs: one cannot-link for each two classes, then pairs at random."""
    rows = {label: np.flatnonzero(truth == label) for label in np.unique(truth)}
    pairs = {
        tuple(sorted((rng.choice(rows[a]), rng.choice(rows[b])))) for a, b in combinations(rows, 2)
    }
    while len(pairs) < n_links:
        pairs.add(tuple(sorted(rng.choice(len(truth), 2, replace=False))))
    pairs = np.array(sorted(pairs))
    together = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    return pairs[together], pairs[~together]


def n_broken(labels, must, cannot):
    """Links that the labels do not keep; noise is in no cluster, and so with nobody."""
    labels = np.asarray(labels).copy()
    noise = labels < 0
    labels[noise] = labels.max() + 1 + np.arange(noise.sum())
    apart = (labels[must[:, 0]] != labels[must[:, 1]]).sum()
    return int(apart + (labels[cannot[:, 0]] == labels[cannot[:, 1]]).sum())


def fit(name, problem, folder):
    """Seconds, the processor's seconds, megabytes and labels; or what went wrong, in a few words."""
    problem_file, labels_file = folder / "problem.npz", folder / "labels.npy"
    np.savez(problem_file, **problem)
    script = Path(__file__).with_name("systems.py")
    command = [sys.executable, script, name, problem_file, labels_file]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return f"over {MOST_SECONDS} s"
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it failed"])[-1]
        return last.split(":")[0].rsplit(".", 1)[-1]
    return *map(float, done.stdout.split()), np.load(labels_file)


def measure(name, n, out):
    """One line per system."""
    rng = np.random.default_rng(0)
    found = read(name, n, rng)
    if found is None:
        return []
    points, truth = minmax_scale(found[0]), found[1]
    must, cannot = draw_links(truth, n, rng)
    n_clusters = len(np.unique(truth))
    problem = dict(
        points=points, truth=truth, must=must, cannot=cannot, n_clusters=n_clusters, seed=0
    )
    lines = []
    for system, (told, _) in SYSTEMS.items():
        with tempfile.TemporaryDirectory(dir=out) as folder:
            result = fit(system, problem, Path(folder))
        line = {"set": name, "points": n, "system": system, "told": told}
        if isinstance(result, str):
            line["note"] = result
        else:
            seconds, computed, megabytes, labels = result
            line |= {"seconds": f"{seconds:.3f}", "processor": f"{computed:.3f}"}
            line["MB"] = f"{megabytes:.0f}"
            line["ARI"] = f"{adjusted_rand_score(truth, labels):.3f}"
            line["clusters"] = len(set(labels[labels >= 0]))
            if "links" in told:
                line["links broken"] = n_broken(labels, must, cannot)
        print(" ".join(f"{value}" for value in line.values()), flush=True)
        lines.append(line)
    return lines


COLUMNS = ["system", "told", "seconds", "processor", "MB", "ARI", "clusters", "links broken", "note"]


def document(lines):
    text = [
        "## Peers",
        "",
        "One draw of each set, as many links as points, everybody's defaults, all cores, a process for each",
        "fit. “processor” is seconds of all cores together, MB what the fit took beyond what was there before.",
        "Written by `crates/linkshift-papers/peers/peers.py` (`cargo xtask peers`).",
        "",
    ]
    for name in dict.fromkeys(line["set"] for line in lines):
        of_set = [line for line in lines if line["set"] == name]
        text += [f"### {name}, {of_set[0]['points']} points and links", ""]
        text += ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
        for line in of_set:
            text.append("| " + " | ".join(str(line.get(key, "")) for key in COLUMNS) + " |")
        text.append("")
    return "\n".join(text) + "\n"


def save(lines, out):
    with open(out / "peers.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, ["set", "points", *COLUMNS])
        writer.writeheader()
        writer.writerows(lines)
    (out / "peers.md").write_text(document(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the smallest set only")
    parser.add_argument("--out", type=Path, default=ROOT / "target" / "papers")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    sets = dict(list(SETS.items())[:1]) if arguments.quick else SETS
    lines = []
    for name, n in sets.items():
        lines += measure(name, n, arguments.out)
        save(lines, arguments.out)  # after each set: the next may take half an hour


if __name__ == "__main__":
    main()
