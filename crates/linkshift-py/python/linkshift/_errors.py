"""Exceptions of the package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class LinkContradictionError(ValueError):
    """A cannot-link joins two points that must-links put together.

    Attributes
    ----------
    cannot : tuple
        The two ends of the cannot-link: rows, or index labels if ``X`` was a DataFrame.
    chain : list of tuple
        The shortest chain of must-links from one end to the other.
    """

    def __init__(self, message: str, cannot: tuple[Any, Any], chain: list[tuple[Any, Any]]) -> None:
        super().__init__(message)
        self.cannot: tuple[Any, Any] = cannot
        self.chain: list[tuple[Any, Any]] = chain

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.cannot, self.chain)

    def named(self, index: Sequence[Any]) -> LinkContradictionError:
        """The same error in the words of a DataFrame's index."""

        def names(pair: tuple[Any, Any]) -> tuple[Any, Any]:
            return index[pair[0]], index[pair[1]]

        cannot, chain = names(self.cannot), [names(pair) for pair in self.chain]
        way = ", ".join(f"{a}–{b}" for a, b in chain)
        message = f"{self} (by index label: cannot {cannot[0]}–{cannot[1]}, must {way})"
        return LinkContradictionError(message, cannot, chain)
