"""Draws the curves of `cargo xtask bench boosted sensitivity --csv CSV`: boosted_curves.py CSV PICTURE

CSV has the columns set, parameter, value, method, ri. Needs matplotlib.
"""

import csv
import sys
from collections import defaultdict

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def main() -> None:
    table, picture = sys.argv[1:]
    curves = defaultdict(lambda: defaultdict(list))
    with open(table, newline="") as lines:
        for row in csv.DictReader(lines):
            panel = curves[row["parameter"], row["set"]]
            panel[row["method"]].append((float(row["value"]), float(row["ri"])))
    parameters = list(dict.fromkeys(parameter for parameter, _ in curves))
    sets = list(dict.fromkeys(name for _, name in curves))
    figure, axes = plt.subplots(
        len(parameters),
        len(sets),
        figsize=(4 * len(sets), 3.2 * len(parameters)),
        squeeze=False,
    )
    for (parameter, name), methods in curves.items():
        ax = axes[parameters.index(parameter)][sets.index(name)]
        for (method, points), marker in zip(methods.items(), "so"):
            ax.plot(*zip(*points), marker=marker, markersize=4, label=method)
        ax.set_title(name)
        ax.set_xlabel(parameter)
        ax.set_ylabel("RI")
        ax.set_ylim(0, 1.02)
        ax.grid(alpha=0.3)
        ax.legend()
    figure.tight_layout()
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main()
