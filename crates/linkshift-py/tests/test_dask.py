"""linkshift.dask: the same labels however the data are cut, and whoever computes them."""

import functools
import itertools
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
import dask.array as da  # noqa: E402
import dask.dataframe as dd  # noqa: E402
import linkshift  # noqa: E402
import linkshift.dask as ld  # noqa: E402
import pandas as pd  # noqa: E402
from linkshift.parts import Plan, label, to_bytes  # noqa: E402
from test_parts import heaps, told  # noqa: E402

N = 900
# Uneven; with empty blocks; with blocks of one row.
CHUNKS = [(400, 3, 497), (0, 450, 0, 450, 0), (1,) * 6 + (893, 1)]


def workers(count):
    return distributed.LocalCluster(
        n_workers=count, threads_per_worker=1, dashboard_address=":0", memory_limit=0, silence_logs=50
    )


def expected(estimator, X, links, draw=None):
    """From the same rows without dask."""
    plan = Plan(estimator, len(X), links=links, draw=draw)
    part = plan.take(X, 0)
    model = plan.fit([part])
    return label(X, to_bytes(model), plan.known(part, model))


def estimators():
    return [
        (ld.BoostedMeanShift(cell_size=40, random_state=1), None),
        (ld.ConstrainedMeanShift(), 150),
    ]


def plain(estimator):
    return getattr(linkshift, type(estimator).__name__)(**estimator.get_params())


@functools.cache
def cases():
    """Points, links, an estimator, how many rows it draws, and what it finds without dask."""
    found = []
    for dtype, d, n_links in itertools.product((np.float32, np.float64), (2, 64), (0, 40)):
        X, truth = heaps(N, d, dtype)
        links = told(truth, n_links)
        for estimator, draw in estimators():
            labels = expected(plain(estimator), X, links, draw)
            found.append((X, links, estimator, draw, labels))
    return found


def all_chunks_give_the_labels():
    for X, links, estimator, draw, labels in cases():
        for chunks in CHUNKS:
            lazy = da.from_array(X, chunks=(chunks, X.shape[1]))
            model = estimator.fit(lazy, links=links, draw=draw)
            assert model.labels_.chunks == (chunks,)
            np.testing.assert_array_equal(model.labels_.compute(), labels)
            assert model.link_report_["kept"].all()


@pytest.mark.filterwarnings("ignore:without cannot-links")
@pytest.mark.parametrize("scheduler", ["threads", "synchronous"])
def test_labels_do_not_depend_on_chunks_or_schedulers(scheduler):
    with dask.config.set(scheduler=scheduler):
        all_chunks_give_the_labels()


@pytest.mark.filterwarnings("ignore:without cannot-links")
@pytest.mark.parametrize("count", [1, 2, 4])
def test_labels_do_not_depend_on_workers(count):
    with workers(count) as cluster, distributed.Client(cluster):
        all_chunks_give_the_labels()


def test_the_default_method_and_predict():
    X, truth = heaps(N, 2)
    links = told(truth, 40)
    lazy = da.from_array(X, chunks=(250, 2))
    model = ld.AutoCluster().fit(lazy, links=links, draw=200)
    np.testing.assert_array_equal(
        model.labels_.compute(), expected(linkshift.AutoCluster(), X, links, 200)
    )
    assert model.n_drawn_ < 300 and model.n_clusters_ == 3
    new, _ = heaps(100, 2, seed=5)
    at_once = model.predict(new)
    lazy_labels = model.predict(da.from_array(new, chunks=(33, 2)))
    np.testing.assert_array_equal(lazy_labels.compute(), at_once)
    np.testing.assert_array_equal(at_once, model.local_.predict(new))


def test_dataframes_have_links_by_id_and_labels_by_index():
    X, truth = heaps(N, 2)
    links = told(truth, 40)
    names = np.array([f"row {at}" for at in range(N)])
    frame = pd.DataFrame({"name": names, "x": X[:, 0], "y": X[:, 1]}, index=np.arange(N) * 2)
    lazy = dd.from_pandas(frame, npartitions=4)
    by_id = linkshift.Links.from_triples(zip(names[links.a], names[links.b], links.signs))
    estimator = ld.BoostedMeanShift(cell_size=40)
    model = estimator.fit(lazy, links=by_id, id_column="name")
    labels = model.labels_.compute()
    np.testing.assert_array_equal(labels.index, frame.index)
    np.testing.assert_array_equal(labels, expected(plain(estimator), X, links))
    assert model.link_report_["a"][0] == names[links.a[0]]
    assert list(model.feature_names_in_) == ["x", "y"]
    np.testing.assert_array_equal(model.predict(lazy).compute(), model.predict(frame[["x", "y"]]))
    # Rows counted through the partitions, where there are no ids.
    by_row = estimator.fit(lazy[["x", "y"]], links=links).labels_.compute()
    np.testing.assert_array_equal(by_row, labels)
    with pytest.raises(ValueError, match="'nobody', which is not in column 'name'"):
        estimator.fit(lazy, must_link=[("row 1", "nobody")], id_column="name")
    twice = dd.from_pandas(frame.assign(name="same"), npartitions=2)
    with pytest.raises(ValueError, match="row 0 and in row 1"):
        estimator.fit(twice, must_link=[("same", "other")], id_column="name")


