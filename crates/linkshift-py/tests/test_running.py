"""A long fit leaves Python free: other threads run, Ctrl-C ends it, progress is shown."""

import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from linkshift import ConstrainedMeanShift, MeanShift

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

# No merging and no truncation: seconds of work in many short iterations.
SLOW = dict(bandwidth=0.2, kernel="rbf", merge_tolerance=0.0, tolerance=0.0, max_iter=100_000)


def points(n):
    return np.random.default_rng(0).uniform(size=(n, 3))


def test_other_threads_go_on_during_a_fit():
    ticks = []
    ended = threading.Event()

    def tick():
        while not ended.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    MeanShift(**{**SLOW, "max_iter": 30}, n_jobs=1).fit(points(1_500))
    end = time.perf_counter()
    ended.set()
    thread.join()
    during = [at for at in ticks if start < at < end]
    # With the GIL held there would be none; a tick of 1 ms takes a few on a busy machine.
    assert len(during) > (end - start) / 0.1


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent the POSIX way")
def test_ctrl_c_ends_a_fit():
    # Whoever runs the tests in the background has interrupts ignored, and children inherit that.
    program = f"""
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import numpy as np
from linkshift import MeanShift
X = np.random.default_rng(0).uniform(size=(1_500, 3))
print("begun", flush=True)
MeanShift(**{SLOW!r}).fit(X)
"""
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout.readline() == "begun\n"
        time.sleep(0.5)
        assert child.poll() is None, "the fit is over before it can be interrupted"
        child.send_signal(signal.SIGINT)
        _, stderr = child.communicate(timeout=20)
    finally:
        child.kill()
    assert "KeyboardInterrupt" in stderr
    assert child.returncode != 0


def test_progress_is_shown_if_wished(capsys):
    X = points(1_000)
    SLOWLY = {**SLOW, "max_iter": 40}
    MeanShift(**SLOWLY, verbose=True).fit(X)
    shown = capsys.readouterr()
    assert "40/40" in shown.err
    assert shown.out == ""
    ConstrainedMeanShift(max_iter=5).fit(X, cannot_link=[(0, 1)])
    assert capsys.readouterr().err == ""


def test_an_exception_in_the_progress_ends_the_fit(monkeypatch):
    def broken(*_):
        raise OSError("no terminal")

    monkeypatch.setattr("linkshift._progress.Progress._show", broken)
    with pytest.raises(OSError, match="no terminal"):
        MeanShift(**SLOW, verbose=True).fit(points(1_000))
