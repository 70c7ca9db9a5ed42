"""Mean shift."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._base import LinkClusterer


class MeanShift(LinkClusterer):
    """Mean shift: every point climbs the density of all points; those that meet are a cluster.

    Links do not change the result. They are accepted all the same, so that estimators can be
    exchanged, and reported on: `link_report_` says which of them hold.

    Parameters
    ----------
    bandwidth : float or {"percentile", "neighbors", "silverman", "per-point"}, default="percentile"
        How far a point looks: a distance, or a rule that finds one. None means the default.
    percentile : float, default=15
        For ``bandwidth="percentile"``: which percentile of the distances between points.
    alpha : float, default=0.5
        For ``bandwidth="neighbors"``: the mean distance to the k-th neighbour with k = alpha·√n.
    k : int, default=10
        For ``bandwidth="per-point"``: each point's distance to its k-th neighbour.
    kernel : {"truncated", "ball", "rbf", "gaussian"}, default="truncated"
        How points count by their distance, x bandwidths: exp(-x²) above `cut`, 1 below x = 1,
        exp(-x²), exp(-x²/2).
    cut : float, default=0.2
        For ``kernel="truncated"``: values at or below this count as 0.
    blurring : bool, default=False
        Whether the points themselves move along.
    max_iter : int, default=300
        Iterations at the most.
    tolerance : float, default=0.001
        A point has arrived when it moves less than this share of the bandwidth.
    merge_tolerance : float, default=0.001
        Points this share of the bandwidth apart travel on as one; 0: only equal ones.
    mode_radius : float, default=1
        Modes within this many bandwidths of a denser one are the same mode.
    seeds : array of shape (n_seeds, n_features), optional
        Places to climb from, instead of every point.
    bin_seeding : bool, default=False
        Whether to climb from a grid, one bandwidth wide, instead of from every point.
    min_bin_freq : int, default=1
        For ``bin_seeding=True``: points that a cell of the grid must hold.
    labels : {"basin", "nearest"}, optional
        A point's cluster: the mode it climbs to, or the nearest one, as in scikit-learn. Default:
        "basin" where every point climbs, otherwise "nearest".
    cluster_all : bool, default=True
        Whether lone points are clusters too; otherwise they are noise, with the label -1.
    use_y : {"auto", True, False}, default="auto"
        Whether `y` holds partial labels. "auto": only if -1 is among them, so that tools which
        pass full labels along do not change the result.
    n_jobs : int, optional
        Threads. None or -1: all processors; -2: all but one. The labels never depend on it.
    random_state : int, RandomState instance or None, default=None
        Seed of the sampled bandwidth rules; None means 0, so results never vary by themselves.
    verbose : bool, default=False
        Whether to show progress on stderr (with tqdm, if that is installed).

    Attributes
    ----------
    labels_ : array of shape (n_points,)
        The cluster of each point, numbered from 0 by first member; -1 is noise.
    cluster_centers_ : array of shape (n_clusters, n_features)
        The mode of each cluster, of the type of the points.
    n_clusters_ : int
        Number of clusters.
    bandwidth_ : float
        The bandwidth used; the mean of them if each point had its own.
    n_iter_ : int
        Iterations done.
    converged_ : bool
        Whether every point arrived; if not, there was a ConvergenceWarning.
    link_report_ : structured array of shape (n_links,)
        Each link with its ends ``a`` and ``b``, ``kind``, ``confidence`` and whether it is
        ``kept``. ``pandas.DataFrame(link_report_)`` makes a table of it.
    broken_links_ : structured array
        The rows of `link_report_` that are not kept.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : array of shape (n_features,)
        Names of the features, if `X` had any.

    Notes
    -----
    A pickled estimator keeps the points, not the model; the first prediction after unpickling
    fits once more, with the same result.

    Examples
    --------
    >>> from linkshift import MeanShift
    >>> model = MeanShift(bandwidth=1.0).fit([[0.0], [0.1], [0.2], [5.0], [5.1]])
    >>> model.labels_
    array([0, 0, 0, 1, 1])
    >>> model.predict([[4.0]])
    array([1])
    """

    def __init__(
        self,
        *,
        bandwidth: float | str | None = "percentile",
        percentile: float = 15.0,
        alpha: float = 0.5,
        k: int = 10,
        kernel: str = "truncated",
        cut: float = 0.2,
        blurring: bool = False,
        max_iter: int = 300,
        tolerance: float = 1e-3,
        merge_tolerance: float = 1e-3,
        mode_radius: float = 1.0,
        seeds: ArrayLike | None = None,
        bin_seeding: bool = False,
        min_bin_freq: int = 1,
        labels: str | None = None,
        cluster_all: bool = True,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.bandwidth = bandwidth
        self.percentile = percentile
        self.alpha = alpha
        self.k = k
        self.kernel = kernel
        self.cut = cut
        self.blurring = blurring
        self.max_iter = max_iter
        self.tolerance = tolerance
        self.merge_tolerance = merge_tolerance
        self.mode_radius = mode_radius
        self.seeds = seeds
        self.bin_seeding = bin_seeding
        self.min_bin_freq = min_bin_freq
        self.labels = labels
        self.cluster_all = cluster_all
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    def like_scikit_learn(cls, bandwidth: float, **others: Any) -> MeanShift:
        """The settings whose labels agree with scikit-learn's ``MeanShift(bandwidth=bandwidth)``.

        Parameters
        ----------
        bandwidth : float
        **others
            Any other parameters.

        Returns
        -------
        MeanShift

        Examples
        --------
        >>> MeanShift.like_scikit_learn(0.5)
        MeanShift(bandwidth=0.5, kernel='ball', labels='nearest')
        """
        return cls(bandwidth=bandwidth, kernel="ball", labels="nearest", **others)

    def _settings(self, X):
        settings = super()._settings(X)
        if self.bandwidth is None:
            settings["bandwidth"] = "percentile"
        if self.seeds is not None:
            seeds = np.ascontiguousarray(self.seeds, dtype=np.float64)
            if seeds.ndim != 2 or seeds.shape[1] != X.shape[1]:
                raise ValueError(
                    f"seeds has shape {seeds.shape}: give rows of {X.shape[1]} numbers, as in X"
                )
            settings["seeds"] = seeds
        if self.labels is None:
            every_point_climbs = self.seeds is None and not self.bin_seeding
            settings["labels"] = "basin" if every_point_climbs else "nearest"
        return settings

    def _fit_core(self, X, told, weights, settings, progress):
        _core.check_links(told._columns(), len(X))
        return _core.fit_mean_shift(X, settings, weights, progress)
