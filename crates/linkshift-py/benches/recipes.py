"""The recipes of docs/beyond-one-machine.md, run: Ray, Spark and plain processes give the same labels.

python recipes.py [ray] [spark] [processes]

An engine that is not installed is left out, and said so. Spark needs a JVM.
"""

import importlib.util
import os
import pathlib
import sys
import tempfile

import numpy as np
import pyarrow.parquet as pq
import pyarrow as pa

import linkshift
from linkshift.parts import Plan, label, to_bytes

N, BLOCK = 60_000, 10_000


def data(folder):
    """Parquet files of heaps, and links that are right."""
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=N)
    X = rng.normal(size=(N, 3)) + truth[:, None] * np.array([9.0, -9.0, 0.0])
    for at, first in enumerate(range(0, N, BLOCK)):
        rows = slice(first, first + BLOCK)
        columns = {"row": np.arange(N)[rows], "x": X[rows, 0], "y": X[rows, 1], "z": X[rows, 2]}
        pq.write_table(pa.table(columns), folder / f"part-{at:03}.parquet")
    ends = rng.integers(N, size=(200, 2))
    same = truth[ends[:, 0]] == truth[ends[:, 1]]
    return X, {"must_link": ends[same], "cannot_link": ends[~same]}


def with_ray(folder, links):
    import ray

    ray.init(num_cpus=2, include_dashboard=False, logging_level="error")
    table = ray.data.read_parquet(str(folder))
    plan = Plan(linkshift.BoostedMeanShift(), table.count(), **links)
    wanted = set(plan.rows.tolist())

    # Rows are known by their number, which is a column: blocks of Ray have no order.
    def take(batch):
        rows = batch.to_pandas()
        return pa.Table.from_pandas(rows[rows["row"].isin(wanted)], preserve_index=False)

    drawn = table.map_batches(take, batch_format="pyarrow").to_pandas().sort_values("row")
    model = plan.fit_rows(drawn[["x", "y", "z"]].to_numpy(), columns=["x", "y", "z"])
    data = to_bytes(model)

    def labelled(batch):
        points = batch.select(["x", "y", "z"]).to_pandas()
        return pa.table({"row": batch["row"], "label": label(points, data)})

    labels = table.map_batches(labelled, batch_format="pyarrow").to_pandas()
    ray.shutdown()
    return model, labels.sort_values("row")["label"].to_numpy()


def with_spark(folder, links):
    from pyspark.sql import SparkSession

    # Workers run the interpreter that this one is, not the first on the path.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = SparkSession.builder.master("local[2]").getOrCreate()
    table = spark.read.parquet(str(folder))
    plan = Plan(linkshift.BoostedMeanShift(), table.count(), **links)
    wanted = set(plan.rows.tolist())

    def take(batches):
        for batch in batches:
            keep = [row in wanted for row in batch.column("row").to_pylist()]
            yield batch.filter(pa.array(keep))

    drawn = table.mapInArrow(take, table.schema).toPandas().sort_values("row")
    model = plan.fit_rows(drawn[["x", "y", "z"]].to_numpy(), columns=["x", "y", "z"])
    data = to_bytes(model)

    def labelled(batches):
        for batch in batches:
            points = batch.select(["x", "y", "z"]).to_pandas()
            labels = pa.array(label(points, data))
            yield pa.RecordBatch.from_arrays([batch.column("row"), labels], ["row", "label"])

    labels = table.mapInArrow(labelled, "row long, label long").toPandas()
    spark.stop()
    return model, labels.sort_values("row")["label"].to_numpy()


def read(path):
    return pq.read_table(path, columns=["x", "y", "z"]).to_pandas()


def take_file(task):
    path, first, plan = task
    return plan.take(read(path), first)


def label_file(task):
    path, data = task
    return label(read(path), data)


def with_processes(folder, links):
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    files = sorted(folder.glob("*.parquet"))
    lengths = [pq.read_metadata(path).num_rows for path in files]
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).tolist()
    plan = Plan(linkshift.BoostedMeanShift(), sum(lengths), **links)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        parts = pool.map(take_file, [(path, first, plan) for path, first in zip(files, starts)])
        model = plan.fit(parts)
        labels = pool.map(label_file, [(path, to_bytes(model)) for path in files])
        return model, np.concatenate(list(labels))


RECIPES = {"ray": with_ray, "pyspark": with_spark, "processes": with_processes}


def main():
    chosen = sys.argv[1:] or list(RECIPES)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        X, links = data(folder)
        whole = linkshift.BoostedMeanShift().fit(X, **links)
        for engine in chosen:
            engine = "pyspark" if engine == "spark" else engine
            if engine != "processes" and importlib.util.find_spec(engine) is None:
                print(f"{engine} is not installed: left out")
                continue
            model, labels = RECIPES[engine](folder, links)
            pairs = np.unique(np.stack([whole.labels_, labels]), axis=1)
            assert pairs.shape[1] == whole.n_clusters_, (engine, pairs)
            assert model.link_report_["kept"].all()
            print(f"{engine}: the labels of the fit in memory, {model.n_clusters_} clusters")


if __name__ == "__main__":
    main()
