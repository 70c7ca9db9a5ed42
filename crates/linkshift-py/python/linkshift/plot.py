"""Pictures of fitted models (needs matplotlib: ``pip install linkshift[plot]``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._base import LinkClusterer


def scatter(model: LinkClusterer, X: Any, ax: Axes | None = None) -> Axes:
    """Draw points in the colour of their cluster, modes as crosses, and the links.

    Must-links are solid lines, cannot-links dashed ones; broken links are red. Points of more
    than two features are shown by their first two principal components.

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
    for link in model.link_report_:
        ends = points[[row_of[link["a"]], row_of[link["b"]]]]
        colour = "0.4" if link["kept"] else "red"
        style = "-" if link["kind"] == "must" else "--"
        ax.plot(ends[:, 0], ends[:, 1], style, color=colour, linewidth=0.8, zorder=2)
    noise = model.labels_ < 0
    x, y = points.T
    ax.scatter(x[noise], y[noise], c="0.8", s=12, zorder=1)
    ax.scatter(x[~noise], y[~noise], c=model.labels_[~noise], cmap="tab20", s=12, zorder=1)
    ax.plot(*modes.T, "kx", zorder=3)
    return ax


def _flat(points, modes):
    """Points and modes in two dimensions."""
    if points.shape[1] == 1:
        return (np.pad(places, ((0, 0), (0, 1))) for places in (points, modes))
    if points.shape[1] == 2:
        return points, modes
    center = points.mean(axis=0)
    axes = np.linalg.svd(points - center, full_matrices=False)[2][:2]
    return ((places - center) @ axes.T for places in (points, modes))
