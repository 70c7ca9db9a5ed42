"""Reading 10⁶ × 10 numbers from CSV and Parquet, beside polars on the same files: the least of five times.

python reading.py [--peer]
"""

import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

N, D, RUNS = 1_000_000, 10, 5


def ours(files):
    bench = ["cargo", "bench", "--quiet", "--package", "linkshift-io", "--bench", "reading", "--"]
    told = subprocess.run(bench + files, check=True, capture_output=True, text=True)
    return [float(line) for line in told.stdout.split()]


def polars(file):
    import polars as pl

    read = pl.read_csv if file.endswith(".csv") else pl.read_parquet
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        table = read(file)
        times.append(time.perf_counter() - start)
        assert table.shape == (N, D)
    return min(times)


def main():
    values = np.random.default_rng(0).standard_normal((N, D))
    table = pa.table({f"x{column}": values[:, column] for column in range(D)})
    with tempfile.TemporaryDirectory() as folder:
        files = [str(pathlib.Path(folder) / name) for name in ("points.csv", "points.parquet")]
        pa.csv.write_csv(table, files[0])
        pq.write_table(table, files[1])
        for file, seconds in zip(files, ours(files)):
            line = f"{pathlib.Path(file).suffix[1:]:8} linkshift {seconds:.3f} s"
            if "--peer" in sys.argv:
                peer = polars(file)
                line += f", polars {peer:.3f} s, ratio {peer / seconds:.2f}"
            print(line)


if __name__ == "__main__":
    main()
