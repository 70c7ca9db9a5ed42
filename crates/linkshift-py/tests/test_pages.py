"""The pages of ``docs/``: all that can be pasted from them runs, and what they show is current."""

import re
import subprocess
import sys
from xml.etree import ElementTree

import pages
import pytest


@pytest.fixture(autouse=True)
def drawn_without_a_screen(monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")


@pytest.mark.parametrize("page", pages.PAGES, ids=lambda page: page.stem)
def test_a_page_runs_from_top_to_bottom(page, tmp_path):
    pages.run_page(page, tmp_path)


def test_the_reference_is_that_of_the_program():
    hint = "write it with `cargo xtask docs --refresh`"
    assert pages.REFERENCE.read_text(encoding="utf-8") == pages.reference(), hint


def test_every_page_has_something_that_runs():
    for page in pages.PAGES:
        text = page.read_text(encoding="utf-8")
        if page.stem not in ("links", "climbing"):  # concepts without a command
            assert re.search(r"^```(sh|python|console|pycon|rust)$", text, re.M), page


def test_a_transcript_is_told_from_its_numbers_apart():
    assert pages.masked("time   0.205 s, 1,234 points") == pages.masked("time 17 s, 9 points")
    assert pages.masked("2 clusters") != pages.masked("2 points")


def test_the_pictures_can_be_drawn_again(tmp_path):
    draw = pages.DOCS / "pictures" / "draw.py"
    subprocess.run([sys.executable, str(draw), str(tmp_path)], check=True, timeout=120)
    drawn = {path.name for path in tmp_path.iterdir()}
    assert drawn == {path.name for path in draw.parent.glob("*.svg")}
    for name in drawn:
        assert ElementTree.parse(tmp_path / name).getroot().tag.endswith("svg")
    moves = (tmp_path / "climbing.svg").read_text(encoding="utf-8").count("<animate ")
    assert moves == 2 * 2 * 90  # two panels, two coordinates, 90 points
