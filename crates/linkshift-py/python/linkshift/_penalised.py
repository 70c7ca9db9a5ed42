"""Relatives of k-means in which a broken link has a price."""

from __future__ import annotations

import numpy as np

from ._base import LinkClusterer


class PCKMeans(LinkClusterer):
    """PCKMeans: k-means in which a broken link has a price.

    The price is `penalty` times the confidence of the link, whatever its length.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters. It is a whole number from 1.
    penalty : float, default=1.0
        A factor on what broken links cost. It is a number from 0 to 100000000000000000000000000
        00000000000000000000000000000000000000000000000000000000000000000000000000.
    n_init : int, default=4
        Runs from different starts, of which the one with the lowest objective is kept. It is a
        whole number from 1.
    max_iter : int, default=300
        Iterations of a run at the most. It is a whole number from 1.
    tolerance : float, default=1e-06
        A run ends when an iteration lowers the objective by no more than this share of it. It
        is a number from 0, below 1.
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
        Number of clusters found; fewer than asked for if there are fewer different points.
    objective_ : float
        What was made small, in the end.
    pairs_left_out_ : int
        Implied pairs that `link_cap` left out; 0 where there is no such cap.
    representatives_ : array of shape (n_representatives, n_features)
        All centers, cluster by cluster: one for each, but in `AMPCC`.
    metrics_ : array of shape (n_metrics, n_features, n_features)
        The learned metrics: none, but in `MPCKMeans` one, or one for each cluster.
    n_iter_ : int
        Iterations of the best run.
    converged_ : bool
        Whether the best run came to rest; if not, there was a ConvergenceWarning.
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
    S. Basu, M. Bilenko, R. Mooney. Active Semi-Supervision for Pairwise Constrained Clustering.
    SDM 2004.

    Examples
    --------
    >>> from linkshift import PCKMeans
    >>> X = [[0.0], [0.1], [0.5], [0.9], [1.0]]
    >>> model = PCKMeans(n_clusters=2).fit(X, must_link=[(1, 2)], cannot_link=[(2, 3)])
    >>> model.labels_
    array([0, 0, 0, 1, 1])
    """

    _method = "pck"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        penalty: float = 1.0,
        n_init: int = 4,
        max_iter: int = 300,
        tolerance: float = 1e-06,
        obey: str = "certain",
        memory_mb: int | None = None,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.penalty = penalty
        self.n_init = n_init
        self.max_iter = max_iter
        self.tolerance = tolerance
        self.obey = obey
        self.memory_mb = memory_mb
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


class MPCKMeans(LinkClusterer):
    """MPCKMeans: PCKMeans that learns how columns count.

    A broken link costs by its length under the metric that is learned along the way.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters. It is a whole number from 1.
    penalty : float, default=1.0
        A factor on what broken links cost. It is a number from 0 to 100000000000000000000000000
        00000000000000000000000000000000000000000000000000000000000000000000000000.
    metric : str, default="diagonal"
        A weight for each column, or a whole matrix. It is diagonal or full.
    shared : bool, default=True
        Whether all clusters share one metric.
    link_cap : int, default=10000
        Pairs that a group, or two groups apart, may stand for; beyond it as many are drawn. It
        is a whole number from 1.
    n_init : int, default=4
        Runs from different starts, of which the one with the lowest objective is kept. It is a
        whole number from 1.
    max_iter : int, default=300
        Iterations of a run at the most. It is a whole number from 1.
    tolerance : float, default=1e-06
        A run ends when an iteration lowers the objective by no more than this share of it. It
        is a number from 0, below 1.
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
        Number of clusters found; fewer than asked for if there are fewer different points.
    objective_ : float
        What was made small, in the end.
    pairs_left_out_ : int
        Implied pairs that `link_cap` left out; 0 where there is no such cap.
    representatives_ : array of shape (n_representatives, n_features)
        All centers, cluster by cluster: one for each, but in `AMPCC`.
    metrics_ : array of shape (n_metrics, n_features, n_features)
        The learned metrics: none, but in `MPCKMeans` one, or one for each cluster.
    n_iter_ : int
        Iterations of the best run.
    converged_ : bool
        Whether the best run came to rest; if not, there was a ConvergenceWarning.
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
    M. Bilenko, S. Basu, R. Mooney. Integrating Constraints and Metric Learning in Semi-Supervised
    Clustering. ICML 2004.

    Examples
    --------
    >>> from linkshift import MPCKMeans
    >>> X = [[0.0], [0.1], [0.5], [0.9], [1.0]]
    >>> model = MPCKMeans(n_clusters=2).fit(X, must_link=[(1, 2)], cannot_link=[(2, 3)])
    >>> model.labels_
    array([0, 0, 0, 1, 1])
    """

    _method = "mpck"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        penalty: float = 1.0,
        metric: str = "diagonal",
        shared: bool = True,
        link_cap: int = 10000,
        n_init: int = 4,
        max_iter: int = 300,
        tolerance: float = 1e-06,
        obey: str = "certain",
        memory_mb: int | None = None,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.penalty = penalty
        self.metric = metric
        self.shared = shared
        self.link_cap = link_cap
        self.n_init = n_init
        self.max_iter = max_iter
        self.tolerance = tolerance
        self.obey = obey
        self.memory_mb = memory_mb
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


class PCCKMeans(LinkClusterer):
    """PCCKMeans: must-linked points travel as one.

    Must-links are never broken; a broken cannot-link costs the product of the sizes of its groups.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters. It is a whole number from 1.
    penalty : float, default=1.0
        A factor on what broken links cost. It is a number from 0 to 100000000000000000000000000
        00000000000000000000000000000000000000000000000000000000000000000000000000.
    n_init : int, default=4
        Runs from different starts, of which the one with the lowest objective is kept. It is a
        whole number from 1.
    max_iter : int, default=300
        Iterations of a run at the most. It is a whole number from 1.
    tolerance : float, default=1e-06
        A run ends when an iteration lowers the objective by no more than this share of it. It
        is a number from 0, below 1.
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
        Number of clusters found; fewer than asked for if there are fewer different points.
    objective_ : float
        What was made small, in the end.
    pairs_left_out_ : int
        Implied pairs that `link_cap` left out; 0 where there is no such cap.
    representatives_ : array of shape (n_representatives, n_features)
        All centers, cluster by cluster: one for each, but in `AMPCC`.
    metrics_ : array of shape (n_metrics, n_features, n_features)
        The learned metrics: none, but in `MPCKMeans` one, or one for each cluster.
    n_iter_ : int
        Iterations of the best run.
    converged_ : bool
        Whether the best run came to rest; if not, there was a ConvergenceWarning.
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
    S. Zhang, H.-S. Wong. Partial Closure-based Constrained Clustering with Order Ranking.
    ICPR 2008.

    Examples
    --------
    >>> from linkshift import PCCKMeans
    >>> X = [[0.0], [0.1], [0.5], [0.9], [1.0]]
    >>> model = PCCKMeans(n_clusters=2).fit(X, must_link=[(1, 2)], cannot_link=[(2, 3)])
    >>> model.labels_
    array([0, 0, 0, 1, 1])
    """

    _method = "pcck"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        penalty: float = 1.0,
        n_init: int = 4,
        max_iter: int = 300,
        tolerance: float = 1e-06,
        obey: str = "certain",
        memory_mb: int | None = None,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.penalty = penalty
        self.n_init = n_init
        self.max_iter = max_iter
        self.tolerance = tolerance
        self.obey = obey
        self.memory_mb = memory_mb
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
