"""2,000 embeddings in ten dimensions, and a growing number of answers.

Reads the MNIST embeddings ``cms_mnist.csv.gz`` from the folder ``$LINKSHIFT_DATA``, or from
``../shared/data`` beside the workspace; without them, blobs stand in.
"""

# %% Points
import os
import sys
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import MinMaxScaler

from linkshift import ConstrainedMeanShift

N_POINTS = 2_000
quick = "--quick" in sys.argv
beside = Path(__file__).resolve().parents[3] / ".." / "shared" / "data"
file = Path(os.environ.get("LINKSHIFT_DATA", beside)) / "cms_mnist.csv.gz"
if file.exists():
    table = np.loadtxt(file, delimiter=",", skiprows=1, max_rows=N_POINTS)
    X, truth = table[:, :-1], table[:, -1].astype(int)
    print(f"the first {N_POINTS} embeddings of {file.name}")
else:
    X, truth = make_blobs(N_POINTS, n_features=10, centers=10, cluster_std=2.5, random_state=0)
    print(f"no {file.name}: {N_POINTS} points in ten blobs instead")
X = MinMaxScaler().fit_transform(X).astype(np.float32)  # single precision is kept throughout

# %% More and more answers: pairs drawn at random, each told as it is
rng = np.random.default_rng(0)
for n_links in [100] if quick else [50, 100, 200, 400]:
    pairs = np.array([rng.choice(N_POINTS, 2, replace=False) for _ in range(n_links)])
    together = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    start = time.perf_counter()
    model = ConstrainedMeanShift.paper_embedding().fit(
        X, must_link=pairs[together], cannot_link=pairs[~together]
    )
    seconds = time.perf_counter() - start
    score = adjusted_rand_score(truth, model.labels_)
    print(
        f"{n_links:>4} links: {model.n_clusters_:>3} clusters, adjusted Rand index {score:.3f}, "
        f"{model.link_report_['kept'].mean():.0%} kept, {seconds:.1f} s"
    )
