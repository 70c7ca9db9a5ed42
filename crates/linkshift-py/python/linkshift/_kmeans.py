"""k-means and its relatives that listen to links."""

from __future__ import annotations

import numpy as np

from . import _core
from ._base import LinkClusterer, check_n_clusters

_OWN = ("n_orders", "penalty", "metric", "shared", "link_cap", "n_representatives")


class _KMeansFamily(LinkClusterer):
    """What they share: a subclass has its parameters and the name of its method."""

    _method: str

    def _settings(self, X):
        check_n_clusters(self.n_clusters, len(X))
        return {**dict.fromkeys(_OWN), **super()._settings(X), "method": self._method}

    def _fit_core(self, X, told, weights, settings, progress):
        return _core.fit_kmeans(X, settings, told._columns(), weights, progress)

    def _learn(self, told, index):
        super()._learn(told, index)
        self.objective_ = self._model.details["objective"]


class KMeans(_KMeansFamily):
    """k-means: each center is the mean of the points nearest to it.

    The base of the other members of the family; it does not use links, but reports on them.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    n_init : int, default=4
        Runs from different starts, of which the one with the lowest objective is kept.
    max_iter : int, default=300
        Iterations of a run at the most.
    tolerance : float, default=1e-6
        A run ends when an iteration lowers the objective by no more than this share of it.
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
        Number of clusters found; fewer than asked for if there are fewer different points.
    objective_ : float
        What was made small, in the end.
    n_iter_, converged_
        Iterations of the best run, and whether it came to rest.
    link_report_, broken_links_ : structured array
        Each link with whether it is kept, and those that are not.
    n_features_in_ : int
        Number of features.

    References
    ----------
    D. Arthur, S. Vassilvitskii. k-means++: The Advantages of Careful Seeding. SODA 2007.

    Examples
    --------
    >>> from linkshift import KMeans
    >>> KMeans(n_clusters=2).fit([[0.0], [0.1], [0.9], [1.0]]).labels_
    array([0, 0, 1, 1])
    """

    _method = "kmeans"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_init: int = 4,
        max_iter: int = 300,
        tolerance: float = 1e-6,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.tolerance = tolerance
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


class COPKMeans(_KMeansFamily):
    """COP-k-means: k-means in which no link is ever broken.

    If no assignment keeps all links, fit raises a ValueError that names links which block each
    other; there is never half a result.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    n_orders : int, default=20
        Orders of assignment tried before it is said that none keeps all links.
    n_init : int, default=4
        Runs from different starts, of which the one with the lowest objective is kept.
    max_iter : int, default=300
        Iterations of a run at the most.
    tolerance : float, default=1e-6
        A run ends when an iteration lowers the objective by no more than this share of it.
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
        Number of clusters found; fewer than asked for if there are fewer different points.
    objective_ : float
        What was made small, in the end.
    n_iter_, converged_
        Iterations of the best run, and whether it came to rest.
    link_report_, broken_links_ : structured array
        Each link with whether it is kept, and those that are not.
    n_features_in_ : int
        Number of features.

    References
    ----------
    K. Wagstaff et al. Constrained K-means Clustering with Background Knowledge. ICML 2001.

    Examples
    --------
    >>> from linkshift import COPKMeans
    >>> X = [[0.0], [0.1], [0.5], [0.9], [1.0]]
    >>> model = COPKMeans(n_clusters=2).fit(X, must_link=[(1, 2)], cannot_link=[(2, 3)])
    >>> model.labels_
    array([0, 0, 0, 1, 1])
    """

    _method = "cop"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_orders: int = 20,
        n_init: int = 4,
        max_iter: int = 300,
        tolerance: float = 1e-6,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_orders = n_orders
        self.n_init = n_init
        self.max_iter = max_iter
        self.tolerance = tolerance
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


