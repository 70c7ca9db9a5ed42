"""What all estimators share: from arguments to the core, and from its model to attributes."""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from . import _core
from ._errors import LinkContradictionError
from ._form import from_core, preset_name, to_core
from ._links import gather
from ._progress import Progress
from ._show import LinkReport, model_html, model_sentence
from ._typed import Clusterer

if TYPE_CHECKING:
    from typing import Self

_DTYPES = [np.float64, np.float32]


class LinkClusterer(Clusterer):
    """Base of the estimators: a subclass has its parameters and the name of its method."""

    _method: ClassVar[str]
    use_y: bool | str
    n_jobs: int | None
    verbose: bool

    labels_: NDArray[np.int64]
    cluster_centers_: NDArray[Any]
    n_clusters_: int
    n_iter_: int | None
    converged_: bool | None
    notes_: list[str]
    link_report_: LinkReport
    broken_links_: LinkReport
    n_features_in_: int
    feature_names_in_: NDArray[Any]

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
            the report; `ConstrainedMeanShift`, `BoostedMeanShift`, `KernelMeanShift`, `PCKMeans`,
            `MPCKMeans`, `SpectralMeanShift` and `ConstrainedSpectral` weigh links by it, the others
            take all as certain.
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
        index: Any = getattr(X, "index", None) if hasattr(X, "iloc") else None
        try:
            points = validate_data(self, X, dtype=_DTYPES, order="C")
        except ValueError as error:
            raise ValueError(_mended(X, str(error))) from None
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
        self._check_params(points)
        names = getattr(self, "feature_names_in_", None)
        columns = _numbered(points.shape[1]) if names is None else [str(name) for name in names]
        try:
            with Progress(self.verbose) as progress:
                model = _core.fit(
                    self._method,
                    points,
                    self._settings(),
                    told._columns(),
                    columns,
                    weights=weights,
                    progress=progress,
                    n_jobs=self.n_jobs,
                )
        except LinkContradictionError as error:
            raise (error if index is None else error.named(index)) from None
        self._points = points  # for `why` and `save`
        self._id_column = None if index is None else str(index.name or "id")
        self._learn(model, None if index is None else index.to_numpy())
        for kind, message, is_doubt in model.notes:
            if is_doubt:
                category = ConvergenceWarning if kind == "not-converged" else UserWarning
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
        return self._model.predict(points, self.n_jobs)

    def why(self, a: Hashable, b: Hashable) -> str:
        """Why two points of the fit are together, or apart, in a few lines.

        What the links say of the two, where they went and whether they met, and which cannot-link
        is nearest: the words of ``linkshift why``. It needs the points, which a pickle does not
        carry and a file of :meth:`save` does.

        Parameters
        ----------
        a, b : int or index label
            Rows counted from 0, or labels of the index if `X` was a DataFrame.

        Returns
        -------
        text : str
        """
        check_is_fitted(self)
        names = None if self._names is None else [str(name) for name in self._names]
        return self._model.why(self._row(a), self._row(b), names, self._points).rstrip("\n")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a file, with the points it was fitted on.

        ``linkshift predict``, ``linkshift why`` and ``--previous`` read it, and so does
        :func:`linkshift.load`. If `X` was a DataFrame with an index of its own, the labels of that
        index are the ids of the rows.

        Parameters
        ----------
        path : str or path
            The file, by custom with the ending ``.model``; it appears whole or not at all.
        """
        check_is_fitted(self)
        ids, id_column = None, None
        # Rows that are merely counted need no names, and names that mean two rows are none.
        if self._names is not None and self._id_column is not None:
            labels = [str(name) for name in self._names]
            is_counted = labels == [str(row) for row in range(len(labels))]
            if not is_counted and len(set(labels)) == len(labels):
                ids, id_column = labels, self._id_column
        self._model.save(path, self._points, ids, id_column)

    @classmethod
    def _from_model(cls, model: _core.Model) -> Self:
        """A fitted estimator from a model that was read."""
        columns, known = model.columns, cls._get_param_names()
        params = from_core(model.settings, len(columns))
        # Settings of old files may have had other names.
        estimator = cls(**{name: value for name, value in params.items() if name in known})
        estimator.n_features_in_ = len(columns)
        if columns != _numbered(len(columns)):
            estimator.feature_names_in_ = np.array(columns, dtype=object)
        estimator._points = estimator._id_column = None
        ids = model.ids
        estimator._learn(model, None if ids is None else np.array(ids, dtype=object))
        return estimator

    @classmethod
    def _preset(cls, name: str, **others: Any) -> Self:
        """The core's settings under a name, which give way to what is set besides."""
        table = next(table for table in _core.methods() if table["name"] == cls._method)
        presets = {preset_name(preset["name"]): preset for preset in table["presets"]}
        return cls(**{**from_core(presets[name]["settings"], 1), **others})

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        """As scikit-learn writes it; once fitted, with what was found."""
        text = super().__repr__(N_CHAR_MAX)
        return f"{text}: {model_sentence(self)}" if "labels_" in vars(self) else text

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        """What a notebook shows: scikit-learn's diagram, and below it what was found."""
        bundle = {**super()._repr_mimebundle_(**kwargs), "text/plain": repr(self)}
        if "labels_" in vars(self):
            bundle["text/html"] = bundle.get("text/html", "") + model_html(self)
        return bundle

    def _repr_html_(self) -> str:
        bundle = self._repr_mimebundle_()
        return bundle.get("text/html", f"<pre>{bundle['text/plain']}</pre>")

    def __getstate__(self) -> dict[str, Any]:
        # A pickle is for predicting, which needs no points.
        state = super().__getstate__()
        return {**state, "_points": None} if "_points" in state else state

    def _looks_at(self, y: ArrayLike | None) -> bool:
        if y is None or self.use_y is False:
            return False
        if self.use_y is True:
            return True
        if isinstance(self.use_y, str) and self.use_y == "auto":
            y = np.asarray(y)
            return y.ndim == 1 and y.dtype.kind in "ifO" and bool((y == -1).any())
        raise ValueError(f"use_y = {self.use_y!r} cannot work: it must be 'auto', True or False")

    def _check_params(self, points: NDArray[Any]) -> None:
        """What depends on the points and is better said in scikit-learn's words."""
        n_clusters = getattr(self, "n_clusters", None)
        if isinstance(n_clusters, (int, float, np.number)) and n_clusters > len(points):
            raise ValueError(
                f"n_clusters = {n_clusters} cannot work: it must be at most "
                f"n_samples = {len(points)}"
            )

    def _settings(self) -> dict[str, Any]:
        """What is set otherwise than by default, as the core takes it."""
        parameters = inspect.signature(type(self)).parameters
        defaults = {name: parameter.default for name, parameter in parameters.items()}
        return to_core(self.get_params(deep=False), defaults)

    def _row(self, name: Hashable) -> int:
        if self._names is None:
            if isinstance(name, (int, np.integer)) and 0 <= name < len(self.labels_):
                return int(name)
            last = len(self.labels_) - 1
            raise ValueError(f"there is no row {name!r}: rows count from 0 to {last}")
        names = self._names.tolist()
        if name not in names:
            raise ValueError(
                f"{name!r} is not among the rows that were fitted: name one by its index label, such as "
                f"{names[0]!r}"
            )
        return names.index(name)

    def _learn(self, model: _core.Model, names: NDArray[Any] | None) -> None:
        """Attributes from the model; what only some methods have becomes ``<name>_``."""
        self._model = model
        self._names = names
        self.labels_ = model.labels
        self.cluster_centers_ = model.centers
        self.n_clusters_ = len(self.cluster_centers_)
        self.n_iter_ = model.n_iter
        self.converged_ = model.converged
        self.notes_ = [text for _, text, _ in model.notes]
        self.link_report_ = _report(model, names)
        self.broken_links_ = self.link_report_[~self.link_report_["kept"]]
        for name, value in model.details.items():
            setattr(self, f"{name}_", value)


