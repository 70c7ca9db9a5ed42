"""Clustering of dask arrays and dataframes, which need not fit one machine.

The estimators are those of the package, with the same parameters; ``pip install linkshift[dask]``.

>>> import dask.array as da
>>> from linkshift.dask import BoostedMeanShift
>>> X = da.random.default_rng(0).normal(size=(3000, 2), chunks=(1000, 2))
>>> X = da.concatenate([X, X + 9])
>>> model = BoostedMeanShift().fit(X, must_link=[(0, 2999)])
>>> model.labels_  # lazy: a label for each row, in the chunks of X
dask.array<linkshift-label, shape=(6000,), dtype=int64, chunksize=(1000,), chunktype=numpy.ndarray>
>>> import numpy as np
>>> np.bincount(model.labels_.compute())
array([3000, 3000])

Two passes over the blocks, and no block ever leaves its worker: ``fit`` takes from each the rows that
find the clusters (drawn by chance, and all that links name) and fits them on the client; labels are
computed when they are asked for. See :mod:`linkshift.parts` for the functions behind it.

To put labels beside the rows of a dataframe, write ``X.assign(label=model.predict(X))``: Dask would match
``labels_`` to ``X`` by the index, which may not be unique.
"""

from __future__ import annotations

import sys
import time
import uuid
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

try:
    import dask
    import dask.array as da
except ImportError as error:  # pragma: no cover
    raise ImportError("linkshift.dask needs dask: pip install 'linkshift[dask]'") from error

from . import _auto, _boosted, _constrained
from ._links import Links, _signed
from .parts import Known, Part, Plan, SourceChangedError, label, take, to_bytes

if TYPE_CHECKING:
    from typing import Self

__all__ = [
    "AutoCluster",
    "BoostedMeanShift",
    "ConstrainedMeanShift",
    "NoWorkersError",
    "SourceChangedError",
    "compute",
]

WORKERS_TIMEOUT = 60.0
"""Seconds without a single worker after which work is given up."""


class NoWorkersError(RuntimeError):
    """There has been no worker for too long."""


class _Wanted(NamedTuple):
    """What is to be taken from a block."""

    first: int
    length: int
    rows: Any
    id_column: Any


class _Book(NamedTuple):
    """What labels a block, besides it; one node of the graph, so each worker gets it once."""

    model: bytes
    known: list[Known]
    id_column: Any


