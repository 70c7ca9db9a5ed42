"""The command ``linkshift``: the program's own code, which the compiled module holds."""

from __future__ import annotations

import sys

from . import _core


def main() -> None:
    """Do what the words of the command line say, and end the process with the exit code."""
    sys.exit(_core.command(["linkshift", *sys.argv[1:]]))
