"""Runs the pages of ``docs/`` as a reader would, and writes what programs have to write.

``python pages.py`` checks, ``python pages.py --write`` puts the current output into transcripts and
writes the reference anew. It runs with the Python that has the package, and its command beside it.

A page is run from top to bottom in a folder of its own: ``sh`` lines by the shell, ``python`` blocks in
one namespace; ``console`` and ``pycon`` blocks also say what comes out, and ``rust`` blocks must stand
in an example program, which other tests run.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference.md"
PAGES = sorted(
    [*DOCS.glob("start-*.md"), *DOCS.glob("how-to/*.md"), *DOCS.glob("concepts/*.md")]
    + [DOCS / "first-minutes.md"]
)
# Commands that build, or that wait for a person.
NOT_RUN = ("cargo ", "pip ", "git ", "cd ", "linkshift studio")
# What differs from run to run and from machine to machine.
NUMBER = re.compile(r"\d[\d,]*(\.\d+)?")


def run_page(page: Path, folder: Path, *, write: bool = False) -> str:
    """Runs a page; its text, with current output in its transcripts."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    parts = re.split(r"^(```\w*\n.*?^```$)", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    with contextlib.chdir(folder) if hasattr(contextlib, "chdir") else _in(folder):
        for at, part in enumerate(parts):
            if not part.startswith("```"):
                continue
            head, _, rest = part.partition("\n")
            kind, body = head[3:], rest[: -len("```")]
            where = f"{page.relative_to(ROOT)}: {kind} block\n{body}"
            if kind == "sh":
                for line in body.splitlines():
                    _shell(line, where)
            elif kind == "python":
                with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                    warnings.simplefilter("ignore")
                    exec(compile(body, where, "exec"), namespace)
            elif kind == "rust":
                examples = ROOT.glob("crates/linkshift/examples/*.rs")
                if not any(body in example.read_text(encoding="utf-8") for example in examples):
                    raise AssertionError(f"{where}\nstands in no example of crates/linkshift")
            elif kind in ("console", "pycon"):
                now = _console(body, where) if kind == "console" else _pycon(body, namespace)
                if not write and masked(now) != masked(body):
                    raise AssertionError(f"{where}\nsays now:\n{now}\n`cargo xtask docs --refresh`")
                parts[at] = f"{head}\n{now}```"
    return "".join(parts)


def is_left_out(line: str) -> bool:
    """Whether a command is not run here."""
    asks = line.startswith("linkshift ask ") and "--oracle-column" not in line
    return asks or line.startswith(NOT_RUN)


def masked(text: str) -> str:
    """A text without its numbers."""
    return re.sub(r"[ \t]+", " ", NUMBER.sub("#", text))


def _shell(line: str, where: str) -> str:
    if not line.strip() or is_left_out(line):
        return ""
    bin_folder = str(Path(sys.executable).parent)
    path = bin_folder + os.pathsep + os.environ.get("PATH", "")
    run = subprocess.run(
        ["bash", "-c", line],
        env={**os.environ, "PATH": path, "MPLBACKEND": "Agg", "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    if run.returncode == 0 or "$ " in where:
        return run.stdout
    raise AssertionError(f"{where}\n{line} ended with {run.returncode}:\n{run.stdout}")


def _console(body: str, where: str) -> str:
    """Each command with what it prints; an error is output, too."""
    told = re.split(r"^(\$ .*\n)", body, flags=re.M)
    lines = [told[0]]
    for command, output in zip(told[1::2], told[2::2]):
        words = command[2:].strip()
        printed = output if is_left_out(words) else _shell(words, f"$ {where}")
        lines += [command, printed if printed.endswith("\n") or not printed else printed + "\n"]
    return "".join(lines)


def _pycon(body: str, namespace: dict[str, Any]) -> str:
    """Each line of Python with what the prompt shows."""
    lines = []
    for example in doctest.DocTestParser().get_examples(body):
        first, *more = example.source.rstrip("\n").split("\n")
        lines += [f">>> {first}", *(f"... {line}".rstrip() for line in more)]
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(example.source, "<page>", "single"), namespace)
        lines += shown.getvalue().rstrip("\n").split("\n") if shown.getvalue() else []
    return "\n".join(lines) + "\n"


@contextlib.contextmanager
def _in(folder: Path):
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


# What a method makes of links and of the number of clusters, in words.
_LINKS = {
    "unused": "not used (certain ones are kept afterwards)",
    "evidence": "certain ones bind, others weigh by their confidence",
    "weighed": "weighed by their confidence",
    "certain": "all are taken as certain",
    "judged": "judged: those that are probably wrong are listed and not obeyed",
}
_CLUSTERS = {"found": "found", "told": "told (`-k`, `n_clusters`)", "either": "told or found"}


def reference() -> str:
    """The page of all methods and parameters, from the tables of the core."""
    methods = json.loads(_shell("linkshift methods --json", "reference"))["methods"]
    lines = [
        "# Methods and their parameters",
        "",
        "Written from the program's own tables by `cargo xtask docs --refresh`; `linkshift methods` prints the",
        "same. In Python a parameter has the same name (`seed` is `random_state`) and `auto` is `None`.",
        "",
    ]
    for method in methods:
        anchor = f"[{method['name']}](#{method['name']})"
        lines.append(f"- {anchor}, `{method['class']}`: {method['what']}")
    for method in methods:
        links, clusters = method["link_use"], method["number_of_clusters"]
        lines += ["", f"## {method['name']}", "", f"`{method['class']}` in Python: {method['what']}."]
        links, clusters = _LINKS.get(links, links), _CLUSTERS.get(clusters, clusters)
        lines += [f"Links: {links}. Number of clusters: {clusters}.", ""]
        lines += ["| parameter | default | allowed | what |", "|---|---|---|---|"]
        for row in method["params"]:
            default = "" if row["default"] is None else f"`{_plain(row['default'])}`"
            only = f"with `{row['only_if']}`: " if row["only_if"] else ""
            cells = [f"`{row['key']}`", default, row["allowed"], only + row["what"]]
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        for preset in method.get("presets", []):
            settings = ", ".join(f"`{key}={_plain(value)}`" for key, value in preset["settings"].items())
            lines += ["", f"`preset={preset['name']}`: {preset['what']} ({settings})."]
    return "\n".join(lines) + "\n"


def _plain(value: Any) -> str:
    if isinstance(value, int) and value >= 2**63:
        return "no limit"
    return str(value).lower() if isinstance(value, bool) else str(value)


def main() -> None:
    os.environ["MPLBACKEND"] = "Agg"
    write = "--write" in sys.argv[1:]
    if write:
        REFERENCE.write_text(reference(), encoding="utf-8")
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            text = run_page(page, Path(folder), write=write)
        if write:
            page.write_text(text, encoding="utf-8")
        print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
