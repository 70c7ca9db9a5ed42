"""Files as other tools write them, clustered by one command each, and bad ones refused in one line."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

PROGRAM = [sys.executable, "-m", "linkshift"]

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pq = pytest.importorskip("pyarrow.parquet")
DOCUMENT = Path(__file__).parents[3] / "docs" / "intake.md"

# Two groups of four: rows 0, 1, 4, 5 and rows 2, 3, 6, 7.
GROUPS = np.array([0, 0, 1, 1, 0, 0, 1, 1])
TEXTS = ["open a file", "close the file", "boil an egg", "fry an egg"] * 2


def embeddings(dtype="float32"):
    noise = np.random.default_rng(0).normal(scale=0.1, size=(8, 5))
    return (noise + 4 * GROUPS[:, None]).astype(dtype)


def run(folder, *args):
    return subprocess.run([*PROGRAM, *args], cwd=folder, capture_output=True, text=True)


def labels(folder, *args):
    done = run(folder, "fit", *args, "--method", "kmeans", "-k", "2", "-o", "labels.csv")
    assert done.returncode == 0, done.stderr
    return pd.read_csv(folder / "labels.csv")["label"].tolist()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("fixed", [False, True])
def test_embeddings_in_a_column_by_pyarrow(tmp_path, dtype, fixed):
    X = embeddings(dtype)
    item = pa.from_numpy_dtype(X.dtype)
    lists = pa.array(list(X), type=pa.list_(item, 5) if fixed else pa.list_(item))
    ids = [f"r{row}" for row in range(8)]
    table = pa.table({"id": ids, "text": TEXTS, "embedding": lists})
    pq.write_table(table, tmp_path / "e.parquet")
    with pa.OSFile(str(tmp_path / "e.arrow"), "wb") as sink:
        with pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    for name in ["e.parquet", "e.arrow"]:
        assert labels(tmp_path, name, "--id-column", "id") == GROUPS.tolist()


def frame():
    X = embeddings()
    frame = pd.DataFrame({"x": X[:, 0], "y": X[:, 1]})
    frame["city"] = np.where(GROUPS == 0, "Rome", "Oslo")
    frame["open"] = GROUPS == 0
    frame["day"] = pd.to_datetime("2026-01-01") + pd.to_timedelta(GROUPS * 200, unit="D")
    return frame


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_a_table_with_gaps_by_pandas(tmp_path, name):
    gaps = frame()[["x", "y"]]
    gaps.loc[1, "y"] = np.nan
    write(gaps, tmp_path / name)
    refused = run(tmp_path, "fit", name)
    assert refused.returncode == 2 and "drop" in refused.stderr and "median" in refused.stderr
    assert labels(tmp_path, name, "--missing", "drop") == [0, -1, 1, 1, 0, 0, 1, 1]
    assert -1 not in labels(tmp_path, name, "--missing", "median")


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
@pytest.mark.parametrize("column", ["city", "open", "day"])
def test_cities_truths_and_dates_by_pandas(tmp_path, name, column):
    write(frame()[[column]].assign(one=1.0), tmp_path / name)
    way = {"city": ["--categories", "one-hot"], "open": [], "day": ["--dates", "years"]}[column]
    assert labels(tmp_path, name, *way) == GROUPS.tolist()


def test_categories_of_pandas_are_texts(tmp_path):
    table = frame()[["city"]].astype("category").assign(one=1.0)
    table.to_parquet(tmp_path / "t.parquet")
    assert labels(tmp_path, "t.parquet", "--categories", "one-hot") == GROUPS.tolist()


def test_texts_by_pandas(tmp_path):
    for name in ["t.csv", "t.parquet"]:
        write(pd.DataFrame({"title": TEXTS}), tmp_path / name)
        assert labels(tmp_path, name, "--text-column", "title") == GROUPS.tolist()


def test_pictures_by_pillow(tmp_path):
    Image = pytest.importorskip("PIL.Image")
    (tmp_path / "photos").mkdir()
    modes = ["RGB", "L", "RGBA", "P"]
    for row, group in enumerate(GROUPS):
        stripes = np.zeros((40, 40, 3), dtype=np.uint8)
        stripes[:, :: 2 if group else 40] = 255
        suffix = "png" if row < 4 else "jpg"
        mode = modes[row] if row < 4 else "RGB"
        Image.fromarray(stripes).convert(mode).save(tmp_path / "photos" / f"{row}.{suffix}")
    found = labels(tmp_path, "photos", "--image-column", "file", "--id-column", "file")
    assert found == GROUPS.tolist()


def test_a_new_table_is_treated_as_the_first(tmp_path):
    table = frame()
    write(table, tmp_path / "t.parquet")
    args = ["--categories", "one-hot", "--dates", "days", "--scale", "min-max", "--model", "m"]
    first = labels(tmp_path, "t.parquet", *args)
    write(table.iloc[::-1, ::-1], tmp_path / "new.csv")
    done = run(tmp_path, "predict", "m", "new.csv", "-o", "labels.csv")
    assert done.returncode == 0, done.stderr
    assert pd.read_csv(tmp_path / "labels.csv")["label"].tolist() == first[::-1]


def write(table, path):
    if path.suffix == ".csv":
        table.to_csv(path, index=False)
    else:
        table.to_parquet(path, index=False)


def lists(rows):
    return pa.array(rows, type=pa.list_(pa.float32()))


def bad_files(folder):
    """What is given, as `docs/intake.md` words it, and the options."""
    whole = [[1.0, 2.0, 3.0, 4.0]] * 7
    pq.write_table(pa.table({"a": lists(whole), "b": lists(whole)}), folder / "two.parquet")
    pq.write_table(pa.table({"embedding": lists([*whole, [1.0, 2.0, 3.0]])}), folder / "ragged.parquet")
    pq.write_table(pa.table({"embedding": lists([*whole, None])}), folder / "null.parquet")
    pd.DataFrame({"x": [1, None, 3], "y": [1, 2, None]}).to_csv(folder / "gaps.csv", index=False)
    pd.DataFrame({"x": [None] * 4, "y": [1, 2, 3, 4]}).to_csv(folder / "none.csv", index=False)
    pd.DataFrame({"x": [1, 2, 3], "y": [1, 2, "abc"]}).to_csv(folder / "text.csv", index=False)
    many = pd.DataFrame({"t": [f"t{row}" for row in range(1001)], "x": 1.0})
    many.to_csv(folder / "many.csv", index=False)
    pd.DataFrame({"t": ["one", "two"]}).to_csv(folder / "words.csv", index=False)
    dates = pd.DataFrame({"day": ["2026-01-01", "soon"], "x": [1, 2]})
    dates.to_csv(folder / "dates.csv", index=False)
    (folder / "no").mkdir()
    (folder / "empty").mkdir()
    (folder / "no" / "no.png").write_text("no picture")
    return {
        "two columns of lists, none named": ["two.parquet"],
        "a list of another length": ["ragged.parquet"],
        "a null in a column of lists": ["null.parquet"],
        "an empty cell": ["gaps.csv"],
        "a column of numbers that has none, `--missing median`": ["none.csv", "--missing", "median"],
        "gaps in every row, `--missing drop`": ["none.csv", "--missing", "drop"],
        "a text in a column of numbers": ["text.csv"],
        "1,001 different texts, `--categories one-hot`": ["many.csv", "--categories", "one-hot"],
        "texts that have no word in common": ["words.csv", "--text-column", "t"],
        "a text in a column of dates, `--dates days`": ["dates.csv", "--dates", "days"],
        "a folder without a file": ["empty", "--image-column", "file"],
        "a file that is no picture": ["no", "--image-column", "file"],
    }


def test_the_table_of_errors_in_the_document_is_what_is_said(tmp_path):
    text = DOCUMENT.read_text(encoding="utf-8").split("## Errors")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    documented = {row[0]: row[1] for row in rows[1:]}
    files = bad_files(tmp_path)
    # Half a picture: what the decoder says is its own.
    assert documented.keys() - files.keys() == {"half a picture"}
    for what, args in files.items():
        done = run(tmp_path, "fit", *args)
        assert done.returncode == 2, (what, done.stdout)
        assert done.stderr.count("\n") == 1 and documented[what] in done.stderr, (what, done.stderr)
