"""How models and links look at the prompt and in a notebook; and that types are told."""

import ast
import inspect
import pickle
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.pipeline import make_pipeline

import linkshift
from linkshift import CDBSCAN, ConstrainedMeanShift, Links, MeanShift, _core
from linkshift._show import LinkReport, model_html

X = [[0.0], [0.2], [0.8], [1.0]]


@pytest.fixture
def model():
    return ConstrainedMeanShift().fit(X, cannot_link=[(0, 3)])


@pytest.fixture
def broken():
    with pytest.warns(UserWarning, match="does not use links"):
        model = MeanShift(bandwidth=1.0, obey="as-found")
        return model.fit([[0.0], [0.1], [9.0]], must_link=[(0, 1), (1, 2)])


class Checked(HTMLParser):
    """HTML whose tags are closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.text = [], ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_a_fitted_model_says_what_it_found(model, broken):
    assert repr(ConstrainedMeanShift(merge_b=0.1)) == "ConstrainedMeanShift(merge_b=0.1)"
    assert repr(model) == "ConstrainedMeanShift(): 2 clusters of 4 points; 1 link, all kept"
    assert repr(broken).endswith("2 clusters of 3 points; 2 links, 1 broken")
    noise = CDBSCAN(eps=0.3, min_points=2).fit([[0.0], [0.1], [0.2], [9.0]])
    assert "4 points, 1 of them in none" in repr(noise)


def test_a_notebook_shows_clusters_links_and_remarks(model, broken):
    page = Checked(model_html(model))
    assert "2 clusters of 4 points" in page.text and "50.0%" in page.text
    assert _core.cluster_look(0)[0] in model_html(model)
    assert "broken links" in Checked(model_html(broken)).text
    assert broken.notes_[0] in Checked(model_html(broken)).text
    assert model_html(model) in model._repr_html_()
    bundle = model._repr_mimebundle_()
    assert bundle["text/plain"] == repr(model) and bundle["text/html"].endswith(model_html(model))
    with config_context(display="text"):
        assert "2 clusters" in model._repr_html_()
    # Inside others a model is as scikit-learn writes it.
    assert repr(make_pipeline(model)) == "Pipeline(steps=[('constrainedmeanshift', ConstrainedMeanShift())])"


@pytest.mark.filterwarnings("ignore:mean-shift itself does not use links")
def test_what_was_named_by_others_is_escaped():
    table = pd.DataFrame({"x": [0.0, 0.1, 9.0]}, index=["<b>", "&", "c"])
    model = MeanShift(bandwidth=1.0).fit(table, must_link=[("<b>", "&")])
    assert "&lt;b&gt;" in model.link_report_._repr_html_()
    assert "&lt;b&gt;" in Links([("<b>", "&")])._repr_html_()


def test_broken_links_come_first(broken):
    lines = repr(broken.link_report_).splitlines()
    assert lines[0] == "2 links, 1 broken"
    assert lines[2].split() == ["1", "2", "must", "1", "no"]
    assert repr(broken.broken_links_[:0]) == "no links"
    assert "2 links, 1 broken" in Checked(broken.link_report_._repr_html_()).text


@pytest.mark.filterwarnings("ignore:mean-shift itself does not use links")
def test_a_long_report_is_cut():
    pairs = [(0, other) for other in range(1, 40)]
    model = MeanShift(bandwidth=1.0).fit(np.zeros((40, 1)) + 1, must_link=pairs)
    assert repr(model.link_report_).splitlines()[-1] == "… and 27 more"
    assert "and 27 more" in Checked(Links(pairs)._repr_html_()).text


def test_a_report_is_still_an_array(broken):
    report = broken.link_report_
    assert isinstance(report, LinkReport) and isinstance(broken.broken_links_, LinkReport)
    assert type(report["kept"]) is np.ndarray and type(report["kept"].sum()) is np.int64
    assert pd.DataFrame(report)["kind"].tolist() == ["must", "must"]
    assert np.array_equal(pickle.loads(pickle.dumps(report)), report)
    assert report[0]["a"] == 0 and report[["a", "b"]].tolist() == [(0, 1), (1, 2)]
    assert "array" in repr(report[["a", "b"]])


def test_names_are_imported_when_they_are_asked_for():
    source = Path(linkshift.__file__).read_text(encoding="utf-8")
    block = next(node for node in ast.parse(source).body if isinstance(node, ast.If))
    imports = {n.module: [a.name for a in n.names] for n in block.body if isinstance(n, ast.ImportFrom)}
    assert imports == linkshift._MODULES
    assert sorted(linkshift._MODULE_OF) == sorted(linkshift.__all__)
    assert set(linkshift.__all__) <= set(dir(linkshift))
    assert all(getattr(linkshift, name) is not None for name in linkshift.__all__)


def test_every_public_function_tells_its_types():
    from linkshift import features, plot

    modules = [(linkshift, linkshift.__all__), (features, features.__all__), (plot, ["scatter"])]
    public = [getattr(module, name) for module, names in modules for name in names]
    for thing in public:
        functions = [thing] if inspect.isfunction(thing) else [
            member
            for name, member in inspect.getmembers(thing, inspect.isfunction)
            if member.__module__.startswith("linkshift") and (name == "__init__" or name[0] != "_")
        ]
        for function in functions:
            signature = inspect.signature(function)
            told = [p.annotation for p in signature.parameters.values() if p.name not in ("self", "cls")]
            assert inspect.Parameter.empty not in [*told, signature.return_annotation], function


def test_pyright_finds_all_types():
    pyright = shutil.which("pyright") or shutil.which("basedpyright")
    if pyright is None:
        pytest.skip("pyright is not installed")
    words = [pyright, "--verifytypes", "linkshift", "--ignoreexternal"]
    words += ["--pythonpath", sys.executable] if "based" in pyright else []
    told = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert told.returncode == 0, told.stdout
