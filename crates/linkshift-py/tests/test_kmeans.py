"""k-means and its relatives."""

import pickle

import numpy as np
import pytest
import sklearn.cluster
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from linkshift import AMPCC, COPKMeans, KMeans, MPCKMeans, PCCKMeans, PCKMeans

LISTENERS = [COPKMeans, PCKMeans, MPCKMeans, PCCKMeans, AMPCC]
# By distance row 2 belongs to the left; its links say right.
X = np.array([[0.0], [0.1], [0.4], [0.9], [1.0]])
LINKS = dict(must_link=[(2, 3)], cannot_link=[(1, 2)])


@pytest.mark.parametrize("method", LISTENERS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_links_are_listened_to(method, dtype):
    model = method(n_clusters=2).fit(X.astype(dtype), **LINKS)
    assert model.labels_.tolist() == [0, 0, 1, 1, 1]
    assert len(model.broken_links_) == 0
    assert model.cluster_centers_.dtype == dtype
    copy = pickle.loads(pickle.dumps(model))
    assert copy.predict(X).tolist() == model.labels_.tolist()


def test_k_means_finds_what_scikit_learn_finds():
    points, _ = make_blobs(n_samples=500, centers=5, random_state=3)
    ours = KMeans(n_clusters=5).fit(points)
    theirs = sklearn.cluster.KMeans(n_clusters=5, n_init=10, random_state=0).fit(points)
    assert adjusted_rand_score(theirs.labels_, ours.labels_) == 1.0
    # Another path to the same sum.
    assert ours.objective_ == pytest.approx(theirs.inertia_, rel=1e-6)


def test_cop_names_what_blocks():
    with pytest.raises(ValueError, match="3 groups of points all belong apart.*cannot 0–1"):
        COPKMeans(n_clusters=2).fit(X, cannot_link=[(0, 1), (1, 2), (0, 2)])


def test_what_only_some_have_to_tell():
    labels = [0, 0, 0, 0, 1, 1, 1, 1, 1]
    points = np.arange(9.0).reshape(-1, 1)
    model = AMPCC(n_clusters=2, use_y=True).fit(points, labels)
    # Derived: groups of 4 and 5 points: the root of 4 is 2 centers for each cluster.
    assert model.representatives_.shape == (4, 1)
    assert MPCKMeans(n_clusters=2, metric="full").fit(X, **LINKS).metrics_.shape == (1, 1, 1)
    assert MPCKMeans(n_clusters=2, shared=False).fit(X, **LINKS).metrics_.shape == (2, 1, 1)


@pytest.mark.parametrize(
    "model, message",
    [
        (KMeans(n_clusters=0), "n_clusters = 0 cannot work"),
        (KMeans(n_clusters=9), "n_clusters = 9 cannot work.*n_samples = 5"),
        (PCKMeans(n_clusters=2, penalty=-1.0), "penalty = -1 cannot work"),
        (MPCKMeans(n_clusters=2, metric="round"), "metric = round cannot work"),
        (COPKMeans(n_clusters=2, n_orders=0), "n_orders = 0 cannot work"),
        (AMPCC(n_clusters=2, n_representatives=0), "n_representatives = 0 cannot work"),
    ],
)
def test_parameters_that_cannot_work_are_named(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X)
