"""The commands that a document shows with their output: ` ```console ` blocks, each command behind `$ `.

A command `cat NAME` shows what a file holds: it is how a document brings files along.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Shown:
    """One command, and the lines of output that stand below it (trailing blanks of a line do not count)."""

    command: str
    output: list[str]


def shown(document: str) -> Iterator[Shown]:
    """The commands of a document in order."""
    for block in _BLOCK.findall(document):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *output = part.rstrip("\n").split("\n")
            yield Shown(command, trimmed("\n".join(output)))


def trimmed(output: str) -> list[str]:
    """Lines of output without their trailing blanks, and without blank lines at the end."""
    return [line.rstrip() for line in output.rstrip().split("\n")] if output.strip() else []
