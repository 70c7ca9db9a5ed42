"""Mean shift."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._base import LinkClusterer


class MeanShift(LinkClusterer):
    """Mean shift: every point climbs the density of all points; those that meet are a cluster.

    Links do not change the result. They are accepted all the same, so that estimators can be
    exchanged, and reported on: `link_report_` says which of them hold.

    Parameters
    ----------
    bandwidth : float or str or None, default="percentile"
        How far a point looks: a distance, or a rule that finds one. It is percentile,
        neighbors, silverman, per-point or a number above 0.
    percentile : float, default=15.0
        Which percentile of the distances between points the bandwidth is. It is a number from 0
        to 100.
    alpha : float, default=0.5
        Only with bandwidth="neighbors": the bandwidth is the mean distance to the k-th
        neighbour with k = alpha·√n. It is a number above 0.
    k : int, default=10
        Only with bandwidth="per-point": a point's bandwidth is the distance to its k-th
        neighbour. It is a whole number from 1.
    kernel : str, default="truncated"
        How points count by their distance, x bandwidths: 1 below x = 1, exp(-x²), that above a
        cut, exp(-x²/2). It is ball, rbf, truncated or gaussian.
    cut : float, default=0.2
        Kernel values at or below this count as 0. It is a number above 0, below 1.
    blurring : bool, default=False
        Whether the points themselves move along.
    max_iter : int, default=300
        Iterations at the most. It is a whole number from 1.
    tolerance : float, default=0.001
        A point has arrived when it moves less than this share of the bandwidth. It is a number
        from 0, below 1.
    merge_tolerance : float, default=0.001
        Points this share of the bandwidth apart travel on as one; 0: only equal ones. It is a
        number from 0, below 1.
    mode_radius : float, default=1.0
        Modes within this many bandwidths of a denser one are the same mode. It is a number from
        0.
    seeds : ArrayLike or None, default=None
        Where climbing begins, as many numbers for each place as there are columns; None: at
        every point. It is None or numbers in a list.
    bin_seeding : bool, default=False
        Whether climbing begins at the corners of a grid, one bandwidth wide, instead of at
        every point.
    min_bin_freq : int, default=1
        Only with bin_seeding=True: points that a cell of that grid must hold. It is a whole
        number from 1.
    labels : str or None, default=None
        A point's cluster: the mode it climbs to, or the nearest; None: basin if every point
        climbs. It is None, basin or nearest.
    cluster_all : bool, default=True
        Whether lone points are in a cluster, too, or else noise (label -1).
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
        The cluster of each point, numbered from 0 by first member; -1 is noise.
    cluster_centers_ : array of shape (n_clusters, n_features)
        The mode of each cluster, of the type of the points.
    n_clusters_ : int
        Number of clusters.
    bandwidth_ : float
        The bandwidth used; the mean of them if each point had its own.
    kernel_ : str
        The name of the kernel.
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

    Examples
    --------
    >>> from linkshift import MeanShift
    >>> model = MeanShift(bandwidth=1.0).fit([[0.0], [0.1], [0.2], [5.0], [5.1]])
    >>> model.labels_
    array([0, 0, 0, 1, 1])
    >>> model.predict([[4.0]])
    array([1])
    """

    _method = "mean-shift"

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
        tolerance: float = 0.001,
        merge_tolerance: float = 0.001,
        mode_radius: float = 1.0,
        seeds: ArrayLike | None = None,
        bin_seeding: bool = False,
        min_bin_freq: int = 1,
        labels: str | None = None,
        cluster_all: bool = True,
        obey: str = "certain",
        memory_mb: int | None = None,
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
        self.obey = obey
        self.memory_mb = memory_mb
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    def like_scikit_learn(cls, bandwidth: float, **others: Any) -> MeanShift:
        """Settings that agree with scikit-learn's ``MeanShift(bandwidth=bandwidth)``.

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
        return cls._preset("like_scikit_learn", bandwidth=bandwidth, **others)

    def _check_params(self, points: NDArray[Any]) -> None:
        super()._check_params(points)
        if self.seeds is None or isinstance(self.seeds, str):
            return
        seeds, n_features = np.asarray(self.seeds), points.shape[1]
        if seeds.ndim != 2 or seeds.shape[1] != n_features:
            raise ValueError(
                f"seeds has shape {seeds.shape}: give rows of {n_features} numbers, as in X"
            )
