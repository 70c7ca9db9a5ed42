"""Spectral clustering after mean shift."""

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score

from linkshift import SpectralMeanShift


@pytest.fixture
def moons():
    return make_moons(n_samples=300, noise=0.05, random_state=0)


def test_moons_are_found_with_and_without_their_number(moons):
    X, y = moons
    assert adjusted_rand_score(y, SpectralMeanShift(n_clusters=2).fit(X).labels_) == 1.0
    found = SpectralMeanShift().fit(X)
    assert found.n_clusters_found_ == found.n_clusters_
    assert found.certainty_ in ("clear", "likely", "doubtful")
    assert SpectralMeanShift(n_clusters=2).fit(X).n_clusters_found_ is None


def test_attributes_have_the_shapes_they_say(moons):
    X, _ = moons
    model = SpectralMeanShift(n_clusters=2).fit(X.astype(np.float32))
    n_modes = len(model.modes_)
    assert model.cluster_centers_.shape == (2, 2) and model.cluster_centers_.dtype == np.float32
    assert model.cluster_of_mode_.shape == (n_modes,) and set(model.cluster_of_mode_) == {0, 1}
    assert len(model.tree_) < n_modes and (np.diff(model.tree_) <= 0).all()
    assert np.array_equal(model.predict(X.astype(np.float32)), model.labels_)


def test_links_decide_and_other_routes_say_that_they_do_not_listen():
    X = [[0.0], [0.1], [5.0], [5.1], [9.0], [9.1]]
    params = {"n_clusters": 2, "bandwidth": 1.0}
    model = SpectralMeanShift(**params).fit(X, must_link=[(0, 4)])
    assert model.labels_.tolist() == [0, 0, 1, 1, 0, 0]
    with pytest.warns(UserWarning, match="does not listen to links"):
        SpectralMeanShift(**params, route="embedding").fit(X, must_link=[(0, 4)])


def test_the_paper_s_settings():
    expected = {"n_clusters": 3, "bandwidth_factor": 1.0, "min_support": 0.0, "negligible": 0.0}
    params = SpectralMeanShift.paper(3).get_params()
    assert {name: params[name] for name in expected} == expected


@pytest.mark.parametrize(
    "params",
    [{"n_clusters": 0}, {"n_clusters": 99}, {"route": "walk"}, {"bandwidth": "wide"}],
)
def test_what_cannot_work_is_refused(params):
    with pytest.raises(ValueError, match="cannot work"):
        SpectralMeanShift(**params).fit([[0.0], [1.0]])
