"""Boosted mean shift."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._base import LinkClusterer


class BoostedMeanShift(LinkClusterer):
    """Boosted mean shift: many small mean shifts find the skeleton of the clusters.

    The points are dealt to the cells of a torus. In every epoch each cell finds the modes of its
    points and draws its next points from its neighbours, those near modes more often; DBSCAN groups
    the modes of all epochs; every point climbs a few steps by mean shift and takes the group of the
    mode that is nearest then. Made for many points: the cells hold at most 100,800 of them, the
    others are only assigned.

    Parameters
    ----------
    cells : tuple[int, int] or str or None, default=None
        The torus of cells; None: 3x3, from 10,000 points 5x5, up to 10x10. It is None or width
        x height as in 5x5.
    cell_size : int, default=1008
        Points a cell holds at most; of more, the cells get a part drawn at random. It is a
        whole number from 1.
    neighborhood : str, default="compact-9"
        The cells that exchange points. It is linear-5, linear-9, compact-9 or compact-13.
    bandwidth : float or str, default="neighbors"
        How far a point looks: a distance, or a rule that finds one from each cell. It is
        percentile, neighbors, silverman or a number above 0.
    percentile : float, default=15.0
        Only with bandwidth="percentile": which percentile of the distances between points the
        bandwidth is. It is a number from 0 to 100.
    alpha : float, default=0.5
        The bandwidth is the mean distance to the k-th neighbour with k = alpha·√n. It is a
        number above 0.
    kernel : str, default="rbf"
        How points count by their distance, x bandwidths: 1 below x = 1, exp(-x²), that above a
        cut, exp(-x²/2). It is ball, rbf, truncated or gaussian.
    cut : float, default=0.2
        Only with kernel="truncated": kernel values at or below this count as 0. It is a number
        above 0, below 1.
    least_support : int or None, default=None
        Modes that fewer points of a cell climb to are dropped; None: half the root of the
        cell's points, at least 4. It is None or a whole number from 1.
    eps : float or str, default="median"
        How near two modes must be to belong together; median: of the distances to the k-th
        nearest mode, k = min_points. It is median or a number above 0, bandwidths as in 0.6h.
    min_points : int or None, default=None
        Modes within eps, itself counted, that make a mode part of a cluster's core; None: 4/9
        of the cells. It is None or a whole number from 1.
    stable_epochs : int, default=3
        Epochs in a row with the same number of clusters that end the run. It is a whole number
        from 1.
    max_epochs : int, default=50
        Epochs at the most. It is a whole number from 1.
    small_support : int or None, default=None
        Points of all cells together that make a cluster too small for any one cell, 0: none is
        looked for; None: half the root of their number, 0 up to 25,200 points. It is None or a
        whole number from 0.
    climb_steps : int, default=3
        Steps of mean shift that a point takes before it takes the cluster of the nearest mode;
        0 in the paper. It is a whole number from 0.
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
        Of the modes of each cluster the one that most points climbed to.
    n_clusters_ : int
        Number of clusters.
    bandwidth_ : float
        The bandwidth of the first epoch.
    eps_ : float
        How near two modes had to be to belong together.
    cells_ : str
        The torus of cells, as in "3x3".
    n_modes_found_ : int
        Modes found in all epochs, noise counted.
    n_drawn_ : int
        How many points the cells held at first.
    modes_ : array of shape (n_modes, n_features)
        All modes that make up the clusters.
    mode_labels_ : array of shape (n_modes,)
        The cluster of each mode.
    n_iter_ : int
        Epochs done.
    converged_ : bool
        Whether the number of clusters was stable in the end; if not, there was a
        ConvergenceWarning.
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
    Features of different units should be scaled first, to unit variance, say.

    References
    ----------
    Y. Ren, U. Kamath, C. Domeniconi, G. Zhang. Boosted Mean Shift Clustering. ECML PKDD 2014.

    Examples
    --------
    >>> import numpy as np
    >>> from linkshift import BoostedMeanShift
    >>> X = np.random.default_rng(0).normal(size=(600, 2))
    >>> X[300:] += 9
    >>> model = BoostedMeanShift().fit(X)
    >>> model.n_clusters_
    2
    >>> model.predict([[8.5, 9.0]])
    array([1])
    """

    _method = "boosted"

    def __init__(
        self,
        *,
        cells: tuple[int, int] | str | None = None,
        cell_size: int = 1008,
        neighborhood: str = "compact-9",
        bandwidth: float | str = "neighbors",
        percentile: float = 15.0,
        alpha: float = 0.5,
        kernel: str = "rbf",
        cut: float = 0.2,
        least_support: int | None = None,
        eps: float | str = "median",
        min_points: int | None = None,
        stable_epochs: int = 3,
        max_epochs: int = 50,
        small_support: int | None = None,
        climb_steps: int = 3,
        obey: str = "certain",
        memory_mb: int | None = None,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.cells = cells
        self.cell_size = cell_size
        self.neighborhood = neighborhood
        self.bandwidth = bandwidth
        self.percentile = percentile
        self.alpha = alpha
        self.kernel = kernel
        self.cut = cut
        self.least_support = least_support
        self.eps = eps
        self.min_points = min_points
        self.stable_epochs = stable_epochs
        self.max_epochs = max_epochs
        self.small_support = small_support
        self.climb_steps = climb_steps
        self.obey = obey
        self.memory_mb = memory_mb
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    def paper(cls, **others: Any) -> BoostedMeanShift:
        """The text of the paper literally, and any other parameters."""
        return cls._preset("paper", **others)
