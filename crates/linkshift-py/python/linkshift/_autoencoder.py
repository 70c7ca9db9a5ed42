"""Points in few columns by a stacked denoising autoencoder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._base import _mended
from ._progress import Progress

if TYPE_CHECKING:
    from typing import Self

_DTYPES = [np.float64, np.float32]


class Autoencoder(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Embeds points such as pictures in a few columns, by the network of the paper on constrained
    mean shift: each layer is first trained by itself to undo noise, then all of them together.

    It learns from the points alone: labels and links are not looked at. The same points and
    `random_state` give the same embedding for any number of threads.

    Parameters
    ----------
    hidden : sequence of int, default=(500, 500, 2000)
        Units of the layers between the points and the embedding.
    n_columns : int, default=10
        Columns of the embedding.
    noise : float, default=0.2
        Share of a layer's inputs that is wiped out when it is trained by itself, and of the
        points' numbers when all are trained.
    pretrain_epochs : int, default=50
        Passes over the points for each layer by itself, at most; 0 leaves them out.
    epochs : int, default=300
        Passes over the points for all layers, at most.
    batch : int, default=256
        Points in a step.
    learning_rate : float, default=0.001
        The length of Adam's first steps, which shrink along half a cosine.
    held_out : float, default=0.1
        Share of the points that are only used to see when to stop.
    patience : int, default=10
        Passes without a lower loss on these, after which a stage ends.
    picture : (int, int), optional
        Height and width, if points are pictures with a column for each pixel, line by line, and 0 is the
        background. They are moved, turned and resized a little in training, anew in each pass, which
        makes clusters clearer; those to be embedded are not. Columns must not be scaled one by one.
    random_state : int, default=0
        The seed of weights, noise, order and moves.
    n_jobs : int, optional
        Threads; None and -1 are all processors.
    verbose : bool, default=False
        Whether to show a progress bar on stderr.

    Attributes
    ----------
    loss_curve_ : list of (int, float, float or None)
        Of each pass over the points the layer that was trained (as many as there are: all), the mean
        squared error, and the same on the points held out.
    n_features_in_ : int
        Columns of the points.

    Examples
    --------
    >>> import numpy as np
    >>> from linkshift import Autoencoder
    >>> X = np.random.default_rng(0).normal(size=(60, 8))
    >>> Autoencoder(hidden=(16,), n_columns=2, epochs=3).fit_transform(X).shape
    (60, 2)
    """

    def __init__(
        self,
        *,
        hidden: Sequence[int] = (500, 500, 2000),
        n_columns: int = 10,
        noise: float = 0.2,
        pretrain_epochs: int = 50,
        epochs: int = 300,
        batch: int = 256,
        learning_rate: float = 1e-3,
        held_out: float = 0.1,
        patience: int = 10,
        picture: tuple[int, int] | None = None,
        random_state: int = 0,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.hidden = hidden
        self.n_columns = n_columns
        self.noise = noise
        self.pretrain_epochs = pretrain_epochs
        self.epochs = epochs
        self.batch = batch
        self.learning_rate = learning_rate
        self.held_out = held_out
        self.patience = patience
        self.picture = picture
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Train on points; `y` is not looked at."""
        try:
            points = validate_data(self, X, dtype=_DTYPES, order="C")
        except ValueError as error:
            raise ValueError(_mended(X, str(error))) from None
        with Progress(self.verbose) as progress:
            self._core = _core.Autoencoder.fit(points, self._settings(), progress, self.n_jobs)
        self.loss_curve_ = self._core.curve
        return self

    def transform(self, X: ArrayLike) -> NDArray[np.float32]:
        """The embedding of points, of those it was trained on or of others."""
        check_is_fitted(self)
        points = validate_data(self, X, dtype=_DTYPES, order="C", reset=False)
        return self._core.apply(points, self.n_jobs)

    @property
    def _n_features_out(self) -> int:
        return self.n_columns

    def _settings(self) -> tuple[Any, ...]:
        counts = ["n_columns", "pretrain_epochs", "epochs", "batch", "patience", "random_state"]
        for name in counts:
            _check(name, getattr(self, name))
        hidden = [_check("hidden", units) for units in self.hidden]
        return (
            hidden,
            int(self.n_columns),
            float(self.noise),
            int(self.pretrain_epochs),
            int(self.epochs),
            int(self.batch),
            float(self.learning_rate),
            float(self.held_out),
            int(self.patience),
            _shape(self.picture),
            int(self.random_state),
        )

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        if "_core" in state:
            state["_core"] = self._core.to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "_core" in state:
            self._core = _core.Autoencoder.from_bytes(state["_core"])


def _check(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
        raise ValueError(f"{name} = {value!r} cannot work: it must be a whole number")
    return int(value)


def _shape(value: Any) -> tuple[int, int] | None:
    if value is None:
        return None
    try:
        height, width = (_check("picture", pixels) for pixels in value)
    except (TypeError, ValueError):
        raise ValueError(
            f"picture = {value!r} cannot work: it must be height and width, such as (28, 28)"
        ) from None
    return height, width
