from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

_Points = NDArray[np.float32] | NDArray[np.float64]
_LinkColumns = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int8], NDArray[np.float64]]
_Progress = Callable[[int, int, int], object]

class Model:
    @property
    def labels(self) -> NDArray[np.int64]: ...
    @property
    def modes(self) -> _Points: ...
    @property
    def n_iter(self) -> int: ...
    @property
    def converged(self) -> bool: ...
    @property
    def bandwidths(self) -> NDArray[np.float64]: ...
    @property
    def details(self) -> dict[str, Any]: ...
    def predict(self, points: _Points, n_jobs: int | None = None) -> NDArray[np.int64]: ...

class Asker:
    def __init__(
        self,
        array: _Points,
        chooser: str,
        n_groups: int | None,
        seed: int,
        answers: list[tuple[int, int, str]],
    ) -> None: ...
    def next(self, n: int) -> list[tuple[int, int]]: ...
    def tell(self, a: int, b: int, answer: str) -> None: ...
    def undo(self, pair: tuple[int, int] | None) -> tuple[int, int, str] | None: ...
    def answers(self) -> list[tuple[int, int, str]]: ...
    def links(self) -> list[tuple[int, int, bool]]: ...
    def labels(self) -> NDArray[np.int64]: ...
    def outlook(self) -> tuple[float | None, bool]: ...

def fit_mean_shift(
    points: _Points,
    settings: dict[str, Any],
    weights: _Points | None = None,
    progress: _Progress | None = None,
) -> Model: ...
def fit_constrained_mean_shift(
    points: _Points,
    settings: dict[str, Any],
    links: _LinkColumns,
    weights: _Points | None = None,
    progress: _Progress | None = None,
) -> Model: ...
def fit_boosted_mean_shift(
    points: _Points,
    settings: dict[str, Any],
    links: _LinkColumns,
    weights: _Points | None = None,
    progress: _Progress | None = None,
) -> Model: ...
def fit_kernel_mean_shift(
    points: _Points,
    settings: dict[str, Any],
    links: _LinkColumns,
    weights: _Points | None = None,
    progress: _Progress | None = None,
) -> Model: ...
def fit_kmeans(
    points: _Points,
    settings: dict[str, Any],
    links: _LinkColumns,
    weights: _Points | None = None,
    progress: _Progress | None = None,
) -> Model: ...
def fit_spectral_mean_shift(
    points: _Points,
    settings: dict[str, Any],
    links: _LinkColumns,
    weights: _Points | None = None,
    progress: _Progress | None = None,
) -> Model: ...
def fit_cdbscan(
    points: _Points,
    settings: dict[str, Any],
    links: _LinkColumns,
    weights: _Points | None = None,
    progress: _Progress | None = None,
) -> Model: ...
def fit_constrained_spectral(
    points: _Points,
    settings: dict[str, Any],
    links: _LinkColumns,
    weights: _Points | None = None,
    progress: _Progress | None = None,
) -> Model: ...
def keep_numbers(
    previous: NDArray[np.int64], labels: NDArray[np.int64]
) -> NDArray[np.int64]: ...
def check_links(links: _LinkColumns, n_points: int) -> None: ...
def label_links(
    labels: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int8]]: ...
