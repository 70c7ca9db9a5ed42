"""What linkshift.dask costs: rows that are drawn lazily, so that nobody holds them all.

python dask_rows.py [--rows 1e7] [--full] [--peer] [--mnist 1e7]

For each number of rows: seconds of both passes, memory of the client and of the workers at their
peak, how often each block was loaded, how many fits there were, and the index against the truth; with
--peer, k-means of dask-ml on the same rows. With MNIST embeddings at hand (cms_mnist.csv.gz in
$LINKSHIFT_DATA or ../shared/data) also these, repeated with noise, with 20,000 links.
"""

import argparse
import gzip
import os
import pathlib
import resource
import tempfile
import time

import dask
import dask.array as da
import numpy as np
from distributed import Client, LocalCluster

import linkshift
import linkshift.dask as ld
import linkshift.parts

D = 10
N_HEAPS = 10
SPREAD = 12.0


class Heaps:
    """Blocks of Gaussian heaps; the heap of a row is known from its number."""

    def __init__(self, block_rows, n_rows, folder):
        self.block_rows, self.n_rows, self.folder = block_rows, n_rows, folder

    def truth(self, at):
        first = at * self.block_rows
        n = min(self.block_rows, self.n_rows - first)
        return np.random.default_rng([1, at]).integers(N_HEAPS, size=n)

    def __call__(self, block_id=None):
        at = block_id[0]
        open(f"{self.folder}/{at}-{time.time_ns()}-{os.getpid()}", "x").close()
        centers = np.random.default_rng(0).normal(scale=SPREAD, size=(N_HEAPS, D))
        truth = self.truth(at)
        block = np.random.default_rng([2, at]).standard_normal((len(truth), D))
        for column in range(D):  # no second block
            block[:, column] += centers[truth, column]
        return block

    def lazy(self):
        full, rest = divmod(self.n_rows, self.block_rows)
        lengths = (self.block_rows,) * full + ((rest,) if rest else ())
        return da.map_blocks(self, chunks=(lengths, (D,)), meta=np.empty((0, D)))


class Repeated:
    """Blocks of the rows of a set, repeated, with noise of a part of each column's deviation."""

    def __init__(self, folder, block_rows, n_rows, noise=0.05):
        self.folder, self.block_rows, self.n_rows, self.noise = folder, block_rows, n_rows, noise

    def rows(self, at):
        first = at * self.block_rows
        return np.arange(first, min(first + self.block_rows, self.n_rows)) % len(self.points())

    def truth(self, at):
        return np.load(f"{self.folder}/truth.npy")[self.rows(at)]

    def points(self):
        return np.load(f"{self.folder}/points.npy", mmap_mode="r")

    def __call__(self, block_id=None):
        X, rows = self.points(), self.rows(block_id[0])
        block = np.random.default_rng([3, block_id[0]]).standard_normal((len(rows), X.shape[1]))
        for column, deviation in enumerate(X.std(axis=0)):  # no second block
            block[:, column] *= self.noise * deviation
            block[:, column] += X[rows, column]
        return block

    def lazy(self):
        full, rest = divmod(self.n_rows, self.block_rows)
        lengths = (self.block_rows,) * full + ((rest,) if rest else ())
        d = self.points().shape[1]
        return da.map_blocks(self, chunks=(lengths, (d,)), meta=np.empty((0, d)))


def peak_mib():
    """Of this process alone: what `getrusage` says begins with what its parent held."""
    status = pathlib.Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def workers_peak(client):
    return max(client.run(peak_mib).values())


def bare_peak():
    """A worker that has imported what it will need, and holds nothing."""
    import dask.dataframe  # noqa: F401
    import linkshift.parts  # noqa: F401

    return peak_mib()


