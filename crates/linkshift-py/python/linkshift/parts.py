"""Clustering of points that are nowhere in one place: pure functions for any engine.

Two passes over the blocks of the data, and one fit between them:

1. ``plan.take(block, first_row)`` picks from each block the rows that find the clusters: some drawn by
   chance, known from the number of rows and the seed alone, and every row that a link names.
2. ``plan.fit(parts)`` makes a model of them, where there is room for them (some megabytes).
3. ``label(block, to_bytes(model))`` labels any block, each row by itself.

Nothing else travels and nothing is remembered, so blocks may come in any order, from any number of
machines, and be taken again when a machine dies: the labels are the same.

>>> import numpy as np
>>> from linkshift import BoostedMeanShift
>>> from linkshift.parts import Plan, label, to_bytes
>>> X = np.random.default_rng(0).normal(size=(600, 2))
>>> X[300:] += 9
>>> blocks = {0: X[:250], 250: X[250:]}
>>> plan = Plan(BoostedMeanShift(), 600, must_link=[(0, 1)])
>>> model = plan.fit([plan.take(block, first) for first, block in blocks.items()])
>>> labels = np.concatenate([label(block, to_bytes(model)) for block in blocks.values()])
>>> np.bincount(labels)
array([300, 300])
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import LinkClusterer, _numbered
from ._errors import LinkContradictionError
from ._links import gather
from ._progress import Progress

__all__ = ["Known", "Part", "Plan", "SourceChangedError", "label", "take", "to_bytes"]


class SourceChangedError(RuntimeError):
    """Rows are not what they were when they were read before."""


class Part(NamedTuple):
    """What a block gives to the fit: small, and all that leaves the block."""

    first_row: int
    """The block's first row among all."""
    n_rows: int
    """How many rows the block has."""
    values: NDArray[Any]
    """The rows that were taken."""
    ids: list[Any] | None
    """Their ids, if rows have any."""
    columns: list[str] | None
    """The names of the columns, if they have any."""


class Known(NamedTuple):
    """What is known of a block when it is labelled."""

    n_rows: int
    """How many rows it had."""
    taken: NDArray[np.int64]
    """Its rows that were taken, counted within the block."""
    digest: bytes
    """What they were."""
    linked: NDArray[np.int64]
    """Its rows that links name, counted within the block."""
    labels: NDArray[np.int64]
    """The labels of these."""


def take(
    block: Any, rows: ArrayLike, first_row: int = 0, id_column: Any = None, ids: bool = True
) -> Part:
    """Some rows of a block, all of which is checked.

    Parameters
    ----------
    block : array or DataFrame of shape (n, n_features)
        float32 stays float32, everything else becomes float64.
    rows : array of int
        Which, counted within the block, ascending.
    first_row : int
        The block's first row among all; errors name rows among all.
    id_column : hashable, optional
        The column of a DataFrame that holds ids; it is no feature.
    """
    points, columns, names = _points(block, id_column)
    row = _first_odd_row(points)
    if row is not None:
        column = int(np.flatnonzero(~np.isfinite(points[row]))[0])
        called = f" ({columns[column]})" if columns else ""
        raise ValueError(
            f"row {first_row + row}, column {column}{called} is {points[row, column]}: "
            "drop the row or fill in a number (both count from 0, rows through all blocks)"
        )
    rows = np.asarray(rows, dtype=np.int64)
    taken_ids = [names[row] for row in rows] if names is not None and ids else None
    return Part(first_row, len(points), points[rows], taken_ids, columns)


def to_bytes(model: LinkClusterer) -> bytes:
    """All that labelling takes of a fitted estimator, in few bytes."""
    check_is_fitted(model)
    return model._model.predictor_bytes()


