"""linkshift.parts: the same labels from blocks as from all points at once."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from linkshift import AutoCluster, BoostedMeanShift, ConstrainedMeanShift, Links
from linkshift.parts import Plan, SourceChangedError, label, to_bytes


def heaps(n, d, dtype=np.float64, seed=0):
    """Three heaps, and the heap of each row."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=n)
    centers = np.zeros((3, d))
    centers[1, 0], centers[2, 1] = 12, 12
    return (rng.normal(size=(n, d)) + centers[truth]).astype(dtype), truth


def told(truth, n_links, seed=1):
    """Links that are right."""
    ends = np.random.default_rng(seed).integers(len(truth), size=(n_links, 2))
    ends = ends[ends[:, 0] != ends[:, 1]]
    same = truth[ends[:, 0]] == truth[ends[:, 1]]
    return Links(must_link=ends[same], cannot_link=ends[~same])


def by_blocks(estimator, X, links, cuts, **options):
    """Labels by blocks, which come in another order."""
    plan = Plan(estimator, len(X), links=links, **options)
    bounds = [0, *cuts, len(X)]
    blocks = [(low, X[low:high]) for low, high in zip(bounds, bounds[1:])]
    parts = [plan.take(block, first) for first, block in blocks]
    model = plan.fit(parts[::-1])
    known = [plan.known(part, model) for part in parts]
    data = to_bytes(model)
    labels = [label(block, data, known) for (_, block), known in zip(blocks, known)]
    return plan, model, np.concatenate(labels)


def renumbered(labels):
    """Clusters numbered by their first row."""
    _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [2, 64])
@pytest.mark.parametrize("n_links", [0, 60])
def test_boosted_finds_what_it_finds_when_all_is_there(dtype, d, n_links):
    X, truth = heaps(2_000, d, dtype)
    links = told(truth, n_links)
    estimator = BoostedMeanShift(cell_size=60, random_state=3)
    whole = estimator.fit(X, links=links)
    for cuts in ([], [700, 701, 701, 1990], list(range(100, 2000, 100))):
        plan, model, labels = by_blocks(estimator, X, links, cuts)
        np.testing.assert_array_equal(renumbered(labels), whole.labels_)
        assert len(plan.rows) < 2_000 and model.n_drawn_ == 540
        np.testing.assert_array_equal(model.labels_, labels[plan.rows])
        assert model.link_report_["kept"].all()


@pytest.mark.parametrize("estimator", [ConstrainedMeanShift(), AutoCluster()])
def test_drawn_rows_weigh_what_they_stand_for(estimator):
    X, truth = heaps(1_500, 3)
    links = told(truth, 40)
    plan, model, labels = by_blocks(estimator, X, links, [400, 1100], draw=300)
    # Another path: the fit in memory of the same rows with their weights.
    linked = np.unique([links.a, links.b])
    is_linked = np.isin(plan.rows, linked)
    assert is_linked.sum() == len(linked)
    each = (1_500 - is_linked.sum()) / (~is_linked).sum()
    weights = np.where(is_linked, 1.0, each)
    a, b = np.searchsorted(plan.rows, links.a), np.searchsorted(plan.rows, links.b)
    within = Links.from_triples(zip(a, b, links.signs))
    same = estimator.fit(X[plan.rows], links=within, sample_weight=weights)
    np.testing.assert_array_equal(model.labels_, same.labels_)
    np.testing.assert_array_equal(same.predict(X)[plan.rows], labels[plan.rows])
    for report, a, b in [(model.link_report_, links.a, links.b)]:
        np.testing.assert_array_equal(report["a"], a)
        np.testing.assert_array_equal(report["b"], b)


def test_all_rows_are_the_ordinary_fit():
    X, truth = heaps(300, 2)
    links = told(truth, 30)
    for estimator in (ConstrainedMeanShift(), BoostedMeanShift(), AutoCluster()):
        _, model, labels = by_blocks(estimator, X, links, [100])
        np.testing.assert_array_equal(labels, estimator.fit(X, links=links).labels_)
        np.testing.assert_array_equal(model.predict(X), labels)


def test_sure_links_hold_even_between_equal_rows():
    X, _ = heaps(400, 2)
    X[7] = X[300]
    links = Links(cannot_link=[(7, 300)], must_link=[(0, 1)])
    _, model, labels = by_blocks(ConstrainedMeanShift(), X, links, [200], draw=100)
    assert labels[7] != labels[300] and labels[0] == labels[1]
    assert model.link_report_["kept"].all()


def test_a_saved_model_names_rows_of_the_whole(tmp_path):
    from linkshift import load

    X, truth = heaps(500, 2)
    _, model, labels = by_blocks(ConstrainedMeanShift(), X, told(truth, 20), [250], draw=100)
    model.save(tmp_path / "part.model")
    again = load(tmp_path / "part.model")
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    a, b = (str(end) for end in model.link_report_[["a", "b"]][0])
    assert "together" in again.why(a, b) or "apart" in again.why(a, b)


