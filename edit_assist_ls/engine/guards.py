"""A hand held up before an edit that matches but would damage the file, and a word after one that may have.

What is refused is certain to do harm; all else is said once the edit has landed. An Alarm is numbers and pieces of
text; `guard_words` words it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from edit_assist_ls.engine import folding
from edit_assist_ls.engine.builtin import Edit, occurrences
from edit_assist_ls.engine.guard_names import Guard
from edit_assist_ls.engine.matching import exact
from edit_assist_ls.engine.placeholders import HINT, is_placeholder
from edit_assist_ls.engine.strict import uniform_ending
from edit_assist_ls.engine.text import NotUtf8, Text, line_start
from edit_assist_ls.engine.work import Work

MAX_TWINS = 10
MAX_ALARMS = 4


@dataclass(frozen=True, slots=True)
class Alarm:
    """What a guard saw. Lines count from 1, inclusive; `lines` are those of several places.

    `byte_offset`, `byte` and `encoding` go with `utf8`; `quoted` is the line or text that it is about.
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


def refuse(text: Text | NotUtf8, edits: Sequence[Edit], nulls: Collection[int], on: Collection[str]) -> Alarm | None:
    """Why a call must not run; None for any that does no certain harm. `nulls`: the edits whose newText was null."""
    if "null" in on:
        for index in sorted(nulls):
            if index < len(edits) and edits[index].new_text == "null":
                return Alarm("null", index)
    if isinstance(text, NotUtf8):
        if "utf8" not in on:
            return None
        return Alarm("utf8", start_line=text.line, byte_offset=text.byte_offset, byte=text.byte, encoding=text.encoding)
    return _twins(text, edits) if "twins" in on else None


def _twins(text: Text, edits: Sequence[Edit]) -> Alarm | None:
    """An edit that the built-in counts once, though its text stands at several places that overlap."""
    for index, edit in enumerate(edits):
        old, new = folding.lf(edit.old_text), folding.lf(edit.new_text)
        first = text.lf.find(old) if len(old) > 1 else -1
        if first < 0 or text.lf.find(old, first + 1) < 0 or occurrences(text, old) != 1:
            continue
        places = exact(text, old, MAX_TWINS)
        last = places[-1]
        made = {text.lf[first:at] + new + text.lf[at + len(old) : last + len(old)] for at in places}
        if len(made) > 1:
            lines = tuple(dict.fromkeys(_line(text, at) for at in places))
            return Alarm("twins", index, lines[0], lines[-1], lines)
    return None


def _line(text: Text, offset: int) -> int:
    """The line (from 1) of an offset, without an index of all lines."""
    return text.lf.count("\n", 0, offset) + 1


def warnings(before: Text, edits: Sequence[Edit], after: Text, on: Collection[str], work: Work) -> tuple[Alarm, ...]:
    """What is to be said once a call has landed: `after` is the file that it leaves."""
    found: list[Alarm] = []
    for index, edit in enumerate(edits):
        old, new = folding.lf(edit.old_text), folding.lf(edit.new_text)
        if not work.spend(len(before.lf) + len(old) + len(new)) or len(found) >= MAX_ALARMS:
            break
        at = before.lf.find(old) if old else -1
        if at < 0:
            continue
        for guard, look in _LOOKS:
            alarm = look(before, index, old, new, at) if guard in on else None
            if alarm is not None:
                found.append(alarm)
    if "mixedEndings" in on and work.spend(2 * len(after.lf)) and _mixes_endings(before, after):
        found.append(Alarm("mixedEndings", quoted="CRLF" if uniform_ending(before) == "\r\n" else "LF"))
    return tuple(found[:MAX_ALARMS])


def _placeholder(before: Text, index: int, old: str, new: str, at: int) -> Alarm | None:
    """A line of newText that stands for text which was left out, and that oldText does not have."""
    if HINT.search(new) is None:
        return None
    known = {line.strip() for line in old.split("\n")}
    for below, line in enumerate(new.split("\n")):
        if is_placeholder(line) and line.strip() not in known:
            return Alarm("placeholder", index, _line(before, at) + below, quoted=line.strip())
    return None


def _glued(before: Text, index: int, old: str, new: str, at: int) -> Alarm | None:
    """newText without the line feed that oldText ends or begins with: two lines become one."""
    end = at + len(old)
    follows = before.lf[end : end + 1] not in ("", "\n")
    if old.endswith("\n") and new and not new.endswith("\n") and follows and not new.endswith((" ", "\t")):
        return Alarm("gluedLines", index, _line(before, at) + new.count("\n"), quoted=new.rsplit("\n", 1)[-1].strip())
    precedes = at > 0 and before.lf[at - 1] != "\n"
    if old.startswith("\n") and new and not new.startswith("\n") and precedes and not new.startswith((" ", "\t")):
        return Alarm("gluedLines", index, _line(before, at), quoted=new.split("\n", 1)[0].strip())
    return None


def _indentation(before: Text, index: int, old: str, new: str, at: int) -> Alarm | None:
    """oldText begins behind its line's indentation, and the further lines of newText have less than that."""
    prefix = before.lf[line_start(before.lf, at) : at]
    if not prefix or prefix.strip(folding.LEADING) or old[:1] in (" ", "\t", "\n") or new[:1] in (" ", "\t", "\n"):
        return None
    known = set(old.split("\n"))
    further = [line for line in new.split("\n")[1:] if line.strip() and line not in known]
    if not further or any(line.startswith(prefix) for line in further):
        return None
    if all(line.strip()[:1] in ")]}" or line.strip() in ("end", "fi", "done") for line in further):
        return None
    line = _line(before, at)
    return Alarm("indentation", index, line, line + new.count("\n"), quoted=further[0].strip())


def _repeated(before: Text, index: int, old: str, new: str, at: int) -> Alarm | None:
    """newText, which holds oldText, stood at the place already: what it adds is there twice now."""
    if len(new) <= len(old) or old not in new:
        return None
    start = at - new.find(old)
    if start < 0 or before.lf[start : start + len(new)] != new:
        return None
    return Alarm("repeated", index, _line(before, start), _line(before, start + len(new) - 1))


_LOOKS = (
    ("placeholder", _placeholder),
    ("gluedLines", _glued),
    ("indentation", _indentation),
    ("repeated", _repeated),
)


def _mixes_endings(before: Text, after: Text) -> bool:
    """Whether a file whose lines all ended alike has lines that end otherwise now."""
    if "\r" not in before.raw and "\r" not in after.raw:
        return False
    return uniform_ending(before) is not None and uniform_ending(after) is None and "\n" in after.lf
