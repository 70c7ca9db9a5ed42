"""Models travel: through pickles, through files, and to and from the command line."""

import io
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from test_table import TABLES, class_of

import linkshift
from linkshift import BoostedMeanShift, ConstrainedMeanShift, KMeans, MeanShift, _core, load

ROOT = Path(__file__).resolve().parents[3]
VERSION_1 = ROOT / "crates/linkshift-io/tests/models"
# The nine points of those files, and four new ones: see the README there.
NINE = np.array([[0, 0], [0.25, 0.125], [0.125, 0.5], [0.5, 0.25], [4, 4], [4.25, 4.125],
                 [4.125, 4.5], [4.5, 4.25], [4, 0]])  # fmt: skip
NEW = np.array([[0.375, 0.375], [3, 3.5], [4, 0.25], [-9, 9]])

each_class = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES.keys())
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def blobs():
    return make_blobs(n_samples=90, centers=[[0, 0], [6, 0], [0, 6]], random_state=0)


def fitted(table, X, y):
    params = {"n_clusters": 3} if table["clusters"] == "told" else {}
    links = [(int(np.argmax(y == 0)), int(np.argmax(y == 1)))]
    return class_of(table)(**params).fit(X, cannot_link=links)


def refuse(*_, **__):
    raise AssertionError("the model was fitted again")


@each_class
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_an_unpickled_estimator_predicts_at_once_without_its_points(
    table, dtype, blobs, monkeypatch
):
    X, y = blobs
    model = fitted(table, X.astype(dtype), y)
    new = np.random.default_rng(0).uniform(-2, 8, size=(50, 2)).astype(dtype)
    expected = model.predict(new)
    copy = pickle.loads(pickle.dumps(model))
    monkeypatch.setattr(_core, "fit", refuse)
    assert copy._points is None
    assert np.array_equal(copy.predict(new), expected)
    assert np.array_equal(copy.labels_, model.labels_)
    assert copy.get_params() == model.get_params()
    for name in model._model.details:
        assert np.array_equal(getattr(copy, f"{name}_"), getattr(model, f"{name}_")), name


def test_a_pickle_does_not_hold_the_points():
    # Derived: 20,000 points of 5 columns take 800 kB, their labels (here and in the model) 320 kB.
    X = np.random.default_rng(0).normal(size=(20_000, 5))
    model = KMeans(n_clusters=2, n_init=1).fit(X)
    assert len(pickle.dumps(model)) < 400_000 < X.nbytes


def test_points_changed_after_the_fit_do_not_change_a_pickle():
    X = np.array([[0.0], [0.1], [5.0], [5.1]])
    model = MeanShift(bandwidth=1.0).fit(X)
    X[:] = 0
    assert pickle.loads(pickle.dumps(model)).predict([[5.0]]).tolist() == [1]


def test_without_points_nobody_can_say_why(blobs):
    X, _ = blobs
    model = pickle.loads(pickle.dumps(MeanShift().fit(X)))
    with pytest.raises(ValueError, match="the points are not with the model"):
        model.why(0, 1)


@each_class
def test_a_saved_model_is_loaded_as_what_it_was(table, blobs, tmp_path, monkeypatch):
    X, y = blobs
    model = fitted(table, X, y)
    model.save(tmp_path / "a.model")
    monkeypatch.setattr(_core, "fit", refuse)
    again = load(tmp_path / "a.model")
    assert type(again) is type(model) and again.get_params() == model.get_params()
    assert np.array_equal(again.labels_, model.labels_)
    assert np.array_equal(again.cluster_centers_, model.cluster_centers_)
    assert np.array_equal(again.link_report_, model.link_report_)
    assert (again.n_iter_, again.converged_, again.notes_) == (
        model.n_iter_, model.converged_, model.notes_
    )  # fmt: skip
    assert np.array_equal(again.predict(X), model.predict(X))
    assert again.why(0, 1) == model.why(0, 1)
    again.save(tmp_path / "b.model")
    assert (tmp_path / "b.model").read_bytes() == (tmp_path / "a.model").read_bytes()


