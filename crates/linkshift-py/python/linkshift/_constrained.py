"""Constrained mean shift."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from ._base import LinkClusterer

# The paper takes all pairs of points that the links imply, its must-links do not pull, and every
# cluster stays.
_PAPER = {"link_cap": sys.maxsize, "must_strength": 0.0, "leftover_size": 0}


class ConstrainedMeanShift(LinkClusterer):
    """Constrained mean shift: points climb the density, and cannot-links bend it.

    The bandwidth grows from iteration to iteration until only what links hold apart is apart:
    there is no number of clusters and no bandwidth to choose, but without links everything ends in
    one cluster. Must-links pull: what is near one end is drawn to what is near the other. And they
    work by what follows from them: a cannot-link holds between all points that must-links join to
    its two ends (above `link_cap` pairs: between the nearest).

    Parameters
    ----------
    bandwidth : float, sequence of float or "adaptive", default="adaptive"
        "adaptive": grow by equal steps from the smallest to the largest distance between points.
        A number: stay there. A sequence: one for each iteration.
    bandwidth_from, bandwidth_to : float, optional
        For ``bandwidth="adaptive"``: where it begins and ends. Default: from the points.
    kernel : {"truncated", "ball", "rbf", "gaussian"}, default="truncated"
        How points count by their distance, x bandwidths: exp(-x²) above `cut`, 1 below x = 1,
        exp(-x²), exp(-x²/2).
    cut : float, default=0.2
        For ``kernel="truncated"``: values at or below this count as 0.
    blurring : bool, default=False
        Whether the points themselves move along.
    max_iter : int, default=100
        Iterations, over which the bandwidth grows.
    link_scale : float, default=0.5
        How far a link reaches, as a share of its length.
    must_strength : float, default=0.5
        How strongly must-links pull, from 0 to 1; 0: not at all, as in the paper.
    must_range : float, default=2.5
        A must-link pulls once it is no longer than this many bandwidths, one of a confidence below 1 at
        half of them.
    min_link_bandwidth : float, default=0.001
        No link reaches less far than this.
    merge_k : float, default=0.995
        Two centers share a cluster if their kernel value exceeds this ...
    merge_b : float, default=0
        ... and the weight that links leave between them exceeds this.
    tolerance : float, default=0.0001
        For a fixed bandwidth: stop when no center moves more than this share of it.
    merge_tolerance : float, default=0.003
        Centers this share of the bandwidth apart travel on as one; 0: only equal ones.
    link_cap : int, default=20
        Pairs of points that two linked groups may stand for; beyond it the nearest pairs are taken.
    leftover_size : int, default=5
        Linked clusters of at most this many points join another that breaks no link; 0: every
        cluster stays, as in the paper.
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
        Where most of each cluster has gathered, of the type of the points.
    n_clusters_ : int
        Number of clusters.
    bandwidth_ : float
        The last bandwidth.
    bandwidths_ : array of shape (n_iter,)
        The bandwidth of each iteration.
    n_iter_ : int
        Iterations done.
    converged_ : bool
        Whether the centers were at rest in the end; if not, there was a ConvergenceWarning.
    link_report_ : structured array of shape (n_links,)
        Each link with its ends ``a`` and ``b``, ``kind``, ``confidence`` and whether it is
        ``kept``. ``pandas.DataFrame(link_report_)`` makes a table of it.
    broken_links_ : structured array
        The rows of `link_report_` that are not kept.
    n_implied_broken_ : int
        Pairs that the links imply are apart but that share a cluster.
    pairs_left_out_ : int
        Implied pairs that `link_cap` left out.
    n_representatives_ : int or None
        Into how many the points were gathered; None: each was its own.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : array of shape (n_features,)
        Names of the features, if `X` had any.

    Notes
    -----
    A `link_confidence` below 1 weakens a link by that much, and nothing is concluded from it: no
    chains of must-links, no cannot-links spread over groups, no contradictions.

    A pickled estimator keeps the points and links, not the model; the first prediction after
    unpickling fits once more, with the same result.

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
        min_link_bandwidth: float = 1e-3,
        merge_k: float = 0.995,
        merge_b: float = 0.0,
        tolerance: float = 1e-4,
        merge_tolerance: float = 3e-3,
        link_cap: int = 20,
        leftover_size: int = 5,
        representatives: int | str = "auto",
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
        self.memory_mb = memory_mb
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    def paper_toy(cls, **others: Any) -> ConstrainedMeanShift:
        """The paper's settings for its toy sets, and any other parameters."""
        return cls(**{"max_iter": 100, "merge_k": 0.995, "merge_b": 0.0, **_PAPER, **others})

    @classmethod
    def paper_embedding(cls, **others: Any) -> ConstrainedMeanShift:
        """The paper's settings for its embeddings, and any other parameters."""
        return cls(**{"max_iter": 80, "merge_k": 0.99, "merge_b": 0.1, **_PAPER, **others})

    def _fit_core(self, X, told, weights, settings, progress):
        return _core.fit_constrained_mean_shift(X, settings, told._columns(), weights, progress)

    def _learn(self, told, index):
        super()._learn(told, index)
        self.bandwidths_ = self._model.bandwidths
        for name, value in self._model.details.items():
            setattr(self, f"{name}_", value)

    def _doubts(self, told):
        yield from super()._doubts(told)
        if isinstance(self.bandwidth, str) and not (told.signs < 0).any():
            yield (
                UserWarning,
                "there are no cannot-links, and without them the growing bandwidth joins "
                "everything: give links, or a number as bandwidth",
            )
