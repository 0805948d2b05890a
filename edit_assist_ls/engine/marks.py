"""What readers, chats and encoders add to a text: line numbers, fences, diff marks, entities, one level of escapes.

It is undone where the literal oldText is absent, every line of it bears the mark alike, and what is left stands in the
file once, by the built-in's own counting. newText follows by the same rule; where it does not, nothing is undone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
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
    for style in _NUMBERS:
        if (pair := _unnumbered(edit, style)) is not None:
            yield "line-numbers", pair
    if (pair := _unfenced(edit)) is not None:
        yield "code-fence", pair
    if (pair := _undiffed(edit)) is not None:
        yield "diff-marks", pair
    if (pair := _without_entities(edit)) is not None:
        yield "html-entities", pair
    if (pair := _without_escapes(edit)) is not None:
        yield "escapes", pair


_SEPARATORS = ("→", "\t", ": ", ":", "| ", "|", " | ", " |", "│ ", "│", " │ ", " │")
_ANCHOR = r"[:#][0-9A-Za-z]{2,6}"
"""What some readers put behind a line's number: a hash of the line."""
_NUMBERS = tuple(
    re.compile(rf"[ \t]*([0-9]{{1,7}}){anchor}(?:{re.escape(separator)}(.*)|{re.escape(separator.rstrip())})")
    for anchor in ("", _ANCHOR)
    for separator in _SEPARATORS
)
"""A number and separator before each line; before a blank one the separator may have lost its own blanks."""
_NUMBERED = re.compile(rf"[ \t]*[0-9]{{1,7}}(?:{_ANCHOR})?(?:→|\t|:| ?[|│])")


def _unnumbered(edit: Edit, style: re.Pattern[str]) -> Edit | None:
    """Both texts without the numbers of their lines; a newText of which no line has one stays as it is."""
    old = _numbered(edit.old_text, style, 1)
    if old is None:
        return None
    if not any(_NUMBERED.match(line) for line in edit.new_text.split("\n")):
        return Edit(old, edit.new_text)
    new = _numbered(edit.new_text, style, None)
    return None if new is None else Edit(old, new)


def _numbered(text: str, style: re.Pattern[str], step: int | None) -> str | None:
    """A text without the line number and separator of every line; None where a line has none.

    The numbers count up by `step`; None: they do not count down.
    """
    rows: list[str] = []
    before: int | None = None
    for line in text.removesuffix("\n").split("\n"):
        row = style.fullmatch(line)
        if row is None:
            return None
        number = int(row[1])
        if before is not None and (number < before or (step is not None and number - before != step)):
            return None
        before = number
        rows.append(row[2] or "")
    return "\n".join(rows) + ("\n" if text.endswith("\n") else "")


