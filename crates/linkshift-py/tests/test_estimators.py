"""What estimators learn, and what they do with the arrays they are given."""

import tracemalloc

import numpy as np
import pytest
import sklearn.cluster
from sklearn.datasets import make_blobs, make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from linkshift import CDBSCAN, ConstrainedMeanShift, ConstrainedSpectral, MeanShift


@pytest.fixture
def moons():
    return make_moons(n_samples=200, noise=0.05, random_state=0)


def draw_cannot_links(y, n_links):
    rng = np.random.default_rng(0)
    one, other = (rng.choice(np.flatnonzero(y == label), n_links) for label in (0, 1))
    return np.column_stack([one, other])


def test_links_part_the_moons():
    X, y = make_moons(n_samples=400, noise=0.05, random_state=0)
    model = ConstrainedMeanShift().fit(X, cannot_link=draw_cannot_links(y, 30))
    assert adjusted_rand_score(y, model.labels_) > 0.9
    assert model.link_report_["kept"].mean() > 0.9
    assert len(model.broken_links_) == (~model.link_report_["kept"]).sum()
    assert model.n_clusters_ == len(model.cluster_centers_) == model.labels_.max() + 1
    assert len(model.bandwidths_) == model.n_iter_
    assert model.n_representatives_ is None


def test_labels_are_those_of_scikit_learn():
    X, _ = make_blobs(n_samples=300, centers=4, random_state=1)
    ours = MeanShift.like_scikit_learn(2.0).fit(X)
    theirs = sklearn.cluster.MeanShift(bandwidth=2.0).fit(X)
    assert adjusted_rand_score(theirs.labels_, ours.labels_) == 1.0


@pytest.mark.parametrize("seeding", [dict(bin_seeding=True), dict(seeds=[[0.0, 0.0], [9.0, 9.0]])])
def test_seeds_make_labels_nearest(seeding):
    X, _ = make_blobs(n_samples=60, centers=[[0, 0], [9, 9]], random_state=1)
    model = MeanShift(bandwidth=3.0, **seeding).fit(X)
    assert model.n_clusters_ == 2
    with pytest.raises(ValueError, match="nearest"):
        MeanShift(bandwidth=3.0, labels="basin", **seeding).fit(X)


def test_seeds_of_another_shape_are_refused():
    with pytest.raises(ValueError, match="rows of 2 numbers"):
        MeanShift(seeds=[[0.0]]).fit([[0.0, 1.0], [1.0, 0.0]])


def test_lone_points_can_be_noise():
    model = MeanShift(bandwidth=1.0, cluster_all=False).fit([[0.0], [0.1], [9.0]])
    assert model.labels_.tolist() == [0, 0, -1]


