"""The sections of a document that a program writes, between `<!-- generated: NAME -->` and `<!-- end -->`."""

import re
from collections.abc import Mapping
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]

_SECTION = re.compile(r"(<!-- generated: (?P<name>[a-z-]+) -->\n)(?P<body>.*?)(<!-- end -->)", re.DOTALL)


def names(document: str) -> list[str]:
    """The names of the generated sections, in order."""
    return [match["name"] for match in _SECTION.finditer(document)]


def rewritten(document: str, sections: Mapping[str, str]) -> str:
    """The document with the body of every generated section replaced; KeyError for one that nobody writes."""
    return _SECTION.sub(lambda match: f"{match[1]}\n{sections[match['name']].strip()}\n\n{match[4]}", document)
