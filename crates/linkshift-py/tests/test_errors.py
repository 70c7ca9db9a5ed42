"""The errors that newcomers meet in Python: each says what to type next.

Those of the command line are in ``crates/linkshift-cli/tests/cli/teaching.rs``.
"""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import eye

import linkshift
from linkshift import (
    Asker,
    AutoCluster,
    ConstrainedMeanShift,
    KernelMeanShift,
    MeanShift,
    PCKMeans,
    keep_labels,
    load,
)
from linkshift.features import ImageFeatures, TextFeatures

X = [[0.0, 0.0], [0.1, 0.0], [5.0, 5.0], [5.1, 5.0]]
TABLE = pd.DataFrame(X, index=list("abcd"), columns=["x", "y"])


def cms(points=X, **links):
    return ConstrainedMeanShift().fit(points, **links)


# What is typed, and what the error must tell: the last is what to type next.
ERRORS = {
    "one column, flat": (lambda: AutoCluster().fit([1.0, 2.0]), "2D array", "reshape(-1, 1)"),
    "NaN": (lambda: AutoCluster().fit([[0.0], [np.nan]]), "contains NaN", "SimpleImputer"),
    "infinity": (lambda: AutoCluster().fit([[0.0], [np.inf]]), "infinity", "isfinite"),
    "texts": (lambda: AutoCluster().fit([["a"], ["b"]]), "'a'", "TextFeatures"),
    "a column of texts": (
        lambda: AutoCluster().fit(pd.DataFrame({"x": [1, 2], "name": ["a", "b"]})),
        "column 'name'",
        "X.drop(columns=['name'])",
    ),
    "a sparse matrix": (lambda: AutoCluster().fit(eye(3).tocsr()), "Sparse", ".toarray()"),
    "no rows": (lambda: AutoCluster().fit(np.empty((0, 2))), "0 sample(s)", "minimum of 1"),
    "too large": (lambda: MeanShift().fit([[1e300], [-1e300]]), "row 0, column 0", "scale"),
    "not fitted": (lambda: AutoCluster().predict(X), "not fitted yet", "Call 'fit'"),
    "other columns": (lambda: MeanShift().fit(X).predict([[0.0]]), "1 features", "expecting 2"),
    "a parameter": (lambda: ConstrainedMeanShift(bandwidth=-1).fit(X), "-1", "a number above 0"),
    "a word": (lambda: ConstrainedMeanShift(kernel="gauss").fit(X), "gauss", "rbf, truncated or gaussian"),
    "too many clusters": (lambda: PCKMeans(n_clusters=9).fit(X), "n_clusters = 9", "at most"),
    "no clusters": (lambda: PCKMeans(n_clusters=0).fit(X), "n_clusters = 0", "whole number from 1"),
    "no threads": (lambda: MeanShift(n_jobs=0).fit(X), "n_jobs = 0", "-1 for all processors"),
    "a row that is not there": (lambda: cms(must_link=[(0, 9)]), "row 9", "rows count from 0"),
    "a row below 0": (lambda: cms(must_link=[(0, -1)]), "row -1", "rows count from 0"),
    "a point and itself": (lambda: cms(must_link=[(1, 1)]), "to itself", "remove it"),
    "a pair, no list": (lambda: cms(must_link=(0, 1)), "must_link[0] is 0", "[(0, 1)]"),
    "triples for pairs": (lambda: cms(must_link=[(0, 1, 1)]), "must_link[0]", "[(0, 1)]"),
    "pairs for triples": (lambda: cms(links=[(0, 1)]), "link 0", "(end, end, kind)"),
    "a kind": (lambda: cms(links=[(0, 1, "maybe")]), "'maybe'", "must or cannot, +1 or -1"),
    "names without an index": (lambda: cms(must_link=[("a", "b")]), "'a'", "X as a DataFrame"),
    "a name that is not there": (lambda: cms(TABLE, must_link=[("a", "z")]), "'z'", "such as 'a'"),
    "rows of a table": (lambda: cms(TABLE, must_link=[(0, 1)]), "names 0", "X.to_numpy()"),
    "names twice": (
        lambda: cms(TABLE.set_axis(list("aacd")), must_link=[("a", "c")]),
        "duplicates",
        "X.reset_index(drop=True)",
    ),
    "a confidence": (lambda: cms(must_link=[(0, 1)], link_confidence=2), "above 0 and at most 1"),
    "confidences": (
        lambda: cms(must_link=[(0, 1)], link_confidence=[0.5, 0.5]),
        "2 confidences for 1 links",
        "a single number for all",
    ),
    "a table of links": (
        lambda: cms(links=pd.DataFrame({"i": [0], "j": [1]})),
        "no column 'a'",
        "links.rename(columns={'i': 'a', ...})",
    ),
    "a matrix of another size": (lambda: cms(links=np.eye(3)), "here 4, not 3"),
    "a contradiction": (
        lambda: cms(must_link=[(0, 1), (1, 2)], cannot_link=[(0, 2)]),
        "0 – 1 – 2",
        "remove one",
    ),
    "a contradiction by name": (
        lambda: cms(TABLE, must_link=[("a", "b"), ("b", "c")], cannot_link=[("a", "c")]),
        "cannot a–c, must a–b, b–c",
    ),
    "labels for some": (lambda: cms(y=[0, -1]), "2 entries for 4 points", "-1 where"),
    "groups for some": (lambda: cms(groups=[0, -1]), "2 entries for 4 points", "-1 where"),
    "weights for some": (lambda: MeanShift().fit(X, sample_weight=[1, 2]), "expected (4,)"),
    "a weight below 0": (lambda: MeanShift().fit(X, sample_weight=[1, 2, -1, 1]), "row 2", "not negative"),
    "use_y": (lambda: MeanShift(use_y="yes").fit(X, y=[0, 0, 1, -1]), "'auto', True or False"),
    "no square": (lambda: KernelMeanShift(kernel="precomputed").fit(X), "4 × 2", "a square matrix"),
    "no file": (lambda: load("nothing.model"), "no such file", "check the path"),
    "no model": (lambda: load(__file__), "not a linkshift model", "name the file"),
    "why of no row": (lambda: MeanShift().fit(X).why(0, 9), "no row 9", "from 0 to 3"),
    "why of no name": (lambda: MeanShift().fit(TABLE).why("a", "q"), "'q'", "such as 'a'"),
    "an answer": (lambda: Asker(X).tell(0, 1, "maybe"), "maybe", "same, different or unsure"),
    "a chooser": (lambda: Asker(X, chooser="best"), "best", "border, npu"),
    "labels in two dimensions": (lambda: keep_labels([[0]], [0]), "2 dimensions", "one label per row"),
    "one text": (lambda: TextFeatures().fit("one text"), "one text", "a list of texts"),
    "a text that is none": (lambda: TextFeatures().fit(["a b", None]), "row 1", "fill it in or drop it"),
    "no picture": (lambda: ImageFeatures().fit_transform(["no.png"]), "no.png", "check the path"),
    "a name of ours": (lambda: linkshift.MeanShft, "MeanShft", "did you mean 'MeanShift'?"),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("what", ERRORS)
def test_an_error_says_what_to_type_next(what):
    typed, *words = ERRORS[what]
    with pytest.raises((ValueError, TypeError, OSError, AttributeError)) as caught:
        typed()
    for word in words:
        assert word in str(caught.value)


def test_a_file_that_is_not_there_is_python_s_own_error():
    with pytest.raises(FileNotFoundError, match=re.escape("nothing.model: there is no such file")):
        load("nothing.model")


def test_no_link_is_left_out_in_silence():
    """A table with other names for its columns was once taken for no links at all."""
    with pytest.raises(ValueError, match="no column 'kind'"):
        cms(links=pd.DataFrame({"a": [0], "b": [1]}))
