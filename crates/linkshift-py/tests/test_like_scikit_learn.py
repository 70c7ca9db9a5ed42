"""Mean shift gives scikit-learn's labels on real sets, where these are at hand."""

import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.cluster import MeanShift as Theirs
from sklearn.metrics import adjusted_rand_score, pairwise_distances
from sklearn.preprocessing import minmax_scale

from linkshift import MeanShift

BESIDE = Path(__file__).resolve().parents[4] / "shared" / "data"
DATA = Path(os.environ.get("LINKSHIFT_DATA", BESIDE))


@pytest.mark.parametrize("name", ["iris", "wine", "banknote", "glass", "jain"])
def test_real_sets_get_the_labels_of_scikit_learn(name):
    file = DATA / f"{name}.csv.gz"
    if not file.exists():
        pytest.skip(f"there is no {file.name} in {DATA}: set LINKSHIFT_DATA")
    X = minmax_scale(np.loadtxt(file, delimiter=",", skiprows=1)[:, :-1])
    distances = pairwise_distances(X)[np.triu_indices(len(X), 1)]
    bandwidth = float(np.percentile(distances, 15))
    theirs = Theirs(bandwidth=bandwidth).fit(X)
    ours = MeanShift.like_scikit_learn(bandwidth).fit(X)
    assert ours.n_clusters_ == len(theirs.cluster_centers_)
    assert adjusted_rand_score(theirs.labels_, ours.labels_) == 1.0
