"""Spectral clustering by scikit-learn: spectral.py POINTS N_FEATURES K AFFINITY LABELS

POINTS holds 64-bit floats row by row and nothing else. Prints the seconds and the processor
seconds of the fit alone and writes one label per line to LABELS. AFFINITY is nearest_neighbors or rbf.
"""

import sys
import time
import warnings

import numpy as np
from sklearn.cluster import SpectralClustering


def main() -> None:
    points_file, n_features, k, affinity, labels_file = sys.argv[1:]
    points = np.fromfile(points_file, dtype="<f8").reshape(-1, int(n_features))
    model = SpectralClustering(int(k), affinity=affinity, random_state=0, n_jobs=-1)
    warnings.simplefilter("ignore")
    start, computed = time.perf_counter(), time.process_time()
    model.fit(points)
    print(time.perf_counter() - start, time.process_time() - computed)
    np.savetxt(labels_file, model.labels_, fmt="%d")


if __name__ == "__main__":
    main()
