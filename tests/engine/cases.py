"""The cases of `fixtures/cases`: how one is read, played through the engine, and written. See README.md there."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from edit_assist_ls.engine import messages
from edit_assist_ls.engine.builtin import Applied, Edit, Refused
from edit_assist_ls.engine.correction import Corrected, Mode, correct
from edit_assist_ls.engine.diagnosis import diagnose
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work

ROOT = Path(__file__).resolve().parents[2] / "fixtures" / "cases"
PLAIN = "·→…"
MODES: dict[str, Mode] = {"carry": "carry", "oldText": "oldText", "off": "off"}
_SECTION = re.compile(r"^-- (.+) --$")
_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|([\\rt])|(\n))")


@dataclass(frozen=True, slots=True)
class Case:
    """One case: `why` (prose), the setting, the file, the call, and the sections that must come out."""

    why: str
    mode: Mode
    file_name: str
    file: str
    edits: tuple[Edit, ...]
    expected: dict[str, str]


def paths() -> list[Path]:
    """Every case, in a stable order."""
    return sorted(ROOT.glob("*/*.txt"))


def escaped(text: str) -> str:
    """`text` as a section holds it: what an editor or git could lose is written as an escape, and it ends a line."""
    out: list[str] = []
    for line in re.split(r"(?<=\n)", text):
        body, feed = (line[:-1], "\n") if line.endswith("\n") else (line, "")
        kept = body.rstrip(" \t")
        shown = "".join(_shown(c) for c in kept) + "".join("\\t" if c == "\t" else "\\u0020" for c in body[len(kept) :])
        if _SECTION.match(shown):
            shown = "\\u002d" + shown[1:]
        out.append(shown + feed)
    whole = "".join(out)
    return whole if whole.endswith("\n") or not whole else whole + "\\\n"


def _shown(character: str) -> str:
    if character == "\\":
        return "\\\\"
    if character == "\r":
        return "\\r"
    if character == "\t" or " " <= character <= "~" or character in PLAIN:
        return character
    return f"\\u{ord(character):04x}" if character <= "\uffff" else f"\\U{ord(character):08x}"


def unescaped(section: str) -> str:
    """The text that `section` holds; a backslash at a line's end takes the line feed away."""

    def plain(match: re.Match[str]) -> str:
        short, long, letter, feed = match.groups()
        if short or long:
            return chr(int(short or long, 16))
        return "" if feed else {"\\": "\\", "r": "\r", "t": "\t"}[letter]

    return _ESCAPE.sub(plain, section)


def sections(source: str) -> tuple[list[str], dict[str, str]]:
    """The header's lines, and each section's lines by its title."""
    header: list[str] = []
    found: dict[str, list[str]] = {}
    into = header
    for line in re.split(r"(?<=\n)", source):
        title = _SECTION.match(line.removesuffix("\n"))
        if title:
            into = found.setdefault(title[1], [])
        elif line:
            into.append(line)
    return [line.strip() for line in header], {title: "".join(lines) for title, lines in found.items()}


def parse(source: str) -> Case:
    """A case from the text of its file."""
    header, found = sections(source)
    settings = dict(line.split(": ", 1) for line in header if re.match(r"mode: ", line))
    why = " ".join(line for line in header if line and not re.match(r"mode: ", line))
    (title,) = [title for title in found if title.startswith("file ")]
    call = json.loads(found.pop("call"))
    file = unescaped(found.pop(title))
    edits = tuple(Edit(edit["oldText"], edit["newText"]) for edit in call)
    expected = {name: body if name in ("edits", "outcome") else unescaped(body) for name, body in found.items()}
    return Case(why, MODES[settings.get("mode", "carry")], title.removeprefix("file "), file, edits, expected)


def play(case: Case) -> tuple[Corrected, dict[str, str]]:
    """What the engine makes of a case, and the same as sections."""
    text = Text.of(case.file)
    corrected = correct(text, case.edits, case.mode, Work())
    out = {"outcome": "\n".join(_outcome(corrected)) + "\n"}
    if corrected.corrections:
        out["edits"] = calls_json(corrected.edits)
    if isinstance(corrected.outcome, Applied):
        after = corrected.outcome.text
        out["after"] = ("\ufeff" if after.bom else "") + after.raw
        if corrected.corrections:
            out["says"] = messages.honesty(case.file_name, corrected.corrections, len(case.edits)) + "\n"
    else:
        diagnoses = diagnose(text, corrected.edits, corrected.outcome, Work())
        out["says"] = messages.report(case.file_name, diagnoses) + "\n" if diagnoses else ""
    return corrected, out


def _outcome(corrected: Corrected) -> Iterator[str]:
    if not corrected.corrections:
        yield "untouched"
    for c in corrected.corrections:
        lines = messages.lines_named(c.start_line, c.end_line)
        yield f"edits[{c.edit_index}]: {c.kind}, {lines}, newText {c.new_text}"
    outcome = corrected.outcome
    if isinstance(outcome, Refused):
        yield "refused: " + described(outcome)
    else:
        yield "applied"


def described(refused: Refused) -> str:
    """`ambiguous, edits[0], 2 places`, and the like."""
    parts: list[str] = [refused.kind]
    parts += [f"edits[{index}]" for index in (refused.edit_index, refused.other_index) if index is not None]
    parts += [f"{refused.count} places"] if refused.count is not None else []
    return ", ".join(parts)


def calls_json(edits: tuple[Edit, ...]) -> str:
    """The list of edits as a section holds it: JSON, one member a line, ASCII only."""
    listed = [{"oldText": edit.old_text, "newText": edit.new_text} for edit in edits]
    return json.dumps(listed, indent=1) + "\n"


def written(case: Case, out: dict[str, str], header: str) -> str:
    """The text of a case's file, with `out` as what is expected."""
    parts = [header, f"-- file {case.file_name} --\n", escaped(case.file), "-- call --\n", calls_json(case.edits)]
    for title in ("outcome", "edits", "after", "says"):
        if title in out:
            parts += [f"-- {title} --\n", out[title] if title in ("outcome", "edits") else escaped(out[title])]
    return "".join(parts)


def header_of(source: str) -> str:
    """The header of a case's file, as it stands."""
    return source[: source.index("-- file ")]