def label(
    block: Any, model: bytes, known: Known | None = None, id_column: Any = None
) -> NDArray[np.int64]:
    """The labels of a block, each row by itself.

    Parameters
    ----------
    block : array or DataFrame of shape (n, n_features)
        The columns that were fitted, in their order (of a DataFrame, by their names).
    model : bytes
        What :func:`to_bytes` gave.
    known : Known, optional
        What :meth:`Plan.known` says of the block. Then rows that were taken must be what they were, or
        there is a :class:`SourceChangedError`; and rows that links name get the labels that the links
        gave them, also where another row equals them.
    id_column : hashable, optional
        The column of a DataFrame that holds ids.
    """
    read = _read(model)
    points, columns, _ = _points(block, id_column)
    if columns is not None and read.columns != _numbered(len(columns)):
        if missing := [name for name in read.columns if name not in columns]:
            raise ValueError(f"the block has no column {missing[0]!r}, which the model was fitted on")
        if columns != read.columns:
            points = points[:, [columns.index(name) for name in read.columns]]
    if known is not None:
        if len(points) != known.n_rows or _digest(points[known.taken]) != known.digest:
            raise SourceChangedError(
                "a block is not what it was when rows were drawn from it: let the source give the "
                "same rows every time (a seed, a sorted query, a file that nobody writes to), or "
                "persist it"
            )
    if len(points) == 0:
        return np.empty(0, dtype=np.int64)
    row = _first_odd_row(points)
    if row is not None:
        raise ValueError(f"row {row} of a block holds what is no number: drop it or fill it in")
    if points.flags.c_contiguous and points.flags.aligned and points.dtype == read.dtype:
        labels = read.predict(points, 1)
    else:
        # A DataFrame is not laid out row by row, and what came in a message may begin at any byte: it
        # is copied, but never the whole of it.
        labels = np.empty(len(points), dtype=np.int64)
        for some in _stretches(len(points)):
            labels[some] = read.predict(np.require(points[some], read.dtype, ["C", "A"]), 1)
    if known is not None:
        labels[known.linked] = known.labels
    return labels


class Plan:
    """Which rows find the clusters of how many.

    Parameters
    ----------
    estimator : estimator of this package
        The method and its settings; it is not changed.
    n_rows : int
        How many rows there are in all blocks together.
    must_link, cannot_link, link_confidence, links : optional
        As in ``estimator.fit``; ends are rows counted from 0 through all blocks.
    draw : int, optional
        How many rows are drawn by chance. By default as many as suit the method: 50,000, for
        ``AutoCluster`` 10,000; ``BoostedMeanShift`` draws as many as its cells hold.

    Attributes
    ----------
    rows : array of int
        The rows, ascending: those that were drawn, and all that links name.
    """

    def __init__(
        self,
        estimator: LinkClusterer,
        n_rows: int,
        *,
        must_link: ArrayLike | None = None,
        cannot_link: ArrayLike | None = None,
        link_confidence: ArrayLike | None = None,
        links: Any = None,
        draw: int | None = None,
    ) -> None:
        self.estimator = clone(estimator)
        self.n_rows = int(n_rows)
        if self.n_rows == 0:
            raise ValueError("there are no points: give at least one row")
        # Once: a random_state that is no number gives another one every time.
        self._settings = self.estimator._settings()
        self._draw = draw
        told = gather(
            self.n_rows,
            index=None,
            links=links,
            must_link=must_link,
            cannot_link=cannot_link,
            link_confidence=link_confidence,
            groups=None,
            labels=None,
        )
        self._links = told._columns()
        self.rows, self._linked = _core.draw(
            estimator._method, self._settings, self.n_rows, self._links, draw
        )

    def within(self, first_row: int, n_rows: int) -> NDArray[np.int64]:
        """The rows of the plan that are in a block, counted within it."""
        low, high = np.searchsorted(self.rows, [first_row, first_row + n_rows])
        return self.rows[low:high] - first_row

    def take(self, block: Any, first_row: int, id_column: Any = None) -> Part:
        """The rows of the plan that are in a block, all of which is checked."""
        n_rows = len(block)
        return take(block, self.within(first_row, n_rows), first_row, id_column)

    def fit(self, parts: Iterable[Part]) -> LinkClusterer:
        """The estimator, fitted to what was taken from all blocks.

        Its ``labels_`` are those of the rows that were taken; clusters are numbered by the first of
        them. ``link_report_``, ``why`` and ``save`` name rows as they are counted through all blocks,
        or by their ids.
        """
        parts = self._in_order(parts)
        filled = [part for part in parts if part.n_rows]
        columns = filled[0].columns
        values = np.ascontiguousarray(np.concatenate([part.values for part in filled]))
        model = clone(self.estimator)
        model._check_params(range(self.n_rows))
        try:
            with Progress(model.verbose) as progress:
                core = _core.fit_drawn(
                    model._method,
                    values,
                    self._settings,
                    self.n_rows,
                    self._links,
                    columns or _numbered(values.shape[1]),
                    self._draw,
                    progress=progress,
                    n_jobs=model.n_jobs,
                )
        except LinkContradictionError as error:
            raise (error if filled[0].ids is None else error.named(self._ids(parts))) from None
        model.n_features_in_ = values.shape[1]
        if columns is not None:
            model.feature_names_in_ = np.array(columns, dtype=object)
        names = self.rows
        if filled[0].ids is not None:
            names = np.empty(len(self.rows), dtype=object)
            names[:] = [name for part in parts for name in part.ids or []]
        model._points = values
        model._id_column = "row"
        model._learn(core, names)
        for kind, message, is_doubt in core.notes:
            if is_doubt:
                category = ConvergenceWarning if kind == "not-converged" else UserWarning
                warnings.warn(message, category, stacklevel=2)
        return model

    def fit_rows(
        self, values: Any, columns: list[str] | None = None, ids: list[Any] | None = None
    ) -> LinkClusterer:
        """Like :meth:`fit`, from the rows of :attr:`rows` in their order, whoever picked them.

        For engines whose blocks have no order, where a column holds the number of each row.
        """
        part = take(values, np.arange(len(values)))
        return self.fit([part._replace(n_rows=self.n_rows, columns=columns, ids=ids)])

    def known(self, part: Part, model: LinkClusterer) -> Known:
        """What is known of the block that a part came from, for :func:`label`."""
        low, high = np.searchsorted(self.rows, [part.first_row, part.first_row + part.n_rows])
        linked = self._linked[(self._linked >= low) & (self._linked < high)]
        return Known(
            part.n_rows,
            self.rows[low:high] - part.first_row,
            _digest(part.values),
            self.rows[linked] - part.first_row,
            model.labels_[linked],
        )

    def _in_order(self, parts: Iterable[Part]) -> list[Part]:
        parts = sorted(parts, key=lambda part: (part.first_row, part.n_rows))
        row, n_columns = 0, {part.values.shape[1] for part in parts if part.n_rows}
        for part in parts:
            if part.first_row != row or len(part.values) != len(self.within(row, part.n_rows)):
                raise ValueError(
                    f"a block begins at row {part.first_row} where row {row} was expected: give the "
                    "part of every block once"
                )
            row += part.n_rows
        if row != self.n_rows:
            raise ValueError(f"the blocks have {row} rows together, not {self.n_rows}")
        if len(n_columns) > 1:
            raise ValueError(f"blocks differ in their number of columns: {sorted(n_columns)}")
        if len({tuple(part.columns or ()) for part in parts if part.n_rows}) > 1:
            raise ValueError("blocks differ in the names of their columns")
        return parts

    def _ids(self, parts: list[Part]) -> dict[int, Any]:
        names = [name for part in parts for name in part.ids or []]
        return dict(zip(self.rows.tolist(), names))


