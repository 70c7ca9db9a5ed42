"""Links, however they are spelled, end in one form; what is wrong with them is said."""

import pickle

import numpy as np
import pytest
from scipy import sparse

from linkshift import ConstrainedMeanShift, LinkContradictionError, Links

# Two pairs far from each other; 0 and 1 belong together, 2 and 3 too, and 0 apart from 2.
X = np.array([[0.0], [0.3], [0.7], [1.0]])
MATRIX = np.array([[0, 1, -1, 0], [1, 0, 0, 0], [-1, 0, 0, 1], [0, 0, 1, 0]])
TRIPLES = [(0, 1, 1), (2, 3, 1), (0, 2, -1)]

SPELLINGS = {
    "two lists of pairs": dict(must_link=[(0, 1), (2, 3)], cannot_link=[(0, 2)]),
    "arrays of pairs": dict(must_link=np.array([[0, 1], [2, 3]]), cannot_link=np.array([[0, 2]])),
    "pairs with a sign": dict(links=TRIPLES),
    "an array with signs": dict(links=np.array(TRIPLES)),
    "a signed matrix": dict(links=MATRIX),
    "a signed sparse matrix": dict(links=sparse.csr_matrix(MATRIX)),
    "groups and a pair": dict(groups=[5, 5, 7, 7], cannot_link=[(0, 2)]),
    "words": dict(links=[(0, 1, "MUST_LINK"), (2, 3, "must"), (0, 2, "CANNOT_LINK")]),
    "partial labels": dict(y=[1, 1, 0, 0], links=None),
    "one object": dict(links=Links([(0, 1), (2, 3)], [(0, 2)])),
}


def told(model):
    return {(min(a, b), max(a, b), kind) for a, b, kind, *_ in model.link_report_.tolist()}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_all_spellings_say_the_same(spelling):
    model = ConstrainedMeanShift(use_y=True).fit(X, **SPELLINGS[spelling])
    assert told(model) == {(0, 1, "must"), (2, 3, "must"), (0, 2, "cannot")}
    assert model.labels_.tolist() == [0, 0, 1, 1]


def test_links_name_rows_by_the_index_of_a_data_frame():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, index=["ann", "bob", "cem", "dee"], columns=["x"])
    model = ConstrainedMeanShift().fit(
        frame, must_link=[("ann", "bob")], cannot_link=[("ann", "cem")]
    )
    assert model.labels_.tolist() == [0, 0, 1, 1]
    assert model.feature_names_in_.tolist() == ["x"]
    assert told(model) == {("ann", "bob", "must"), ("ann", "cem", "cannot")}
    with pytest.raises(ValueError, match="'eve', which is not in the index"):
        ConstrainedMeanShift().fit(frame, must_link=[("ann", "eve")])
    with pytest.raises(LinkContradictionError, match="cannot ann–bob") as caught:
        ConstrainedMeanShift().fit(frame, must_link=[("bob", "ann")], cannot_link=[("ann", "bob")])
    assert caught.value.cannot == ("ann", "bob")


def test_integer_labels_of_an_index_are_labels_not_positions():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, index=[3, 2, 1, 0])
    model = ConstrainedMeanShift().fit(frame, cannot_link=[(3, 1)])
    assert model.link_report_[["a", "b"]].tolist() == [(3, 1)]
    assert model.labels_[0] != model.labels_[2]


def test_labels_of_an_index_may_be_tuples():
    pandas = pytest.importorskip("pandas")
    index = pandas.MultiIndex.from_tuples([("a", 0), ("a", 1), ("b", 0), ("b", 1)])
    model = ConstrainedMeanShift().fit(
        pandas.DataFrame(X, index=index), cannot_link=[(("a", 0), ("b", 0))]
    )
    assert told(model) == {(("a", 0), ("b", 0), "cannot")}
    assert model.labels_.tolist() == [0, 0, 1, 1]


def test_links_can_be_a_table():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(
        {"a": [0, 0], "b": [1, 2], "kind": ["must", "cannot"], "confidence": [1, 0.5]}
    )
    assert Links.from_triples(table) == Links([(0, 1)], [(0, 2)], confidence=[1, 0.5])


def test_confidences_reach_the_report():
    model = ConstrainedMeanShift().fit(
        X, must_link=[(0, 1)], cannot_link=[(0, 2)], link_confidence=[0.5, 0.75]
    )
    assert model.link_report_["confidence"].tolist() == [0.5, 0.75]


def test_contradictions_carry_their_chain():
    links = dict(must_link=[(0, 1), (1, 2), (2, 3)], cannot_link=[(3, 1)])
    with pytest.raises(LinkContradictionError) as caught:
        ConstrainedMeanShift().fit(X, **links)
    error = caught.value
    assert isinstance(error, ValueError)
    assert error.cannot == (3, 1)
    # Derived: from 3 to 1 by way of 2.
    assert [set(pair) for pair in error.chain] == [{2, 3}, {1, 2}]
    assert pickle.loads(pickle.dumps(error)).chain == error.chain


@pytest.mark.parametrize(
    "links, message",
    [
        (dict(must_link=[(0, 9)]), "names row 9 but there are only 4 points"),
        (dict(must_link=[(0, -1)]), "rows count from 0"),
        (dict(must_link=[(0, 2**70)]), "but X has no index"),
        (dict(must_link=[(0, 0.5)]), "a link names 0.5"),
        (dict(must_link=[(0, None)]), "a link names None"),
        (dict(must_link=[(1, 1)]), "joins row 1 to itself"),
        (dict(must_link=[(0, 1, 2)]), r"must_link\[0\] is \(0, 1, 2\)"),
        (dict(cannot_link=[("ann", "bob")]), "'ann', but X has no index"),
        (dict(cannot_link=[(0, 2)], link_confidence=[1, 1]), "2 confidences for 1 links"),
        (dict(cannot_link=[(0, 2)], link_confidence=2.0), "has confidence 2"),
        (dict(links=[(0, 1, "maybe")]), "link 0 is of kind 'maybe'"),
        (dict(links=[(0, 1, 0)]), "link 0 is of kind 0"),
        (dict(links=[(0, 1)]), "write it as"),
        (dict(links=sparse.eye(3)), "the matrix of links is"),
        (dict(groups=[1, 1]), "groups has 2 entries for 4 points"),
        (dict(y=[-1, 0]), "y has 2 entries for 4 points"),
    ],
)
def test_what_is_wrong_with_links_is_said(links, message):
    with pytest.raises(ValueError, match=message):
        ConstrainedMeanShift().fit(X, **links)


def test_full_labels_are_left_alone_unless_asked_for():
    def n_links(y, **params):
        return len(ConstrainedMeanShift(bandwidth=0.2, **params).fit(X, y).link_report_)

    assert n_links([0, 0, 1, 1]) == 0
    assert n_links([0, 0, -1, 1]) == 2
    assert n_links([0, 0, 1, 1], use_y=True) == 3
    assert n_links([0, 0, -1, 1], use_y=False) == 0
    with pytest.raises(ValueError, match="use_y = 'never'"):
        n_links([0, 0, -1, 1], use_y="never")


def test_labels_may_be_words():
    assert Links.from_labels(["a", None, "b", "a"]) == Links([(0, 3)], [(0, 2)])
    assert Links.from_groups(["a", None, "b", "a"]) == Links([(0, 3)])
