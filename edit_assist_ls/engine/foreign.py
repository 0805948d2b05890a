"""What got into an oldText that is no text of any file: a reader's marks, placeholders, leaked markup, escapes.

It is the cause of a failure where it stands in the oldText and not in the file.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from edit_assist_ls.engine.matching import exact
from edit_assist_ls.engine.notation import decoded, encoded, plain_lines
from edit_assist_ls.engine.placeholders import (
    may_be_cut,
    may_be_placeholders,
    placeholder,
    trailing_dots,
    truncation_mark,
)
from edit_assist_ls.engine.text import Text

ForeignCause = Literal[
    "truncation-mark",
    "placeholder",
    "line-numbers",
    "diff-marks",
    "code-fence",
    "conflict-marks",
    "markup",
    "escaped",
    "unescaped",
]
PROVEN: frozenset[ForeignCause] = frozenset({"line-numbers", "diff-marks", "code-fence", "escaped", "unescaped"})
"""Where the text that was meant stands in the file, so that the edit has not been made."""

MIN_BEFORE_CHARS = 4
LINES_LOOKED_AT = 2_000
MAX_SPELLED_CHARS = 4_000
"""How long an oldText may be to be looked for in other notations."""
_NUMBERED = re.compile(
    r"[ \t]*(?:[Ll]ine |[Ll]|[\w./-]{1,60}:(?=\d))?\[?[0-9]{1,7}\]?(?:[#:][0-9a-zA-Z]{1,6})?(?:→|\t|:|-|\)| ?[|│])[ ]?"
)
_MARKUP = re.compile(
    r"</?(?:oldText|newText|old_string|new_string|old_str|new_str|parameter|invoke|function_calls|tool_call|arg_value|arg_key)"
    r"\b[^<>\n]{0,80}>"
)
_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7}|<{5,9} ?SEARCH|>{5,9} ?REPLACE)(?: .{0,80})?$", re.MULTILINE)
_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})[^`\n]{0,40}")


@dataclass(frozen=True, slots=True)
class Foreign:
    """`quoted` is what is no text of the file, `line` (from 1) where the text beside it stands there once.

    `end_line` goes with `line` where what was meant is known to the last line.
    """

    cause: ForeignCause
    quoted: str
    line: int | None = None
    end_line: int | None = None


def foreign_in(text: Text, old: str) -> Foreign | None:
    """What in an oldText (LF), which the file does not have, is no text of the file; the most telling first."""
    markup = _MARKUP.search(old)
    if markup is not None and markup[0] not in text.lf:
        return Foreign("markup", markup[0], _line_of(text, old[: markup.start()].rsplit("\n", 1)[-1]))
    conflict = _CONFLICT.search(old) if any(sign in old for sign in ("<<<<<", "=======", ">>>>>")) else None
    if conflict is not None and conflict[0] not in text.lf:
        return Foreign("conflict-marks", conflict[0])
    lines = old.split("\n", LINES_LOOKED_AT)[:LINES_LOOKED_AT]
    marked = [line for line in lines if line.strip()]
    return _cut(text, old, lines) or _left_out(text, old, lines) or _marked(text, marked) or _otherwise(text, old)


def _cut(text: Text, old: str, lines: Sequence[str]) -> Foreign | None:
    """Where a reader cut text off, and said so in words or by dots."""
    for line in lines if may_be_cut(old) else ():
        mark = truncation_mark(line)
        if mark is not None and mark[1] not in text.lf:
            return Foreign("truncation-mark", mark[1], _line_of(text, mark[0]))
        dots = trailing_dots(line)
        at = _line_of(text, dots[0]) if dots is not None and line not in text.lf else None
        if dots is not None and at is not None:
            rest = text.lines[at - 1].partition(dots[0].strip())[2].strip()
            if rest and not rest.startswith((".", "…")):
                return Foreign("truncation-mark", dots[1], at)
    return None


def _left_out(text: Text, old: str, lines: Sequence[str]) -> Foreign | None:
    """A placeholder that is no line of the file; what may be a remark counts only beside a line that the file has."""
    own: set[str] | None = None
    for at, line in may_be_placeholders(old):
        stripped = line.strip()
        sureness = placeholder(line) or ("loose" if stripped in _ONLY_DOTS else None)
        if sureness is None or at >= len(lines):
            continue
        own = {line.strip() for line in text.lines} if own is None else own
        beside = [near.strip() for near in (*lines[max(0, at - 1) : at], *lines[at + 1 : at + 2])]
        if stripped not in own and (sureness == "sure" or own.intersection(filter(None, beside))):
            return Foreign("placeholder", stripped, _line_of(text, lines[at - 1]) if at else None)
    return None


_ONLY_DOTS = ("...", "…", "[...]", "(...)")


def _marked(text: Text, lines: Sequence[str]) -> Foreign | None:
    """Marks that every line bears, or that stand around all of them; what is left are lines of the file."""
    if not lines:
        return None
    if all(_NUMBERED.match(line) for line in lines):
        bare = [_NUMBERED.sub("", line, count=1).strip() for line in lines]
        return _as_lines(text, "line-numbers", lines[0], bare, {line.strip() for line in text.lines})
    if _FENCE.fullmatch(lines[0]) and lines[0].strip() not in text.lf:
        inside = [line.strip() for line in lines if not _FENCE.fullmatch(line)]
        return _as_lines(text, "code-fence", lines[0], inside, {line.strip() for line in text.lines})
    hunk = [line for line in lines if not line.startswith(("@@", "+++ ", "--- "))]
    if hunk and all(line[0] in "-+ " for line in hunk) and (len(hunk) < len(lines) or any(c[0] in "-+" for c in hunk)):
        first = lines[0] if len(hunk) < len(lines) else next(line for line in hunk if line[0] != " ")
        return _as_lines(text, "diff-marks", first, [line[1:] for line in hunk], set(text.lines))
    return None


def _as_lines(
    text: Text, cause: ForeignCause, quoted: str, bare: Sequence[str], own: Collection[str]
) -> Foreign | None:
    """The cause, where a line without its mark is a line of the file that says something; where it stands, if once."""
    telling = [line for line in bare if len(line.strip()) >= MIN_BEFORE_CHARS and line in own]
    if not telling:
        return None
    return Foreign(cause, quoted.strip(), next((at for line in telling if (at := _line_of(text, line))), None))


def _otherwise(text: Text, old: str) -> Foreign | None:
    """Characters written as escapes or entities on one side alone."""
    if not MIN_BEFORE_CHARS <= len(old) <= MAX_SPELLED_CHARS:
        return None
    spellings: tuple[tuple[ForeignCause, Iterator[tuple[str, str]]], ...] = (
        ("escaped", decoded(old)),
        ("unescaped", encoded(old, text.lf)),
    )
    for cause, spelled in spellings:
        for written, sign in spelled:
            if written in text.lf:
                return _spelled(cause, sign, text.lf, written)
    for plain, _ in plain_lines(text.lf, old):
        if old in plain:
            at = plain.find(old)
            first, last = plain.count("\n", 0, at), plain.count("\n", 0, at + len(old))
            here = "\n".join(text.lines[first : last + 1])
            return _spelled("unescaped", next(sign for _, sign in plain_lines(here, old)), plain, old)
    return None


def _spelled(cause: ForeignCause, sign: str, text: str, part: str) -> Foreign:
    at = text.find(part)
    line = text.count("\n", 0, at) + 1
    return Foreign(cause, sign, line, line + part.rstrip("\n").count("\n"))


def _line_of(text: Text, part: str) -> int | None:
    """The line at which a piece of a line stands, where it says enough and stands once."""
    part = part.strip()
    places = exact(text, part, 2) if len(part) >= MIN_BEFORE_CHARS else []
    return text.line0_at(places[0]) + 1 if len(places) == 1 else None