@pytest.mark.filterwarnings("ignore:mean-shift does not use links")
@pytest.mark.parametrize("model", [MeanShift(), ConstrainedMeanShift()])
def test_single_precision_stays(model, moons):
    X = moons[0].astype(np.float32)
    model.fit(X, cannot_link=[(0, 1)])
    assert model.cluster_centers_.dtype == np.float32
    assert model._points.dtype == np.float32
    assert np.array_equal(model.predict(X), model.labels_)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_contiguous_arrays_reach_the_core_uncopied(dtype):
    X = np.zeros((200_000, 4), dtype=dtype)
    X[::2] = 1
    model = MeanShift(bandwidth=0.5, n_jobs=1)
    tracemalloc.start()
    model.fit(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert model._points is X or np.shares_memory(model._points, X)
    # NumPy tells tracemalloc of its arrays: the labels, 8 bytes a point and a few copies of them
    # for the report, but never the 4 columns once more.
    assert peak < X.nbytes + 8 * len(X) if dtype is np.float32 else peak < X.nbytes


def test_strided_arrays_are_copied_and_give_the_same(moons):
    X = moons[0]
    labels = MeanShift().fit(X).labels_
    assert np.array_equal(MeanShift().fit(np.asfortranarray(X)).labels_, labels)
    assert np.array_equal(MeanShift().fit(np.repeat(X, 2, axis=0)[::2]).labels_, labels)


@pytest.mark.filterwarnings("ignore:mean-shift does not use links")
@pytest.mark.parametrize("model", [MeanShift, ConstrainedMeanShift])
def test_labels_do_not_depend_on_threads(model, moons, monkeypatch):
    X, y = moons
    monkeypatch.setenv("RAYON_NUM_THREADS", "nonsense")
    links = [(int(np.argmax(y == 0)), int(np.argmax(y == 1)))]
    runs = [model(n_jobs=n_jobs).fit(X, cannot_link=links) for n_jobs in (1, 2, 3, -1, -9, None)]
    for run in runs[1:]:
        assert np.array_equal(run.labels_, runs[0].labels_)
        assert np.array_equal(run.cluster_centers_, runs[0].cluster_centers_)


def test_a_point_of_weight_two_counts_like_two():
    X = np.array([[0.0], [1.0], [1.5]])
    weighted = MeanShift(bandwidth=4.0, kernel="rbf").fit(X, sample_weight=[1, 2, 1])
    doubled = MeanShift(bandwidth=4.0, kernel="rbf").fit(X[[0, 1, 1, 2]])
    # Another path to the same sums: only the order of adding differs.
    assert np.allclose(weighted.cluster_centers_, doubled.cluster_centers_, rtol=1e-9)


@pytest.mark.parametrize(
    "params, message",
    [
        (dict(bandwidth=0.0), "bandwidth = 0 cannot work: it must be"),
        (dict(bandwidth="wide"), "bandwidth = wide cannot work: it must be .*number above 0"),
        (dict(kernel="cone"), "kernel = cone cannot work"),
        (dict(max_iter=0), "max_iter = 0 cannot work"),
        (dict(max_iter=-1), "max_iter = -1 cannot work"),
        (dict(n_jobs=0), "n_jobs = 0 cannot work"),
    ],
)
@pytest.mark.parametrize("model", [MeanShift, ConstrainedMeanShift])
def test_parameters_that_cannot_work_are_named(model, params, message):
    with pytest.raises(ValueError, match=message):
        model(**params).fit([[0.0], [1.0]])


def test_too_little_memory_is_said_before_it_is_used(moons):
    X, y = moons
    X = np.repeat(X, 20, axis=0)
    with pytest.raises(MemoryError, match="take fewer points: about .* would fit"):
        ConstrainedMeanShift(memory_mb=1).fit(
            X, np.where(np.arange(len(X)) % 4, np.repeat(y, 20), -1)
        )


def test_not_arriving_is_a_warning(moons):
    with pytest.warns(ConvergenceWarning, match="after 1 iterations"):
        model = MeanShift(max_iter=1).fit(moons[0])
    assert not model.converged_


def test_no_cannot_links_is_a_warning(moons):
    with pytest.warns(UserWarning, match="without cannot-links"):
        model = ConstrainedMeanShift().fit(moons[0])
    assert model.n_clusters_ == 1


def test_mean_shift_reports_on_links_it_does_not_use():
    with pytest.warns(UserWarning, match="mean-shift itself does not use links"):
        model = MeanShift(bandwidth=1.0, obey="as-found").fit([[0.0], [0.1], [9.0]], must_link=[(0, 1), (1, 2)])
    assert model.link_report_["kept"].tolist() == [True, False]
    assert model.broken_links_[["a", "b", "kind"]].tolist() == [(1, 2, "must")]


def test_certain_links_are_kept_after_any_method():
    with pytest.warns(UserWarning, match="itself does not use links"):
        model = MeanShift(bandwidth=1.0).fit([[0.0], [0.1], [9.0]], must_link=[(0, 1), (1, 2)])
    assert model.labels_.tolist() == [0, 0, 0]
    assert model.broken_links_.size == 0


def test_presets_give_way_to_what_is_set_besides():
    assert ConstrainedMeanShift.paper_embedding(merge_b=0.2).merge_b == 0.2
    assert ConstrainedMeanShift.paper_toy().max_iter == 100


def test_what_plays_no_part_is_refused():
    with pytest.raises(ValueError, match="k = 3 cannot work: it must be left out unless"):
        MeanShift(k=3).fit([[0.0], [1.0]])


def test_noise_alone_has_no_centers():
    model = CDBSCAN(eps=0.1).fit([[0.0, 0.0], [5.0, 5.0]], cannot_link=[(0, 1)])
    assert model.labels_.tolist() == [-1, -1] and model.n_clusters_ == 0
    assert model.cluster_centers_.shape == (0, 2)
    assert model.predict([[0.0, 0.0]]).tolist() == [-1]
    # Noise is together with nothing.
    assert model.link_report_["kept"].tolist() == [True]


@pytest.mark.parametrize("model", [CDBSCAN(eps=0.5), ConstrainedSpectral()])
def test_iterations_are_counted_by_the_core_alone(model, moons):
    """The command line once said 2 and 3 where Python said 1."""
    model.fit(moons[0])
    assert model.n_iter_ == model._model.n_iter


def test_a_seed_may_come_from_a_generator(moons):
    for random_state in (7, np.int64(7), np.random.RandomState(7)):
        assert MeanShift(random_state=random_state).fit(moons[0]).n_clusters_ >= 1
