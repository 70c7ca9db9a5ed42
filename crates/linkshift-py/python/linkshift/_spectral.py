"""Spectral clustering after mean shift."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._base import LinkClusterer


class SpectralMeanShift(LinkClusterer):
    """Mean shift finds modes, and their graph is cut where it is weakest.

    Spectral clustering needs a matrix of all pairs of points; here it is one of the modes of their
    density, which are few. Must-links join modes and cannot-links hold them apart.

    Parameters
    ----------
    n_clusters : int or None, default=None
        Number of clusters; None: from the points. It is None or a whole number from 1.
    bandwidth : float or str, default="silverman"
        σ of the Gaussian: a distance, or a rule that finds one. It is percentile, neighbors,
        silverman, per-point or a number above 0.
    percentile : float, default=15.0
        Only with bandwidth="percentile": which percentile of the distances between points the
        bandwidth is. It is a number from 0 to 100.
    alpha : float, default=0.5
        Only with bandwidth="neighbors": the bandwidth is the mean distance to the k-th
        neighbour with k = alpha·√n. It is a number above 0.
    k : int, default=10
        Only with bandwidth="per-point": a point's bandwidth is the distance to its k-th
        neighbour. It is a whole number from 1.
    bandwidth_factor : float, default=0.5
        What the bandwidth is multiplied by; 1 is the paper's. It is a number above 0.
    route : str, default="tree"
        From affinities to clusters; only the tree listens to links. It is tree, leading-vector,
        second-vector or embedding.
    quantise : bool, default=True
        Whether the matrix is of modes, or of all points (without mean shift).
    min_support : float or None, default=None
        Route=tree: modes with a smaller share of the points join others; None: 0.2/n_clusters,
        or 0.01. It is None or a number from 0, below 1.
    negligible : float, default=1e-08
        Kernel values at or below this count as 0. It is a number from 0, below 1.
    max_iter : int, default=1000
        Iterations of mean shift at the most. It is a whole number from 1.
    tolerance : float, default=0.001
        A point has arrived when it moves less than this share of the bandwidth. It is a number
        from 0, below 1.
    representatives : int or str or None, default=None
        Gather points into this many weighted ones first, if there are more; None: 500 (in the
        plane 300) above 1000 without links, else 4000. It is None, never or a whole number from
        1.
    obey : str, default="certain"
        Certain: as few points as possible change their cluster, so that every link of
        confidence 1 is kept; as-found: the labels stay. It is certain or as-found.
    memory_mb : int or None, default=None
        What the fit may use, in megabytes: it fails early if it would need more; None: no
        limit. It is None or a whole number from 1.
    use_y : bool or str, default="auto"
        Whether `y` holds partial labels. "auto": only if -1 is among them, so that tools which pass
        full labels along do not change the result.
    n_jobs : int or None, default=None
        Threads. None or -1: all processors; -2: all but one. The labels never depend on it.
    random_state : int or np.random.RandomState or None, default=None
        Seed of everything that is drawn by chance; None means 0, so results never vary by
        themselves.
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
    bandwidth_ : float
        The bandwidth used; the mean of them if each point had its own.
    route_ : str
        How clusters were made of affinities.
    n_modes_ : int
        Number of modes.
    n_clusters_found_ : int or None
        The number of clusters as the points suggest it, if it was not told.
    certainty_ : str or None
        How sure that is: "clear", "likely" or "doubtful".
    next_best_ : int or None
        The next best number of clusters.
    n_representatives_ : int or None
        Into how many the points were gathered; None: each was its own.
    rms_distance_ : float or None
        How far representatives lie from their points: the root of the mean square.
    n_implied_broken_ : int
        Pairs that the links imply are apart but that share a cluster.
    modes_ : array of shape (n_modes, n_features)
        All modes.
    cluster_of_mode_ : array of shape (n_modes,)
        The cluster of each mode.
    tree_ : array
        The affinities along the maximum spanning tree, strongest first.
    n_iter_ : int
        Iterations done.
    converged_ : bool
        Whether every point arrived; if not, there was a ConvergenceWarning.
    notes_ : list of str
        What a person should know besides; doubts among them were warnings.
    link_report_ : structured array of shape (n_links,)
        Each link with its ends ``a`` and ``b``, ``kind``, ``confidence`` and whether it is
        ``kept``. ``pandas.DataFrame(link_report_)`` makes a table of it.
    broken_links_ : structured array
        The rows of `link_report_` that are not kept.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : array of shape (n_features,)
        Names of the features, if `X` had any.

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

    _method = "spectral"

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        bandwidth: float | str = "silverman",
        percentile: float = 15.0,
        alpha: float = 0.5,
        k: int = 10,
        bandwidth_factor: float = 0.5,
        route: str = "tree",
        quantise: bool = True,
        min_support: float | None = None,
        negligible: float = 1e-08,
        max_iter: int = 1000,
        tolerance: float = 0.001,
        representatives: int | str | None = None,
        obey: str = "certain",
        memory_mb: int | None = None,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.bandwidth = bandwidth
        self.percentile = percentile
        self.alpha = alpha
        self.k = k
        self.bandwidth_factor = bandwidth_factor
        self.route = route
        self.quantise = quantise
        self.min_support = min_support
        self.negligible = negligible
        self.max_iter = max_iter
        self.tolerance = tolerance
        self.representatives = representatives
        self.obey = obey
        self.memory_mb = memory_mb
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    def paper(cls, n_clusters: int, **others: Any) -> SpectralMeanShift:
        """The paper to the letter, and any other parameters."""
        return cls._preset("paper", n_clusters=n_clusters, **others)
