"""Every estimator is as the core's table of its method says: parameters, defaults, sentences.

A parameter is added in the core's `params.rs` and in the class; what the docstring must say is
printed by the test that misses it.
"""

import inspect
import json
import re
import textwrap
import warnings

import numpy as np
import pytest

import linkshift
from linkshift import _core
from linkshift._form import OWN, from_core, name_of, preset_name

TABLES = {table["class"]: table for table in _core.methods()}
COMMON = """\
use_y : bool or str, default="auto"
    Whether `y` holds partial labels. "auto": only if -1 is among them, so that tools which pass
    full labels along do not change the result.
n_jobs : int or None, default=None
    Threads. None or -1: all processors; -2: all but one. The labels never depend on it.
"""
SEED = """\
random_state : int or np.random.RandomState or None, default=None
    Seed of everything that is drawn by chance; None means 0, so results never vary by
    themselves.
"""
VERBOSE = """\
verbose : bool, default=False
    Whether to show progress on stderr (with tqdm, if that is installed)."""

each_class = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES.keys())


def class_of(table):
    return getattr(linkshift, table["class"])


def parameters_section(table):
    """What the docstring of a class must say of its parameters."""
    parameters = inspect.signature(class_of(table)).parameters
    entries, seed = [], ""
    for row in table["params"]:
        name = name_of(row["key"])
        if name == "random_state":
            seed = SEED
        elif name in parameters:
            entries.append(entry(name, parameters[name].annotation, row))
    return "Parameters\n----------\n" + "\n".join(entries) + "\n" + COMMON + seed + VERBOSE


def entry(name, annotation, row):
    kind = annotation.replace(" | ", " or ")
    what = in_python(row["what"])
    what = what[0].upper() + what[1:] if what[0].isascii() else what
    if row["only_if"]:
        key, _, value = row["only_if"].partition("=")
        value = {"true": "True", "false": "False"}.get(value, f'"{value}"')
        what = f"Only with {key}={value}: {what[0].lower() if what[0].isascii() else what[0]}{what[1:]}"
    allowed = "" if annotation == "bool" else f" It is {in_python(row['allowed'])}."
    text = textwrap.wrap(f"{what}.{allowed}", 88, break_on_hyphens=False)
    default = json.dumps(row["default"]) if isinstance(row["default"], str) else row["default"]
    return "\n".join([f"{name} : {kind}, default={default}", *("    " + line for line in text)])


def in_python(text):
    return re.sub(r"\bauto\b", "None", text).replace("between commas", "in a list")


@each_class
def test_a_class_has_the_parameters_of_its_method_with_their_defaults(table):
    parameters = inspect.signature(class_of(table)).parameters
    rows = {name_of(row["key"]): row["default"] for row in table["params"]}
    expected = [name for name in rows if name != "random_state"] + ["use_y", "n_jobs"]
    expected += (["random_state"] if "random_state" in rows else []) + ["verbose"]
    assert list(parameters) == expected
    for name, default in rows.items():
        # The core's seed is 0; None stands for it, as scikit-learn's users expect.
        ours = parameters[name].default
        assert (ours, default) == (None, 0) if name == "random_state" else ours == default, name
        assert type(ours) is type(default) or name == "random_state", name
    assert class_of(table)._method == table["name"]


@each_class
def test_the_docstring_says_of_each_parameter_what_the_table_says(table):
    section = parameters_section(table)
    assert section in inspect.getdoc(class_of(table)), "the docstring must say:\n" + textwrap.indent(
        section, "    "
    )


@each_class
def test_presets_are_class_methods_with_the_core_s_settings(table):
    cls = class_of(table)
    own = {name for name, value in vars(cls).items() if isinstance(value, classmethod)}
    assert own == {preset_name(preset["name"]) for preset in table["presets"]}
    for preset in table["presets"]:
        needed = {key: preset["settings"][key] for key in preset["needs"]}
        model = getattr(cls, preset_name(preset["name"]))(**needed)
        defaults = cls().get_params()
        changed = {k: v for k, v in model.get_params().items() if v != defaults[k]}
        settings = from_core(preset["settings"], 1)
        assert changed == {k: v for k, v in settings.items() if v != defaults[k]}
        assert preset["what"][:20].lower() in getattr(cls, preset_name(preset["name"])).__doc__.lower()
        for key in needed:
            with pytest.raises(TypeError, match=key):
                getattr(cls, preset_name(preset["name"]))(**{k: needed[k] for k in needed if k != key})


@each_class
def test_what_a_method_finds_is_an_attribute_and_documented(table):
    X = np.array([[0.0, 0.0], [0.1, 0.0], [0.0, 0.1], [0.1, 0.1], [1.0, 1.0], [1.1, 1.0]] * 2)
    X[6:] += 0.02
    params = {"n_clusters": 2} if table["clusters"] == "told" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = class_of(table)(**params).fit(X, cannot_link=[(0, 4)])
    learned = {name for name in vars(model) if name.endswith("_") and not name.startswith("_")}
    assert {f"{name}_" for name in model._model.details} <= learned
    attributes = inspect.getdoc(class_of(table)).partition("Attributes\n")[2]
    attributes = attributes.partition("\n\n")[0]
    documented = {
        name.strip()
        for line in attributes.splitlines()[1:]
        if not line.startswith(" ")
        for name in line.partition(" :")[0].split(",")
    }
    assert learned == documented - {"feature_names_in_"}


def test_every_method_of_the_core_is_a_class_and_the_other_way_round():
    exported = {
        name for name in linkshift.__all__ if hasattr(getattr(linkshift, name), "_method")
    }
    assert exported == set(TABLES)


def test_who_weighs_confidence_is_said_as_it_is():
    """README, lib.rs and this package once disagreed."""
    doc = inspect.getdoc(linkshift.MeanShift.fit)
    text = doc.partition("link_confidence")[2].partition("groups :")[0]
    weighs = {table["class"] for table in TABLES.values() if table["links"] in ("weighed", "evidence")}
    assert set(re.findall(r"`(\w+)`", text)) - {"must_link", "cannot_link"} == weighs


def test_none_and_auto_leave_a_parameter_to_the_core():
    X = [[0.0], [0.1], [5.0], [5.1]]
    defaults = linkshift.MeanShift().fit(X)
    for bandwidth in (None, "percentile"):
        model = linkshift.MeanShift(bandwidth=bandwidth, seeds="auto").fit(X)
        assert model.bandwidth_ == defaults.bandwidth_
        assert model._model.settings == {}


def test_what_python_alone_has_is_no_parameter_of_the_core():
    keys = {row["key"] for table in TABLES.values() for row in table["params"]}
    assert keys.isdisjoint(OWN)


@pytest.mark.parametrize(
    "value", [np.float32(0.5), np.float64(0.5), 0.5], ids=lambda value: type(value).__name__
)
def test_numbers_of_numpy_are_numbers(value):
    model = linkshift.MeanShift(bandwidth=value, max_iter=np.int64(7)).fit([[0.0], [0.1]])
    assert model._model.settings == {"bandwidth": 0.5, "max_iter": 7}


def test_what_is_no_value_at_all_is_refused():
    with pytest.raises(ValueError, match="max_iter = <object.*cannot work"):
        linkshift.MeanShift(max_iter=object()).fit([[0.0], [0.1]])
