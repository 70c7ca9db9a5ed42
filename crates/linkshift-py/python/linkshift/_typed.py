"""The base classes of scikit-learn, with the types that scikit-learn does not tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn.base import BaseEstimator, ClusterMixin, TransformerMixin

if TYPE_CHECKING:
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

    class _Estimator:
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Self: ...
        @classmethod
        def _get_param_names(cls) -> list[str]: ...
        def __getstate__(self) -> dict[str, Any]: ...
        def __setstate__(self, state: dict[str, Any]) -> None: ...
        def __sklearn_tags__(self) -> Any: ...
        def __repr__(self, N_CHAR_MAX: int = 700) -> str: ...
        def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]: ...

    class Clusterer(_Estimator):
        """A clusterer in scikit-learn's sense."""

        def fit_predict(self, X: Any, y: Any = None, **kwargs: Any) -> NDArray[np.int64]: ...

    class Transformer(_Estimator):
        """A transformer in scikit-learn's sense."""

        def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> NDArray[Any]: ...

else:

    class Clusterer(ClusterMixin, BaseEstimator):
        """A clusterer in scikit-learn's sense."""

    class Transformer(TransformerMixin, BaseEstimator):
        """A transformer in scikit-learn's sense."""
