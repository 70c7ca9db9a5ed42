"""Texts and pictures as points, for pipelines of scikit-learn.

>>> from linkshift.features import TextFeatures
>>> titles = ["open a file", "close the file", "boil an egg", "fry an egg"]
>>> X = TextFeatures(n_columns=2).fit_transform(titles)
>>> X.shape
(4, 2)
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._typed import Transformer

__all__ = ["ImageFeatures", "TextFeatures"]


class TextFeatures(Transformer):
    """Words, pairs of words and pieces of words, weighed by TF-IDF and reduced by a truncated
    singular value decomposition to rows of length 1.

    Parameters
    ----------
    n_columns : int, default=32
        Columns of the points, at most.
    longest_phrase : int, default=2
        Words in a row that count as a term, at most.
    shortest_piece : int, default=3
        The shortest pieces of words, in characters.
    longest_piece : int, default=5
        The longest pieces of words, in characters; 0 leaves pieces out.
    least_rows : int, default=2
        In how many texts a term must occur.
    most_terms : int, default=50000
        Terms at most, those of the most texts.
    random_state : int, default=0
        The seed of the search for the basis.

    Attributes
    ----------
    terms_ : list of str
        The terms that count; pieces of words begin with ``~``.
    n_features_out_ : int
        Columns of the points.

    Examples
    --------
    >>> from linkshift.features import TextFeatures
    >>> features = TextFeatures(n_columns=2).fit(["open a file", "close the file", "boil an egg", "fry an egg"])
    >>> features.transform(["close a file"]).shape
    (1, 2)
    >>> "file" in features.terms_
    True
    """

    def __init__(
        self,
        *,
        n_columns: int = 32,
        longest_phrase: int = 2,
        shortest_piece: int = 3,
        longest_piece: int = 5,
        least_rows: int = 2,
        most_terms: int = 50_000,
        random_state: int = 0,
    ) -> None:
        self.n_columns = n_columns
        self.longest_phrase = longest_phrase
        self.shortest_piece = shortest_piece
        self.longest_piece = longest_piece
        self.least_rows = least_rows
        self.most_terms = most_terms
        self.random_state = random_state

    def fit(self, X: Iterable[str], y: Any = None) -> TextFeatures:
        """Learn terms and basis from texts."""
        self._recipe = _core.TextRecipe.fit(_texts(X), self._settings())
        self.terms_: list[str] = self._recipe.terms
        self.n_features_out_: int = self._recipe.n_columns
        return self

    def transform(self, X: Iterable[str]) -> NDArray[np.float32]:
        """Points of texts, of the first ones or others; zeros where no term is known."""
        check_is_fitted(self)
        return self._recipe.apply(_texts(X))[0]

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """``text0``, ``text1``, …"""
        check_is_fitted(self)
        return np.array([f"text{at}" for at in range(self.n_features_out_)], dtype=object)

    def _settings(self) -> list[int]:
        names = ["n_columns", "longest_phrase", "shortest_piece", "longest_piece"]
        names += ["least_rows", "most_terms", "random_state"]
        settings = []
        for name in names:
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
                raise ValueError(f"{name} = {value!r} cannot work: it must be a whole number")
            settings.append(int(value))
        return settings

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        if "_recipe" in state:
            state["_recipe"] = self._recipe.parts()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "_recipe" in state:
            self._recipe = _core.TextRecipe.from_parts(*state["_recipe"])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


class ImageFeatures(Transformer):
    """297 features of PNG and JPEG pictures: colours, edges, Gabor waves, local patterns.

    The features differ in size: put a ``StandardScaler`` after it.

    Parameters
    ----------
    bad : {"error", "zeros"}, default="error"
        What becomes of pictures that cannot be used: an exception, or a row of zeros and a warning
        that lists them.

    Attributes
    ----------
    n_features_out_ : int
        297.

    Examples
    --------
    >>> from linkshift.features import ImageFeatures
    >>> features = ImageFeatures().fit([])
    >>> features.n_features_out_
    297
    >>> features.get_feature_names_out()[-1]
    'lbp_other'
    """

    def __init__(self, *, bad: str = "error") -> None:
        self.bad = bad

    def fit(self, X: Iterable[Any], y: Any = None) -> ImageFeatures:
        """Learn nothing: features do not depend on other pictures."""
        if self.bad not in ("error", "zeros"):
            raise ValueError(f"bad = {self.bad!r} cannot work: it must be 'error' or 'zeros'")
        self.n_features_out_: int = len(_core.picture_columns())
        return self

    def transform(self, X: Iterable[Any]) -> NDArray[np.float32]:
        """The features of files, one row for each."""
        check_is_fitted(self)
        paths = [os.fspath(path) for path in X]
        found, rows, bad = _core.picture_features(paths, self.bad == "zeros")
        if not bad:
            return found
        listed = "; ".join(f"{paths[row]}: {problem}" for row, problem in bad)
        warnings.warn(f"{len(bad)} pictures cannot be used: {listed}", stacklevel=2)
        features = np.zeros((len(paths), found.shape[1]), dtype=found.dtype)
        features[rows] = found
        return features

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """``color_1_1_red_mean``, …, ``lbp_other``."""
        return np.array(_core.picture_columns(), dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


def _texts(X: Iterable[str]) -> list[str]:
    if isinstance(X, str):
        raise ValueError("X is one text: give a list of texts")
    texts = list(X)
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(f"row {row} is {type(text).__name__}, not a text: fill it in or drop it")
    return texts
