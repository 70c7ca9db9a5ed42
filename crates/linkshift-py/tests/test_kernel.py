"""Kernel mean shift: similarities of all kinds, and what links make of them."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel

from linkshift import KernelMeanShift


@pytest.fixture
def blobs():
    return make_blobs(n_samples=120, centers=[[0, 0], [8, 0], [0, 8]], random_state=0)


def test_a_precomputed_matrix_gives_the_labels_of_its_kernel(blobs):
    X, y = blobs
    direct = KernelMeanShift(sigma=4.0).fit(X, must_link=[(0, 1)])
    K = rbf_kernel(X, gamma=1 / (2 * 4.0**2))
    given = KernelMeanShift(kernel="precomputed").fit(K, must_link=[(0, 1)])
    assert np.array_equal(direct.labels_, given.labels_)
    new = np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]])
    similar = rbf_kernel(new, X, gamma=1 / (2 * 4.0**2))
    assert np.array_equal(direct.predict(new), given.predict(similar))
    assert direct.sigma_ == 4.0 and given.sigma_ is None


def test_must_links_make_their_ends_one(blobs):
    X, y = blobs
    model = KernelMeanShift().fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1.0
    a, b = int(np.argmax(y == 0)), int(np.argmax(y == 1))
    linked = KernelMeanShift().fit(X, must_link=[(a, b)])
    assert np.array_equal(linked.embedding_[a], linked.embedding_[b])
    assert linked.labels_[a] == linked.labels_[b]
    assert linked.embedding_.shape == (120, linked.rank_)
    assert np.array_equal(linked.cluster_centers_, X[linked.mode_indices_])


def test_a_doubtful_link_pulls_less_than_a_sure_one(blobs):
    X, _ = blobs

    def apart(confidence):
        told = dict(must_link=[(0, 1)], link_confidence=confidence)
        embedding = KernelMeanShift().fit(X, **told).embedding_
        return np.linalg.norm(embedding[0] - embedding[1])

    assert apart(0.1) > apart(0.9) > apart(1.0) == 0.0


@pytest.mark.parametrize(
    "params, X, message",
    [
        (dict(kernel="precomputed"), [[1.0, 0.0]], "square"),
        (dict(kernel="precomputed"), [[1.0, 0.5], [0.0, 1.0]], "not symmetric"),
        (dict(kernel="precomputed"), [[1.0, 2.0], [2.0, 1.0]], "not positive semi-definite"),
        (dict(kernel="chi2"), [[1.0], [-1.0]], "histograms"),
        (dict(kernel="rbf"), [[1.0], [2.0]], "it must be auto, gaussian, .* or precomputed"),
        (dict(k=0), [[1.0], [2.0]], "k = 0"),
        (dict(dimension="full"), [[1.0], [2.0]], "it must be auto, effective, rank or a number"),
    ],
)
def test_what_cannot_work_is_said(params, X, message):
    with pytest.raises(ValueError, match=message):
        KernelMeanShift(**params).fit(X)


def test_a_matrix_can_be_repaired():
    model = KernelMeanShift(kernel="precomputed", repair=True).fit([[1.0, 2.0], [2.0, 1.0]])
    assert model.rank_ == 1
