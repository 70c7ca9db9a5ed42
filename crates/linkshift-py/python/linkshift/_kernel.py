"""Kernel mean shift."""

from __future__ import annotations

import numpy as np
from sklearn.utils import Tags

from ._base import LinkClusterer


class KernelMeanShift(LinkClusterer):
    """Kernel mean shift: any similarity, in a feature space that links reshape.

    Must-links alone project the space to where their two ends are one, which joins what lies
    along with them. Where a cannot-link is told, all links move distances, as little as possible
    (``metric``).

    Parameters
    ----------
    kernel : str or None, default=None
        How similar two points are; None: gaussian or cosine, by links; precomputed: the points
        are the matrix of similarities. It is None, gaussian, polynomial, linear, chi2, cosine
        or precomputed.
    sigma : float or None, default=None
        The width of the Gaussian; None: from the links with logdet, or where they choose the
        kernel; else by sigma_factor. It is None or a number above 0.
    metric : str or None, default=None
        What links do: projection makes must-linked points one, logdet moves distances; None:
        logdet if a cannot-link is told. It is None, projection or logdet.
    firmness : float, default=1.0
        Metric=logdet: how dear it is for a link not to get the distance it asks for. It is a
        number above 0.
    link_cap : int, default=2000
        Metric=logdet: pairs of each kind that are learned from; of more a part stands for all.
        It is a whole number from 1.
    sigma_factor : float, default=4.0
        The width of a Gaussian without sigma, in mean distances between points; the paper:
        about 1. It is a number above 0.
    degree : int, default=2
        Only with kernel="polynomial": the degree of the polynomial. It is a whole number from
        1.
    offset : float, default=1.0
        Only with kernel="polynomial": what is added to the product before it is raised to the
        degree. It is a number from 0.
    k : int or float or None, default=None
        A point's bandwidth: the distance to its k-th neighbour, or to that share of the points;
        None: from the links, else 0.08. It is None or a whole number from 1, or a share of the
        points below 1.
    bandwidth_factor : float or None, default=None
        What every bandwidth is multiplied by; None: 1/√(d+1) with d the effective dimension. It
        is None or a number above 0.
    dimension : float or str or None, default=None
        The d of the weights 1/h^(d+2); None: with logdet 0, else effective; the paper: rank. It
        is None, effective, rank or a number from 0.
    max_iter : int, default=500
        Iterations at the most. It is a whole number from 1.
    tolerance : float, default=0.0001
        A point has arrived when it moves less than this share of the smallest bandwidth. It is
        a number from 0, below 1.
    merge_tolerance : float, default=0.001
        Points this share of it apart travel on as one; 0: only equal ones. It is a number from
        0, below 1.
    mode_radius : float, default=0.1
        Modes within this many bandwidths of a denser one are the same mode. It is a number from
        0.
    leftover_share : float, default=0.25
        Modes of at most this share of k points join the nearest mode, unless a cannot-link
        forbids it. It is a number from 0, below 1.
    rank : int, default=1000
        Columns that stand for the kernel matrix at the most. It is a whole number from 1.
    rank_tolerance : float, default=1e-12
        … fewer if they leave out no more than this share of any similarity. It is a number from
        0, below 1.
    repair : bool, default=False
        Kernel=precomputed: drop negative eigenvalues instead of refusing the matrix.
    representatives : int or str or None, default=None
        Gather points into this many weighted ones first, if there are more; None: 4000. It is
        None, never or a whole number from 1.
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
        For each cluster the point nearest to its mode, which lies in feature space.
    n_clusters_ : int
        Number of clusters.
    kernel_ : str
        The name of the kernel, also of one that links chose.
    sigma_ : float or None
        The width of the Gaussian kernel.
    bandwidth_ : float
        The mean of the bandwidths, in feature space.
    rank_ : int
        Columns of `embedding_`.
    effective_dimension_ : float
        In how many directions the points really spread there.
    left_out_ : float
        What the low-rank factor leaves out of a similarity, at the most, as a share of the largest.
    n_representatives_ : int or None
        Into how many the points were gathered; None: each was its own.
    rms_distance_ : float or None
        How far representatives lie from their points: the root of the mean square.
    mode_indices_ : array of shape (n_clusters,)
        The rows of these points.
    embedding_ : array of shape (n_points, rank_)
        The points in the feature space that the links leave: ``embedding_ @ embedding_.T`` is the
        learned similarity, and to other methods the rows are points.
    ends_ : array of shape (n_ends, rank_)
        Where points ended in feature space.
    end_of_ : array of shape (n_points,)
        Which of `ends_` each point came to.
    n_iter_ : int
        Iterations done.
    converged_ : bool
        Whether all points arrived; if not, there was a ConvergenceWarning.
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
    With ``kernel="precomputed"``, `predict` takes the similarities of new points to the fitted
    ones, of shape (n_new, n_points).

    References
    ----------
    O. Tuzel, F. Porikli, P. Meer. Kernel Methods for Weakly Supervised Mean Shift Clustering.
    ICCV 2009.

    S. Anand, S. Mittal, O. Tuzel, P. Meer. Semi-Supervised Kernel Mean Shift Clustering. 2014.

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

    _method = "kernel"

    def __init__(
        self,
        *,
        kernel: str | None = None,
        sigma: float | None = None,
        metric: str | None = None,
        firmness: float = 1.0,
        link_cap: int = 2000,
        sigma_factor: float = 4.0,
        degree: int = 2,
        offset: float = 1.0,
        k: int | float | None = None,
        bandwidth_factor: float | None = None,
        dimension: float | str | None = None,
        max_iter: int = 500,
        tolerance: float = 0.0001,
        merge_tolerance: float = 0.001,
        mode_radius: float = 0.1,
        leftover_share: float = 0.25,
        rank: int = 1000,
        rank_tolerance: float = 1e-12,
        repair: bool = False,
        representatives: int | str | None = None,
        obey: str = "certain",
        memory_mb: int | None = None,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.kernel = kernel
        self.sigma = sigma
        self.metric = metric
        self.firmness = firmness
        self.link_cap = link_cap
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
        self.obey = obey
        self.memory_mb = memory_mb
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
