"""Spectral clustering after mean shift."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._base import LinkClusterer


class SpectralMeanShift(LinkClusterer):
    """Mean shift finds modes, and their graph is cut where it is weakest.

    Spectral clustering needs a matrix of all pairs of points; here it is one of the modes of their
    density, which are few. Must-links join modes and cannot-links hold them apart.

    Parameters
    ----------
    n_clusters : int, optional
        Number of clusters. None: from the data; `n_clusters_found_` says how sure that is.
    bandwidth : float or {"silverman", "per-point"}, default="silverman"
        Standard deviation of the Gaussian, or the rule that finds it: Silverman's, or each point's
        distance to its k-th neighbour.
    bandwidth_factor : float, default=0.5
        What the bandwidth is multiplied by. 1 is the paper's, and often too wide.
    k : int, default=10
        For ``bandwidth="per-point"``: which neighbour.
    route : {"tree", "leading-vector", "second-vector", "embedding"}, default="tree"
        From affinities to clusters: cut the weakest edges of the maximum spanning tree (the only
        route that listens to links); split an eigenvector, for two clusters; or k-means on the
        leading eigenvectors.
    quantise : bool, default=True
        Whether the matrix is of modes, or of all points, without mean shift.
    min_support : float, optional
        Modes with a smaller share of the points join others before the tree is cut. None: 0.2 by
        the number of clusters, or 0.01 if that is not told. 0 is the paper's.
    negligible : float, default=1e-8
        Kernel values at or below this count as 0.
    max_iter : int, default=1000
        Iterations of mean shift at the most.
    tolerance : float, default=0.001
        A point has arrived when it moves less than this share of the bandwidth.
    representatives : int or {"auto", "never"}, default="auto"
        Gather points into this many weighted ones first, if there are more; "auto": above 1000 into
        500 (in the plane 300) without links (or 20 for each cluster told, if that is more), else above 4000 into 4000.
    memory_mb : int, optional
        Fail early with a MemoryError if the matrix would need more megabytes than this.
    use_y : {"auto", True, False}, default="auto"
        Whether `y` holds partial labels. "auto": only if -1 is among them, so that tools which
        pass full labels along do not change the result.
    n_jobs : int, optional
        Threads. None or -1: all processors; -2: all but one. The labels never depend on it.
    random_state : int, RandomState instance or None, default=None
        Seed of everything drawn; None means 0, so results never vary by themselves.
    verbose : bool, default=False
        Whether to show progress on stderr (with tqdm, if that is installed).

    Attributes
    ----------
    labels_ : array of shape (n_points,)
        The cluster of each point, numbered from 0 by first member.
    cluster_centers_ : array of shape (n_clusters, n_features)
        The mode of each cluster that most points climbed to, of the type of the points.
    n_clusters_ : int
        Number of clusters.
    n_clusters_found_ : str or None
        If it was not told: the number of clusters and how sure it is.
    modes_ : array of shape (n_modes, n_features)
        All modes.
    cluster_of_mode_ : array of shape (n_modes,)
        The cluster of each mode.
    tree_ : array
        The affinities along the maximum spanning tree, strongest first.
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
    n_implied_broken_ : int
        Pairs that the links imply are apart but that share a cluster.
    n_representatives_ : int or None
        Into how many the points were gathered; None: each was its own.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : array of shape (n_features,)
        Names of the features, if `X` had any.

    Notes
    -----
    A pickled estimator keeps the points and links, not the model; the first prediction after
    unpickling fits once more, with the same result.

    References
    ----------
    U. Ozertem, D. Erdogmus. Spectral clustering with mean shift preprocessing. 2005.

    Examples
    --------
    >>> from linkshift import SpectralMeanShift
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [9.0], [9.1]]
    >>> SpectralMeanShift(n_clusters=2, bandwidth=1.0).fit(X).labels_
    array([0, 0, 0, 1, 1, 1, 1])
    >>> model = SpectralMeanShift(n_clusters=2, bandwidth=1.0).fit(X, cannot_link=[(3, 5)])
    >>> model.labels_
    array([0, 0, 0, 0, 0, 1, 1])
    """

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        bandwidth: float | str = "silverman",
        bandwidth_factor: float = 0.5,
        k: int = 10,
        route: str = "tree",
        quantise: bool = True,
        min_support: float | None = None,
        negligible: float = 1e-8,
        max_iter: int = 1000,
        tolerance: float = 1e-3,
        representatives: int | str = "auto",
        memory_mb: int | None = None,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.bandwidth = bandwidth
        self.bandwidth_factor = bandwidth_factor
        self.k = k
        self.route = route
        self.quantise = quantise
        self.min_support = min_support
        self.negligible = negligible
        self.max_iter = max_iter
        self.tolerance = tolerance
        self.representatives = representatives
        self.memory_mb = memory_mb
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    def paper(cls, n_clusters: int, **others: Any) -> SpectralMeanShift:
        """The paper to the letter, and any other parameters."""
        literal = {
            "bandwidth_factor": 1.0,
            "min_support": 0.0,
            "negligible": 0.0,
            "representatives": "never",
        }
        return cls(n_clusters=n_clusters, **{**literal, **others})

    def _fit_core(self, X, told, weights, settings, progress):
        return _core.fit_spectral_mean_shift(X, settings, told._columns(), weights, progress)

    def _learn(self, told, index):
        super()._learn(told, index)
        for name, value in self._model.details.items():
            setattr(self, f"{name}_", value)

    def _doubts(self, told):
        yield from super()._doubts(told)
        if self.route != "tree" and len(told):
            message = f"route={self.route!r} does not listen to links: route='tree' does"
            yield UserWarning, message
