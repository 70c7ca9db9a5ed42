"""The estimators keep scikit-learn's contract."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score, make_scorer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from linkshift import (
    AMPCC,
    CDBSCAN,
    BoostedMeanShift,
    ConstrainedMeanShift,
    ConstrainedSpectral,
    COPKMeans,
    KernelMeanShift,
    KMeans,
    MeanShift,
    MPCKMeans,
    PCCKMeans,
    PCKMeans,
    SpectralMeanShift,
)

KMEANS_FAMILY = [KMeans(), COPKMeans(), PCKMeans(), MPCKMeans(), PCCKMeans(), AMPCC()]
ESTIMATORS = [
    MeanShift(),
    ConstrainedMeanShift(),
    ConstrainedMeanShift(bandwidth=0.5),
    BoostedMeanShift(),
    KernelMeanShift(),
    *KMEANS_FAMILY,
    SpectralMeanShift(),
    CDBSCAN(),
    CDBSCAN(eps=0.5),
    ConstrainedSpectral(),
]

NEEDS_LINKS = "without links the growing bandwidth ends in one cluster; a fixed one passes"
WEIGHT_ZERO = (
    "a point of weight 0 that no other reaches is still a cluster of its own; the check compares "
    "with a fit that never saw it, on points farther apart than this bandwidth"
)
DRAWN = "two points are drawn as two, a point of weight 2 as one: equal on average, not in each run"
WEIGHTLESS_BANDWIDTHS = (
    "bandwidths and the width of the kernel describe where points lie, not how much they count: "
    "the k-th neighbour is another one where points are repeated"
)
NARROW = "the reach of 0.1 suits points scaled to 0-1, the check has others; one of 0.5 passes"
WEIGHTLESS = "its definition knows no weights: a point of weight 2 is one point, two points are two"


def expected_failures(estimator):
    weights = "check_sample_weight_equivalence_on_dense_data"
    if isinstance(estimator, CDBSCAN) and estimator.eps == 0.1:
        return {weights: WEIGHTLESS, "check_clustering": NARROW}
    if isinstance(estimator, CDBSCAN | ConstrainedSpectral):
        return {weights: WEIGHTLESS}
    if isinstance(estimator, MeanShift):
        return {}
    if isinstance(estimator, (BoostedMeanShift, *map(type, KMEANS_FAMILY))):
        return {weights: DRAWN}
    if isinstance(estimator, KernelMeanShift | SpectralMeanShift):
        return {weights: WEIGHTLESS_BANDWIDTHS}
    if estimator.bandwidth == "adaptive":
        return {"check_clustering": NEEDS_LINKS}
    return {weights: WEIGHT_ZERO}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_finds_no_fault(estimator, check):
    check(estimator)


@pytest.fixture
def blobs():
    return make_blobs(n_samples=150, centers=[[0, 0], [6, 0], [0, 6]], random_state=0)


def test_clones_have_the_same_parameters_and_nothing_else():
    model = ConstrainedMeanShift(merge_b=0.1, random_state=3)
    model.fit([[0.0], [1.0]], cannot_link=[(0, 1)])
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "labels_")


def test_pipelines_pass_links_on(blobs):
    X, y = blobs
    pairs = [(int(np.argmax(y == a)), int(np.argmax(y == b))) for a, b in [(0, 1), (0, 2), (1, 2)]]
    pipeline = make_pipeline(StandardScaler(), ConstrainedMeanShift())
    labels = pipeline.fit_predict(X, constrainedmeanshift__cannot_link=pairs)
    assert adjusted_rand_score(y, labels) > 0.95
    assert np.array_equal(pipeline.predict(X), labels)


def test_grid_search_finds_a_bandwidth(blobs):
    X, y = blobs
    # Derived: clusters of deviation 1 at distance 6. A bandwidth of 0.2 sees single points, one of
    # 30 everything; 2 lies between.
    grid = {"bandwidth": [0.2, 2.0, 30.0]}
    search = GridSearchCV(MeanShift(), grid, scoring=make_scorer(adjusted_rand_score), cv=3)
    assert search.fit(X, y).best_params_ == {"bandwidth": 2.0}
