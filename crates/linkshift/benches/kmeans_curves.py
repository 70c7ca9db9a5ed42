"""Draws the curves of `cargo xtask bench kmeans`: kmeans_curves.py CSV PICTURE

CSV has the columns set, answers, method, nmi. Needs matplotlib.
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
            curves[row["set"]][row["method"]].append((int(row["answers"]), float(row["nmi"])))
    figure, axes = plt.subplots(1, len(curves), figsize=(4 * len(curves), 3.4), squeeze=False)
    for ax, (name, methods) in zip(axes[0], curves.items()):
        for (method, points), marker in zip(methods.items(), "so^v"):
            ax.plot(*zip(*points), marker=marker, markersize=4, label=method)
        ax.set_title(name)
        ax.set_xlabel("answers to Explore & Consolidate")
        ax.set_ylabel("NMI")
        ax.grid(alpha=0.3)
    axes[0][0].legend()
    figure.tight_layout()
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main()