def test_a_data_frame_gives_names_to_columns_and_rows(tmp_path):
    pandas = pytest.importorskip("pandas")
    index = pandas.Index(list("abcdefghi"), name="who")
    frame = pandas.DataFrame(NINE, columns=["x", "y"], index=index)
    model = ConstrainedMeanShift().fit(frame, cannot_link=[("a", "e")])
    assert "a and e are apart" in model.why("a", "e")
    with pytest.raises(ValueError, match="'z' is not among"):
        model.why("a", "z")
    model.save(tmp_path / "a.model")
    again = load(str(tmp_path / "a.model"))
    assert again.feature_names_in_.tolist() == ["x", "y"]
    assert again.why("a", "e") == model.why("a", "e")
    assert again.link_report_[["a", "b", "kind", "kept"]].tolist() == [("a", "e", "cannot", True)]
    assert again.predict(frame).tolist() == model.labels_.tolist()


@pytest.mark.parametrize(
    "name, cls, new",
    [
        ("nearest", "CDBSCAN", [0, -1, -1, -1]),
        ("basin-climb", "MeanShift", [0, 1, 0, 0]),
        ("basin-per-point", "MeanShift", [0, 2, 2, 0]),
        ("basin-collapse", "MeanShift", [0, 1, 2, 0]),
        ("replay", "ConstrainedMeanShift", [0, 1, 0, 0]),
        ("assignment", "MPCKMeans", [0, 1, 1, 0]),
        ("feature-climb", "KernelMeanShift", [0, 1, 2, 1]),
    ],
)
def test_files_of_version_1_are_loaded(name, cls, new):
    model = load(VERSION_1 / f"v1-{name}.model")
    assert type(model) is getattr(linkshift, cls)
    assert model.predict(NINE).tolist() == model.labels_.tolist()
    # As the model said itself when it was written: see crates/linkshift-io/tests/models.rs.
    assert model.predict(NEW).tolist() == new
    assert model.feature_names_in_.tolist() == ["x", "y"]
    assert model.link_report_["a"].tolist() == ["a", "a", "c"]
    assert model.why("a", "b").startswith("rows      a and b are together, in cluster 0")


def test_centers_are_on_the_scale_of_the_points():
    # The file's points were scaled to 0-1; its first cluster is that of the first four points.
    model = load(VERSION_1 / "v1-replay.model")
    assert np.all(model.cluster_centers_[1] > 3)


def test_settings_of_a_file_are_parameters():
    model = load(VERSION_1 / "v1-assignment.model")
    params = model.get_params()
    assert (params["n_clusters"], params["metric"], params["random_state"]) == (2, "full", 3)


def test_files_that_hold_no_model_are_refused(tmp_path):
    with pytest.raises(OSError, match="missing.model"):
        load(tmp_path / "missing.model")
    (tmp_path / "text.model").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="text.model"):
        load(tmp_path / "text.model")
    whole = (VERSION_1 / "v1-replay.model").read_bytes()
    (tmp_path / "cut.model").write_bytes(whole[:-7])
    with pytest.raises(ValueError, match="checksum"):
        load(tmp_path / "cut.model")
    with pytest.raises(OSError, match="nowhere"):
        MeanShift().fit([[0.0], [1.0]]).save(tmp_path / "nowhere" / "a.model")


def test_why_says_what_links_and_density_say():
    X = [[0.0], [0.25], [3.0], [3.25]]
    model = ConstrainedMeanShift().fit(X, must_link=[(0, 1)], cannot_link=[(0, 2)])
    lines = model.why(1, 2).splitlines()
    assert lines[0] == "rows      1 and 2 are apart: 1 is in cluster 0, 2 in cluster 1"
    assert lines[1] == "links     cannot 0–2 parts them, since must-links join 1 – 0"
    assert lines[-1].startswith("opposing  the nearest cannot-link between the two clusters is 0–2")
    for bad in (-1, 4, "a", 0.5):
        with pytest.raises(ValueError, match="there is no row"):
            model.why(0, bad)
    with pytest.raises(ValueError, match="two different rows"):
        model.why(2, 2)


BINARY = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "linkshift"


