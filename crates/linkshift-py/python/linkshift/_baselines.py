"""C-DBSCAN and constrained spectral clustering, with which constrained mean shift was compared."""

from __future__ import annotations

import numpy as np

from . import _core
from ._base import LinkClusterer, check_n_clusters


class CDBSCAN(LinkClusterer):
    """C-DBSCAN: dense regions are clusters, joined and kept apart by links.

    No link is ever broken, unless it is about noise. Weights play no part.

    Parameters
    ----------
    eps : float, default=0.1
        How far a point reaches. 0.1 suits points scaled to 0-1.
    min_points : int, default=4
        Points within reach, itself counted, that make a region dense.
    memory_mb : int, optional
        Fail early with a MemoryError if more megabytes than this would be needed.
    use_y : {"auto", True, False}, default="auto"
        Whether `y` holds partial labels. "auto": only if -1 is among them.
    n_jobs : int, optional
        Threads. None or -1: all processors; -2: all but one. The labels never depend on it.
    verbose : bool, default=False
        Whether to show progress on stderr (with tqdm, if that is installed).

    Attributes
    ----------
    labels_ : array of shape (n_points,)
        The cluster of each point, numbered from 0 by first member; -1 is noise.
    cluster_centers_ : array of shape (n_clusters_, n_features)
        The mean of each cluster.
    n_clusters_ : int
        Number of clusters.
    core_sample_indices_ : array
        The rows of the points in dense regions.
    link_report_, broken_links_ : structured array
        Each link with whether it is kept, and those that are not.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    A new point gets the label of the nearest core point within reach, and so do fitted points, even
    if they owe their cluster to a link.

    References
    ----------
    C. Ruiz, M. Spiliopoulou, E. Menasalvas. C-DBSCAN: Density-Based Clustering with Constraints.
    2007.

    Examples
    --------
    >>> from linkshift import CDBSCAN
    >>> X = [[0.0], [0.1], [0.2], [0.3], [5.0]]
    >>> CDBSCAN(eps=0.15, min_points=2).fit(X).labels_
    array([ 0,  0,  0,  0, -1])
    >>> CDBSCAN(eps=0.15, min_points=2).fit(X, cannot_link=[(1, 2)]).labels_
    array([ 0,  0,  1,  1, -1])
    """

    def __init__(
        self,
        *,
        eps: float = 0.1,
        min_points: int = 4,
        memory_mb: int | None = None,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.eps = eps
        self.min_points = min_points
        self.memory_mb = memory_mb
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _settings(self, X):
        # Nothing is drawn, so there is no seed.
        return {name: getattr(self, name) for name in ("eps", "min_points", "memory_mb", "n_jobs")}

    def _fit_core(self, X, told, weights, settings, progress):
        return _core.fit_cdbscan(X, settings, told._columns(), weights, progress)

    def _learn(self, told, index):
        super()._learn(told, index)
        self.core_sample_indices_ = self._model.details["core_sample_indices"]


class ConstrainedSpectral(LinkClusterer):
    """Constrained spectral clustering: the cheapest cuts that agree with the links.

    Two decompositions of a matrix of all pairs of points: for a few thousand at the most. Weights
    play no part.

    Parameters
    ----------
    n_clusters : int, default=2
        Number of clusters.
    bandwidth : float or {"silverman", "per-point"}, default="silverman"
        Standard deviation of the Gaussian affinity, or the rule that finds it.
    k : int, default=10
        For ``bandwidth="per-point"``: which neighbour.
    beta : float, optional
        How much the cuts must agree with the links. None: half an eigenvalue of theirs.
    memory_mb : int, optional
        Fail early with a MemoryError if more megabytes than this would be needed.
    use_y : {"auto", True, False}, default="auto"
        Whether `y` holds partial labels. "auto": only if -1 is among them.
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
    cluster_centers_ : array of shape (n_clusters_, n_features)
        The mean of each cluster.
    n_clusters_ : int
        Number of clusters.
    bandwidth_ : float
        The bandwidth used; the mean of them if each point had its own.
    beta_ : float
        How much the cuts had to agree with the links.
    costs_ : array
        The costs of the cuts, cheapest first.
    link_report_, broken_links_ : structured array
        Each link with whether it is kept, and those that are not.
    n_features_in_ : int
        Number of features.

    References
    ----------
    X. Wang, B. Qian, I. Davidson. On constrained spectral clustering and its applications. 2014.

    Examples
    --------
    >>> from linkshift import ConstrainedSpectral
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> ConstrainedSpectral(n_clusters=2, bandwidth=1.0).fit(X).labels_
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        bandwidth: float | str = "silverman",
        k: int = 10,
        beta: float | None = None,
        memory_mb: int | None = None,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.bandwidth = bandwidth
        self.k = k
        self.beta = beta
        self.memory_mb = memory_mb
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _settings(self, X):
        check_n_clusters(self.n_clusters, len(X))
        return super()._settings(X)

    def _fit_core(self, X, told, weights, settings, progress):
        return _core.fit_constrained_spectral(X, settings, told._columns(), weights, progress)

    def _learn(self, told, index):
        super()._learn(told, index)
        for name, value in self._model.details.items():
            setattr(self, f"{name}_", value)
