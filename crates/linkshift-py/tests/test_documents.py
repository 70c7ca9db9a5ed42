"""The examples in the documentation, the example programs and the pictures."""

import doctest
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULES = [
    "linkshift",
    "linkshift._constrained",
    "linkshift._kmeans",
    "linkshift._links",
    "linkshift._mean_shift",
]
CRATE = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name):
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted > 0
    assert results.failed == 0


def test_examples_in_the_readme_run():
    results = doctest.testfile(str(CRATE / "README.md"), module_relative=False)
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize("example", sorted((CRATE / "examples").glob("*.py")), ids=lambda p: p.name)
def test_example_programs_run(example, tmp_path):
    pytest.importorskip("matplotlib")
    run = subprocess.run(
        [sys.executable, str(example), "--quick"],
        cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout


@pytest.mark.parametrize("n_features", [1, 2, 5])
def test_scatter_draws_points_modes_and_links(n_features):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import numpy as np
    from matplotlib.figure import Figure

    from linkshift import MeanShift
    from linkshift.plot import scatter

    X = np.random.default_rng(0).normal(size=(30, n_features))
    model = MeanShift().fit(X, must_link=[(0, 1)], cannot_link=[(0, 2), (1, 2)])
    ax = scatter(model, X, Figure().subplots())
    assert len(ax.lines) == 3 + 1  # a line for each link, and the modes
    with pytest.raises(ValueError, match="fitted on 30"):
        scatter(model, X[:5], ax)


def test_the_package_is_typed():
    import linkshift

    folder = Path(linkshift.__file__).parent
    assert (folder / "py.typed").exists()
    assert (folder / "_core.pyi").exists()