def heaps(client, n_rows, peer, bare):
    with tempfile.TemporaryDirectory() as folder:
        source = Heaps(min(500_000, max(1, n_rows // 4)), n_rows, folder)
        X = source.lazy()
        rng = np.random.default_rng(5)
        ends = rng.integers(n_rows, size=(1_000, 2))
        of = lambda row: source.truth(row // source.block_rows)[row % source.block_rows]  # noqa: E731
        same = np.array([of(a) == of(b) for a, b in ends])
        before, block = peak_mib(), source.block_rows * D * 8 / 2**20
        started = time.perf_counter()
        n_fits = len(FITS)
        model = ld.BoostedMeanShift().fit(X, must_link=ends[same], cannot_link=ends[~same])
        fitted = time.perf_counter()
        score = index_of(counts(model.labels_, source, N_HEAPS))
        labelled = time.perf_counter()
        loads = [name.split("-")[0] for name in os.listdir(folder)]
        per_block = {loads.count(at) for at in set(loads)}
        print(
            f"{n_rows:.0e} × {D}: fit {fitted - started:.1f} s, labels {labelled - fitted:.1f} s, "
            f"{(labelled - started) / n_rows * 1e6:.2f} µs a row; client {peak_mib():.0f} MiB "
            f"(before {before:.0f}), workers at most {workers_peak(client):.0f} MiB, "
            f"{(workers_peak(client) - bare) / block:.1f} blocks of {block:.0f} MiB beyond what they "
            f"imported; loads of a block {sorted(per_block)}, fits {len(FITS) - n_fits}; "
            f"{model.n_clusters_} clusters of {N_HEAPS}, ARI {score:.4f}, "
            f"{int((~model.link_report_['kept']).sum())} of {len(ends)} links broken",
            flush=True,
        )
        if peer:
            from dask_ml.cluster import KMeans

            started = time.perf_counter()
            KMeans(n_clusters=N_HEAPS, random_state=0).fit(X).labels_.sum().compute()
            seconds = time.perf_counter() - started
            print(
                f"  dask-ml's KMeans, told k: {seconds:.1f} s, {seconds / n_rows * 1e6:.2f} µs a row, "
                f"workers at most {workers_peak(client):.0f} MiB",
                flush=True,
            )


FITS = []
"""One entry for each fit that there was."""


def count_fits():
    fit = linkshift.parts.Plan.fit

    def counted(plan, parts):
        FITS.append(plan)
        return fit(plan, parts)

    linkshift.parts.Plan.fit = counted


MOST_LABELS = 256


def counts(labels, source, n_classes):
    """How many rows of each class have each label; labels of 10⁸ rows stay where they are."""

    def of_block(block, block_id=None):
        cells = source.truth(block_id[0]) * MOST_LABELS
        cells += np.minimum(block, MOST_LABELS - 1)
        return np.bincount(cells, minlength=n_classes * MOST_LABELS)[None]

    shape = ((1,) * labels.numblocks[0], (n_classes * MOST_LABELS,))
    table = labels.map_blocks(of_block, chunks=shape, new_axis=1, dtype=np.int64)
    return table.sum(axis=0).compute().reshape(n_classes, MOST_LABELS)


def index_of(counts):
    """The adjusted Rand index of a table of counts."""
    pairs = lambda table: (table * (table - 1.0) / 2).sum()  # noqa: E731
    both, rows, columns = pairs(counts), pairs(counts.sum(1)), pairs(counts.sum(0))
    chance = rows * columns / pairs(counts.sum())
    return (both - chance) / ((rows + columns) / 2 - chance)


def mnist(n_rows, methods):
    for folder in (os.environ.get("LINKSHIFT_DATA"), "../shared/data"):
        path = pathlib.Path(folder or ".") / "cms_mnist.csv.gz"
        if path.exists():
            break
    else:
        print("no cms_mnist.csv.gz: MNIST embeddings are left out")
        return
    with gzip.open(path) as file:
        table = np.loadtxt(file, delimiter=",", skiprows=1)
    truth = table[:, -1].astype(int)
    rng = np.random.default_rng(7)
    ends = rng.integers(n_rows, size=(20_000, 2))
    same = truth[ends[:, 0] % len(truth)] == truth[ends[:, 1] % len(truth)]
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/points.npy", table[:, :-1])
        np.save(f"{folder}/truth.npy", truth)
        source = Repeated(folder, min(250_000, n_rows // 4), n_rows)
        lazy = source.lazy()
        for name in methods:
            started = time.perf_counter()
            model = getattr(ld, name)().fit(lazy, must_link=ends[same], cannot_link=ends[~same])
            fitted = time.perf_counter()
            score = index_of(counts(model.labels_, source, truth.max() + 1))
            print(
                f"MNIST embeddings, {n_rows:.0e} × {lazy.shape[1]}, {name}: fit "
                f"{fitted - started:.1f} s, labels {time.perf_counter() - fitted:.1f} s; "
                f"{model.n_drawn_} rows drawn, {model.n_clusters_} clusters, ARI {score:.3f}, "
                f"{int((~model.link_report_['kept']).sum())} of {len(ends)} links broken; client "
                f"{peak_mib():.0f} MiB",
                flush=True,
            )


METHODS = ["ConstrainedMeanShift", "BoostedMeanShift", "AutoCluster"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=float, help="one number only; 0: MNIST alone")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--full", action="store_true", help="10⁷ and 10⁸ rows, MNIST at 10⁷")
    parser.add_argument("--peer", action="store_true", help="dask-ml's KMeans beside it")
    parser.add_argument("--mnist", type=float, default=None)
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=METHODS)
    options = parser.parse_args()
    count_fits()
    sizes = [1e6, 1e7] + ([1e8] if options.full else [])
    if options.rows is not None:
        sizes = [options.rows] if options.rows else []
    print(f"linkshift {linkshift.__version__}, dask {dask.__version__}, {options.workers} workers")
    with LocalCluster(
        n_workers=options.workers, threads_per_worker=1, dashboard_address=":0", memory_limit=0
    ) as cluster, Client(cluster) as client:
        bare = max(client.run(bare_peak).values())
        print(f"a worker that has only imported what it needs: {bare:.0f} MiB", flush=True)
        for n_rows in sizes:
            heaps(client, int(n_rows), options.peer, bare)
        n_mnist = options.mnist if options.mnist is not None else (1e7 if options.full else 1e6)
        if n_mnist:
            mnist(int(n_mnist), options.methods)


if __name__ == "__main__":
    main()
