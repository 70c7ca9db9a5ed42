"""Ask and tell."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score

from linkshift import Asker, ConstrainedMeanShift, LinkContradictionError

CHOOSERS = ["border", "npu", "explore-consolidate", "min-max", "random"]


def dialogue(asker, y, budget):
    while len(asker.answers) < budget and (pairs := asker.next()):
        ((a, b),) = pairs
        asker.tell(a, b, bool(y[a] == y[b]))
    return asker


@pytest.mark.parametrize("chooser", CHOOSERS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_questions_are_new_and_links_can_be_fitted(chooser, dtype):
    X, y = load_iris(return_X_y=True)
    asker = dialogue(Asker(X.astype(dtype), chooser=chooser), y, 25)
    pairs = {frozenset(told[:2]) for told in asker.answers}
    assert len(pairs) == len(asker.answers) == 25
    assert len(asker.next(3)) == 3
    labels = ConstrainedMeanShift().fit(X, links=asker.links).labels_
    assert labels.shape == asker.labels().shape == (150,)


def test_the_border_chooser_needs_no_number_of_groups():
    X, y = load_iris(return_X_y=True)
    asker = dialogue(Asker(X), y, 60)
    # What the bench measures on the same set after 50 answers is 1.0; ten percent are for chance.
    assert adjusted_rand_score(y, asker.labels()) > 0.9


def test_answers_can_be_taken_back_and_resumed():
    X, y = load_iris(return_X_y=True)
    asker = dialogue(Asker(X), y, 10)
    question = asker.next()
    a, b, answer = asker.answers[3]
    assert asker.undo(b, a) and not asker.undo(b, a)
    asker.tell(a, b, answer)
    asker.tell(*question[0], None)
    assert asker.undo()
    for again in (Asker(X, answers=asker.answers), pickle.loads(pickle.dumps(asker))):
        assert again.answers == asker.answers
        assert again.next(2) == asker.next(2)


def test_a_data_frame_is_asked_about_by_its_index():
    X = pd.DataFrame({"x": [0.0, 1.0, 5.0]}, index=["p", "q", "r"])
    asker = Asker(X, chooser="min-max")
    asker.tell("p", "q", "same")
    ((a, b),) = asker.next()
    assert a == "r" and b in ("p", "q")
    asker.tell("q", "r", True)
    with pytest.raises(LinkContradictionError, match="p"):
        asker.tell("p", "r", "different")
    assert asker.links == [("p", "q", "must"), ("q", "r", "must")]
    assert asker.next() == [] and asker.settled
    assert "2 answers about 3 points" in repr(asker)


def test_a_number_of_groups_draws_its_conclusions():
    asker = Asker([[0.0], [1.0], [2.0]], chooser="explore-consolidate", n_groups=2)
    asker.tell(0, 2, False)
    asker.tell(1, 0, False)
    assert asker.next() == []
    assert asker.links[2:] == [(1, 2, "must")]


@pytest.mark.parametrize(
    "bad",
    [
        lambda X: Asker(X, chooser="borders"),
        lambda X: Asker(X, n_groups=2),
        lambda X: Asker(X, chooser="min-max", n_groups=9),
        lambda X: Asker(X, answers=[(0, 1, "perhaps")]),
        lambda X: Asker(X).tell(0, 3, "same"),
        lambda X: Asker(X).tell(-1, 1, "same"),
        lambda X: Asker(X).tell(1, 1, "same"),
        lambda X: Asker(X).tell(0, 1, 1.0),
        lambda X: Asker(X).undo(1),
        lambda X: Asker(X).next(-1),
        lambda X: Asker([[np.nan]]),
        lambda X: Asker(pd.DataFrame({"x": [0.0, 1.0]}, index=["p", "p"])),
    ],
)
def test_what_cannot_be_meant_is_refused(bad):
    with pytest.raises(ValueError):
        bad([[0.0], [1.0], [2.0]])
