"""Links: what a person knows about pairs of points, however it is spelled."""

from __future__ import annotations

import numbers
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._show import links_html, most_rows

_SIGNS = {
    "must": 1, "must_link": 1, "must-link": 1, "ml": 1, "+1": 1, "1": 1,
    "cannot": -1, "cannot_link": -1, "cannot-link": -1, "cl": -1, "-1": -1,
}  # fmt: skip


class Links:
    """Must-links and cannot-links between points, in one form.

    Ends are rows counted from 0, or the index labels of the DataFrame they will be used with.
    Links are only gathered here; they are checked by ``fit``, against the points.

    Parameters
    ----------
    must_link, cannot_link : sequence of pairs or array of shape (n_links, 2), optional
        Pairs that belong together, and pairs that belong apart.
    confidence : float or sequence of float, optional
        How sure each link is, in (0, 1]: one for all, or one for each must-link and then one for
        each cannot-link. Default: 1.

    Examples
    --------
    >>> from linkshift import Links
    >>> links = Links(must_link=[(0, 1)], cannot_link=[(0, 3), (1, 2)])
    >>> links
    Links(1 must, 2 cannot)
    >>> links + Links.from_triples([(4, 5, "MUST_LINK")])
    Links(2 must, 2 cannot)
    """

    def __init__(
        self,
        must_link: ArrayLike | None = None,
        cannot_link: ArrayLike | None = None,
        confidence: ArrayLike | None = None,
    ) -> None:
        must, cannot = _pairs("must_link", must_link), _pairs("cannot_link", cannot_link)
        signs = np.repeat(np.array([1, -1], dtype=np.int8), [len(must[0]), len(cannot[0])])
        a, b = (_joined(one, two) for one, two in zip(must, cannot))
        self._set(a, b, signs, confidence)

    def _set(self, a, b, signs, confidence):
        self.a: NDArray[Any] = _ends(a)
        self.b: NDArray[Any] = _ends(b)
        self.signs: NDArray[np.int8] = np.asarray(signs, dtype=np.int8)
        confidence = np.asarray(1.0 if confidence is None else confidence, dtype=np.float64)
        if confidence.ndim and confidence.shape != self.signs.shape:
            raise ValueError(
                f"there are {len(confidence)} confidences for {len(self.signs)} links: "
                "give one per link, or a single number for all"
            )
        everywhere = np.broadcast_to(confidence, self.signs.shape)
        self.confidence: NDArray[np.float64] = np.ascontiguousarray(everywhere)

    @classmethod
    def _of(cls, a, b, signs, confidence=None):
        links = cls.__new__(cls)
        links._set(a, b, signs, confidence)
        return links

    @classmethod
    def from_triples(cls, triples: Any) -> Links:
        """Links from rows of (end, end, kind) or (end, end, kind, confidence).

        Parameters
        ----------
        triples : sequence, array of shape (n_links, 3 or 4), or DataFrame
            ``kind`` is positive or negative, or a word such as ``"must"``, ``"cannot"``,
            ``"MUST_LINK"``, ``"CANNOT_LINK"``. A DataFrame has columns ``a``, ``b``, ``kind`` and,
            if need be, ``confidence``.

        Returns
        -------
        Links

        Examples
        --------
        >>> Links.from_triples([(0, 1, 1), (1, 2, -1)])
        Links(1 must, 1 cannot)
        >>> Links.from_triples([("ann", "bob", "CANNOT_LINK", 0.8)])
        Links(0 must, 1 cannot)
        """
        if hasattr(triples, "columns"):
            missing = [name for name in ("a", "b", "kind") if name not in triples]
            if missing:
                raise ValueError(
                    f"the table of links has no column {missing[0]!r}: name its columns a, b and kind, "
                    f"as in links.rename(columns={{{str(list(triples.columns)[0])!r}: 'a', ...}})"
                )
            columns = [name for name in ("a", "b", "kind", "confidence") if name in triples]
            triples = zip(*(triples[name] for name in columns))
        rows = [tuple(row) for row in triples]
        for position, row in enumerate(rows):
            if len(row) not in (3, 4):
                raise ValueError(
                    f"link {position} is {row}: write it as (end, end, kind) "
                    "or (end, end, kind, confidence)"
                )
        signs = [_sign(position, row[2]) for position, row in enumerate(rows)]
        confidence = [row[3] if len(row) == 4 else 1.0 for row in rows]
        return cls._of([row[0] for row in rows], [row[1] for row in rows], signs, confidence)

    @classmethod
    def from_matrix(cls, matrix: Any) -> Links:
        """Links from a signed n × n matrix, dense or sparse.

        Positive entries are must-links, negative ones cannot-links, with the absolute value as
        confidence. The diagonal says nothing; (i, j) and (j, i) of the same sign are one link.

        Parameters
        ----------
        matrix : array or scipy sparse matrix of shape (n_points, n_points)

        Returns
        -------
        Links

        Examples
        --------
        >>> Links.from_matrix([[0, 1, 0], [1, 0, -1], [0, -1, 0]])
        Links(1 must, 1 cannot)
        """
        if hasattr(matrix, "tocoo"):
            matrix = matrix.tocoo()
            a, b, values = matrix.row, matrix.col, np.asarray(matrix.data, dtype=np.float64)
        else:
            matrix = np.asarray(matrix, dtype=np.float64)
            a, b = np.nonzero(matrix)
            values = matrix[a, b]
        told = (a != b) & (values != 0)
        a, b, values = a[told], b[told], values[told]
        low, high, signs = np.minimum(a, b), np.maximum(a, b), np.sign(values).astype(np.int8)
        _, first = np.unique(np.stack([low, high, signs]), axis=1, return_index=True)
        return cls._of(low[first], high[first], signs[first], np.abs(values[first]))

    @classmethod
    def from_groups(cls, groups: ArrayLike) -> Links:
        """Must-links from groups: rows with the same entry belong together.

        Parameters
        ----------
        groups : array of shape (n_points,)
            A number or name per row; -1, None or NaN where a row is in no group. Different
            groups may turn out to be one cluster; labels say that they do not.

        Returns
        -------
        Links

        Examples
        --------
        >>> Links.from_groups([7, 7, -1, 8, 8])
        Links(2 must, 0 cannot)
        """
        codes = _codes("groups", groups)
        rows = np.flatnonzero(codes >= 0)
        _, first, inverse = np.unique(codes[rows], return_index=True, return_inverse=True)
        firsts = rows[first][inverse]
        others = rows != firsts
        return cls._of(firsts[others], rows[others], np.ones(others.sum(), dtype=np.int8))

    @classmethod
    def from_labels(cls, labels: ArrayLike) -> Links:
        """Links from partial labels: equal ones belong together, different ones apart.

        Parameters
        ----------
        labels : array of shape (n_points,)
            A class per row; -1, None or NaN where it is unknown.

        Returns
        -------
        Links

        Examples
        --------
        >>> Links.from_labels([0, -1, 1, 0])
        Links(1 must, 1 cannot)
        """
        return cls._of(*_core.label_links(_codes("labels", labels)))

    def consistent(self) -> tuple[Links, Links]:
        """The links without those that contradict surer ones, and those left out.

        Among equally sure links, cannot-links are believed before must-links, then what was told
        first.

        Returns
        -------
        kept, dropped : Links

        Examples
        --------
        >>> links = Links(must_link=[(0, 1), (1, 2)], cannot_link=[(0, 2)], confidence=[1, 0.6, 1])
        >>> links.consistent()
        (Links(1 must, 1 cannot), Links(1 must, 0 cannot))
        """
        names, rows = np.unique(np.concatenate([self.a, self.b]), return_inverse=True)
        a, b = rows.astype(np.int64).reshape(2, -1)
        kept = _core.consistent_links((a, b, self.signs, self.confidence), len(names))
        return self._taken(kept), self._taken(~kept)

    def _taken(self, which):
        columns = (self.a[which], self.b[which], self.signs[which], self.confidence[which])
        return Links._of(*columns)

    def __len__(self) -> int:
        return len(self.signs)

    def __add__(self, other: Links) -> Links:
        if not isinstance(other, Links):
            return NotImplemented
        both = [(self.a, other.a), (self.b, other.b), (self.signs, other.signs)]
        a, b, signs = (_joined(one, two) for one, two in both)
        return Links._of(a, b, signs, np.concatenate([self.confidence, other.confidence]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Links):
            return NotImplemented
        mine, its = self._columns(), other._columns()
        return all(np.array_equal(one, two) for one, two in zip(mine, its))

    __hash__: ClassVar[None]  # type: ignore[assignment]

    def __repr__(self) -> str:
        n_must = int((self.signs > 0).sum())
        return f"Links({n_must} must, {len(self) - n_must} cannot)"

    def _repr_html_(self) -> str:
        first = slice(most_rows())
        kinds = ["must" if sign > 0 else "cannot" for sign in self.signs[first]]
        rows = zip(self.a[first], self.b[first], kinds, self.confidence[first].tolist())
        return links_html(repr(self), rows, len(self))

    def _columns(self):
        return self.a, self.b, self.signs, self.confidence

    def _rows(self, index):
        """The links with rows as ends, which ``index`` (of a DataFrame) may name."""
        if len(self) == 0:
            nothing = np.empty(0, dtype=np.int64)
            return Links._of(nothing, nothing, self.signs)
        a, b = (_rows_of(ends, index) for ends in (self.a, self.b))
        return Links._of(a, b, self.signs, self.confidence)


def gather(n_points, *, index, links, must_link, cannot_link, link_confidence, groups, labels):
    """All that ``fit`` was told, as links between rows."""
    told = Links(must_link, cannot_link, link_confidence) + _signed(links, n_points)
    by_row = Links()
    for name, vector, make in [
        ("groups", groups, Links.from_groups),
        ("y", labels, Links.from_labels),
    ]:
        if vector is not None:
            if len(vector) != n_points:
                raise ValueError(
                    f"{name} has {len(vector)} entries for {n_points} points: "
                    "give one per point, -1 where there is nothing to say"
                )
            by_row = by_row + make(vector)
    return told._rows(index) + by_row._rows(None)


def _signed(links, n_points):
    """The argument ``links`` of ``fit``, in any of its spellings."""
    if links is None:
        return Links()
    if isinstance(links, Links):
        return links
    shape = getattr(links, "shape", None)
    is_table = hasattr(links, "columns")
    if hasattr(links, "tocoo") or (shape == (n_points, n_points) and not is_table):
        if shape != (n_points, n_points):
            raise ValueError(f"the matrix of links is {shape} for {n_points} points")
        return Links.from_matrix(links)
    try:
        return Links.from_triples(links)
    except ValueError as error:
        if shape is None or is_table or len(shape) != 2 or shape[0] != shape[1]:
            raise
        raise ValueError(
            f"{error} (a signed matrix of links has a row and a column per point: here {n_points}, "
            f"not {shape[0]})"
        ) from None


def _pairs(name, pairs):
    """Both ends of each pair."""
    if isinstance(pairs, np.ndarray) and pairs.ndim == 2 and pairs.shape[1] == 2:
        return _ends(pairs[:, 0]), _ends(pairs[:, 1])
    pairs = [] if pairs is None else list(pairs)
    for position, pair in enumerate(pairs):
        if not hasattr(pair, "__len__"):
            raise ValueError(f"{name}[{position}] is {pair}: give a list of pairs, as in [(0, 1)]")
        if len(pair) != 2:
            raise ValueError(f"{name}[{position}] is {tuple(pair)}: give pairs, as in [(0, 1)]")
    pairs = [tuple(pair) for pair in pairs]
    return _ends([a for a, _ in pairs]), _ends([b for _, b in pairs])


def _sign(position, kind):
    if isinstance(kind, str):
        sign = _SIGNS.get(kind.strip().lower())
    else:
        sign = None if kind != kind else int(np.sign(kind)) or None
    if sign is None:
        raise ValueError(f"link {position} is of kind {kind!r}: write must or cannot, +1 or -1")
    return sign


def _ends(ends):
    """Row numbers as integers, anything else as it is."""
    if isinstance(ends, np.ndarray) and ends.dtype.kind in "iu":
        return np.ascontiguousarray(ends, dtype=np.int64)
    objects = np.empty(len(ends), dtype=object)
    for at, end in enumerate(ends):  # one by one: a label may be a tuple
        objects[at] = end
    # Whole numbers of type float come from tables that also hold confidences.
    if all(_is_row(end) for end in objects):
        return objects.astype(np.int64)
    return objects


def _is_row(end):
    return isinstance(end, numbers.Real) and float(end).is_integer() and abs(end) < 2**63


def _joined(one, two):
    if len(one) == 0 or len(two) == 0:
        return one if len(two) == 0 else two
    return np.concatenate([one, two])


def _rows_of(ends, index):
    if index is None:
        if ends.dtype.kind != "i":
            name = next((end for end in ends if not isinstance(end, (int, np.integer))), ends[0])
            raise ValueError(
                f"a link names {name!r}, but X has no index to find it in: "
                "give rows counted from 0, or X as a DataFrame"
            )
        return ends
    if not index.is_unique:
        raise ValueError("links name rows by X's index, but it has duplicates: X.reset_index(drop=True)")
    rows = np.asarray(index.get_indexer(ends), dtype=np.int64)
    if (rows < 0).any():
        lost = ends[rows < 0][:1].tolist()[0]
        raise ValueError(
            f"a link names {lost!r}, which is not in the index of X: links name rows by its labels, "
            f"such as {index[0]!r}; for row numbers give X.to_numpy()"
        )
    return rows


def _codes(name, values):
    """Classes numbered from 0; -1 where nothing is known."""
    values = np.asarray(values)
    if values.ndim != 1:
        raise ValueError(f"{name} has shape {values.shape}: give one entry per point")
    if values.dtype.kind == "O":
        unknown = np.array([value is None or value != value or value == -1 for value in values])
        code_of = {value: code for code, value in enumerate(dict.fromkeys(values[~unknown]))}
        codes = np.full(len(values), -1, dtype=np.int64)
        codes[~unknown] = [code_of[value] for value in values[~unknown]]
        return codes
    unknown = np.zeros(len(values), dtype=bool)
    if values.dtype.kind in "if":
        unknown = (values == -1) | (values != values)
    _, codes = np.unique(values, return_inverse=True)
    return np.where(unknown, -1, codes).astype(np.int64)
