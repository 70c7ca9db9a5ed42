"""Models from files."""

from __future__ import annotations

import os
from importlib import import_module

from . import _core
from ._base import LinkClusterer


def load(path: str | os.PathLike[str]) -> LinkClusterer:
    """Read a fitted model that ``linkshift fit --model`` or an estimator's ``save`` has written.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    estimator
        Of the class of its method, fitted: it predicts (scaling new points as the command line
        did), has ``labels_``, ``cluster_centers_`` and ``link_report_``, and can be asked ``why``.
        Rows have the ids of the file, if it has any. What only some methods find is not in the
        file.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from linkshift import ConstrainedMeanShift, load
    >>> model = ConstrainedMeanShift().fit([[0.0], [0.2], [0.8], [1.0]], cannot_link=[(0, 3)])
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "four.model"
    >>> model.save(path)
    >>> load(path).predict([[0.7]])
    array([1])
    """
    model = _core.Model.load(path)
    for table in _core.methods():
        if table["name"] == model.method:
            # Its class may not have been imported yet.
            estimator: type[LinkClusterer] = getattr(import_module("linkshift"), table["class"])
            return estimator._from_model(model)
    raise ValueError(f"{os.fspath(path)} holds a model of {model.method!r}, which is unknown here")
