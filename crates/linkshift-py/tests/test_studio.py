"""The studio as Python starts it."""

import json
import urllib.error
import urllib.request

import numpy as np
import pytest

import linkshift

X = np.array([[0.0, 0.1], [0.1, 0.0], [0.2, 0.1], [5.0, 5.1], [5.1, 5.0], [5.2, 5.1]])


def call(studio, path, body=None):
    base, token = studio.url.split("/?token=")
    headers = {"Cookie": f"linkshift-{base.rsplit(':', 1)[1]}={token}"}
    if body is not None:
        headers |= {"Origin": base, "Content-Type": "application/json"}
        body = json.dumps(body).encode()
    request = urllib.request.Request(base + path, body, headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        return response.read()


def start(tmp_path, X=X, **options):
    return linkshift.studio(X, answers=tmp_path / "a.csv", open_browser=False, **options)


def test_answers_and_labels_come_back(tmp_path):
    with start(tmp_path, texts=["a"] * 3 + ["b"] * 3) as studio:
        rows = json.loads(call(studio, "/api/rows?rows=0,5"))
        assert [row["text"] for row in rows] == ["a", "b"]
        call(studio, "/api/answer", {"kind": "pair", "a": 0, "b": 1, "answer": "same"})
        call(studio, "/api/answer", {"kind": "pair", "a": 0, "b": 3, "answer": "different", "certain": True})
        assert studio.answers == [(0, 1, "same"), (0, 3, "different")]
        assert studio.links == [(0, 1, "must", 0.99), (0, 3, "cannot", 1.0)]
        assert len(studio.labels) == 6
    with start(tmp_path) as studio:
        assert len(studio.answers) == 2


def test_a_data_frame_names_its_rows(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, index=list("uvwxyz"), columns=["left", "right"])
    with start(tmp_path, frame) as studio:
        call(studio, "/api/answer", {"kind": "pair", "a": 0, "b": 5, "answer": "different"})
        assert studio.answers == [("u", "z", "different")]
        assert json.loads(call(studio, "/api/state"))["shown"] == ["left", "right"]


def test_pictures_are_shown(tmp_path):
    with start(tmp_path, images=np.zeros((6, 4, 4), np.uint8)) as studio:
        assert call(studio, "/api/image/5").startswith(b"\x89PNG")


def test_what_does_not_fit_is_refused(tmp_path):
    with pytest.raises(ValueError, match="there are 2 for 6 points"):
        start(tmp_path, texts=["a", "b"])
    with start(tmp_path), pytest.raises(ValueError, match="another studio"):
        start(tmp_path)


def test_without_the_token_nothing_is_told(tmp_path):
    with start(tmp_path) as studio:
        base = studio.url.split("/?token=")[0]
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(base + "/api/state", timeout=60)
        assert refused.value.code == 401
