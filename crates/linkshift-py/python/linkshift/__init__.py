"""Clustering that listens: mean shift and its relatives, with must-links and cannot-links.

>>> from linkshift import ConstrainedMeanShift
>>> X = [[0.0], [0.2], [0.8], [1.0]]
>>> ConstrainedMeanShift().fit(X, cannot_link=[(0, 3)]).labels_
array([0, 0, 1, 1])
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._ampcc import AMPCC
    from ._ask import Asker
    from ._auto import AutoCluster, cluster
    from ._autoencoder import Autoencoder
    from ._baselines import CDBSCAN, ConstrainedSpectral
    from ._boosted import BoostedMeanShift
    from ._constrained import ConstrainedMeanShift
    from ._errors import LinkContradictionError
    from ._kernel import KernelMeanShift
    from ._kmeans import COPKMeans, KMeans
    from ._links import Links
    from ._load import load
    from ._mean_shift import MeanShift
    from ._numbering import keep_labels
    from ._penalised import MPCKMeans, PCCKMeans, PCKMeans
    from ._spectral import SpectralMeanShift
    from ._studio import studio

    __version__: str

# Each name is imported when it is first asked for: the command line, which lives in this package,
# too, would else wait for scikit-learn. A test compares this with the imports above.
_MODULES = {
    "_ampcc": ["AMPCC"],
    "_ask": ["Asker"],
    "_auto": ["AutoCluster", "cluster"],
    "_autoencoder": ["Autoencoder"],
    "_baselines": ["CDBSCAN", "ConstrainedSpectral"],
    "_boosted": ["BoostedMeanShift"],
    "_constrained": ["ConstrainedMeanShift"],
    "_errors": ["LinkContradictionError"],
    "_kernel": ["KernelMeanShift"],
    "_kmeans": ["COPKMeans", "KMeans"],
    "_links": ["Links"],
    "_load": ["load"],
    "_mean_shift": ["MeanShift"],
    "_numbering": ["keep_labels"],
    "_penalised": ["MPCKMeans", "PCCKMeans", "PCKMeans"],
    "_spectral": ["SpectralMeanShift"],
    "_studio": ["studio"],
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "AMPCC",
    "Asker",
    "AutoCluster",
    "Autoencoder",
    "BoostedMeanShift",
    "CDBSCAN",
    "COPKMeans",
    "ConstrainedMeanShift",
    "ConstrainedSpectral",
    "KMeans",
    "KernelMeanShift",
    "LinkContradictionError",
    "Links",
    "MPCKMeans",
    "MeanShift",
    "PCCKMeans",
    "PCKMeans",
    "SpectralMeanShift",
    "cluster",
    "keep_labels",
    "load",
    "studio",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        value: object = _import_module("importlib.metadata").version("linkshift")
    elif name in _MODULE_OF:
        value = getattr(_import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    elif name in ("features", "plot"):
        value = _import_module(f"{__name__}.{name}")
    else:
        near = _import_module("difflib").get_close_matches(name, __all__, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__", "features", "plot"})
