"""How fitted models and their links look: a line at the prompt, a table in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core

if TYPE_CHECKING:
    from ._base import LinkClusterer

# Rows of a table that a person still reads.
_MOST_ROWS = 12
_CELL = "padding:1px 8px;text-align:left"


class LinkReport(np.ndarray[Any, np.dtype[Any]]):
    """The links of a fit, each with its ends ``a`` and ``b``, ``kind``, ``confidence`` and ``kept``.

    A structured array: ``report["kept"]`` is a column, ``report[~report["kept"]]`` the broken links,
    ``pandas.DataFrame(report)`` a table.

    Examples
    --------
    >>> from linkshift import MeanShift
    >>> model = MeanShift(bandwidth=1.0, obey="as-found")
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     model.fit([[0.0], [0.1], [9.0]], must_link=[(0, 1), (1, 2)])
    MeanShift(bandwidth=1.0, obey='as-found'): 2 clusters of 3 points; 2 links, 1 broken
    >>> model.link_report_
    2 links, 1 broken
    a  b  kind  confidence  kept
    1  2  must  1           no
    0  1  must  1           yes
    >>> model.link_report_["kept"]
    array([ True, False])
    """

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        # A column is a plain array.
        is_column = isinstance(found, LinkReport) and found.dtype.names is None
        return np.asarray(found) if is_column else found

    def __repr__(self) -> str:
        names, shown, left = self._table()
        if names is None:
            return repr(np.asarray(self))
        rows = [names, *shown]
        widths = [max(len(row[at]) for row in rows) for at in range(len(names))]
        lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip() for row in rows]
        lines = lines if shown else []
        more = [f"… and {left} more"] if left else []
        return "\n".join([link_sentence(self), *lines, *more])

    __str__ = __repr__

    def _repr_html_(self) -> str:
        names, shown, left = self._table()
        if names is None:
            return f"<pre>{escape(repr(self))}</pre>"
        more = f"<p>… and {left} more</p>" if left else ""
        return f"<p>{link_sentence(self)}</p>{_table(names, shown) if shown else ''}{more}"

    def _table(self) -> tuple[list[str] | None, list[list[str]], int]:
        """Heads and rows as texts, what is broken first, and how many rows are left out."""
        if self.dtype.names is None or "kept" not in self.dtype.names or self.ndim != 1:
            return None, [], 0
        plain = np.asarray(self)
        order = np.argsort(plain["kept"], kind="stable")[:_MOST_ROWS]
        rows = [[_cell(value) for value in plain[at].tolist()] for at in order]
        return list(self.dtype.names), rows, len(plain) - len(rows)


def model_sentence(model: LinkClusterer) -> str:
    """What a fit found, in half a line."""
    n_noise = int((model.labels_ < 0).sum())
    noise = f", {n_noise} of them in none" if n_noise else ""
    found = f"{_counted(model.n_clusters_, 'cluster')} of {_counted(len(model.labels_), 'point')}"
    links = model.link_report_
    return found + noise + (f"; {link_sentence(links)}" if len(links) else "")


def link_sentence(links: NDArray[Any]) -> str:
    """How many links there are, and how many of them are broken."""
    n_broken = int((~np.asarray(links)["kept"]).sum())
    if len(links) == 0:
        return "no links"
    return _counted(len(links), "link") + (f", {n_broken} broken" if n_broken else ", all kept")


def model_html(model: LinkClusterer) -> str:
    """Clusters by size in the colours of the pictures, links, and what else a person should know."""
    labels, sizes = np.unique(model.labels_, return_counts=True)
    order = np.argsort(-sizes, kind="stable")[:_MOST_ROWS]
    rows = []
    for at in order:
        label = int(labels[at])
        name = str(label) if label >= 0 else "none"
        rows.append([_swatch(label), name, f"{sizes[at]:,}", f"{sizes[at] / sizes.sum():.1%}"])
    left = len(labels) - len(rows)
    parts = [f"<p><b>{escape(model_sentence(model))}</b></p>"]
    parts.append(_table(["", "cluster", "points", "share"], rows, is_html=True))
    parts += [f"<p>… and {left} more clusters</p>"] if left else []
    broken = model.broken_links_
    if len(broken):
        parts.append(f"<details><summary>broken links</summary>{broken._repr_html_()}</details>")
    parts += [f"<p>{escape(note)}</p>" for note in model.notes_]
    return "<div>" + "".join(parts) + "</div>"


def links_html(sentence: str, rows: Iterable[Sequence[Any]], n_rows: int) -> str:
    """Links that were not fitted yet."""
    shown = [[_cell(value) for value in row] for row in rows]
    more = f"<p>… and {n_rows - len(shown)} more</p>" if n_rows > len(shown) else ""
    table = _table(["a", "b", "kind", "confidence"], shown) if shown else ""
    return f"<p>{escape(sentence)}</p>{table}{more}"


def most_rows() -> int:
    """How many rows a table shows."""
    return _MOST_ROWS


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}" + ("" if n == 1 else "s")


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _swatch(label: int) -> str:
    colour, shape = _core.cluster_look(label)
    signs = {"circle": "●", "square": "■", "triangle": "▲", "diamond": "◆", "wedge": "▼"}
    return f'<span style="color:{colour}">{signs[shape]}</span>'


def _table(names: list[str], rows: list[list[str]], *, is_html: bool = False) -> str:
    def line(cells: list[str], tag: str, plain: bool) -> str:
        texts = (escape(cell) if plain else cell for cell in cells)
        return "<tr>" + "".join(f'<{tag} style="{_CELL}">{text}</{tag}>' for text in texts) + "</tr>"

    body = "".join(line(row, "td", not is_html) for row in rows)
    return f"<table><thead>{line(names, 'th', True)}</thead><tbody>{body}</tbody></table>"