class PCKMeans(_KMeansFamily):
    """PCKMeans: k-means in which a broken link has a price.

    The price is `penalty` times the confidence of the link, whatever its length.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    penalty : float, default=1
        A factor on what broken links cost.
    n_init : int, default=4
        Runs from different starts, of which the one with the lowest objective is kept.
    max_iter : int, default=300
        Iterations of a run at the most.
    tolerance : float, default=1e-6
        A run ends when an iteration lowers the objective by no more than this share of it.
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
        Number of clusters found; fewer than asked for if there are fewer different points.
    objective_ : float
        What was made small, in the end.
    n_iter_, converged_
        Iterations of the best run, and whether it came to rest.
    link_report_, broken_links_ : structured array
        Each link with whether it is kept, and those that are not.
    n_features_in_ : int
        Number of features.

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
        tolerance: float = 1e-6,
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
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


class MPCKMeans(_KMeansFamily):
    """MPCKMeans: PCKMeans that learns how columns count.

    A broken link costs by its length under the metric that is learned along the way.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    penalty : float, default=1
        A factor on what broken links cost.
    metric : {"diagonal", "full"}, default="diagonal"
        A weight for each column, or a whole matrix.
    shared : bool, default=True
        Whether all clusters share one metric.
    link_cap : int, default=10000
        Pairs that a group, or two groups apart, may stand for; beyond it as many are drawn.
    n_init : int, default=4
        Runs from different starts, of which the one with the lowest objective is kept.
    max_iter : int, default=300
        Iterations of a run at the most.
    tolerance : float, default=1e-6
        A run ends when an iteration lowers the objective by no more than this share of it.
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
        Number of clusters found; fewer than asked for if there are fewer different points.
    objective_ : float
        What was made small, in the end.
    n_iter_, converged_
        Iterations of the best run, and whether it came to rest.
    link_report_, broken_links_ : structured array
        Each link with whether it is kept, and those that are not.
    metrics_ : array of shape (1 or n_clusters_, n_features, n_features)
        The learned metrics.
    pairs_left_out_ : int
        Implied pairs that `link_cap` left out.
    n_features_in_ : int
        Number of features.

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
        link_cap: int = 10_000,
        n_init: int = 4,
        max_iter: int = 300,
        tolerance: float = 1e-6,
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
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _learn(self, told, index):
        super()._learn(told, index)
        self.metrics_ = self._model.details["metrics"]
        self.pairs_left_out_ = self._model.details["pairs_left_out"]


class PCCKMeans(_KMeansFamily):
    """PCCKMeans: must-linked points travel as one.

    Must-links are never broken; a broken cannot-link costs the product of the sizes of its groups.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    penalty : float, default=1
        A factor on what broken links cost.
    n_init : int, default=4
        Runs from different starts, of which the one with the lowest objective is kept.
    max_iter : int, default=300
        Iterations of a run at the most.
    tolerance : float, default=1e-6
        A run ends when an iteration lowers the objective by no more than this share of it.
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
        Number of clusters found; fewer than asked for if there are fewer different points.
    objective_ : float
        What was made small, in the end.
    n_iter_, converged_
        Iterations of the best run, and whether it came to rest.
    link_report_, broken_links_ : structured array
        Each link with whether it is kept, and those that are not.
    n_features_in_ : int
        Number of features.

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
        tolerance: float = 1e-6,
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
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


class AMPCC(_KMeansFamily):
    """AMPCC: several centers for each cluster.

    They are found in the points that links name for the cluster, so that clusters need not be
    round. Made for links in which each class has one group, all held apart from each other, as
    Explore & Consolidate and partial labels give them.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    penalty : float, default=1
        A factor on what broken links cost.
    n_representatives : int, optional
        Centers of each cluster. Default: the root of the smallest group, rounded up.
    n_init : int, default=4
        Runs from different starts, of which the one with the lowest objective is kept.
    max_iter : int, default=300
        Iterations of a run at the most.
    tolerance : float, default=1e-6
        A run ends when an iteration lowers the objective by no more than this share of it.
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
        Number of clusters found; fewer than asked for if there are fewer different points.
    objective_ : float
        What was made small, in the end.
    n_iter_, converged_
        Iterations of the best run, and whether it came to rest.
    link_report_, broken_links_ : structured array
        Each link with whether it is kept, and those that are not.
    representatives_ : array of shape (n_clusters_ * centers of each, n_features)
        All centers, cluster by cluster.
    n_features_in_ : int
        Number of features.

    References
    ----------
    S. Zhang, H.-S. Wong. Active constrained clustering with multiple cluster representatives.

    Examples
    --------
    >>> from linkshift import AMPCC
    >>> X = [[0.0], [0.1], [0.5], [0.9], [1.0]]
    >>> model = AMPCC(n_clusters=2).fit(X, must_link=[(1, 2)], cannot_link=[(2, 3)])
    >>> model.labels_
    array([0, 0, 0, 1, 1])
    """

    _method = "ampcc"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        penalty: float = 1.0,
        n_representatives: int | None = None,
        n_init: int = 4,
        max_iter: int = 300,
        tolerance: float = 1e-6,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.penalty = penalty
        self.n_representatives = n_representatives
        self.n_init = n_init
        self.max_iter = max_iter
        self.tolerance = tolerance
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _learn(self, told, index):
        super()._learn(told, index)
        self.representatives_ = self._model.details["representatives"]
