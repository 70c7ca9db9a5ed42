"""Boosted mean shift from Python."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from linkshift import BoostedMeanShift


def test_moons_are_whole():
    X, y = make_moons(n_samples=12_000, noise=0.1, random_state=0)
    model = BoostedMeanShift().fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.98
    assert len(model.modes_) == len(model.mode_labels_)
    assert np.array_equal(model.predict(model.modes_), model.mode_labels_)
    assert model.n_drawn_ == 12_000


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_type_of_the_points_is_kept(dtype):
    X, _ = make_blobs(n_samples=200, centers=2, random_state=0)
    model = BoostedMeanShift(cells=(2, 1)).fit(X.astype(dtype))
    assert model.modes_.dtype == model.cluster_centers_.dtype == dtype


def test_links_join_what_is_far_apart():
    X, y = make_blobs(n_samples=400, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    far = (int(np.argmax(y == 0)), int(np.argmax(y == 1)))
    assert BoostedMeanShift().fit(X).n_clusters_ == 3
    model = BoostedMeanShift().fit(X, must_link=[far])
    assert model.n_clusters_ == 2
    assert len(model.broken_links_) == 0


@pytest.mark.parametrize(
    "bad",
    [
        dict(cells="many"),
        dict(cells=(0, 3)),
        dict(eps="wide"),
        dict(eps=-1.0),
        dict(neighborhood="linear-6"),
        dict(least_support="few"),
        dict(min_points="few"),
        dict(bandwidth="per-point"),
    ],
)
def test_what_cannot_work_is_refused(bad):
    with pytest.raises(ValueError, match="cannot work"):
        BoostedMeanShift(**bad).fit([[0.0], [1.0]])


def test_a_count_that_does_not_settle_is_told():
    X, _ = make_blobs(n_samples=100, random_state=0)
    with pytest.warns(ConvergenceWarning, match="max_epochs"):
        BoostedMeanShift(max_epochs=1).fit(X)


def test_the_paper_is_a_word_away():
    assert BoostedMeanShift.paper(eps=0.5).get_params()["least_support"] == 1
