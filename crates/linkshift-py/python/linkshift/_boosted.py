"""Boosted mean shift."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from . import _core
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
    cells : (int, int) or "auto", default="auto"
        Width and height of the torus. "auto": (3, 3), from 10,000 points (5, 5), up to (10, 10).
    cell_size : int, default=1008
        Points a cell holds at most; of more, the cells get a part drawn at random.
    neighborhood : {"linear-5", "linear-9", "compact-9", "compact-13"}, default="compact-9"
        The cells that exchange points.
    bandwidth : float or {"neighbors", "silverman"}, default="neighbors"
        How far a point looks. "neighbors": the mean distance to the k-th neighbour in its cell,
        k = `alpha`·√(points in the cell), as a mean over the cells, anew in every epoch.
    alpha : float, default=0.5
        For ``bandwidth="neighbors"``.
    kernel : {"ball", "truncated", "rbf", "gaussian"}, default="rbf"
        How points count by their distance, x bandwidths: 1 below x = 1, exp(-x²) above `cut`,
        exp(-x²), exp(-x²/2).
    cut : float, default=0.2
        For ``kernel="truncated"``: values at or below this count as 0.
    least_support : int or "auto", default="auto"
        Modes that fewer points of a cell climb to are dropped. "auto": half the root of the number
        of points in the cell, at least 4.
    eps : float or str, default="median"
        How near two modes must be to belong together: a distance, bandwidths as in "0.6h", or
        "median", that of the distances to the k-th nearest mode, k being `min_points`.
    min_points : int or "auto", default="auto"
        Modes within `eps`, itself counted, that make a mode part of a cluster's core. "auto": four
        ninths of the number of cells.
    stable_epochs : int, default=3
        Epochs in a row with the same number of clusters that end the run.
    max_epochs : int, default=50
        Epochs at the most.
    climb_steps : int, default=3
        Steps of mean shift that a point takes before it takes the cluster of the nearest mode; 0
        in the paper.
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
        Of the modes of each cluster the one that most points climbed to.
    modes_ : array of shape (n_modes, n_features)
        All modes that make up the clusters.
    mode_labels_ : array of shape (n_modes,)
        The cluster of each mode.
    n_clusters_ : int
        Number of clusters.
    bandwidth_ : float
        The bandwidth of the first epoch.
    eps_ : float
        How near two modes had to be to belong together.
    n_drawn_ : int
        How many points the cells held at first.
    n_iter_ : int
        Epochs done.
    converged_ : bool
        Whether the number of clusters was stable in the end; if not, there was a
        ConvergenceWarning.
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

    A pickled estimator keeps the points and links, not the model; the first prediction after
    unpickling fits once more, with the same result.

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

    def __init__(
        self,
        *,
        cells: tuple[int, int] | str = "auto",
        cell_size: int = 1008,
        neighborhood: str = "compact-9",
        bandwidth: float | str = "neighbors",
        alpha: float = 0.5,
        kernel: str = "rbf",
        cut: float = 0.2,
        least_support: int | str = "auto",
        eps: float | str = "median",
        min_points: int | str = "auto",
        stable_epochs: int = 3,
        max_epochs: int = 50,
        climb_steps: int = 3,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.cells = cells
        self.cell_size = cell_size
        self.neighborhood = neighborhood
        self.bandwidth = bandwidth
        self.alpha = alpha
        self.kernel = kernel
        self.cut = cut
        self.least_support = least_support
        self.eps = eps
        self.min_points = min_points
        self.stable_epochs = stable_epochs
        self.max_epochs = max_epochs
        self.climb_steps = climb_steps
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    def paper(cls, **others: Any) -> BoostedMeanShift:
        """The text of the paper literally, and any other parameters."""
        literal = {
            "neighborhood": "linear-5",
            "least_support": 1,
            "min_points": 4,
            "climb_steps": 0,
        }
        return cls(**{**literal, **others})

    def _fit_core(self, X, told, weights, settings, progress):
        return _core.fit_boosted_mean_shift(X, settings, told._columns(), weights, progress)

    def _learn(self, told, index):
        super()._learn(told, index)
        for name, value in self._model.details.items():
            setattr(self, f"{name}_", value)

    def _doubts(self, told):
        if not self.converged_:
            yield (
                ConvergenceWarning,
                f"the number of clusters was not stable after {self.n_iter_} epochs: "
                "a larger max_epochs may let it settle",
            )
