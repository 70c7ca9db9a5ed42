"""The notebooks run from top to bottom, and what they show can be shown."""

import ast
import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))


def show(value):
    """What a notebook makes of the last value of a cell."""
    if value is None:
        return ""
    bundle = getattr(value, "_repr_mimebundle_", None)
    if bundle is not None:
        return bundle()["text/html"]
    page = getattr(value, "_repr_html_", None)
    return repr(value) if page is None else page()


def run_cell(source, namespace, name):
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), namespace)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
        assert isinstance(show(value), str)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(notebook, monkeypatch, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    for at, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [], "notebooks are kept without output"
            run_cell("".join(cell["source"]), namespace, f"{notebook.name}, cell {at}")
    matplotlib.pyplot.close("all")


def test_there_are_three():
    assert len(NOTEBOOKS) >= 3
