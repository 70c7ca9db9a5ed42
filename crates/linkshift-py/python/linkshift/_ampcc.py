"""A relative of k-means with several centers for each cluster."""

from __future__ import annotations

import numpy as np

from ._base import LinkClusterer


class AMPCC(LinkClusterer):
    """AMPCC: several centers for each cluster.

    They are found in the points that links name for the cluster, so that clusters need not be
    round. Made for links in which each class has one group, all held apart from each other, as
    Explore & Consolidate and partial labels give them.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters. It is a whole number from 1.
    penalty : float, default=1.0
        A factor on what broken links cost. It is a number from 0 to 100000000000000000000000000
        00000000000000000000000000000000000000000000000000000000000000000000000000.
    n_representatives : int or None, default=None
        Centers of each cluster; None: the root of the smallest group, rounded up. It is None or
        a whole number from 1.
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
        self.n_representatives = n_representatives
        self.n_init = n_init
        self.max_iter = max_iter
        self.tolerance = tolerance
        self.obey = obey
        self.memory_mb = memory_mb
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