@pytest.mark.skipif(not BINARY.exists(), reason="the command line is not built beside this")
class TestBesideTheCommandLine:
    """A file means the same to both."""

    @staticmethod
    def run(*args, cwd):
        command = [str(BINARY), *map(str, args)]
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @pytest.fixture
    def files(self, tmp_path):
        rows = [f"{name},{x},{y}" for name, (x, y) in zip("abcdefghi", NINE)]
        (tmp_path / "data.csv").write_text("who,x,y\n" + "\n".join(rows) + "\n")
        (tmp_path / "links.csv").write_text("a,b,kind\na,b,must\na,e,cannot\n")
        (tmp_path / "new.csv").write_text("x,y\n" + "\n".join(f"{x},{y}" for x, y in NEW) + "\n")
        return tmp_path

    def test_python_reads_what_the_command_line_wrote(self, files):
        fit = ["fit", "data.csv", "--id-column", "who", "--links", "links.csv", "--scale", "z-score"]
        self.run(*fit, "--method", "cms", "--set", "max_iter=50", "--model", "a.model", cwd=files)
        model = load(files / "a.model")
        assert model.get_params()["max_iter"] == 50
        assert model.why("b", "e") == self.run("why", "a.model", "b", "e", cwd=files).rstrip("\n")
        self.run("predict", "a.model", "new.csv", "--output", "labels.csv", cwd=files)
        labels = np.loadtxt(files / "labels.csv", delimiter=",", skiprows=1, dtype=int, ndmin=2)
        assert model.predict(NEW).tolist() == labels[:, -1].tolist()

    def test_the_command_line_reads_what_python_wrote(self, files):
        pandas = pytest.importorskip("pandas")
        frame = pandas.read_csv(files / "data.csv", index_col="who")
        model = ConstrainedMeanShift().fit(frame, must_link=[("a", "b")], cannot_link=[("a", "e")])
        model.save(files / "a.model")
        assert self.run("why", "a.model", "b", "e", cwd=files).rstrip("\n") == model.why("b", "e")
        as_json = json.loads(self.run("why", "a.model", "b", "e", "--json", cwd=files))
        assert as_json["schema"] == 3 and as_json["together"] is False
        self.run("predict", "a.model", "new.csv", "--output", "labels.csv", cwd=files)
        table = pandas.read_csv(files / "labels.csv")
        assert table.iloc[:, -1].tolist() == model.predict(NEW).tolist()
        self.run(
            "fit", "data.csv", "--id-column", "who", "--method", "cms", "--links", "links.csv",
            "--previous", "a.model", "--output", "again.csv", cwd=files,
        )  # fmt: skip


def test_boosted_keeps_held_points_in_files(tmp_path):
    """Fitted points that links hold elsewhere are known again, also by a loaded model."""
    X, y = make_blobs(n_samples=200, centers=[[0, 0], [6, 0]], random_state=0)
    model = BoostedMeanShift().fit(X, cannot_link=[(0, int(np.flatnonzero(y == y[0])[1]))])
    model.save(tmp_path / "a.model")
    assert np.array_equal(load(tmp_path / "a.model").predict(X), model.labels_)


def test_a_model_of_another_package_is_named(tmp_path, monkeypatch):
    model = MeanShift().fit([[0.0], [1.0]])
    model.save(tmp_path / "a.model")
    monkeypatch.setattr(_core, "methods", list)
    with pytest.raises(ValueError, match="'mean-shift', which is unknown here"):
        load(tmp_path / "a.model")


def test_models_pickle_by_themselves():
    model = MeanShift().fit([[0.0], [1.0]])._model
    stream = io.BytesIO()
    pickle.Pickler(stream).dump(model)
    stream.seek(0)
    assert pickle.load(stream).labels.tolist() == model.labels.tolist()
    with pytest.raises(ValueError, match="the model"):
        _core.Model.from_bytes(b"nothing")


def test_a_model_is_loaded_whose_class_nobody_imported(tmp_path):
    """Names are imported when they are first asked for, so that the class of a file may be new."""
    MeanShift().fit([[0.0], [1.0]]).save(tmp_path / "two.model")
    code = "import sys, linkshift; print(type(linkshift.load(sys.argv[1])).__name__)"
    run = [sys.executable, "-c", code, str(tmp_path / "two.model")]
    told = subprocess.run(run, capture_output=True, text=True)
    assert told.stdout == "MeanShift\n", told.stderr
