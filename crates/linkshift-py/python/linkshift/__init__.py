"""Clustering that listens: mean shift and its relatives, with must-links and cannot-links.

>>> from linkshift import ConstrainedMeanShift
>>> X = [[0.0], [0.2], [0.8], [1.0]]
>>> ConstrainedMeanShift().fit(X, cannot_link=[(0, 3)]).labels_
array([0, 0, 1, 1])
"""

from importlib.metadata import version as _version

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

__version__ = _version("linkshift")
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
]
