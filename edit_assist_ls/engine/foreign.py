"""What got into an oldText that is no text of any file: a reader's marks, placeholders, leaked markup of a tool call.

It is the cause of a failure where it stands in the oldText and not in the file.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from edit_assist_ls.engine.matching import exact
from edit_assist_ls.engine.placeholders import is_placeholder, may_be_placeholders, truncation_mark
from edit_assist_ls.engine.text import Text

ForeignCause = Literal["truncation-mark", "placeholder", "line-numbers", "diff-marks", "markup"]
_NUMBERED = re.compile(r"[ \t]*[0-9]{1,7}(?:→|\t|: |:|\| | \| | \|)")
_MARKUP = re.compile(
    r"</?(?:oldText|newText|old_string|new_string|old_str|new_str|parameter|invoke|function_calls|tool_call|arg_value|arg_key)"
    r"\b[^<>\n]{0,80}>"
)
_CUT_SHORT = re.compile(r"truncat|snip|\d (?:more )?(?:char|byte|line)", re.IGNORECASE)
"""What a text holds that has a reader's mark of truncation: one search for all lines."""
MIN_BEFORE_CHARS = 4


@dataclass(frozen=True, slots=True)
class Foreign:
    """`quoted` is what is no text of the file, `line` (from 1) where the text beside it stands there once."""

    cause: ForeignCause
    quoted: str
    line: int | None = None


def foreign_in(text: Text, old: str, new: str) -> Foreign | None:
    """What in an oldText (LF), which the file does not have, is no text of the file; the most telling first."""
    markup = _MARKUP.search(old)
    if markup is not None and markup[0] not in text.lf:
        return Foreign("markup", markup[0], _line_of(text, old[: markup.start()].rsplit("\n", 1)[-1]))
    lines = old.split("\n")
    for line in lines if _CUT_SHORT.search(old) else ():
        mark = truncation_mark(line)
        if mark is not None and mark[1] not in text.lf:
            return Foreign("truncation-mark", mark[1], _line_of(text, mark[0]))
    for at, line in may_be_placeholders(old):
        if is_placeholder(line) and line.strip() not in text.lf:
            return Foreign("placeholder", line.strip(), _line_of(text, lines[at - 1]) if at else None)
    return _marked(text, [line for line in lines if line.strip()], new)


def _marked(text: Text, lines: Sequence[str], new: str) -> Foreign | None:
    """Marks that every line bears."""
    if lines and all(_NUMBERED.match(line) for line in lines):
        bare = [_NUMBERED.sub("", line, count=1) for line in lines]
        if any(_line_of(text, line) for line in bare):
            return Foreign("line-numbers", lines[0].strip(), next(at for line in bare if (at := _line_of(text, line))))
    if lines and all(line[0] in "-+ " for line in lines) and any(line[0] in "-+" for line in lines):
        bare = [line[1:] for line in lines]
        if any(line.startswith("+") for line in new.split("\n")) and any(_line_of(text, line) for line in bare):
            return Foreign("diff-marks", lines[0].strip(), next(at for line in bare if (at := _line_of(text, line))))
    return None


def _line_of(text: Text, part: str) -> int | None:
    """The line at which a piece of a line stands, where it says enough and stands once."""
    part = part.strip()
    places = exact(text, part, 2) if len(part) >= MIN_BEFORE_CHARS else []
    return text.line0_at(places[0]) + 1 if len(places) == 1 else None