def test_what_labels_is_small():
    X, truth = heaps(30_000, 4)
    plan, model, _ = by_blocks(ConstrainedMeanShift(), X, told(truth, 100), [])
    # Derived: 4,000 representatives of 4 numbers, 8 bytes each, a label, and some words.
    assert len(plan.rows) == 30_000
    assert len(to_bytes(model)) < 4_000 * (4 * 8 + 8) + 20_000
    assert len(to_bytes(model)) < len(pickle.dumps(model)) / 3


def test_a_block_that_changed_is_noticed():
    X, _ = heaps(300, 2)
    plan = Plan(BoostedMeanShift(), 300)
    part = plan.take(X, 0)
    model = plan.fit([part])
    known = plan.known(part, model)
    with pytest.raises(SourceChangedError):
        label(X + 1, to_bytes(model), known)
    with pytest.raises(SourceChangedError):
        label(X[:-1], to_bytes(model), known)


def test_what_is_no_number_is_named_by_its_row_among_all():
    X, _ = heaps(300, 2)
    X[299, 1] = np.nan
    plan = Plan(BoostedMeanShift(), 300)
    with pytest.raises(ValueError, match="row 299, column 1 is nan"):
        plan.take(X[200:], 200)


def test_parts_that_do_not_fit_are_refused():
    X, _ = heaps(300, 2)
    plan = Plan(BoostedMeanShift(), 300)
    first, second = plan.take(X[:100], 0), plan.take(X[100:], 100)
    with pytest.raises(ValueError, match="begins at row 100 where row 0"):
        plan.fit([second])
    with pytest.raises(ValueError, match="100 rows together, not 300"):
        plan.fit([first])
    with pytest.raises(ValueError, match="begins at row 0 where row 100"):
        plan.fit([first, first, second])
    with pytest.raises(ValueError, match="columns"):
        plan.fit([first, plan.take(X[100:, :1], 100)])
    with pytest.raises(ValueError, match="row 300"):
        Plan(BoostedMeanShift(), 300, must_link=[(0, 300)])
    with pytest.raises(ValueError, match="cells and cell_size"):
        Plan(BoostedMeanShift(), 300, draw=10)


def test_contradictions_name_rows_among_all():
    from linkshift import LinkContradictionError

    X, _ = heaps(300, 2)
    plan = Plan(
        ConstrainedMeanShift(), 300, must_link=[(150, 160)], cannot_link=[(160, 150)], draw=20
    )
    with pytest.raises(LinkContradictionError) as caught:
        plan.fit([plan.take(X, 0)])
    assert set(caught.value.cannot) == {150, 160}


def test_suspects_name_rows_among_all():
    X, truth = heaps(900, 2)
    links = told(truth, 80)
    wrong = np.flatnonzero(truth == 0)[-2:]
    links = links + Links(cannot_link=[wrong])
    _, model, _ = by_blocks(AutoCluster(), X, links, [400], draw=200)
    known = {frozenset(pair) for pair in zip(links.a.tolist(), links.b.tolist())}
    assert model.n_suspects_ == len(model.suspects_)
    for suspect in model.suspects_:
        assert frozenset(suspect["link"][:2]) in known
        assert all(frozenset(link[:2]) in known for link in suspect["chain"])


def test_a_block_may_lie_anywhere_in_memory():
    X, _ = heaps(300, 2)
    model = Plan(BoostedMeanShift(), 300)
    model = model.fit([model.take(X, 0)])
    labels = label(X, to_bytes(model))
    room = np.empty(X.nbytes + 1, dtype=np.uint8)
    odd = room[1:].view(np.float64).reshape(X.shape)
    odd[:] = X
    assert not odd.flags.aligned
    for block in (odd, np.asfortranarray(X), X.astype(">f8"), X[::-1].copy()[::-1]):
        np.testing.assert_array_equal(label(block, to_bytes(model)), labels)


def test_the_package_needs_no_dask():
    code = "import sys; sys.modules['dask'] = None; import linkshift, linkshift.parts"
    subprocess.run([sys.executable, "-c", code], check=True)


def in_another_process(task):
    from linkshift.parts import label

    block, model = task
    return label(block, model)


def test_the_recipe_for_multiprocessing():
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    X, truth = heaps(900, 2)
    plan = Plan(BoostedMeanShift(cell_size=50), 900, links=told(truth, 20))
    blocks = [X[first : first + 300] for first in (0, 300, 600)]
    model = plan.fit([plan.take(block, 300 * at) for at, block in enumerate(blocks)])
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        labels = pool.map(in_another_process, [(block, to_bytes(model)) for block in blocks])
    np.testing.assert_array_equal(np.concatenate(list(labels)), model.predict(X))
