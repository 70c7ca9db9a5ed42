"""Draws the pictures of the concepts: ``cargo xtask docs --refresh`` runs it, with the package at hand.

``python draw.py FOLDER`` leaves them in a folder. The stills are the command line's own pictures. The
animation shows where the centers of constrained mean shift are after each iteration.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
from linkshift import ConstrainedMeanShift, _core

# On the points and links of `linkshift demo`.
FIT = "fit linkshift-demo/points.csv --label-column label -o labels.csv"
LINKS = "--links linkshift-demo/links.csv"
STILLS = {
    "without-links": f"{FIT} --method mean-shift",
    "with-links": f"{FIT} {LINKS} --method cms",
    "broken-links": f"{FIT} {LINKS} --method mean-shift --set obey=as-found",
}
SIZE, MARGIN, SECONDS = 360, 24, 9
# Iterations that are shown; in between, centers move along straight lines.
N_FRAMES = 45
# So many frames the end is looked at.
N_STILL = 12


def linkshift(words: str, folder: Path) -> None:
    program = Path(sys.executable).parent / "linkshift"
    run = subprocess.run([program, *words.split()], cwd=folder, capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"linkshift {words}\n{run.stderr}")


def stills(data: Path, folder: Path) -> None:
    for name, command in STILLS.items():
        linkshift(f"{command} --plot {(folder / name).resolve()}.svg", data)


def ways(X, links):
    """Where the center of each point is, before and after every iteration."""
    # Each center stays its own: only such as coincide share a cluster, and nothing is tidied up.
    apart = dict(merge_k=1 - 1e-9, merge_tolerance=0.0, leftover_size=0, obey="as-found")
    whole = ConstrainedMeanShift(**apart).fit(X, links=links)
    bandwidths = [float(h) for h in whole.bandwidths_]
    places = [X]
    for n_iter in np.unique(np.linspace(1, len(bandwidths), N_FRAMES).astype(int)):
        model = ConstrainedMeanShift(bandwidth=bandwidths[:n_iter], max_iter=int(n_iter), **apart)
        model.fit(X, links=links)
        places.append(model.cluster_centers_[model.labels_])
    places += [places[-1]] * N_STILL
    return np.array(places), ConstrainedMeanShift().fit(X, links=links).labels_


def animation(X, links) -> str:
    low, high = X.min(axis=0), X.max(axis=0)
    scale = (SIZE - 2 * MARGIN) / (high - low).max()
    signs = _core.sign_colors()

    def pixels(places, left):
        xy = (places - low) * scale
        xy[..., 1] = (high - low)[1] * scale - xy[..., 1]
        return xy + [MARGIN + left, 2 * MARGIN]

    height = int((high - low)[1] * scale + 3 * MARGIN)
    shapes = []
    for panel, (title, told) in enumerate([("without links", []), ("with links", links)]):
        left = panel * SIZE
        places, labels = ways(X, told)
        start, way = pixels(X, left), pixels(places, left)
        shapes.append(f'<text x="{left + MARGIN}" y="{MARGIN}">{title}</text>')
        shapes += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2" fill="#c8c8ce"/>' for x, y in start]
        for a, b, kind in told:
            (x1, y1), (x2, y2) = start[a], start[b]
            dashes = "" if kind == "must" else ' stroke-dasharray="6 4"'
            line = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
            shapes.append(f'<line {line} stroke="{signs[kind]}" stroke-opacity=".35"{dashes}/>')
        for point, label in enumerate(labels):
            moves = "".join(
                f'<animate attributeName="{name}" dur="{SECONDS}s" repeatCount="indefinite" '
                f'values="{";".join(f"{value:.1f}" for value in way[:, point, axis])}"/>'
                for axis, name in enumerate(("cx", "cy"))
            )
            x, y = way[-1, point]
            colour = _core.cluster_look(int(label))[0]
            shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}">{moves}</circle>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * SIZE} {height}" '
        'font-family="sans-serif" font-size="14"><rect width="100%" height="100%" fill="#fff"/>'
        + "\n".join(shapes)
        + "</svg>\n"
    )


def main() -> None:
    # Fits that are cut short say so, and the one without links that it is.
    warnings.simplefilter("ignore")
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        linkshift("demo", Path(data))
        stills(Path(data), folder)
        linkshift("make moons -n 90 --noise 0.06 --seed 3 -o few.csv", Path(data))
        linkshift("links draw few.csv --label-column label -n 12 --seed 3 -o few-links.csv", Path(data))
        table = np.loadtxt(Path(data) / "few.csv", delimiter=",", skiprows=1)
        lines = (Path(data) / "few-links.csv").read_text().splitlines()[1:]
    links = [(int(a), int(b), kind) for a, b, kind, *_ in (line.split(",") for line in lines)]
    (folder / "climbing.svg").write_text(animation(table[:, :2], links), encoding="utf-8")


if __name__ == "__main__":
    main()
