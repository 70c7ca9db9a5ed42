"""Clustering that listens: mean shift and its relatives, with must-links and cannot-links.

>>> from linkshift import ConstrainedMeanShift
>>> X = [[0.0], [0.2], [0.8], [1.0]]
>>> ConstrainedMeanShift().fit(X, cannot_link=[(0, 3)]).labels_
array([0, 0, 1, 1])
"""

from importlib.metadata import version as _version

from ._constrained import ConstrainedMeanShift
from ._errors import LinkContradictionError
from ._links import Links
from ._mean_shift import MeanShift
from ._spectral import SpectralMeanShift

__version__ = _version("linkshift")
__all__ = [
    "ConstrainedMeanShift",
    "LinkContradictionError",
    "Links",
    "MeanShift",
    "SpectralMeanShift",
]