class _OnDask:
    """Fits dask collections with the parameters of the estimator it is mixed into."""

    _plain: ClassVar[type]

    def fit(
        self,
        X: Any,
        y: None = None,
        *,
        must_link: ArrayLike | None = None,
        cannot_link: ArrayLike | None = None,
        link_confidence: ArrayLike | None = None,
        links: Any = None,
        id_column: Any = None,
        draw: int | None = None,
        workers_timeout: float = WORKERS_TIMEOUT,
    ) -> Self:
        """Find the clusters; labels are computed when they are asked for.

        Parameters
        ----------
        X : dask array or dataframe of shape (n_points, n_features)
            The points, whole rows in each block. It must give the same rows every time it is
            computed: drawn rows are compared, and :class:`SourceChangedError` says if they differ.
        y : None
            Labels of rows are not looked at: give links.
        must_link, cannot_link, link_confidence, links : optional
            As in memory. Ends are rows counted from 0 through all blocks, or entries of `id_column`.
        id_column : hashable, optional
            The column of a dataframe that links name rows by; it is no feature.
        draw : int, optional
            How many rows are drawn to find the clusters, beside those that links name; by default as
            many as suit the method.
        workers_timeout : float, default=60
            On a cluster, seconds without a single worker after which :class:`NoWorkersError` is
            raised.

        Returns
        -------
        self
        """
        if y is not None:
            raise ValueError("y is not looked at here: give links between rows")
        told = Links(must_link, cannot_link, link_confidence) + _signed(links, -1)
        source = _Source(X, id_column)
        show = {"workers_timeout": workers_timeout, "verbose": self.verbose}
        lengths, told = source.count(told, **show)
        plan = Plan(self._plain(**self.get_params(deep=False)), sum(lengths), links=told, draw=draw)
        parts = source.take(plan, lengths, **show)
        self.local_ = plan.fit(parts)
        model = to_bytes(self.local_)
        known = [plan.known(part, self.local_) for part in parts]
        self.labels_ = source.labelled(_Book(model, known, id_column))
        self.n_drawn_ = len(plan.rows)
        self._model_bytes, self._id_column = model, id_column
        for name, value in vars(self.local_).items():
            if name.endswith("_") and not name.startswith("_") and name != "labels_":
                if name != "n_drawn_":
                    setattr(self, name, value)
        return self

    def predict(self, X: Any) -> Any:
        """The clusters of points: lazily of dask collections, at once of all else."""
        if isinstance(X, da.Array):
            _check_whole_rows(X)
            model = dask.delayed(self._model_bytes, name=_key("linkshift-model"))
            return _label_blocks(X, _label_new, model, X.chunks[0])
        if _is_frame(X):
            model = dask.delayed(self._model_bytes, name=_key("linkshift-model"))
            id_column = self._id_column if self._id_column in X.columns else None
            return X.map_partitions(_label_frame, model, id_column, meta=("label", np.int64))
        return self.local_.predict(X)

    def fit_predict(self, X: Any, y: None = None, **links: Any) -> Any:
        """``fit(X, **links).labels_``."""
        return self.fit(X, y, **links).labels_

    def save(self, path: Any) -> None:
        """Write the model with the rows that were drawn: ``local_.save``."""
        self.local_.save(path)

    def why(self, a: Any, b: Any) -> str:
        """Why two rows that links name, or that were drawn, are together or apart: ``local_.why``."""
        return self.local_.why(a, b)


class ConstrainedMeanShift(_OnDask, _constrained.ConstrainedMeanShift):
    __doc__ = _constrained.ConstrainedMeanShift.__doc__
    _plain = _constrained.ConstrainedMeanShift


class BoostedMeanShift(_OnDask, _boosted.BoostedMeanShift):
    __doc__ = _boosted.BoostedMeanShift.__doc__
    _plain = _boosted.BoostedMeanShift


class AutoCluster(_OnDask, _auto.AutoCluster):
    __doc__ = _auto.AutoCluster.__doc__
    _plain = _auto.AutoCluster


def compute(
    *lazy: Any, workers_timeout: float = WORKERS_TIMEOUT, verbose: bool = False
) -> list[Any]:
    """``dask.compute`` that gives up when there is no worker.

    A cluster without workers waits for ever, unless ``distributed.scheduler.no-workers-timeout`` says
    otherwise; this raises :class:`NoWorkersError` after `workers_timeout` seconds without one. With
    `verbose` there is a progress bar on stderr.
    """
    client = _client()
    if client is None:
        if not verbose:
            return list(dask.compute(*lazy))
        from dask.diagnostics import ProgressBar

        with ProgressBar(out=sys.stderr):
            return list(dask.compute(*lazy))
    import distributed

    futures = client.compute(list(lazy))
    alone_since = None
    waiting = set(futures)
    while waiting:
        try:
            done = distributed.wait(list(waiting), timeout=1.0, return_when="FIRST_COMPLETED")
            waiting = set(done.not_done)
        except (TimeoutError, distributed.TimeoutError):
            pass
        if verbose:
            n_done = len(futures) - len(waiting)
            print(f"\r{n_done}/{len(futures)} blocks ", end="", file=sys.stderr, flush=True)
        if waiting and not client.nthreads():
            alone_since = alone_since or time.monotonic()
            if time.monotonic() - alone_since > workers_timeout:
                client.cancel(futures)
                raise NoWorkersError(
                    f"there has been no worker for {workers_timeout:g} seconds, with {len(waiting)} "
                    f"of {len(futures)} blocks to go: start workers and try again"
                )
        else:
            alone_since = None
    if verbose:
        print(file=sys.stderr)
    return client.gather(futures)


