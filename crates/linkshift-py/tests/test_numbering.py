"""Numbers of clusters that stay."""

import numpy as np
import pytest

from linkshift import ConstrainedMeanShift, keep_labels


def test_as_many_rows_as_possible_keep_their_number():
    # Derived: 0 with 6 and 1 with 5 keep four rows, the best pair first would keep three.
    kept = keep_labels([0, 0, 0, 0, 0, 1, 1], [5, 5, 5, 6, 6, 5, 5])
    assert kept.tolist() == [1, 1, 1, 0, 0, 1, 1]
    assert kept.dtype == np.int64


def test_rows_may_be_added_and_dropped():
    assert keep_labels([3, 3], [0, 0, 1]).tolist() == [3, 3, 4]
    assert keep_labels([3, 3, 5], [0, 0]).tolist() == [3, 3]
    assert keep_labels([-1, 2], [0, -1]).tolist() == [3, -1]
    assert keep_labels([], []).tolist() == []


def test_series_are_matched_by_index():
    pandas = pytest.importorskip("pandas")
    before = pandas.Series([0, 1], index=["ann", "bob"])
    now = pandas.Series([0, 1, 2], index=["bob", "cy", "ann"])
    assert keep_labels(before, now).tolist() == [1, 2, 0]


def test_what_are_no_labels_is_refused():
    with pytest.raises(ValueError, match="dimensions"):
        keep_labels([[0]], [0])
    with pytest.raises(ValueError, match="whole numbers"):
        keep_labels([0.5], [0])


def test_more_links_keep_the_numbers():
    X = np.array([[0.0], [0.2], [0.8], [1.0]])
    first = ConstrainedMeanShift().fit(X, cannot_link=[(0, 3)]).labels_
    turned = X[::-1]
    second = ConstrainedMeanShift().fit(turned, cannot_link=[(0, 3), (1, 2)]).labels_
    assert keep_labels(first[::-1], second).tolist() == first[::-1].tolist()
