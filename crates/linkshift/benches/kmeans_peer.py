"""The peer package active-semi-supervised-clustering:
kmeans_peer.py METHOD POINTS N_FEATURES LINKS N_CLUSTERS SEED LABELS

METHOD is PCKMeans or MPCKMeans, POINTS holds 64-bit floats row by row, LINKS lines of `a b 1` or
`a b -1`. Prints the seconds of the fit alone and writes one label per line to LABELS. A fit that
the package gives up is tried again with the next random numbers, up to ten times; the seconds are
those of the last.
"""

import sys
import time

import numpy as np
from scipy.spatial.distance import cdist

sys.setrecursionlimit(100_000)  # its search for groups is recursive
from active_semi_clustering.exceptions import EmptyClustersException
from active_semi_clustering.semi_supervised.pairwise_constraints import MPCKMeans, PCKMeans


def farthest_pair(self, X, A):
    """The same pair as the package finds, without its loop in Python over all pairs, which would
    take most of the time: minutes for 2,000 points."""
    roots = np.sqrt(np.diag(A))
    distances = cdist(X * roots, X * roots, "sqeuclidean")
    i, j = np.unravel_index(np.argmax(distances), distances.shape)
    return max(i, j), min(i, j), distances[i, j]


def main() -> None:
    method, points_file, n_features, links_file, n_clusters, seed, labels_file = sys.argv[1:]
    X = np.fromfile(points_file, dtype="<f8").reshape(-1, int(n_features))
    links = np.loadtxt(links_file, dtype=int, ndmin=2)
    must, cannot = ([tuple(map(int, link[:2])) for link in links if link[2] == s] for s in (1, -1))
    MPCKMeans._find_farthest_pairs_of_points = farthest_pair
    np.random.seed(int(seed))
    for _ in range(10):
        model = {"PCKMeans": PCKMeans, "MPCKMeans": MPCKMeans}[method](n_clusters=int(n_clusters))
        start = time.perf_counter()
        try:
            model.fit(X, ml=must, cl=cannot)
        except (EmptyClustersException, FloatingPointError):
            continue
        print(time.perf_counter() - start)
        np.savetxt(labels_file, model.labels_, fmt="%d")
        return
    sys.exit("it gave up ten times")


if __name__ == "__main__":
    main()
