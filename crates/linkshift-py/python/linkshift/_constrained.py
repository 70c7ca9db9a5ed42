"""Constrained mean shift."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._base import LinkClusterer


class ConstrainedMeanShift(LinkClusterer):
    """Constrained mean shift: points climb the density, and cannot-links bend it.

    The bandwidth grows from iteration to iteration until only what links hold apart is apart:
    there is no number of clusters and no bandwidth to choose, but without links everything ends in
    one cluster. Must-links pull: what is near one end is drawn to what is near the other. And they
    work by what follows from them: a cannot-link holds between all points that must-links join to
    its two ends (above `link_cap` pairs: between the nearest).

    Parameters
    ----------
    bandwidth : float or str or Sequence[float], default="adaptive"
        How far a point looks: adaptive grows from the smallest to the largest distance between
        points. It is adaptive or a number above 0, one for each iteration in a list.
    bandwidth_from : float or None, default=None
        Where it begins; None: from the points. It is None or a number above 0.
    bandwidth_to : float or None, default=None
        Where it ends; None: from the points. It is None or a number above 0.
    kernel : str, default="truncated"
        How points count by their distance, x bandwidths: 1 below x = 1, exp(-x²), that above a
        cut, exp(-x²/2). It is ball, rbf, truncated or gaussian.
    cut : float, default=0.2
        Kernel values at or below this count as 0. It is a number above 0, below 1.
    blurring : bool, default=False
        Whether the points themselves move along.
    max_iter : int, default=100
        Iterations, over which the bandwidth grows. It is a whole number from 1.
    link_scale : float, default=0.5
        How far a link reaches, as a share of its length (λ). It is a number above 0.
    must_strength : float, default=0.5
        How strongly must-links pull; 0: not at all, as in the paper. It is a number from 0 to
        1.
    must_range : float, default=2.5
        A must-link pulls once it is no longer than this many bandwidths, a doubtful one at half
        of them. It is a number above 0.
    min_link_bandwidth : float, default=0.001
        No link reaches less far than this (ε). It is a number above 0.
    merge_k : float, default=0.995
        Two centers share a cluster if their kernel value exceeds this. It is a number from 0,
        below 1.
    merge_b : float, default=0.0
        … and the weight that links leave between them exceeds this. It is a number from 0,
        below 1.
    tolerance : float, default=0.0001
        Fixed bandwidth: stop when no center moves more than this share of it. It is a number
        from 0.
    merge_tolerance : float, default=0.003
        Centers this share of the bandwidth apart travel on as one; 0: only equal ones. It is a
        number from 0, below 1.
    link_cap : int, default=20
        Pairs that two linked groups may stand for; beyond it the nearest pairs are taken. It is
        a whole number from 1.
    leftover_size : int, default=5
        Linked clusters up to this size join another that breaks no link; 0: every one stays. It
        is a whole number from 0.
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
        Where most of each cluster has gathered, of the type of the points.
    n_clusters_ : int
        Number of clusters.
    bandwidth_ : float
        The last bandwidth.
    bandwidths_ : array of shape (n_iter,)
        The bandwidth of each iteration.
    kernel_ : str
        The name of the kernel.
    n_representatives_ : int or None
        Into how many the points were gathered; None: each was its own.
    rms_distance_ : float or None
        How far representatives lie from their points: the root of the mean square.
    n_implied_broken_ : int
        Pairs that the links imply are apart but that share a cluster.
    pairs_left_out_ : int
        Implied pairs that `link_cap` left out; 0 where there is no such cap.
    n_iter_ : int
        Iterations done.
    converged_ : bool
        Whether the centers were at rest in the end; if not, there was a ConvergenceWarning.
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
    A `link_confidence` below 1 weakens a link by that much, and nothing is concluded from it: no
    chains of must-links, no cannot-links spread over groups, no contradictions.

    References
    ----------
    M. Schier, C. Reinders, B. Rosenhahn. Constrained Mean Shift Clustering. SDM 2022.

    Examples
    --------
    >>> from linkshift import ConstrainedMeanShift
    >>> X = [[0.0], [0.2], [0.8], [1.0]]
    >>> model = ConstrainedMeanShift().fit(X, cannot_link=[(0, 3)])
    >>> model.labels_
    array([0, 0, 1, 1])
    >>> model.link_report_[["a", "b", "kind", "kept"]].tolist()
    [(0, 3, 'cannot', True)]
    >>> model.predict([[0.7]])
    array([1])
    """

    _method = "cms"

    def __init__(
        self,
        *,
        bandwidth: float | str | Sequence[float] = "adaptive",
        bandwidth_from: float | None = None,
        bandwidth_to: float | None = None,
        kernel: str = "truncated",
        cut: float = 0.2,
        blurring: bool = False,
        max_iter: int = 100,
        link_scale: float = 0.5,
        must_strength: float = 0.5,
        must_range: float = 2.5,
        min_link_bandwidth: float = 0.001,
        merge_k: float = 0.995,
        merge_b: float = 0.0,
        tolerance: float = 0.0001,
        merge_tolerance: float = 0.003,
        link_cap: int = 20,
        leftover_size: int = 5,
        representatives: int | str | None = None,
        obey: str = "certain",
        memory_mb: int | None = None,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.bandwidth = bandwidth
        self.bandwidth_from = bandwidth_from
        self.bandwidth_to = bandwidth_to
        self.kernel = kernel
        self.cut = cut
        self.blurring = blurring
        self.max_iter = max_iter
        self.link_scale = link_scale
        self.must_strength = must_strength
        self.must_range = must_range
        self.min_link_bandwidth = min_link_bandwidth
        self.merge_k = merge_k
        self.merge_b = merge_b
        self.tolerance = tolerance
        self.merge_tolerance = merge_tolerance
        self.link_cap = link_cap
        self.leftover_size = leftover_size
        self.representatives = representatives
        self.obey = obey
        self.memory_mb = memory_mb
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    def paper_toy(cls, **others: Any) -> ConstrainedMeanShift:
        """The paper's settings for its toy sets, and any other parameters."""
        return cls._preset("paper_toy", **others)

    @classmethod
    def paper_embedding(cls, **others: Any) -> ConstrainedMeanShift:
        """The paper's settings for its embeddings, and any other parameters."""
        return cls._preset("paper_embedding", **others)