def test_unknown_lengths_are_counted():
    X, truth = heaps(N, 2)
    frame = dd.from_pandas(pd.DataFrame(X, columns=["x", "y"]), npartitions=3)
    estimator = ld.BoostedMeanShift(cell_size=40)
    model = estimator.fit(frame.to_dask_array())
    assert sum(model.labels_.chunks[0]) == N
    np.testing.assert_array_equal(model.labels_.compute(), expected(plain(estimator), X, None))


def test_each_block_is_loaded_twice_and_the_fit_is_one(monkeypatch):
    X, truth = heaps(N, 2)
    loaded, fits = [], []

    def load(block_id=None):
        loaded.append(block_id[0])
        return X[300 * block_id[0] :][:300]

    lazy = da.map_blocks(load, chunks=((300,) * 3, (2,)), meta=np.empty((0, 2)))
    fit = Plan.fit
    monkeypatch.setattr(Plan, "fit", lambda plan, parts: fits.append(1) or fit(plan, parts))
    with dask.config.set(scheduler="synchronous"):
        model = ld.BoostedMeanShift().fit(lazy, links=told(truth, 20))
        assert sorted(loaded) == [0, 1, 2]
        model.labels_.compute()
    assert sorted(loaded) == [0, 0, 1, 1, 2, 2] and fits == [1]


def test_no_worker_keeps_blocks(monkeypatch):
    """Reading a block, and taking from it or labelling it, is one task, which ends without it."""
    X, truth = heaps(N, 2)
    lazy = da.map_blocks(
        lambda block_id=None: X[300 * block_id[0] :][:300],
        chunks=((300,) * 3, (2,)),
        meta=np.empty((0, 2)),
        name="source",
    )
    seen, compute = [], ld.compute

    def computed(*lazy, **show):
        seen.append(lazy)
        return compute(*lazy, **show)

    monkeypatch.setattr(ld, "compute", computed)
    model = ld.BoostedMeanShift(cell_size=40).fit(lazy, links=told(truth, 20))
    new = model.predict(lazy)
    for collections in [*seen, (model.labels_,), (new,)]:
        graphs = [collection.__dask_graph__() for collection in dask.optimize(*collections)]
        keys = {str(key) for graph in graphs for key in dict(graph)}
        assert keys and not any(key.startswith("('source'") for key in keys), keys
    assert len(seen) == 1


def test_small_files_that_dask_reads_together_are_counted_as_they_are_read(tmp_path):
    X, truth = heaps(N, 8)
    links = told(truth, 40)
    names, features = np.array([f"row {at}" for at in range(N)]), list("abcdefgh")
    frame = pd.DataFrame(X, columns=features).assign(name=names)
    for at in range(9):
        frame[100 * at :][:100].to_parquet(tmp_path / f"{at}.parquet", index=False)
    # Of one column Dask makes fewer partitions than of all, once something is done with them.
    lazy = dd.read_parquet(tmp_path).fillna(0.0)
    by_id = linkshift.Links.from_triples(zip(names[links.a], names[links.b], links.signs))
    estimator = ld.BoostedMeanShift(cell_size=40)
    labels = expected(plain(estimator), X, links)
    model = estimator.fit(lazy, links=by_id, id_column="name")
    np.testing.assert_array_equal(model.labels_.compute(), labels)
    np.testing.assert_array_equal(model.predict(lazy).compute(), model.predict(frame[features]))
    # Files begin their index anew, but labels are put beside rows partition by partition.
    beside = lazy.assign(label=model.predict(lazy)).compute()
    np.testing.assert_array_equal(beside["name"], names)
    np.testing.assert_array_equal(beside["label"], model.predict(frame[features]))
    without_ids = estimator.fit(lazy[features], links=links)
    np.testing.assert_array_equal(without_ids.labels_.compute(), labels)


def test_progress_is_shown_on_demand(capsys):
    X, _ = heaps(N, 2)
    lazy = da.from_array(X, chunks=(300, 2))
    ld.BoostedMeanShift(cell_size=40).fit(lazy)
    assert capsys.readouterr().err == ""
    ld.BoostedMeanShift(cell_size=40, verbose=True).fit(lazy)
    assert "100%" in capsys.readouterr().err
    with workers(1) as cluster, distributed.Client(cluster):
        ld.BoostedMeanShift(cell_size=40, verbose=True).fit(lazy)
    assert "3/3 blocks" in capsys.readouterr().err


class Source:
    """Blocks from a folder's point of view: what has happened is in its files."""

    def __init__(self, folder, X, deadly=()):
        self.folder, self.X, self.deadly = str(folder), X, deadly

    def __call__(self, block_id=None):
        at = block_id[0]
        phase = "label" if os.path.exists(f"{self.folder}/labelling") else "take"
        if (phase, at) in self.deadly:
            try:
                open(f"{self.folder}/{phase}-{at}", "x").close()
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        block = self.X[150 * at :][:150]
        return block + 1 if phase == "label" and "changes" in self.deadly else block

    def lazy(self):
        return da.map_blocks(self, chunks=((150,) * 6, (2,)), meta=np.empty((0, 2)))


