"""C-DBSCAN and constrained spectral clustering."""

import numpy as np
import pytest
from sklearn.cluster import DBSCAN
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score

from linkshift import CDBSCAN, ConstrainedSpectral


@pytest.fixture
def moons():
    return make_moons(n_samples=200, noise=0.05, random_state=0)


def test_without_links_c_dbscan_finds_the_clusters_of_dbscan(moons):
    X, _ = moons
    ours, theirs = CDBSCAN(eps=0.25).fit(X), DBSCAN(eps=0.25, min_samples=4).fit(X)
    assert adjusted_rand_score(theirs.labels_, ours.labels_) == 1.0
    assert np.array_equal(ours.core_sample_indices_, theirs.core_sample_indices_)
    assert np.array_equal(ours.predict(X), ours.labels_)


def test_c_dbscan_keeps_links():
    X = [[0.0], [0.1], [0.2], [0.3], [2.0], [2.1]]
    model = CDBSCAN(eps=0.15, min_points=2).fit(X, must_link=[(0, 4)], cannot_link=[(1, 2)])
    assert model.labels_[0] == model.labels_[4] and model.labels_[1] != model.labels_[2]
    assert len(model.broken_links_) == 0


def test_constrained_spectral_listens_to_links(moons):
    X, y = moons
    pairs = np.random.default_rng(0).integers(0, len(X), size=(200, 2))
    same = y[pairs[:, 0]] == y[pairs[:, 1]]
    model = ConstrainedSpectral(n_clusters=2)
    with_links = model.fit(X, must_link=pairs[same], cannot_link=pairs[~same])
    assert adjusted_rand_score(y, with_links.labels_) > 0.9
    assert len(with_links.costs_) == 1 and np.isfinite(with_links.beta_)


@pytest.mark.parametrize(
    "model",
    [CDBSCAN(eps=0.0), CDBSCAN(min_points=-1), ConstrainedSpectral(3), ConstrainedSpectral(0)],
)
def test_what_cannot_work_is_refused(model):
    with pytest.raises(ValueError, match="cannot work"):
        model.fit([[0.0], [1.0]])
