"""Pictures of fitted models (needs matplotlib: ``pip install linkshift[plot]``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from . import _core

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._base import LinkClusterer

# The shapes of the pictures of ``linkshift fit --plot``, in matplotlib's letters.
_MARKERS = {"circle": "o", "square": "s", "triangle": "^", "diamond": "D", "wedge": "v"}
# As in the pictures of the command line: so many kept links are drawn in full, so many faintly; so
# many broken or suspicious ones with their sign; so many clusters are named one by one.
_MOST_PLAIN, _MOST_FAINT, _MOST_MARKED, _MOST_NAMED = 60, 300, 150, 12


def scatter(
    model: LinkClusterer, X: Any, ax: Axes | None = None, *, legend: bool = True
) -> Axes:
    """Draw points in the colour and shape of their cluster, modes as crosses, and the links.

    The colours and signs are those of ``linkshift fit --plot``. Must-links are whole lines,
    cannot-links dashed ones. Broken links are red with a cross, suspicious ones brown with a question
    mark, and both lie on top. Kept links lie on top while they are few, faintly below the points when
    they are more, and are only counted when they would hide the points. Points of more than two
    features are shown by their first two principal components.

    Parameters
    ----------
    model : estimator
        A fitted estimator of this package.
    X : array or DataFrame of shape (n_points, n_features)
        The points it was fitted on.
    ax : matplotlib Axes, optional
        Where to draw; default: the current axes.
    legend : bool, default=True
        Whether to say below what colours and lines mean, with counts.

    Returns
    -------
    ax : matplotlib Axes

    Examples
    --------
    >>> from linkshift import ConstrainedMeanShift
    >>> from linkshift.plot import scatter
    >>> X = [[0.0, 0.0], [0.2, 0.1], [0.8, 0.9], [1.0, 1.0]]
    >>> model = ConstrainedMeanShift().fit(X, cannot_link=[(0, 3)])
    >>> ax = scatter(model, X)  # doctest: +SKIP
    """
    check_is_fitted(model)
    if ax is None:
        import matplotlib.pyplot as plt

        ax = plt.gca()
    index = list(X.index) if hasattr(X, "iloc") else range(len(X))
    row_of = {name: row for row, name in enumerate(index)}
    points, modes = _flat(np.asarray(X, dtype=np.float64), model.cluster_centers_)
    if len(points) != len(model.labels_):
        raise ValueError(
            f"X has {len(points)} rows but the model was fitted on {len(model.labels_)}"
        )
    looks = _core.sign_colors()
    rows = np.array([[row_of[a], row_of[b]] for a, b in model.link_report_[["a", "b"]].tolist()])
    entries = _draw_points(ax, points, model.labels_)
    for fate, chosen in _fates(model):
        group = [(at, str(model.link_report_["kind"][at])) for at in np.flatnonzero(chosen)]
        entries += _draw_links(ax, fate, looks, [(points[rows[at]], kind) for at, kind in group])
    style = dict(linestyle="", marker="+", markersize=10, markeredgewidth=2, color=looks["mode"])
    (mark,) = ax.plot(*modes.T, zorder=6, path_effects=_rim(4.0), **style)
    if len(modes):
        entries.append((mark, f"mode ({len(modes):,})"))
    if legend:
        handles, texts = zip(*entries)
        below = dict(loc="upper center", bbox_to_anchor=(0.5, -0.08), frameon=False)
        ax.legend(handles, texts, ncols=3, fontsize="small", **below)
    return ax


def _draw_points(
    ax: Axes, points: NDArray[np.float64], labels: NDArray[np.int64]
) -> list[tuple[Any, str]]:
    """Each cluster in its colour and shape; what the legend says of them, the largest first."""
    entries = []
    found, sizes = np.unique(labels, return_counts=True)
    for at in np.argsort(-sizes, kind="stable"):
        label, size = int(found[at]), int(sizes[at])
        colour, shape = _core.cluster_look(label)
        x, y = points[labels == label].T
        style = dict(color=colour, marker=_MARKERS[shape], s=16, alpha=0.85, linewidths=0)
        name = f"cluster {label}" if label >= 0 else "noise"
        entries.append((ax.scatter(x, y, zorder=2, **style), f"{name} ({size:,})"))
    if len(entries) > _MOST_NAMED + 1:
        rest = [int(size) for size in np.sort(sizes)[: len(sizes) - _MOST_NAMED]]
        (nothing,) = ax.plot([], [], linestyle="")
        entries[_MOST_NAMED:] = [(nothing, f"+ {len(rest):,} more ({sum(rest):,})")]
    return entries


def _fates(model: LinkClusterer) -> list[tuple[str, NDArray[np.bool_]]]:
    """Which links are kept, suspicious and broken, from the bottom of the picture to its top."""
    broken = ~model.link_report_["kept"]
    suspicious = np.zeros(len(broken), dtype=bool)
    suspicious[[suspect["position"] for suspect in getattr(model, "suspects_", [])]] = True
    suspicious &= ~broken
    return [("kept", ~broken & ~suspicious), ("suspicious", suspicious), ("broken", broken)]


def _draw_links(
    ax: Axes, fate: str, looks: dict[str, str], links: list[tuple[NDArray[np.float64], str]]
) -> list[tuple[Any, str]]:
    """The links of one fate, if they would not hide the points; what the legend says of them."""
    few = len(links) <= _MOST_PLAIN
    if fate == "kept":
        width, alpha = (1.2, 1.0) if few else (0.8, 0.3)
    else:
        width, alpha = (2.0, 1.0) if few else (1.0, 0.75)
    most = _MOST_MARKED if fate != "kept" else len(links) if len(links) <= _MOST_FAINT else 0
    n_drawn = min(most, len(links))
    rim = _rim(width + 1.6) if few else None
    entries: dict[str, Any] = {}
    middles = []
    for at in range(n_drawn):
        ends, kind = links[at * len(links) // n_drawn]
        colour = looks[kind if fate == "kept" else fate]
        order = 1 if fate == "kept" and not few else 4
        style = dict(color=colour, linewidth=width, alpha=alpha, zorder=order, path_effects=rim)
        (entries[kind],) = ax.plot(*ends.T, "-" if kind == "must" else "--", **style)
        middles.append(ends.mean(axis=0))
    if fate != "kept" and middles:
        x, y = np.transpose(middles)
        ax.scatter(x, y, s=60, color=looks[fate], edgecolors="white", zorder=5)
        sign = "x" if fate == "broken" else "$?$"
        ax.scatter(x, y, s=14, color="white", marker=sign, zorder=5)
    texts = []
    (nothing,) = ax.plot([], [], linestyle="") if links and not n_drawn else (None,)
    for kind in ("must", "cannot"):
        n_links = sum(of == kind for _, of in links)
        name = f"{kind}-link" if fate == "kept" else f"{fate} {kind}-link"
        if n_links:
            name = name if n_drawn else f"{name}, not drawn"
            texts.append((entries.get(kind, nothing), f"{name} ({n_links:,})"))
    return texts


def _rim(width: float) -> list[Any]:
    """White around a line, to stand out from any colour."""
    from matplotlib.patheffects import Normal, Stroke

    return [Stroke(linewidth=width, foreground="white", alpha=0.8), Normal()]


def _flat(
    points: NDArray[np.float64], modes: NDArray[Any]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points and modes in two dimensions."""
    if points.shape[1] == 1:
        flat = [np.pad(places, ((0, 0), (0, 1))) for places in (points, modes)]
    elif points.shape[1] == 2:
        flat = [points, modes]
    else:
        center = points.mean(axis=0)
        axes = np.linalg.svd(points - center, full_matrices=False)[2][:2]
        flat = [(places - center) @ axes.T for places in (points, modes)]
    return flat[0], flat[1]