def _client() -> Any:
    """The client that dask would compute with, if it is one."""
    get = dask.base.get_scheduler()
    owner = getattr(get, "__self__", None)
    if owner is not None and type(owner).__module__.startswith("distributed"):
        return owner
    return None


class _Source:
    """A dask collection, block by block."""

    def __init__(self, X: Any, id_column: Any) -> None:
        self.is_frame = _is_frame(X)
        if not self.is_frame and not isinstance(X, da.Array):
            raise TypeError(
                f"X is a {type(X).__name__}: give a dask array or dataframe here, and to "
                "linkshift's own estimators what is in memory"
            )
        if self.is_frame:
            if id_column is not None and id_column not in X.columns:
                raise ValueError(f"X has no column {id_column!r}")
        else:
            if id_column is not None:
                raise ValueError("id_column is for dataframes: links name rows of an array")
            _check_whole_rows(X)
        self.X, self.id_column = X, id_column

    def count(self, told: Links, **show: Any) -> tuple[list[int], Links]:
        """How long the blocks are, and links between rows; only where that is not known is it read."""
        names = set()
        if self.id_column is not None:
            names = set(told.a.tolist()) | set(told.b.tolist())
        if not self.is_frame and not np.isnan(self.X.chunks[0]).any():
            return [int(length) for length in self.X.chunks[0]], told
        blocks = self.blocks()
        if self.is_frame:
            column = self.X.columns[0] if self.id_column is None else self.id_column
            # Dask may read several small files as one partition, if it takes but one of their columns.
            of_column = self.X[[column]].to_delayed()
            blocks = of_column if len(of_column) == len(blocks) else blocks
        find = dask.delayed(_count)
        looked_for = dask.delayed(names, name=_key("linkshift-names"), traverse=False)
        key = _key("linkshift-count")
        counted = [
            find(block, self.id_column, looked_for, dask_key_name=f"{key}-{at}")
            for at, block in enumerate(blocks)
        ]
        counted = compute(*counted, **show)
        lengths = [length for length, _ in counted]
        if self.id_column is None or len(told.a) == 0:
            return lengths, told
        row_of: dict[Any, int] = {}
        start = 0
        for length, found in counted:
            for name, at in found:
                if name in row_of:
                    raise ValueError(
                        f"{self.id_column} {name!r} is in row {row_of[name]} and in row {start + at}: "
                        "ids that links name must be different"
                    )
                row_of[name] = start + at
            start += length
        for name in names:
            if name not in row_of:
                raise ValueError(f"a link names {name!r}, which is not in column {self.id_column!r}")
        rows = [np.array([row_of[end] for end in ends.tolist()]) for ends in (told.a, told.b)]
        return lengths, Links._of(*rows, told.signs, told.confidence)

    def blocks(self) -> list[Any]:
        blocks = self.X.to_delayed()
        return list(blocks if self.is_frame else blocks.ravel())

    def take(self, plan: Plan, lengths: list[int], **show: Any) -> list[Part]:
        """The rows of the plan from each block."""
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).tolist()
        wanted = [
            _Wanted(first, length, plan.within(first, length), self.id_column)
            for first, length in zip(starts, lengths)
        ]
        node = dask.delayed(wanted, name=_key("linkshift-plan"), traverse=False)
        key = _key("linkshift-take")
        if self.is_frame:
            task = dask.delayed(_take)
            tasks = [
                task(block, at, node, dask_key_name=f"{key}-{at}")
                for at, block in enumerate(self.blocks())
            ]
            return compute(*tasks, **show)
        # As in `_label_blocks`: a block and what is taken from it have as many axes.
        boxes = self.X.map_blocks(
            _take_box,
            node,
            chunks=((1,) * len(lengths), (1,)),
            meta=np.empty((0, 0), dtype=object),
            name=key,
        )
        return [box.item() for box in compute(*boxes.to_delayed().ravel(), **show)]

    def labelled(self, book: _Book) -> Any:
        """The labels, lazily: in the chunks of the array, or with the index of the dataframe."""
        node = dask.delayed(book, name=_key("linkshift-model"), traverse=False)
        if not self.is_frame:
            return _label_blocks(self.X, _label, node, tuple(known.n_rows for known in book.known))
        import dask.dataframe as dd
        import pandas as pd

        task, key = dask.delayed(_label_series), _key("linkshift-label")
        blocks = [
            task(block, at, node, dask_key_name=f"{key}-{at}")
            for at, block in enumerate(self.blocks())
        ]
        meta = pd.Series([], dtype=np.int64, name="label", index=self.X._meta.index)
        divisions = self.X.divisions if self.X.known_divisions else None
        return dd.from_delayed(blocks, meta=meta, divisions=divisions, verify_meta=False)