def _points(block: Any, id_column: Any) -> tuple[NDArray[Any], list[str] | None, Any]:
    """The numbers of a block, the names of its columns and the ids of its rows."""
    columns, ids = None, None
    if hasattr(block, "columns") and hasattr(block, "to_numpy"):
        if id_column is not None:
            ids = block[id_column].tolist()
            block = block.drop(columns=id_column)
        columns = [str(name) for name in block.columns]
        block = block.to_numpy()
    points = np.asarray(block)
    if points.ndim != 2 or points.shape[1] == 0:
        raise ValueError(f"a block has shape {points.shape}: give rows and at least one column")
    if points.dtype != np.float32:
        points = points.astype(np.float64, copy=False)
    return points, columns, ids


_STRETCH = 65_536
"""Rows that are looked at together, so that no copy of a whole block is made beside it."""


def _stretches(n_rows: int) -> list[slice]:
    return [slice(start, start + _STRETCH) for start in range(0, n_rows, _STRETCH)]


def _first_odd_row(points: NDArray[Any]) -> int | None:
    """The first row that holds what is no number."""
    for some in _stretches(len(points)):
        at = np.flatnonzero(~np.isfinite(points[some]).all(axis=1))
        if len(at):
            return some.start + int(at[0])
    return None


def _digest(values: NDArray[Any]) -> bytes:
    return hashlib.blake2b(np.ascontiguousarray(values).tobytes(), digest_size=16).digest()


@lru_cache(maxsize=4)
def _read(model: bytes) -> _core.Model:
    return _core.Model.from_bytes(model)
