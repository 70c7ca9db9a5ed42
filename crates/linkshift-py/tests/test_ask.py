"""Ask and tell."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score

from linkshift import Asker, ConstrainedMeanShift, LinkContradictionError

Group, Pair, Place = Asker.Group, Asker.Pair, Asker.Place
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


def answered(asker, question, y):
    """The right answer to a question of any kind."""
    if isinstance(question, Pair):
        return bool(y[question.a] == y[question.b])
    if isinstance(question, Place):
        same = [i for i, rows in enumerate(question.groups) if y[rows[0]] == y[question.row]]
        return same[0] if same else None
    classes = [y[row] for row in question.rows]
    most = max(set(classes), key=classes.count)
    return [row for row in question.rows if y[row] != most]


def test_questions_of_every_kind():
    X, y = load_iris(return_X_y=True)
    asker = Asker(X)
    for _ in range(40):
        question = asker.question()
        asker.reply(question, answered(asker, question, y))
    assert len(asker.replies) == 40 and len(asker.answers) > 40
    assert any(kind == "place" for kind, _ in asker.replies)
    # What the bench measures on the same set after 50 pairs is 1.0; ten percent are for chance.
    assert adjusted_rand_score(y, asker.labels()) > 0.9
    assert 0 < asker.error_rate < 0.5 and 0.5 < asker.share <= 1
    question = asker.question()
    for again in (Asker(X, answers=asker.replies), pickle.loads(pickle.dumps(asker))):
        assert again.replies == asker.replies and again.question() == question
    n_pairs = len(asker.answers)
    kind, pairs = asker.replies[-1]
    assert asker.undo() and len(asker.answers) == n_pairs - len(pairs)


def test_one_wrong_answer_is_outweighed():
    X = np.r_[np.linspace(0, 1, 20), np.linspace(5, 6, 20)][:, None]
    asker = Asker(X)
    wrong = (0, 25, "same")
    asker.tell(*wrong)
    for a, b in [(0, 30), (1, 25), (2, 35), (3, 28), (1, 33)]:
        asker.tell(a, b, "different")
    for a, b in [(0, 1), (1, 2), (2, 3), (25, 30), (30, 35), (35, 28), (28, 33)]:
        asker.tell(a, b, "same")
    assert [suspect[:3] for suspect in asker.suspects] == [wrong]
    assert len(set(asker.labels()[:20])) == 1 and asker.labels()[0] != asker.labels()[-1]
    assert wrong[:2] not in [link[:2] for link in asker.links]


def test_who_is_certain_is_believed():
    asker = Asker([[0.0], [1.0], [2.0]])
    asker.tell(0, 1, "same", certain=True)
    asker.tell(1, 2, "same", certain=True)
    with pytest.raises(LinkContradictionError):
        asker.tell(0, 2, "different", certain=True)
    asker.tell(0, 2, "different")
    assert asker.replies[0] == ("pair", [(0, 1, "same", True)])
    assert len(set(asker.labels())) == 1


@pytest.mark.parametrize(
    "bad",
    [
        lambda asker: asker.question(["pairs"]),
        lambda asker: asker.reply(Place(0, [[1], [2]], [0.5, 0.5]), 2),
        lambda asker: asker.reply(Place(0, [[1], [2]], [0.5, 0.5]), "both"),
        lambda asker: asker.reply(Group([0, 1, 2], [1.0] * 3), [3]),
        lambda asker: asker.reply(Group([0, 1, 2], [1.0] * 3), [0, 1, 2]),
        lambda asker: asker.reply((0, 1), "same"),
    ],
)
def test_answers_that_fit_no_question_are_refused(bad):
    with pytest.raises(ValueError):
        bad(Asker([[0.0], [1.0], [2.0]]))


def test_a_dialogue_ends_with_its_own_labels_unless_the_fit_agrees_with_more():
    X, y = load_iris(return_X_y=True)
    asker = dialogue(Asker(X), y, 30)
    end = asker.finish()
    assert end.kept in ("fit", "own")
    assert end.kept == "own" or end.fit_agreed > end.own_agreed
    assert end.labels.shape == (len(X),)
    if end.kept == "own":
        np.testing.assert_array_equal(end.labels, asker.labels())
