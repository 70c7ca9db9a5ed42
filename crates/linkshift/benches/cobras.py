"""Questions by COBRAS: cobras.py POINTS N_FEATURES LABELS SEED AFTER...

POINTS holds 64-bit floats row by row, LABELS 64-bit integers. Prints the seconds of the run, and then
for each number of answers AFTER the clustering that COBRAS had by then, one line of labels each.
"""

import random
import sys
import time
import warnings

import numpy as np

np.int = int  # cobras-ts 0.1.3 is older than NumPy 1.24, which dropped the name
from cobras_ts.cobras_kmeans import COBRAS_kmeans  # noqa: E402


class KnownLabels:
    """As cobras_ts.querier.labelquerier, whose package wants a web server installed."""

    def __init__(self, labels):
        self.labels = labels

    def query_points(self, a, b):
        return self.labels[a] == self.labels[b]

    def update_clustering(self, clustering):
        pass

    def continue_cluster_process(self):
        return True


def main() -> None:
    points_file, n_features, labels_file, seed, *after = sys.argv[1:]
    warnings.filterwarnings("ignore")
    points = np.fromfile(points_file, dtype="<f8").reshape(-1, int(n_features))
    labels = np.fromfile(labels_file, dtype="<i8")
    np.random.seed(int(seed))
    random.seed(int(seed))
    budget = max(map(int, after))
    start = time.perf_counter()
    _, clusterings, *_ = COBRAS_kmeans(points, KnownLabels(labels), budget).cluster()
    print(time.perf_counter() - start)
    for n_answers in map(int, after):
        # It may know all before the budget is spent.
        print(*clusterings[min(n_answers, len(clusterings)) - 1])


if __name__ == "__main__":
    main()
