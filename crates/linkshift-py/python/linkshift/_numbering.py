"""Cluster numbers that stay when points are clustered again."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core


def keep_labels(previous: Any, labels: Any) -> NDArray[np.int64]:
    """Give clusters the numbers that they had before.

    Old and new clusters are paired so that as many rows as possible keep their number; a cluster
    without a partner gets a number that none had. Names that a person gave to clusters so survive
    a fit with more links.

    Parameters
    ----------
    previous : array-like of int
        The labels of the earlier fit, -1 where a row was in no cluster or was not there. If there
        are more or fewer than ``labels``, rows are matched from the first on; two pandas Series
        are matched by their index instead.
    labels : array-like of int
        The labels of the new fit; -1 is noise, and stays so.

    Returns
    -------
    ndarray of int64
        The new labels under the numbers they keep.

    Examples
    --------
    >>> from linkshift import keep_labels
    >>> keep_labels([4, 4, 4, 7, 7], [0, 1, 1, 2, 2, 3])
    array([8, 4, 4, 7, 7, 9])
    """
    if hasattr(previous, "reindex") and hasattr(labels, "index"):
        previous = previous.reindex(labels.index, fill_value=-1)
    before, now = _labels(previous, "previous"), _labels(labels, "labels")
    matched = np.full(now.shape, -1, dtype=np.int64)
    n_common = min(len(before), len(now))
    matched[:n_common] = before[:n_common]
    return _core.keep_numbers(matched, now)


def _labels(values: Any, name: str) -> NDArray[np.int64]:
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions: give one label per row")
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"{name} has type {array.dtype}: labels are whole numbers")
    return np.ascontiguousarray(array, dtype=np.int64)
