"""Texts and pictures as points; files made by other tools, clustered with one command each."""

import pickle

import numpy as np
import pytest

from linkshift import Autoencoder, KMeans
from linkshift.features import ImageFeatures, TextFeatures

TITLES = [
    "Open a file",
    "close the file",
    "read a file line by line",
    "boil an egg",
    "fry an egg",
    "How long do eggs boil?",
]


def test_texts_about_one_thing_lie_together():
    X = TextFeatures(n_columns=2).fit_transform(TITLES)
    assert X.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(X, axis=1), 1, rtol=1e-6)
    labels = KMeans(n_clusters=2, random_state=0).fit(X).labels_
    assert labels.tolist() == [0, 0, 0, 1, 1, 1]


def test_a_pickled_recipe_makes_the_same_points():
    texts = TextFeatures(n_columns=3).fit(TITLES)
    again = pickle.loads(pickle.dumps(texts))
    np.testing.assert_array_equal(again.transform(["two eggs"]), texts.transform(["two eggs"]))
    assert again.get_feature_names_out().tolist() == ["text0", "text1", "text2"]


def test_texts_that_are_none_are_named_by_row():
    with pytest.raises(ValueError, match="row 1 is float"):
        TextFeatures().fit(["a", float("nan")])
    with pytest.raises(ValueError, match="give a list of texts"):
        TextFeatures().fit("a text")
    with pytest.raises(ValueError, match="occurs in at least 2 of the 2 texts"):
        TextFeatures().fit(["one", "two"])
    with pytest.raises(ValueError, match="n_columns = 0"):
        TextFeatures(n_columns=0).fit(TITLES)


@pytest.fixture
def photos(tmp_path):
    Image = pytest.importorskip("PIL.Image")
    for name, color in [("a.png", "red"), ("b.jpg", "red"), ("c.png", "blue"), ("d.jpg", "blue")]:
        Image.new("RGB", (40, 30), color).save(tmp_path / name)
    (tmp_path / "e.png").write_text("no picture")
    return tmp_path


def test_pictures_become_297_numbers_whatever_wrote_them(photos):
    paths = [photos / name for name in ["a.png", "b.jpg", "c.png", "d.jpg"]]
    X = ImageFeatures().fit_transform(paths)
    assert X.shape == (4, 297)
    assert KMeans(n_clusters=2, random_state=0).fit(X).labels_.tolist() == [0, 0, 1, 1]
    names = ImageFeatures().get_feature_names_out()
    # Derived: red is 1 in a red picture.
    assert X[0, names.tolist().index("color_1_1_red_mean")] == 1


def test_bad_pictures_are_an_error_or_zeros(photos):
    paths = [photos / "e.png", photos / "a.png", photos / "none.png"]
    with pytest.raises(ValueError, match=r"e.png \(row 0, from 0\): it is no PNG or JPEG"):
        ImageFeatures().fit_transform(paths)
    with pytest.warns(UserWarning, match="2 pictures cannot be used"):
        X = ImageFeatures(bad="zeros").fit_transform(paths)
    assert not X[[0, 2]].any() and X[1].any()
    with pytest.raises(ValueError, match="bad = 'skip'"):
        ImageFeatures(bad="skip").fit(paths)


SMALL = {"hidden": (24,), "n_columns": 2, "pretrain_epochs": 5, "epochs": 40, "batch": 16}


def groups():
    rng = np.random.default_rng(0)
    centers = rng.normal(scale=5, size=(3, 12))
    truth = np.arange(90) % 3
    return centers[truth] + rng.normal(scale=0.2, size=(90, 12)), truth


def test_an_autoencoder_keeps_groups_together():
    X, truth = groups()
    embedding = Autoencoder(**SMALL).fit_transform(X)
    assert embedding.shape == (90, 2) and embedding.dtype == np.float32
    labels = KMeans(n_clusters=3, random_state=0).fit(embedding).labels_
    assert [len(set(labels[truth == group])) for group in range(3)] == [1, 1, 1]


def test_an_autoencoder_does_not_depend_on_threads_and_survives_pickling():
    X, _ = groups()
    one, two = (Autoencoder(**SMALL, n_jobs=n_jobs).fit(X) for n_jobs in (1, 2))
    np.testing.assert_array_equal(one.transform(X), two.transform(X))
    again = pickle.loads(pickle.dumps(one))
    np.testing.assert_array_equal(again.transform(X[:5]), one.transform(X[:5]))
    assert again.loss_curve_ == one.loss_curve_
    assert list(one.get_feature_names_out()) == ["autoencoder0", "autoencoder1"]
    stages = [stage for stage, _, _ in one.loss_curve_]
    assert stages == sorted(stages) and set(stages) == {0, 1, 2}


def test_pictures_are_moved_in_training_alone():
    X, _ = groups()
    still = Autoencoder(**SMALL).fit(X)
    one, two = (Autoencoder(**SMALL, picture=(3, 4), n_jobs=n_jobs).fit(X) for n_jobs in (1, 2))
    np.testing.assert_array_equal(one.transform(X), two.transform(X))
    assert not np.array_equal(one.transform(X), still.transform(X))
    np.testing.assert_array_equal(one.transform(X[:4]), one.transform(X)[:4])
    again = pickle.loads(pickle.dumps(one))
    assert again.picture == (3, 4)
    np.testing.assert_array_equal(again.transform(X), one.transform(X))


def test_what_is_no_picture_is_refused():
    X, _ = groups()
    with pytest.raises(ValueError, match="28x28.*12 columns.*such as 3x4"):
        Autoencoder(**SMALL, picture=(28, 28)).fit(X)
    for bad in (28, (28,), (2.5, 4), (1, 3, 4), "3x4"):
        with pytest.raises(ValueError, match=r"picture.*such as \(28, 28\)"):
            Autoencoder(**SMALL, picture=bad).fit(X)


def test_an_autoencoder_refuses_what_cannot_work():
    X, _ = groups()
    with pytest.raises(ValueError, match="n_columns"):
        Autoencoder(n_columns=0).fit(X)
    with pytest.raises(ValueError, match="hidden"):
        Autoencoder(hidden=(2.5,)).fit(X)
    with pytest.raises(ValueError, match="noise"):
        Autoencoder(noise=2).fit(X)
    with pytest.raises(ValueError, match="hidden.*weights"):
        Autoencoder(hidden=(10**12,)).fit(X)
    with pytest.raises(ValueError, match="numpy.isfinite"):
        Autoencoder().fit([[1.0, np.nan], [2.0, 3.0]])
    with pytest.raises(ValueError, match="12"):
        Autoencoder(**SMALL).fit(X).transform(X[:, :3])