def _label_blocks(X: Any, work: Any, node: Any, lengths: Any) -> Any:
    """Labels in the chunks of an array."""
    # Dask makes one task of reading a block and labelling it, so that no worker keeps blocks, but
    # only where the result has as many axes.
    columns = X.map_blocks(
        work,
        node,
        chunks=(lengths, (1,)),
        meta=np.empty((0, 0), dtype=np.int64),
        name=_key("linkshift-label-column"),
    )
    return columns.map_blocks(
        _flat,
        drop_axis=1,
        chunks=(lengths,),
        meta=np.empty(0, dtype=np.int64),
        name=_key("linkshift-label"),
    )


def _take(block: Any, at: int, wanted: list[_Wanted]) -> Part:
    first, length, rows, id_column = wanted[at]
    if len(block) != length:
        raise SourceChangedError(
            f"block {at} has {len(block)} rows where it had {length}: let the source give the same "
            "rows every time, or persist it"
        )
    return take(block, rows, first, id_column)


def _take_box(block: Any, wanted: list[_Wanted], block_id: Any = None) -> Any:
    box = np.empty((1, 1), dtype=object)
    box[0, 0] = _take(block, block_id[0], wanted)
    return box


def _label(block: Any, book: _Book, block_id: Any = None) -> Any:
    return label(block, book.model, book.known[block_id[0]], book.id_column)[:, None]


def _label_new(block: Any, model: bytes) -> Any:
    return label(block, model)[:, None]


def _flat(column: Any) -> Any:
    return column[:, 0]


def _label_series(block: Any, at: int, book: _Book) -> Any:
    import pandas as pd

    labels = label(block, book.model, book.known[at], book.id_column)
    return pd.Series(labels, index=block.index, name="label")


def _label_frame(block: Any, model: bytes, id_column: Any) -> Any:
    import pandas as pd

    return pd.Series(label(block, model, id_column=id_column), index=block.index, name="label")


def _count(block: Any, id_column: Any, names: set[Any]) -> tuple[int, list[tuple[Any, int]]]:
    if not names:
        return len(block), []
    ids = block[id_column].tolist()
    return len(block), [(name, at) for at, name in enumerate(ids) if name in names]


def _check_whole_rows(X: Any) -> None:
    if X.ndim != 2:
        raise ValueError(f"X has {X.ndim} dimensions: give rows and columns")
    if X.numblocks[1] != 1:
        raise ValueError(
            f"the rows of X are cut into {X.numblocks[1]} blocks: X.rechunk({{1: -1}}) makes them whole"
        )


def _is_frame(X: Any) -> bool:
    return hasattr(X, "map_partitions") and hasattr(X, "divisions") and hasattr(X, "columns")


def _key(name: str) -> str:
    return f"{name}-{uuid.uuid4().hex}"