def test_a_worker_that_dies_changes_nothing(tmp_path):
    X, truth = heaps(N, 2)
    links = told(truth, 40)
    estimator = ld.BoostedMeanShift(cell_size=40)
    labels = expected(plain(estimator), X, links)
    deadly = [("take", 1), ("take", 4), ("label", 0), ("label", 5)]
    with workers(2) as cluster, distributed.Client(cluster):
        model = estimator.fit(Source(tmp_path, X, deadly).lazy(), links=links)
        (tmp_path / "labelling").touch()
        np.testing.assert_array_equal(model.labels_.compute(), labels)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "label-0", "label-5", "labelling", "take-1", "take-4",
    ]  # fmt: skip


def test_without_workers_there_is_an_error_in_time():
    X, _ = heaps(N, 2)
    lazy = da.from_array(X, chunks=(300, 2))
    with workers(0) as cluster, distributed.Client(cluster):
        started = time.monotonic()
        with pytest.raises(ld.NoWorkersError, match="no worker for 1 seconds"):
            ld.BoostedMeanShift().fit(lazy, workers_timeout=1.0)
        # The time that was said, a turn of the loop, and leave for a slow machine.
        assert time.monotonic() - started < 20


class Stuck:
    """Blocks that never come, once they are asked for."""

    def __init__(self, folder, X):
        self.folder, self.X = str(folder), X

    def __call__(self, block_id=None):
        if os.path.exists(f"{self.folder}/stuck"):
            open(f"{self.folder}/asked-{block_id[0]}", "w").close()
            time.sleep(600)
        return self.X[300 * block_id[0] :][:300]

    def lazy(self):
        return da.map_blocks(self, chunks=((300,) * 3, (2,)), meta=np.empty((0, 2)))


@pytest.mark.parametrize("phase", ["take", "label"])
def test_all_workers_killed_in_the_middle_is_an_error_in_time(tmp_path, phase):
    X, _ = heaps(N, 2)
    lazy = Stuck(tmp_path, X).lazy()
    estimator = ld.BoostedMeanShift(cell_size=40)
    with workers(0) as cluster, distributed.Client(cluster) as client:
        # Without nannies, so that nobody brings them back.
        command = [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address]
        command += ["--no-nanny", "--no-dashboard", "--nthreads", "1"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        processes = [
            subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) for _ in range(2)
        ]
        client.wait_for_workers(2, timeout=60)

        def kill_when_asked():
            while not list(tmp_path.glob("asked-*")):
                time.sleep(0.05)
            for process in processes:
                process.kill()

        work = functools.partial(estimator.fit, lazy, workers_timeout=1.0)
        if phase == "label":
            labels = work().labels_
            work = functools.partial(ld.compute, labels, workers_timeout=1.0)
        (tmp_path / "stuck").touch()
        killing = threading.Thread(target=kill_when_asked)
        killing.start()
        started = time.monotonic()
        with pytest.raises(ld.NoWorkersError, match="no worker for 1 seconds"):
            work()
        assert time.monotonic() - started < 60
        killing.join()
        [process.wait() for process in processes]


def test_a_source_that_changes_is_noticed(tmp_path):
    X, _ = heaps(N, 2)
    model = ld.BoostedMeanShift().fit(Source(tmp_path, X, ["changes"]).lazy())
    (tmp_path / "labelling").touch()
    with pytest.raises(ld.SourceChangedError, match="not what it was"):
        model.labels_.compute()


def test_nan_in_the_last_block_is_an_error_before_the_fit(monkeypatch):
    X, _ = heaps(N, 2)
    X[-1, 1] = np.nan
    monkeypatch.setattr(Plan, "fit", lambda *_: pytest.fail("it was fitted"))
    with pytest.raises(ValueError, match="row 899, column 1 is nan"):
        ld.BoostedMeanShift().fit(da.from_array(X, chunks=(200, 2)))


def test_what_cannot_be_is_said():
    X, _ = heaps(N, 2)
    cut = da.from_array(X, chunks=(300, 1))
    with pytest.raises(ValueError, match=r"X.rechunk\(\{1: -1\}\)"):
        ld.BoostedMeanShift().fit(cut)
    with pytest.raises(TypeError, match="give a dask array"):
        ld.BoostedMeanShift().fit(X)
    with pytest.raises(ValueError, match="give links"):
        ld.BoostedMeanShift().fit(da.from_array(X), np.zeros(N))


def test_a_saved_model_is_used_anywhere(tmp_path):
    X, truth = heaps(N, 2)
    model = ld.ConstrainedMeanShift().fit(da.from_array(X, chunks=(300, 2)), links=told(truth, 40))
    model.save(tmp_path / "heaps.model")
    again = linkshift.load(tmp_path / "heaps.model")
    assert type(again) is linkshift.ConstrainedMeanShift
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