_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[^`\n]*")


def _unfenced(edit: Edit) -> Edit | None:
    """oldText without the fence around it; newText without its own, where it has one."""
    old = _inside(edit.old_text)
    if old is None:
        return None
    new = _inside(edit.new_text)
    if new is not None:
        return Edit(old, new)
    if any(_FENCE.match(line) for line in edit.new_text.split("\n")):
        return None
    whole = edit.new_text.endswith("\n") and not old.endswith("\n")
    return Edit(f"{old}\n" if whole else old, edit.new_text)


def _inside(text: str) -> str | None:
    lines = text.removesuffix("\n").split("\n")
    opening = _FENCE.fullmatch(lines[0])
    if len(lines) < 3 or opening is None or lines[-1].strip() != opening[1]:
        return None
    return "\n".join(lines[1:-1]) + ("\n" if text.endswith("\n") else "")


def _undiffed(edit: Edit) -> Edit | None:
    """oldText of lines that begin with a minus or a blank, newText of lines that begin with a plus or a blank.

    A newText without a plus only deletes: every line of it is one that oldText keeps.
    """
    old = _without_first(edit.old_text, "-")
    if old is None:
        return None
    kept = {line for line in edit.old_text.split("\n") if line[:1] != "-"}
    added = [line for line in edit.new_text.removesuffix("\n").split("\n") if line not in kept]
    if edit.new_text and (not all(line[:1] in ("+", " ") or not line for line in added) or not _has_plus(added)):
        return None
    return Edit(old, _first_off(edit.new_text))


def _has_plus(added: list[str]) -> bool:
    return not added or any(line[:1] == "+" for line in added)


def _without_first(text: str, sign: str) -> str | None:
    lines = text.removesuffix("\n").split("\n")
    if not all(line[:1] in (sign, " ") or not line for line in lines) or not any(line[:1] == sign for line in lines):
        return None
    return _first_off(text)


def _first_off(text: str) -> str:
    """A text without the first character of every line."""
    lines = text.removesuffix("\n").split("\n")
    return "\n".join(line[1:] for line in lines) + ("\n" if text.endswith("\n") else "")


_BY_NUMBER = re.compile(r"&#(?:0*(34|38|39|60|62)|[xX]0*(22|26|27|3[cC]|3[eE]));")
_BY_NAME = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}
_ENTITY = re.compile("|".join([*map(re.escape, _BY_NAME), _BY_NUMBER.pattern]))


def _written_out(found: re.Match[str]) -> str:
    if found[1] or found[2]:
        return chr(int(found[1]) if found[1] else int(found[2], 16))
    return _BY_NAME[found[0]]


def _without_entities(edit: Edit) -> Edit | None:
    """Both texts with their entities written out; None where a sign that should be one stands beside them as it is."""
    if not _ENTITY.search(edit.old_text) or _signs(edit.old_text):
        return None
    old, new = _ENTITY.sub(_written_out, edit.old_text), edit.new_text
    if _ENTITY.search(new):
        if _signs(new) or not _literals_are_proven(new, edit.old_text, "&"):
            return None
        new = _ENTITY.sub(_written_out, new)
    return Edit(old, new)


def _signs(text: str) -> bool:
    bare = _ENTITY.sub("", text)
    return any(sign in bare for sign in "<>&")


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\", "/": "/", "`": "`", "$": "$"}
_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)
_QUOTE = re.compile(r"""\\.|[\n"'`]""", re.DOTALL)


def _without_escapes(edit: Edit) -> Edit | None:
    """Both texts with one level of escapes undone; None where that would reach into a string literal of newText.

    What is undone in oldText the file bears out; a literal that oldText has too is borne out with it.
    """
    old = _unescaped(edit.old_text)
    if old is None or old == edit.old_text:
        return None
    new = _unescaped(edit.new_text)
    if new is None or not _literals_are_proven(edit.new_text, edit.old_text, "\\") or _breaks_a_literal(edit.new_text):
        return None
    return Edit(old, new)


def _unescaped(text: str) -> str | None:
    """A text with one level of escapes undone; None where it has another escape, or line breaks of both kinds."""
    if any(found[1] not in _ESCAPES for found in _ESCAPE.finditer(text)) or ("\n" in text and "\\n" in text):
        return None
    return folding.lf(_ESCAPE.sub(lambda found: _ESCAPES[found[1]], text))


def _literals_are_proven(new: str, old: str, sign: str) -> bool:
    """Whether every string literal of newText that has the sign of a mark in it is one of oldText as well."""
    bearing = {literal for literal in _literals(new) if sign in literal}
    return bearing <= set(_literals(old)) if bearing else True


def _literals(text: str) -> list[str]:
    """What stands between two quotes of a kind, quotes included; only backticks go over the end of a line."""
    found: list[str] = []
    signs = [(match.start(), match[0]) for match in _QUOTE.finditer(text) if match[0][0] != "\\"]
    closing = _closing([sign for _, sign in signs])
    at = 0
    while at < len(signs):
        end = closing[at]
        if end is not None:
            found.append(text[signs[at][0] : signs[end][0] + 1])
        at = at + 1 if end is None else end + 1
    return found


def _closing(signs: list[str]) -> list[int | None]:
    """For each quote in a list of quotes and line ends the next of its kind before it must close."""
    out: list[int | None] = [None] * len(signs)
    after: dict[str, int] = {}
    for at in range(len(signs) - 1, -1, -1):
        sign = signs[at]
        if sign == "\n":
            after.pop('"', None)
            after.pop("'", None)
        else:
            out[at] = after.get(sign)
            after[sign] = at
    return out


def _breaks_a_literal(text: str) -> bool:
    """Whether undoing a level puts a line break or tab between quotes that are escaped themselves."""
    within = ""
    before: re.Match[str] | None = None
    for found in _ESCAPE.finditer(text):
        what = found[1]
        is_inner = before is not None and before[1] == "\\" and before.end() == found.start()
        if what in "\"'`" and not is_inner:
            within = "" if within == what else within or what
        elif what in "ntr" and within:
            return True
        before = found
    return False
