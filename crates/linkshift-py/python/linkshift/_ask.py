"""Asking the question that is worth most."""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array

from . import _core
from ._errors import LinkContradictionError
from ._form import seed

_WORDS = {True: "same", False: "different", None: "unsure"}


class Asker:
    """A dialogue about pairs of points: gives questions, takes answers.

    No pair is asked that is known already, by an answer or by what follows from answers. The next
    question depends on the points, the answers and the seed alone, so that an answer can be taken
    back wherever it stands, and a dialogue resumed from the list of its answers.

    Parameters
    ----------
    X : array or DataFrame of shape (n_points, n_features)
        The points. If it is a DataFrame, pairs are of its index labels instead of rows.
    chooser : {'border', 'npu', 'explore-consolidate', 'min-max', 'random'}, default='border'
        Who chooses. 'border' needs no number of groups and asks where most doubt hangs on an
        answer.
    n_groups : int, optional
        The number of groups, if it is known; for 'explore-consolidate' and 'min-max'.
    answers : iterable of (a, b, answer), optional
        Answers to begin with, as `answers` gives them.
    random_state : int, RandomState or None, default=None
        Seed of everything that is drawn by chance; None is 0.

    Attributes
    ----------
    answers : list of (a, b, answer)
        The answers in the order they were told: 'same', 'different' or 'unsure'.
    links : list of (a, b, kind)
        What a ``fit(X, links=...)`` takes: kind is 'must' or 'cannot'. If `n_groups` is given, also
        what follows from it: a point apart from all groups but one belongs to that one.
    settled : bool
        Whether further answers are expected to change little: the last 20 left the labels nearly as
        they were, or nothing is left to ask.

    Examples
    --------
    >>> from linkshift import Asker
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> asker = Asker(X)
    >>> while questions := asker.next():
    ...     (a, b), = questions
    ...     asker.tell(a, b, (a < 3) == (b < 3))  # here a person is asked
    >>> asker.labels()
    array([0, 0, 0, 1, 1, 1])
    >>> asker.undo()
    True
    """

    def __init__(
        self,
        X: ArrayLike,
        *,
        chooser: str = "border",
        n_groups: int | None = None,
        answers: Iterable[tuple[Any, Any, Any]] = (),
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        index = X.index if hasattr(X, "iloc") else None
        self._names = None if index is None else list(index)
        self._rows = None if index is None else {name: row for row, name in enumerate(index)}
        if index is not None and len(self._rows) < len(self._names):
            raise ValueError("the index of X names some rows twice: pass X.reset_index()")
        self.chooser = chooser
        self.n_groups = n_groups
        self._seed = seed(random_state)
        self._X = check_array(X, dtype=[np.float64, np.float32], order="C")
        self._core = self._begin((self._row(a), self._row(b), _word(s)) for a, b, s in answers)

    def next(self, n: int = 1) -> list[tuple[Any, Any]]:
        """Up to `n` pairs worth asking, the most worth first; empty if nothing is left to ask.

        Each further pair assumes that those before it are answered as expected.
        """
        return [(self._name(a), self._name(b)) for a, b in self._core.next(n)]

    def tell(self, a: Hashable, b: Hashable, answer: str | bool | None) -> None:
        """Take an answer: 'same' (True), 'different' (False) or 'unsure' (None).

        One that contradicts earlier answers raises :class:`LinkContradictionError`, which names
        them, and is not taken.
        """
        try:
            self._core.tell(self._row(a), self._row(b), _word(answer))
        except LinkContradictionError as error:
            raise (error if self._names is None else error.named(self._names)) from None

    def undo(self, a: Hashable | None = None, b: Hashable | None = None) -> bool:
        """Take back the latest answer about a pair, or the latest of all; whether there was one."""
        if (a is None) != (b is None):
            raise ValueError("undo takes both ends of a pair, or none for the latest answer")
        pair = None if a is None else (self._row(a), self._row(b))
        return self._core.undo(pair) is not None

    def labels(self) -> NDArray[np.int64]:
        """The answers spread over all points: each with the group it most likely belongs to."""
        return self._core.labels()

    @property
    def answers(self) -> list[tuple[Any, Any, str]]:
        return [(self._name(a), self._name(b), answer) for a, b, answer in self._core.answers()]

    @property
    def links(self) -> list[tuple[Any, Any, str]]:
        kinds = {True: "must", False: "cannot"}
        return [(self._name(a), self._name(b), kinds[m]) for a, b, m in self._core.links()]

    @property
    def settled(self) -> bool:
        return self._core.outlook()[1]

    def __repr__(self) -> str:
        groups = "" if self.n_groups is None else f", n_groups={self.n_groups}"
        told = f"{len(self._core.answers())} answers about {len(self._X)} points"
        return f"<Asker(chooser={self.chooser!r}{groups}): {told}>"

    def __getstate__(self) -> dict[str, Any]:
        # The core lives in Rust; the answers are all that it remembers.
        return {**self.__dict__, "_core": self._core.answers()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._core = self._begin(state["_core"])

    def _begin(self, answers):
        return _core.Asker(self._X, self.chooser, self.n_groups, self._seed, list(answers))

    def _row(self, name):
        if self._rows is None:
            if isinstance(name, numbers.Integral) and 0 <= name < len(self._X):
                return int(name)
            raise ValueError(f"there is no row {name!r}: rows count from 0 to {len(self._X) - 1}")
        if name not in self._rows:
            raise ValueError(f"{name!r} is not in the index of X")
        return self._rows[name]

    def _name(self, row):
        return row if self._names is None else self._names[row]


def _word(answer):
    if answer is None or isinstance(answer, (bool, np.bool_)):
        return _WORDS[None if answer is None else bool(answer)]
    if isinstance(answer, str):
        return answer
    raise ValueError(f"answer = {answer!r} cannot work: it must be 'same', 'different' or 'unsure'")
