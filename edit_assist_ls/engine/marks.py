"""What readers, chats and encoders add to a text: line numbers, fences, diff marks, entities, one level of escapes.

It is undone where the literal oldText is absent, every line of it bears the mark alike, and what is left stands in the
file once, by the built-in's own counting. newText follows by the same rule; where it does not, nothing is undone.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from edit_assist_ls.engine import folding
from edit_assist_ls.engine.builtin import Edit, fuzzy_finds, occurrences
from edit_assist_ls.engine.matching import STRATEGIES
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work

Mark = Literal["line-numbers", "code-fence", "diff-marks", "html-entities", "escapes"]
_MAX_CHARS = 400_000


@dataclass(frozen=True, slots=True)
class Undone:
    """An edit without the marks that it bore."""

    edit: Edit
    mark: Mark


def undo(text: Text, edit: Edit, work: Work) -> Undone | None:
    """The edit as it was meant; None where it stands literally, or no mark is provable."""
    edit = replace(edit, old_text=folding.lf(edit.old_text), new_text=folding.lf(edit.new_text))
    old = edit.old_text
    size = len(text.lf) + len(old) + len(edit.new_text)
    if not old.strip() or size > _MAX_CHARS * 4 or not folding.comparable(old) or not text.comparable:
        return None
    if not work.spend(4 * size) or _stands(text, old):
        return None
    found: list[Undone] = []
    for mark, undone in _candidates(edit):
        if not work.spend(2 * size):
            return None
        if undone.old_text.strip() and occurrences(text, undone.old_text) == 1 and _fits(text, undone.old_text, mark):
            found.append(Undone(undone, mark))
    different = {(one.edit.old_text, one.edit.new_text) for one in found}
    return found[0] if len(different) == 1 else None


def _stands(text: Text, old: str) -> bool:
    """Whether the text is there as written, or with nothing but whitespace changed: that is not for marks to answer."""
    return (
        old in text.lf
        or fuzzy_finds(text, old)
        or any(strategy.find(text, old, 1) for strategy in STRATEGIES if strategy.applicability == "safe")
    )


def _fits(text: Text, old: str, mark: Mark) -> bool:
    """Whether a text stands literally where a mark may be taken off: line marks go with whole lines."""
    at = text.lf.find(old)
    if at < 0:
        return False
    end = at + len(old.removesuffix("\n"))
    whole = text.lf[at - 1 : at] in ("", "\n") and text.lf[end : end + 1] in ("", "\n")
    return whole or mark not in ("line-numbers", "diff-marks")


def _candidates(edit: Edit) -> Iterator[tuple[Mark, Edit]]:
    for separator in _SEPARATORS:
        old = _numbered(edit.old_text, separator, 1)
        new = "" if not edit.new_text else _numbered(edit.new_text, separator, None)
        if old is not None and new is not None:
            yield "line-numbers", Edit(old, new)
    if (pair := _unfenced(edit)) is not None:
        yield "code-fence", pair
    if (pair := _undiffed(edit)) is not None:
        yield "diff-marks", pair
    for mark, undone in (("html-entities", _unescaped_entities), ("escapes", _unescaped)):
        if (pair := _both(edit, undone)) is not None:
            yield "html-entities" if mark == "html-entities" else "escapes", pair


def _both(edit: Edit, undone: Callable[[str], str | None]) -> Edit | None:
    """Both texts undone; an empty newText has nothing to be undone."""
    old = undone(edit.old_text)
    new = "" if not edit.new_text else undone(edit.new_text)
    return None if old is None or new is None or old == edit.old_text else Edit(old, new)


_SEPARATORS = ("→", "\t", ": ", ":", "| ", "|", " | ", " |")


def _numbered(text: str, separator: str, step: int | None) -> str | None:
    """A text without the line number and separator of every line; None where a line has none.

    The numbers count up by `step`; None: they do not count down.
    """
    pattern = re.compile(rf"[ \t]*([0-9]{{1,7}}){re.escape(separator)}(.*)")
    found = [row for line in text.removesuffix("\n").split("\n") if (row := pattern.fullmatch(line)) is not None]
    if len(found) <= text.removesuffix("\n").count("\n"):
        return None
    for before, after in pairwise(int(row[1]) for row in found):
        if after < before or (step is not None and after - before != step):
            return None
    return "\n".join(row[2] for row in found) + ("\n" if text.endswith("\n") else "")


_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[^`\n]*")


def _unfenced(edit: Edit) -> Edit | None:
    """oldText without the fence around it; newText without its own, where it has one."""
    old = _inside(edit.old_text)
    if old is None:
        return None
    new = _inside(edit.new_text)
    if new is None:
        if _FENCE.match(edit.new_text):
            return None
        new = edit.new_text
    return Edit(old, new)


def _inside(text: str) -> str | None:
    lines = text.removesuffix("\n").split("\n")
    opening = _FENCE.fullmatch(lines[0])
    if len(lines) < 3 or opening is None or lines[-1].strip() != opening[1]:
        return None
    return "\n".join(lines[1:-1]) + ("\n" if text.endswith("\n") else "")


def _undiffed(edit: Edit) -> Edit | None:
    """oldText of lines that begin with a minus or a blank, newText of lines that begin with a plus or a blank."""
    old = _without_first(edit.old_text, "-")
    new = "" if not edit.new_text else _without_first(edit.new_text, "+")
    return None if old is None or new is None else Edit(old, new)


def _without_first(text: str, sign: str) -> str | None:
    lines = text.removesuffix("\n").split("\n")
    if not all(line[:1] in (sign, " ") or not line for line in lines) or not any(line[:1] == sign for line in lines):
        return None
    return "\n".join(line[1:] for line in lines) + ("\n" if text.endswith("\n") else "")


_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&#x27;": "'", "&apos;": "'", "&amp;": "&"}
_ENTITY = re.compile("|".join(map(re.escape, _ENTITIES)))


def _unescaped_entities(text: str) -> str | None:
    """A text with its entities written out; None where a sign that should be one stands beside them as it is."""
    if any(sign in _ENTITY.sub("", text) for sign in "<>&"):
        return None
    return _ENTITY.sub(lambda found: _ENTITIES[found[0]], text)


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\", "/": "/", "`": "`"}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_LITERAL = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`", re.DOTALL)


def _unescaped(text: str) -> str | None:
    """A text with one level of escapes undone, outside its string literals; None where one of these has any.

    A text whose quotes are all escaped has no string literals: it is one.
    """
    if any(found[1] not in _ESCAPES for found in _ESCAPE.finditer(text)):
        return None
    if "\n" in text and "\\n" in text:
        return None
    bare = _ESCAPE.sub("", text)
    if any(quote in bare for quote in "\"'`") and any("\\" in literal[0] for literal in _LITERAL.finditer(text)):
        return None
    return _ESCAPE.sub(lambda found: _ESCAPES[found[1]], text)
