"""Exceptions of the package."""

from __future__ import annotations


class LinkContradictionError(ValueError):
    """A cannot-link joins two points that must-links put together.

    Attributes
    ----------
    cannot : tuple
        The two ends of the cannot-link: rows, or index labels if ``X`` was a DataFrame.
    chain : list of tuple
        The shortest chain of must-links from one end to the other.
    """

    def __init__(self, message: str, cannot: tuple, chain: list[tuple]) -> None:
        super().__init__(message)
        self.cannot = cannot
        self.chain = chain

    def __reduce__(self):
        return type(self), (str(self), self.cannot, self.chain)

    def named(self, index):
        """The same error in the words of a DataFrame's index."""

        def names(pair):
            return tuple(index[row] for row in pair)

        cannot, chain = names(self.cannot), [names(pair) for pair in self.chain]
        way = ", ".join(f"{a}–{b}" for a, b in chain)
        message = f"{self} (by index label: cannot {cannot[0]}–{cannot[1]}, must {way})"
        return LinkContradictionError(message, cannot, chain)
