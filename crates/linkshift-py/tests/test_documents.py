"""The examples in the documentation, the example programs and the pictures."""

import doctest
import importlib
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import linkshift
from linkshift import _core

CRATE = Path(__file__).resolve().parents[1]
PACKAGE = Path(linkshift.__file__).parent
MODULES = sorted(
    "linkshift" if file.stem == "__init__" else f"linkshift.{file.stem}"
    for file in PACKAGE.glob("*.py")
    if ">>>" in file.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name):
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted > 0
    assert results.failed == 0


def test_every_public_name_has_an_example():
    """Five of eleven modules were once run: a module without an example would be left out."""
    without = {"LinkContradictionError"}
    for name in set(linkshift.__all__) - without:
        assert ">>>" in inspect.getdoc(getattr(linkshift, name)), name


def test_the_readme_names_every_public_name_and_no_other():
    readme = (CRATE / "README.md").read_text(encoding="utf-8")
    for name in linkshift.__all__:
        assert re.search(rf"`{name}\b", readme), f"the README does not name {name}"
    table = [line for line in readme.splitlines() if line.startswith("| `")]
    estimators = set(re.findall(r"`(\w+)`", " ".join(line.split("|")[1] for line in table)))
    assert estimators == {row["class"] for row in _core.methods()}


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


@pytest.mark.filterwarnings("ignore:mean-shift does not use links")
@pytest.mark.parametrize("n_features", [1, 2, 5])
def test_scatter_draws_points_modes_and_links(n_features):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import numpy as np
    from matplotlib.figure import Figure

    from linkshift import MeanShift
    from linkshift.plot import scatter

    X = np.random.default_rng(0).normal(size=(30, n_features))
    links = dict(must_link=[(0, 1)], cannot_link=[(0, 2), (1, 2)])
    model = MeanShift().fit(X, **links)
    ax = scatter(model, X, Figure().subplots())
    assert len(ax.lines) == 3 + 1  # a line for each link, and the modes
    broken = matplotlib.colors.to_rgb(_core.sign_colors()["broken"])
    colours = [matplotlib.colors.to_rgb(line.get_color()) for line in ax.lines[:3]]
    assert [colour == broken for colour in colours] == (~model.link_report_["kept"]).tolist()
    with pytest.raises(ValueError, match="fitted on 30"):
        scatter(model, X[:5], ax)


def test_the_signs_of_pictures_are_those_of_the_command_line():
    """Red once meant broken here and cannot-link there."""
    colours = _core.sign_colors()
    assert {"must", "cannot", "broken", "mode"} <= set(colours)
    red, green, blue = (int(colours["broken"][at : at + 2], 16) for at in (1, 3, 5))
    assert red > 2 * max(green, blue)
    assert colours["cannot"] != colours["broken"] != colours["must"]
    looks = [_core.cluster_look(label) for label in range(50)]
    assert len(set(looks)) == 50 and _core.cluster_look(-1) not in looks


def test_the_package_is_typed():
    folder = Path(linkshift.__file__).parent
    assert (folder / "py.typed").exists()
    assert (folder / "_core.pyi").exists()