def _report(model: _core.Model, names: NDArray[Any] | None) -> LinkReport:
    """A row per link: its ends, kind and confidence, and whether the clusters keep it."""
    a, b, signs, confidence, kept = model.links
    ends = np.dtype(np.int64) if names is None else names.dtype
    fields = [("a", ends), ("b", ends), ("kind", "U6"), ("confidence", "f8"), ("kept", "?")]
    report = np.empty(len(a), dtype=fields)
    report["a"], report["b"] = (a, b) if names is None else (names[a], names[b])
    report["kind"] = np.where(signs > 0, "must", "cannot")
    report["confidence"] = confidence
    report["kept"] = kept
    return report.view(LinkReport)


def _mended(X: Any, error: str) -> str:
    """What scikit-learn says of data that it refuses, with what to do about it."""
    if "could not convert string to float" in error:
        columns = [str(name) for name in getattr(X, "columns", [])]
        texts = [name for name in columns if not np.issubdtype(_kind(X[name]), np.number)]
        which = f", in the column {texts[0]!r}: leave texts out, X.drop(columns={texts!r})," if texts else ":"
        return (
            f"{error}{which} or make numbers of them, of categories by pandas.get_dummies, of words by "
            "linkshift.features.TextFeatures"
        )
    if "contains NaN" in error or "contains infinity" in error:
        # The rest of its words is about supervised learning.
        return error.partition("\n")[0] + (
            " Drop such rows, X[numpy.isfinite(X).all(axis=1)], or fill them in, "
            "sklearn.impute.SimpleImputer().fit_transform(X)."
        )
    return error


def _kind(column: Any) -> np.dtype[Any]:
    """The type of a column of a table, as NumPy's."""
    kind = getattr(column, "dtype", None)
    return kind if isinstance(kind, np.dtype) else np.dtype(object)


def _numbered(n_features: int) -> list[str]:
    """The names of columns that have none, as in files of bare numbers."""
    return [f"f{column}" for column in range(n_features)]
