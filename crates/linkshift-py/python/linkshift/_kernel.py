"""Kernel mean shift."""

from __future__ import annotations

import numpy as np

from . import _core
from ._base import LinkClusterer


class KernelMeanShift(LinkClusterer):
    """Kernel mean shift: any similarity, in a feature space that links reshape.

    A must-link projects the space to where its two ends are one, which joins what lies along
    with them; a cannot-link, or a must-link of a confidence below 1, stretches or shrinks it.

    Parameters
    ----------
    kernel : {"gaussian", "polynomial", "linear", "chi2", "cosine", "precomputed"}, \
            default="gaussian"
        How similar two points are. "chi2" is for histograms; "precomputed": `X` is the matrix of
        similarities, of shape (n_points, n_points), symmetric and positive semi-definite.
    sigma : float, optional
        For ``kernel="gaussian"``: its width. Default: `sigma_factor` times the mean distance between
        points.
    sigma_factor : float, default=4.0
        For ``kernel="gaussian"`` without `sigma`; the paper's width is about 1 mean distance.
    degree : int, default=2
        For ``kernel="polynomial"``: its degree.
    offset : float, default=1.0
        For ``kernel="polynomial"``: what is added to the product.
    k : int or float, default=0.08
        The bandwidth of a point is the distance to its k-th neighbour; a float is a share of the
        points.
    bandwidth_factor : float, optional
        Times this. Default: 1/√(d + 1), with d the effective dimension of the points in feature space.
    dimension : {"effective", "rank"} or float, default="effective"
        The d of the weights 1/h^(d+2) by which points count; the paper says "rank".
    max_iter : int, default=500
        Iterations at the most.
    tolerance : float, default=0.0001
        A point has arrived when it moves less than this share of the smallest bandwidth.
    merge_tolerance : float, default=0.001
        Points this share of it apart travel on as one; 0: only equal ones.
    mode_radius : float, default=0.1
        Modes within this many bandwidths of a denser one are the same mode.
    leftover_share : float, default=0.25
        Modes of at most this share of k points are outliers: they join the nearest mode, unless a
        cannot-link forbids it. 0: none do.
    rank : int, default=1000
        Columns that stand for the kernel matrix at the most; the matrix itself is never made.
    rank_tolerance : float, default=1e-12
        Fewer, if they leave out no more than this share of any similarity.
    repair : bool, default=False
        For ``kernel="precomputed"``: drop negative eigenvalues instead of refusing the matrix.
    representatives : int or {"auto", "never"}, default="auto"
        Gather points into this many weighted ones first, if there are more; "auto": 4000.
    memory_mb : int, optional
        Fail early with a MemoryError if the fit would need more megabytes than this.
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
        For each cluster the point nearest to its mode, which lies in feature space.
    mode_indices_ : array of shape (n_clusters,)
        The rows of these points.
    n_clusters_ : int
        Number of clusters.
    bandwidth_ : float
        The mean of the bandwidths, in feature space.
    embedding_ : array of shape (n_points, rank_)
        The points in the feature space that the links leave.
    sigma_ : float or None
        The width of the Gaussian kernel.
    rank_ : int
        Columns of `embedding_`.
    effective_dimension_ : float
        In how many directions the points really spread there.
    left_out_ : float
        What the low-rank factor leaves out of a similarity, at the most, as a share of the largest.
    n_representatives_ : int or None
        Into how many the points were gathered; None: each was its own.
    n_iter_ : int
        Iterations done.
    converged_ : bool
        Whether all points arrived; if not, there was a ConvergenceWarning.
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
    With ``kernel="precomputed"``, `predict` takes the similarities of new points to the fitted
    ones, of shape (n_new, n_points).

    A pickled estimator keeps the points and links, not the model; the first prediction after
    unpickling fits once more, with the same result.

    References
    ----------
    O. Tuzel, F. Porikli, P. Meer. Kernel Methods for Weakly Supervised Mean Shift Clustering.
    ICCV 2009.

    S. Anand, S. Mittal, O. Tuzel, P. Meer. Semi-Supervised Kernel Mean Shift Clustering. 2013.

    Examples
    --------
    >>> from linkshift import KernelMeanShift
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> KernelMeanShift(k=2).fit(X).labels_
    array([0, 0, 0, 1, 1, 1])
    >>> K = [[1, 0.9, 0, 0], [0.9, 1, 0, 0], [0, 0, 1, 0.9], [0, 0, 0.9, 1]]
    >>> KernelMeanShift(kernel="precomputed", k=1).fit(K).labels_
    array([0, 0, 1, 1])
    """

    def __init__(
        self,
        *,
        kernel: str = "gaussian",
        sigma: float | None = None,
        sigma_factor: float = 4.0,
        degree: int = 2,
        offset: float = 1.0,
        k: int | float = 0.08,
        bandwidth_factor: float | None = None,
        dimension: float | str = "effective",
        max_iter: int = 500,
        tolerance: float = 1e-4,
        merge_tolerance: float = 1e-3,
        mode_radius: float = 0.1,
        leftover_share: float = 0.25,
        rank: int = 1000,
        rank_tolerance: float = 1e-12,
        repair: bool = False,
        representatives: int | str = "auto",
        memory_mb: int | None = None,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.kernel = kernel
        self.sigma = sigma
        self.sigma_factor = sigma_factor
        self.degree = degree
        self.offset = offset
        self.k = k
        self.bandwidth_factor = bandwidth_factor
        self.dimension = dimension
        self.max_iter = max_iter
        self.tolerance = tolerance
        self.merge_tolerance = merge_tolerance
        self.mode_radius = mode_radius
        self.leftover_share = leftover_share
        self.rank = rank
        self.rank_tolerance = rank_tolerance
        self.repair = repair
        self.representatives = representatives
        self.memory_mb = memory_mb
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _fit_core(self, X, told, weights, settings, progress):
        return _core.fit_kernel_mean_shift(X, settings, told._columns(), weights, progress)

    def _learn(self, told, index):
        super()._learn(told, index)
        for name, value in self._model.details.items():
            setattr(self, f"{name}_", value)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
