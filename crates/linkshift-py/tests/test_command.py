"""The command ``linkshift`` that comes with the package."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import linkshift
from linkshift import _core

COMMAND = Path(sys.executable).parent / "linkshift"


def run(*words, **options):
    options = {"capture_output": True, "text": True, "timeout": 60, **options}
    return subprocess.run([COMMAND, *words], **options)


def test_it_is_there_and_of_the_package_s_version():
    assert run("--version").stdout == f"linkshift {linkshift.__version__}\n"
    as_module = [sys.executable, "-m", "linkshift", "--version"]
    assert subprocess.run(as_module, capture_output=True, text=True).stdout == run("--version").stdout


def test_results_errors_and_codes_are_the_program_s(tmp_path):
    made = run("make", "moons", "-n", "40", "-o", "moons.csv", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    fitted = run("fit", "moons.csv", "--label-column", "label", "-o", "-", cwd=tmp_path)
    assert fitted.returncode == 0 and fitted.stdout.startswith("label\n")
    assert len(fitted.stdout.splitlines()) == 41
    wrong = run("fit", "moon.csv", cwd=tmp_path)
    assert wrong.returncode == 2 and wrong.stdout == ""
    assert wrong.stderr.startswith("error: moon.csv: there is no such file")


def test_a_model_goes_from_python_to_the_command_line(tmp_path):
    model = linkshift.ConstrainedMeanShift().fit([[0.0], [0.2], [0.8], [1.0]], cannot_link=[(0, 3)])
    model.save(tmp_path / "four.model")
    why = run("why", "four.model", "0", "2", cwd=tmp_path)
    assert why.stdout.strip() == model.why(0, 2).strip()


@pytest.mark.parametrize("method", _core.methods(), ids=lambda method: method["name"])
def test_labels_are_those_of_the_estimator(method, tmp_path):
    assert run("make", "moons", "-n", "80", "-o", "moons.csv", cwd=tmp_path).returncode == 0
    table = np.loadtxt(tmp_path / "moons.csv", delimiter=",", skiprows=1)
    (tmp_path / "links.csv").write_text("a,b,kind\n0,1,must\n2,60,cannot\n5,70,cannot\n")
    told = ["-k", "2"] if method["clusters"] == "told" else []
    fitted = run(
        *["fit", "moons.csv", "--label-column", "label", "--links", "links.csv", "--scale", "none"],
        *["--method", method["name"], *told, "-o", "labels.csv"],
        cwd=tmp_path,
    )
    assert fitted.returncode == 0, fitted.stderr
    estimator = getattr(linkshift, method["class"])(**({"n_clusters": 2} if told else {}))
    estimator.fit(table[:, :2], must_link=[(0, 1)], cannot_link=[(2, 60), (5, 70)])
    labels = np.loadtxt(tmp_path / "labels.csv", skiprows=1)
    assert estimator.labels_.tolist() == labels.tolist()


def test_it_does_not_wait_for_scikit_learn():
    """Importing scikit-learn takes longer than most commands."""
    code = "import sys, linkshift._command; print('sklearn' in sys.modules, 'numpy' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert told.stdout == "False False\n", told.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_ends_a_fit_and_writes_nothing(tmp_path):
    run("make", "blobs", "-n", "20000", "--dimensions", "6", "-o", "blobs.csv", cwd=tmp_path)
    words = "fit blobs.csv --label-column label --method cms --set representatives=never -o labels.csv"
    fit = subprocess.Popen([COMMAND, *words.split()], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    fit.send_signal(signal.SIGINT)
    # A second time means now, should an iteration be long.
    time.sleep(0.5)
    fit.send_signal(signal.SIGINT)
    message = fit.communicate(timeout=60)[1]
    assert fit.returncode == 1 and "cancelled" in message
    assert "Traceback" not in message and not (tmp_path / "labels.csv").exists()
