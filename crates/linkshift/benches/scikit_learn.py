"""Mean shift by scikit-learn: scikit_learn.py POINTS N_FEATURES BANDWIDTH LABELS SEEDING

POINTS holds 64-bit floats row by row and nothing else. Prints the seconds of the fit alone and
writes one label per line to LABELS. SEEDING is "all" or "bins".
"""

import sys
import time

import numpy as np
from sklearn.cluster import MeanShift


def main() -> None:
    points_file, n_features, bandwidth, labels_file, seeding = sys.argv[1:]
    points = np.fromfile(points_file, dtype="<f8").reshape(-1, int(n_features))
    start = time.perf_counter()
    model = MeanShift(bandwidth=float(bandwidth), bin_seeding=seeding == "bins", n_jobs=1).fit(points)
    print(time.perf_counter() - start)
    np.savetxt(labels_file, model.labels_, fmt="%d")


if __name__ == "__main__":
    main()
