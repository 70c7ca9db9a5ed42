"""C-DBSCAN and constrained spectral clustering, with which constrained mean shift was compared."""

from __future__ import annotations

import numpy as np

from ._base import LinkClusterer


class CDBSCAN(LinkClusterer):
    """C-DBSCAN: dense regions are clusters, joined and kept apart by links.

    No link is ever broken, unless it is about noise. Weights play no part.

    Parameters
    ----------
    eps : float, default=0.1
        How far a point reaches; 0.1 suits columns scaled to 0–1 (min-max). It is a number above
        0.
    min_points : int, default=4
        Points within reach, itself counted, that make a region dense. It is a whole number from
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
    eps_ : float
        How near was near enough.
    n_core_points_ : int
        Number of points in dense regions.
    core_sample_indices_ : array
        The rows of the points in dense regions.
    n_iter_ : int
        Steps done.
    converged_ : bool
        Whether it came to rest: always.
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

    _method = "cdbscan"

    def __init__(
        self,
        *,
        eps: float = 0.1,
        min_points: int = 4,
        obey: str = "certain",
        memory_mb: int | None = None,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.eps = eps
        self.min_points = min_points
        self.obey = obey
        self.memory_mb = memory_mb
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.verbose = verbose


class ConstrainedSpectral(LinkClusterer):
    """Constrained spectral clustering: the cheapest cuts that agree with the links.

    Two decompositions of a matrix of all pairs of points: for a few thousand at the most. Weights
    play no part.

    Parameters
    ----------
    n_clusters : int, default=2
        Number of clusters. It is a whole number from 1.
    bandwidth : float or str, default="silverman"
        σ of the Gaussian affinity: a distance, or a rule that finds one. It is percentile,
        neighbors, silverman, per-point or a number above 0.
    percentile : float, default=15.0
        Only with bandwidth="percentile": which percentile of the distances between points the
        bandwidth is. It is a number from 0 to 100.
    alpha : float, default=0.5
        Only with bandwidth="neighbors": the bandwidth is the mean distance to the k-th
        neighbour with k = alpha·√n. It is a number above 0.
    k : int, default=10
        Only with bandwidth="per-point": a point's bandwidth is the distance to its k-th
        neighbour. It is a whole number from 1.
    beta : float or None, default=None
        How much the cuts must agree with the links; None: half an eigenvalue of theirs. It is
        None or a number.
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
    n_iter_ : int
        Steps done.
    converged_ : bool
        Whether it came to rest: always.
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
    X. Wang, B. Qian, I. Davidson. On constrained spectral clustering and its applications. 2014.

    Examples
    --------
    >>> from linkshift import ConstrainedSpectral
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> ConstrainedSpectral(n_clusters=2, bandwidth=1.0).fit(X).labels_
    array([0, 0, 0, 1, 1, 1])
    """

    _method = "constrained-spectral"

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        bandwidth: float | str = "silverman",
        percentile: float = 15.0,
        alpha: float = 0.5,
        k: int = 10,
        beta: float | None = None,
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
        self.beta = beta
        self.obey = obey
        self.memory_mb = memory_mb
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
