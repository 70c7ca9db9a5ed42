"""How the core's parameters are written in Python: the only place where the two differ."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

# The core's word, and that of scikit-learn's users.
_NAMES = {"seed": "random_state"}
# What Python alone has: how a fit is run, not what it finds.
OWN = ("use_y", "n_jobs", "verbose")


def name_of(key: str) -> str:
    """A parameter's name in Python."""
    return _NAMES.get(key, key)


def preset_name(preset: str) -> str:
    """The class method that stands for a preset."""
    return "like_scikit_learn" if preset == "scikit-learn" else preset.replace("-", "_")


def to_core(params: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """What is set otherwise than by default, under the core's names.

    ``None`` leaves a parameter to the core, as does ``"auto"`` where a method can find out.
    """
    keys = {name: key for key, name in _NAMES.items()}
    settings = {}
    for name, value in params.items():
        if name == "random_state":
            value = seed(value) or None
        if name in OWN or value is None or _same(value, defaults.get(name)):
            continue
        is_array = isinstance(value, (list, tuple, np.ndarray))
        settings[keys.get(name, name)] = np.ravel(value).tolist() if is_array else value
    return settings


def from_core(settings: Mapping[str, Any], n_features: int) -> dict[str, Any]:
    """What an estimator is made with, from the settings of a model."""
    params = {name_of(key): value for key, value in settings.items()}
    if params.get("seeds") is not None:
        params["seeds"] = np.reshape(params["seeds"], (-1, n_features))
    return params


def seed(random_state: int | np.random.RandomState | None) -> int:
    """The seed that a ``random_state`` stands for; None is 0, so results never vary by themselves."""
    if random_state is None:
        return 0
    if isinstance(random_state, (int, np.integer)) and random_state >= 0:
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def _same(value: Any, default: Any) -> bool:
    is_plain = isinstance(value, (bool, str, numbers.Number))
    return value is default or (is_plain and type(default) is not type(None) and value == default)
