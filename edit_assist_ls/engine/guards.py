"""A hand held up before an edit that matches but would damage the file, and a word after one that may have.

What is refused is certain to do harm; all else is said once the edit has landed. An Alarm is numbers and pieces of
text; `guard_words` words it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from edit_assist_ls.engine import landing
from edit_assist_ls.engine.builtin import Applied, Edit, Refused
from edit_assist_ls.engine.guard_names import Guard
from edit_assist_ls.engine.landing import Landing, landings
from edit_assist_ls.engine.placeholders import MAX_LINE_CHARS, may_be_placeholders, placeholder, truncation_mark
from edit_assist_ls.engine.text import NotUtf8, Text, encoding_of
from edit_assist_ls.engine.work import Work

MAX_TWINS = 10
BLANK_REACH = 4_000
"""How far after a blank oldText another place of it is looked for: the file is all but empty then."""
MAX_ALARMS = 4
HEAD_CHARS = 400
"""How much of a text is looked at for the zeros of UTF-16."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """What a guard saw. Lines count from 1, inclusive; `lines` are those of several places.

    `byte_offset`, `byte` and `encoding` go with `utf8`; `quoted` is the line or text that it is about; `field` names
    the text of the edit that was null; `adds` False: newText is oldText.
    """

    guard: Guard
    edit_index: int | None = None
    start_line: int | None = None
    end_line: int | None = None
    lines: tuple[int, ...] = ()
    byte_offset: int | None = None
    byte: int | None = None
    encoding: str | None = None
    quoted: str = ""
    field: Literal["oldText", "newText"] = "newText"
    adds: bool = True


@dataclass(frozen=True, slots=True)
class Guarded:
    """What the guards make of a call: why it must not run, or what is to be said once it has landed."""

    refused: Alarm | None = None
    warnings: tuple[Alarm, ...] = ()


def guard(
    met: Text | NotUtf8 | None,
    edits: Sequence[Edit],
    outcome: Applied | Refused | None,
    nulls: Collection[int],
    on: Collection[str],
    work: Work,
) -> Guarded:
    """A call judged by the guards that are `on`. Only one that does certain harm is refused.

    `met` is the text that it meets, None where nobody knows it; `outcome` is what the built-in makes of it, None where
    that is not known; `nulls` are the edits (from 0) that had a null for a text. Out of work, less is looked for.
    """
    if "utf8" in on and met is not None and (alarm := wrong_encoding(met, edits)) is not None:
        return Guarded(alarm)
    may_land = not isinstance(outcome, Refused) or outcome.kind == "unsearched"
    if "null" in on and may_land and (alarm := null_word(edits, nulls)) is not None:
        return Guarded(alarm)
    if not isinstance(met, Text) or not isinstance(outcome, Applied):
        return Guarded()
    landed = sorted(landings(met, edits, work), key=lambda edit: edit.edit_index)
    if "twins" in on and (alarm := twins(landed, work)) is not None:
        return Guarded(alarm)
    return Guarded(warnings=warnings(met, landed, outcome.text, on, work))


def null_word(edits: Sequence[Edit], nulls: Collection[int]) -> Alarm | None:
    """The first edit that has the word null where the model sent a null; `nulls` are the edits that had one."""
    for index in sorted(nulls):
        if 0 <= index < len(edits) and edits[index].new_text.strip() == "null":
            return Alarm("null", index)
        if 0 <= index < len(edits) and edits[index].old_text.strip() == "null":
            return Alarm("null", index, field="oldText")
    return None


def wrong_encoding(met: Text | NotUtf8, edits: Sequence[Edit]) -> Alarm | None:
    """A file that is not UTF-8, or whose zeros say that it is UTF-16 though its bytes could be UTF-8."""
    if isinstance(met, NotUtf8):
        return Alarm("utf8", start_line=met.line, byte_offset=met.byte_offset, byte=met.byte, encoding=met.encoding)
    head = met.raw[:HEAD_CHARS]
    if "\0" not in head or any("\0" in edit.old_text for edit in edits):
        return None
    encoding = encoding_of(head.encode("utf-8", "surrogatepass"))
    return None if encoding is None else Alarm("utf8", start_line=1, encoding=encoding)


def twins(landed: Sequence[Landing], work: Work) -> Alarm | None:
    """An edit that the built-in counts once, though its text stands at several places.

    These overlap; or the text is blank, which the built-in counts by the length of the file. It does no harm where
    every place gives the same text.
    """
    for edit in landed:
        if not work.spend(4 * len(edit.old)):
            return None
        places = [edit.start]
        reach = edit.start + 2 * len(edit.old) - 1 if edit.old.strip() else edit.start + BLANK_REACH
        while len(places) < MAX_TWINS and (at := edit.before.find(edit.old, places[-1] + 1, reach)) >= 0:
            places.append(at)
        last = places[-1] + len(edit.old)
        if len(places) == 1 or not work.spend(len(places) * (last - edit.start + len(edit.new))):
            continue
        made = {edit.before[edit.start : at] + edit.new + edit.before[at + len(edit.old) : last] for at in places}
        if len(made) > 1:
            lines = tuple(dict.fromkeys(_line_at(edit.before, at) for at in places))
            return Alarm("twins", edit.edit_index, lines[0], lines[-1], lines)
    return None


def warnings(text: Text, landed: Sequence[Landing], after: Text, on: Collection[str], work: Work) -> tuple[Alarm, ...]:
    """What is to be said once a call has landed: `after` is the file that it leaves."""
    found: list[Alarm] = []
    for edit in landed:
        if len(found) >= MAX_ALARMS or not work.spend(4 * (len(edit.old) + len(edit.new))):
            break
        for name, look in _LOOKS:
            alarm = look(edit) if name in on else None
            if alarm is not None:
                found.append(alarm)
    if "mixedEndings" in on and len(found) < MAX_ALARMS:
        alarm = _mixed_endings(text, landed, after, work)
        found += [alarm] if alarm is not None else []
    return tuple(found[:MAX_ALARMS])


def _placeholder(edit: Landing) -> Alarm | None:
    """A line of newText that stands for text which was left out, and that oldText does not have."""
    known = lost = None
    for line0, line in may_be_placeholders(edit.new):
        sureness = placeholder(line)
        mark = truncation_mark(line) if sureness is None else None
        if sureness is None and mark is None:
            continue
        known = known or {line.strip() for line in edit.old.split("\n")}
        if line.strip() in known or (mark is not None and mark[1] in edit.old):
            continue
        if sureness == "loose":
            lost = known - {line.strip() for line in edit.new.split("\n")} if lost is None else lost
            if not any(lost):
                continue
        quoted = line.strip() if mark is None or len(line) <= MAX_LINE_CHARS else mark[1]
        return Alarm("placeholder", edit.edit_index, _line_at(edit.after, edit.at) + line0, quoted=quoted)
    return None


def _glued(edit: Landing) -> Alarm | None:
    line = landing.glued(edit)
    if line is None:
        return None
    return Alarm("gluedLines", edit.edit_index, _line_at(edit.after, line[0]), quoted=edit.after[slice(*line)].strip())


def _indentation(edit: Landing) -> Alarm | None:
    line = landing.misplaced(edit)
    if line is None:
        return None
    first = _line_at(edit.after, edit.at)
    return Alarm("indentation", edit.edit_index, first, first + edit.new.count("\n"), quoted=line.strip())


def _repeated(edit: Landing) -> Alarm | None:
    """newText stood at the place already."""
    if edit.old == edit.new:
        place = (edit.start, edit.end)
    elif (stood := landing.stood_there(edit)) is not None:
        place = stood
    else:
        return None
    lines = _line_at(edit.before, place[0]), _line_at(edit.before, max(place[0], place[1] - 1))
    return Alarm("repeated", edit.edit_index, *lines, adds=edit.old != edit.new)


_LOOKS = (
    ("placeholder", _placeholder),
    ("gluedLines", _glued),
    ("indentation", _indentation),
    ("repeated", _repeated),
)


def _mixed_endings(text: Text, landed: Sequence[Landing], after: Text, work: Work) -> Alarm | None:
    """A file with several kinds of line endings, to which the call added lines, or changed endings of lines in it."""
    if "\r" not in after.raw or not work.spend(4 * len(after.raw)) or not _mixed(after.raw):
        return None
    for edit in landed:
        ending = landing.endings_written(text, edit, after) if work.spend(3 * len(after.raw)) else None
        if ending is not None:
            first = _line_at(edit.after, edit.at)
            last = first + edit.new.count("\n") - 1
            return Alarm("mixedEndings", edit.edit_index, first, last, quoted=_ENDINGS[ending])
    return None


_ENDINGS = {"\r\n": "CRLF", "\n": "LF", "\r": "CR"}


def _mixed(raw: str) -> bool:
    crlf, cr, feeds = raw.count("\r\n"), raw.count("\r"), raw.count("\n")
    return (crlf > 0) + (cr > crlf) + (feeds > crlf) > 1


def _line_at(text: str, offset: int) -> int:
    """The line, from 1, that holds an offset of an LF text."""
    return text.count("\n", 0, offset) + 1
