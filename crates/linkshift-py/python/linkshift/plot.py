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

# The shapes of the pictures of ``linkshift plot``, in matplotlib's letters.
_MARKERS = {"circle": "o", "square": "s", "triangle": "^", "diamond": "D", "wedge": "v"}


def scatter(model: LinkClusterer, X: Any, ax: Axes | None = None) -> Axes:
    """Draw points in the colour and shape of their cluster, modes as crosses, and the links.

    Must-links are solid lines, cannot-links dashed ones; broken links are red and lie on top. The
    colours are those of ``linkshift plot``. Points of more than two features are shown by their
    first two principal components.

    Parameters
    ----------
    model : estimator
        A fitted estimator of this package.
    X : array or DataFrame of shape (n_points, n_features)
        The points it was fitted on.
    ax : matplotlib Axes, optional
        Where to draw; default: the current axes.

    Returns
    -------
    ax : matplotlib Axes
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
    colours = _core.sign_colors()
    for link in model.link_report_:
        ends = points[[row_of[link["a"]], row_of[link["b"]]]]
        kept = bool(link["kept"])
        ax.plot(
            *ends.T,
            "-" if link["kind"] == "must" else "--",
            color=colours[link["kind"] if kept else "broken"],
            linewidth=0.8 if kept else 1.6,
            alpha=0.6 if kept else 1.0,
            zorder=2 if kept else 3,
        )
    for label in np.unique(model.labels_):
        colour, shape = _core.cluster_look(int(label))
        x, y = points[model.labels_ == label].T
        ax.scatter(x, y, color=colour, marker=_MARKERS[shape], s=12, zorder=1)
    ax.plot(*modes.T, "x", color=colours["mode"], zorder=4)
    return ax


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
