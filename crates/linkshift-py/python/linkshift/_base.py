"""What all estimators share: from arguments to the core, and from its model to attributes."""

from __future__ import annotations

import numbers
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ._errors import LinkContradictionError
from ._links import gather
from ._progress import Progress

if TYPE_CHECKING:
    from typing import Self

_DTYPES = [np.float64, np.float32]


class LinkClusterer(ClusterMixin, BaseEstimator):
    """Base of the estimators: a subclass has its parameters and ``_fit_core``."""

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike | None = None,
        *,
        must_link: ArrayLike | None = None,
        cannot_link: ArrayLike | None = None,
        link_confidence: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        links: Any = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Find the clusters.

        Parameters
        ----------
        X : array or DataFrame of shape (n_points, n_features)
            The points. A C-contiguous float32 or float64 array is used as it is, without a copy,
            and float32 stays float32.
        y : array of shape (n_points,), optional
            Partial labels, -1 where unknown: equal labels become must-links, different ones
            cannot-links. See the parameter `use_y` for when it is looked at.
        must_link, cannot_link : sequence of pairs or array of shape (n_links, 2), optional
            Pairs of rows, counted from 0, that belong together or apart. If `X` is a DataFrame,
            its index labels instead of rows.
        link_confidence : float or sequence of float, optional
            How sure the links of `must_link` and then `cannot_link` are, in (0, 1]. It is kept in
            the report; `ConstrainedMeanShift`, `KernelMeanShift`, `PCKMeans` and `MPCKMeans` weigh
            links by it, the others take all as certain.
        groups : array of shape (n_points,), optional
            Rows with the same entry belong together; -1 where a row is in no group.
        links : Links, signed matrix, or sequence of (end, end, kind), optional
            More links in a form that holds both kinds: see :class:`Links`. An array of shape
            (n_points, n_points) is taken for a signed matrix.
        sample_weight : array of shape (n_points,), optional
            A point of weight 2 counts like two points at the same place.

        Returns
        -------
        self
        """
        index = getattr(X, "index", None) if hasattr(X, "iloc") else None
        points = validate_data(self, X, dtype=_DTYPES, order="C")
        told = gather(
            len(points),
            index=index,
            links=links,
            must_link=must_link,
            cannot_link=cannot_link,
            link_confidence=link_confidence,
            groups=groups,
            labels=y if self._looks_at(y) else None,
        )
        weights = None
        if sample_weight is not None:
            weights = np.ascontiguousarray(
                _check_sample_weight(sample_weight, points, dtype=points.dtype)
            )
        task = (points, told, weights, self._settings(points))
        try:
            with Progress(self.verbose) as progress:
                self._model = self._fit_core(*task, progress)
        except LinkContradictionError as error:
            raise (error if index is None else error.named(index)) from None
        self._task = task  # all that the core needs to do the same again: see __getstate__
        self._learn(told, index)
        for category, message in self._doubts(told):
            warnings.warn(message, category, stacklevel=2)
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """The clusters of points, also of such that were not there to fit.

        A point of the fit keeps the label it got there.

        Parameters
        ----------
        X : array or DataFrame of shape (n_points, n_features)

        Returns
        -------
        labels : array of shape (n_points,)
        """
        check_is_fitted(self)
        dtype = self.cluster_centers_.dtype
        points = validate_data(self, X, dtype=dtype, order="C", reset=False)
        if self._model is None:
            self._model = self._fit_again()
        return self._model.predict(points, self.n_jobs)

    def _fit_again(self):
        model = self._fit_core(*self._task, None)
        if not np.array_equal(model.labels, self.labels_):
            raise RuntimeError("the points were changed after fit: fit again")
        return model

    def __getstate__(self):
        # The model itself lives in Rust. Its input is kept instead, from which the first
        # prediction after unpickling makes it again, the same to the last bit.
        state = super().__getstate__()
        return {**state, "_model": None} if "_model" in state else state

    def _looks_at(self, y):
        if y is None or self.use_y is False:
            return False
        if self.use_y is True:
            return True
        if isinstance(self.use_y, str) and self.use_y == "auto":
            y = np.asarray(y)
            return y.ndim == 1 and y.dtype.kind in "ifO" and bool((y == -1).any())
        raise ValueError(f"use_y = {self.use_y!r} cannot work: it must be 'auto', True or False")

    def _settings(self, X):
        """The parameters as the core takes them."""
        settings = self.get_params(deep=False)
        for name in ("random_state", "verbose", "use_y"):
            del settings[name]
        settings["seed"] = self._seed()
        return settings

    def _seed(self):
        if self.random_state is None:
            return 0
        if isinstance(self.random_state, numbers.Integral) and self.random_state >= 0:
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _learn(self, told, index):
        """Attributes from the model."""
        model = self._model
        self.labels_ = model.labels
        self.n_clusters_ = int(self.labels_.max()) + 1
        # Modes that no point belongs to (all is noise) are no clusters.
        self.cluster_centers_ = model.modes[: self.n_clusters_]
        self.n_iter_ = model.n_iter
        self.converged_ = model.converged
        if len(model.bandwidths):  # the relatives of k-means have none
            self.bandwidth_ = float(model.bandwidths[-1])
        self.link_report_ = _report(told, self.labels_, index)
        self.broken_links_ = self.link_report_[~self.link_report_["kept"]]

    def _doubts(self, told):
        """Why the result may not be what was hoped for: pairs of warning class and message."""
        if not self.converged_:
            yield (
                ConvergenceWarning,
                f"some points were still on their way after {self.n_iter_} iterations: "
                "a larger max_iter or tolerance lets them arrive",
            )


def check_n_clusters(n_clusters, n_samples):
    """Fails if there are fewer points than clusters, in the words that scikit-learn looks for."""
    if not isinstance(n_clusters, str) and n_clusters > n_samples:
        raise ValueError(
            f"n_clusters = {n_clusters} cannot work: it must be at most n_samples = {n_samples}"
        )


def _report(told, labels, index):
    """A row per link: its ends, kind and confidence, and whether the labels keep it.

    Noise (-1) is together with nothing, not even with noise.
    """
    together = (labels[told.a] == labels[told.b]) & (labels[told.a] >= 0)
    ends = np.int64 if index is None else index.to_numpy().dtype
    fields = [("a", ends), ("b", ends), ("kind", "U6"), ("confidence", "f8"), ("kept", "?")]
    report = np.empty(len(told), dtype=fields)
    names = np.arange(len(labels)) if index is None else index.to_numpy()
    report["a"], report["b"] = names[told.a], names[told.b]
    report["kind"] = np.where(told.signs > 0, "must", "cannot")
    report["confidence"] = told.confidence
    report["kept"] = together == (told.signs > 0)
    return report
