"""The studio: look, answer, correct, export, in the browser."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array

from . import _core
from ._form import seed
from ._links import gather


class Studio:
    """A studio that serves in the background; :func:`studio` starts one.

    Attributes
    ----------
    url : str
        What to open in a browser. Whoever knows it may do all that the page can.
    labels : array of shape (n_points,)
        The cluster of each point, as the page shows it at the moment; -1 is none.
    names : dict
        The names that clusters were given, by their number.
    answers : list of (a, b, answer)
        What was answered and corrected so far, in the order it was told: 'same', 'different' or
        'unsure'. :class:`Asker` takes it.
    links : list of (a, b, kind, confidence)
        The same for a ``fit(X, links=...)``.
    """

    def __init__(self, core: _core.Studio, index: list[Hashable] | None):
        self._core = core
        self._index = index

    @property
    def url(self) -> str:
        return self._core.url()

    @property
    def labels(self) -> NDArray[np.int64]:
        return self._core.labels()

    @property
    def names(self) -> dict[int, str]:
        return dict(self._core.names())

    @property
    def answers(self) -> list[tuple[Hashable, Hashable, str]]:
        told = self._core.answers()
        return [(self._name(a), self._name(b), answer) for a, b, answer, _ in told]

    @property
    def links(self) -> list[tuple[Hashable, Hashable, str, float]]:
        told = [one for one in self._core.answers() if one[2] != "unsure"]
        some_certain = any(certain for *_, certain in told)
        kinds = {"same": "must", "different": "cannot"}
        return [
            (self._name(a), self._name(b), kinds[answer], 1.0 if certain or not some_certain else 0.99)
            for a, b, answer, certain in told
        ]

    def _name(self, row: int) -> Hashable:
        return row if self._index is None else self._index[row]

    def stop(self) -> None:
        """Ends the server; all answers are in their file."""
        self._core.stop()

    def __enter__(self) -> Studio:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"Studio({self.url!r})"


def studio(
    X: Any,
    *,
    texts: Iterable[str] | None = None,
    images: Any = None,
    show: Any = None,
    links: Any = None,
    answers: str | os.PathLike[str] = "studio.answers.csv",
    image_folder: str | os.PathLike[str] = ".",
    scale: str = "min-max",
    port: int = 0,
    open_browser: bool = True,
    random_state: Any = None,
) -> Studio:
    """Shows points in the browser, asks which belong together, and clusters by the answers.

    The server runs in the background and only on this machine. Answers are in the file `answers` before
    they are acknowledged; the same call goes on where it stopped.

    Parameters
    ----------
    X : array or DataFrame of shape (n_points, n_features)
        The points. The index of a DataFrame names them, its columns are shown.
    texts : iterable of str, optional
        A text to show for each point.
    images : array of shape (n_points, height, width) or (n_points, height, width, 3), or iterable, optional
        A picture to show for each point: pixels of type uint8, names of files below `image_folder`, or the
        bytes of files.
    show : DataFrame or dict of columns, optional
        What else to show of each point.
    links : optional
        What is known already, in any form that ``fit(X, links=...)`` takes; it is not changed.
    answers : path, default='studio.answers.csv'
        The file of the answers; `linkshift ask` and `linkshift fit --links` read it.
    image_folder : path, default='.'
        Nothing outside of it is shown.
    scale : {'min-max', 'z-score', 'unit', 'none'}, default='min-max'
        How columns are brought to one scale.
    port : int, default=0
        The port; 0 takes a free one.
    open_browser : bool, default=True
        Whether to open a browser.
    random_state : int, RandomState or None, default=None
        Seed of everything that is drawn by chance; None is 0.

    Returns
    -------
    Studio
        With `url`, `labels`, `names`, `answers`, `links`; ``stop()`` ends it, and so does a ``with``.

    Examples
    --------
    >>> import tempfile
    >>> import linkshift
    >>> X = [[0.0], [0.1], [5.0], [5.1]]
    >>> folder = tempfile.TemporaryDirectory()
    >>> with linkshift.studio(X, answers=f"{folder.name}/a.csv", open_browser=False) as studio:
    ...     studio.answers  # what was answered in the browser
    []
    >>> folder.cleanup()
    """
    labels = X.index if hasattr(X, "iloc") else None
    index = None if labels is None else list(labels)
    columns = [str(name) for name in X.columns] if hasattr(X, "columns") else None
    array = check_array(X, dtype=[np.float64, np.float32], order="C")
    n_points = len(array)
    if columns is None:
        columns = [f"f{at}" for at in range(array.shape[1])]
    nothing = dict.fromkeys(("must_link", "cannot_link", "link_confidence", "groups", "labels"))
    told = gather(n_points, index=labels, links=links, **nothing)
    beside = {
        "name": "points",
        "columns": columns,
        "ids": None if index is None else _unique([str(name) for name in index]),
        "shown": [(str(name), _texts(str(name), show[name], n_points)) for name in show]
        if show is not None
        else [],
        "texts": None if texts is None else _texts("texts", texts, n_points),
        "images": _images(images, n_points),
        "image_folder": os.fspath(image_folder),
        "scale": scale,
        "seed": seed(random_state),
    }
    core = _core.Studio(array, told._columns(), beside, os.fspath(answers), port)
    started = Studio(core, index)
    if open_browser and not core.open_browser():
        print(f"open {started.url} in a browser")
    return started


def _unique(names: list[str]) -> list[str]:
    if len(set(names)) < len(names):
        raise ValueError("the index of X names a row twice: reset it, or make its names different")
    return names


def _texts(name: str, texts: ArrayLike | Iterable[Any], n_points: int) -> list[str]:
    found = [str(text) for text in texts]
    if len(found) != n_points:
        raise ValueError(f"{name}: there are {len(found)} for {n_points} points: give one for each")
    return found


def _images(images: Any, n_points: int) -> Any:
    if images is None:
        return None
    if isinstance(images, np.ndarray) and images.ndim >= 3:
        found = np.ascontiguousarray(images, dtype=np.uint8)
    else:
        found = [one if isinstance(one, bytes) else os.fspath(one) for one in images]
    if len(found) != n_points:
        raise ValueError(f"images: there are {len(found)} for {n_points} points: give one for each")
    return found
