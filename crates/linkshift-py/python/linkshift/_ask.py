"""Asking the question that is worth most."""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array

from . import _core
from ._errors import LinkContradictionError
from ._form import seed

_WORDS = {True: "same", False: "different", None: "unsure"}


class Pair(NamedTuple):
    """Do these two belong together?"""

    a: Hashable
    b: Hashable
    chance: float
    again: bool


class Place(NamedTuple):
    """Which of these groups, each shown by typical members, does the row belong to?"""

    row: Hashable
    groups: list[list[Any]]
    chances: list[float]


class Group(NamedTuple):
    """Are these rows one thing, or which of them are odd?"""

    rows: list[Any]
    chances: list[float]


class Finish(NamedTuple):
    """The end of a dialogue: labels, and whose they are.

    `kept` is 'fit' (the default method's) or 'own' (the asker's). `fit_agreed` and `own_agreed` are
    the shares of answers held back that each agreed with; None where there were too few.
    """

    labels: NDArray[np.int64]
    kept: str
    fit_agreed: float | None
    own_agreed: float | None


class Asker:
    """A dialogue about points: gives questions, takes answers.

    No pair is asked that was answered already. With the chooser 'border' answers are evidence
    that may be wrong: what fits badly with the rest is asked again in another form, and a later
    answer can outweigh an earlier one. The other choosers believe every answer. The next question
    depends on the points, the answers and the seed alone, so that an answer can be taken back
    wherever it stands, and a dialogue resumed from the list of its answers.

    Parameters
    ----------
    X : array or DataFrame of shape (n_points, n_features)
        The points. If it is a DataFrame, pairs are of its index labels instead of rows.
    chooser : {'border', 'npu', 'explore-consolidate', 'min-max', 'random'}, default='border'
        Who chooses. 'border' needs no number of groups and asks where most doubt hangs on an
        answer.
    n_groups : int, optional
        The number of groups, if it is known; for 'explore-consolidate' and 'min-max'.
    answers : iterable, optional
        Answers to begin with, as `answers` or `replies` give them.
    random_state : int, RandomState or None, default=None
        Seed of everything that is drawn by chance; None is 0.

    Attributes
    ----------
    answers : list of (a, b, answer)
        What was said of pairs, in the order told: 'same', 'different' or 'unsure'.
    replies : list of (kind, pairs)
        The answers, each as a whole: its kind ('pair', 'place', 'group') and its pairs, as (a, b,
        answer, certain).
    suspects : list of (a, b, answer, right)
        Answers that are likely wrong, the surest first, with the chance that they are right.
    error_rate : float or None
        The share of wrong answers, as far as answers show; None unless the chooser is 'border'.
    share : float or None
        The share of pairs that `labels` is expected to put rightly together or apart.
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

    Pair = Pair
    Place = Place
    Group = Group
    Finish = Finish

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
        self._core = self._begin(map(self._said, answers))

    def next(self, n: int = 1) -> list[tuple[Any, Any]]:
        """Up to `n` pairs worth asking, the most worth first; empty if nothing is left to ask.

        Each further pair assumes that those before it are answered as expected.
        """
        return [(self._name(a), self._name(b)) for a, b in self._core.next(n)]

    def question(
        self, kinds: Iterable[str] = ("pair", "place", "group")
    ) -> Pair | Place | Group | None:
        """The question worth most per second of a person's time; None if nothing is left to ask.

        A :class:`Pair` is assumed to take 4 seconds, a :class:`Place` 8, a :class:`Group` 12. Pairs
        are asked where no other kind fits.
        """
        asked = self._core.question(list(kinds))
        if asked is None:
            return None
        kind, rows, sizes, chances, again = asked
        rows = [self._name(row) for row in rows]
        if kind == "pair":
            return Pair(*rows, chances[0], again)
        ends = np.cumsum(sizes)
        parts = [rows[end - size : end] for end, size in zip(ends, sizes)]
        return Group(rows, chances) if kind == "group" else Place(rows[0], parts[1:], chances)

    def reply(
        self, question: Pair | Place | Group, answer: Any, *, certain: bool = False
    ) -> None:
        """Take the answer to a question of any kind.

        To a :class:`Pair` as for `tell`; to a :class:`Place` the number of the group from 0, None
        for none of these, or 'unsure'; to a :class:`Group` a list of the odd rows, empty if it is
        one thing, or 'unsure'. Who is `certain` is believed.
        """
        if isinstance(question, Pair):
            self.tell(question.a, question.b, answer, certain=certain)
        elif isinstance(question, Place):
            if answer is None or (isinstance(answer, str) and answer == "unsure"):
                chosen = -1 if answer is None else -2
            elif isinstance(answer, numbers.Integral) and 0 <= answer < len(question.groups):
                chosen = int(answer)
            else:
                must = f"a group from 0 to {len(question.groups) - 1}, None or 'unsure'"
                raise ValueError(f"answer = {answer!r} cannot work: it must be {must}")
            groups = [[self._row(row) for row in group] for group in question.groups]
            self._core.tell_place(self._row(question.row), groups, chosen, certain)
        elif isinstance(question, Group):
            is_unsure = isinstance(answer, str) and answer == "unsure"
            odd = None if is_unsure else [self._row(row) for row in answer]
            self._core.tell_group([self._row(row) for row in question.rows], odd, certain)
        else:
            raise ValueError("reply takes what question() gave, and its answer")

    def tell(
        self, a: Hashable, b: Hashable, answer: str | bool | None, *, certain: bool = False
    ) -> None:
        """Take an answer about a pair: 'same' (True), 'different' (False) or 'unsure' (None).

        Who is `certain` is believed. An answer that contradicts what was said with certainty, or
        with a chooser other than 'border' any earlier answer, raises
        :class:`LinkContradictionError`, which names them, and is not taken.
        """
        try:
            self._core.tell(self._row(a), self._row(b), _word(answer), certain)
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

    def finish(self) -> Finish:
        """The default method's fit with the answers, or the asker's own labels if those are better.

        Nobody knows the true labels: every third answer is held back, both cluster by the others,
        and the fit is kept if it agrees with clearly more of what was held back.
        """
        return Finish(*self._core.finish())

    @property
    def answers(self) -> list[tuple[Any, Any, str]]:
        return [(a, b, answer) for _, pairs in self.replies for a, b, answer, _ in pairs]

    @property
    def replies(self) -> list[tuple[str, list[tuple[Any, Any, str, bool]]]]:
        name = self._name
        return [
            (kind, [(name(a), name(b), answer, certain) for a, b, answer, certain in pairs])
            for kind, pairs in self._core.answers()
        ]

    @property
    def suspects(self) -> list[tuple[Any, Any, str, float]]:
        return [(self._name(a), self._name(b), s, p) for a, b, s, p in self._core.suspects()]

    @property
    def error_rate(self) -> float | None:
        return self._core.error_rate()

    @property
    def share(self) -> float | None:
        return self._core.outlook()[2]

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

    def _said(self, answer):
        """A reply, or a pair alone."""
        if len(answer) == 2:
            kind, pairs = answer
        else:
            kind, pairs = "pair", [(*answer, False)]
        row = self._row
        return kind, [(row(a), row(b), _word(s), bool(certain)) for a, b, s, certain in pairs]

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
