"""The cases of `fixtures/guards`: how one is read, played through the engine, and written. See README.md there."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edit_assist_ls.engine import guard_words
from edit_assist_ls.engine.builtin import Applied, Edit, Refused
from edit_assist_ls.engine.correction import correct
from edit_assist_ls.engine.guard_names import GUARDS
from edit_assist_ls.engine.guards import Alarm, Guarded, guard
from edit_assist_ls.engine.text import NotUtf8, Text, decode
from edit_assist_ls.engine.work import Work
from tests.engine.cases import escaped, header_of, sections, unescaped

ROOT = Path(__file__).resolve().parents[2] / "fixtures" / "guards"
HARMLESS = "harmless"


@dataclass(frozen=True, slots=True)
class GuardCase:
    """One case: `why` (prose), the file's name, text and encoding, the call as sent, what must come out."""

    why: str
    encoding: str
    file_name: str
    file: str
    call: list[dict[str, Any]]
    expected: dict[str, str]

    @property
    def data(self) -> bytes:
        return self.file.encode(self.encoding)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits as the host has them: a null is the word."""
        return tuple(Edit(*("null" if edit[name] is None else edit[name] for name in NAMES)) for edit in self.call)

    @property
    def nulls(self) -> tuple[int, ...]:
        return tuple(at for at, edit in enumerate(self.call) if None in edit.values())


NAMES = ("oldText", "newText")


def paths() -> list[Path]:
    """Every case, in a stable order."""
    return sorted(ROOT.glob("*/*.txt"))


def parse(source: str) -> GuardCase:
    """A case from the text of its file."""
    header, found = sections(source)
    settings = dict(line.split(": ", 1) for line in header if line.startswith("encoding: "))
    why = " ".join(line for line in header if line and not line.startswith("encoding: "))
    (title,) = [title for title in found if title.startswith("file ")]
    call, file = json.loads(found.pop("call")), unescaped(found.pop(title))
    expected = {name: body if name == "guards" else unescaped(body) for name, body in found.items()}
    return GuardCase(why, settings.get("encoding", "utf-8"), title.removeprefix("file "), file, call, expected)


def judged(case: GuardCase, on: Collection[str] = GUARDS) -> tuple[tuple[Edit, ...], Applied | Refused | None, Guarded]:
    """The call as corrected, what the built-in makes of it, and what the guards that are on make of it."""
    met = decode(case.data)
    if isinstance(met, NotUtf8):
        return case.edits, None, guard(met, case.edits, None, case.nulls, on, Work())
    work = Work()
    corrected = correct(met, case.edits, "carry", work)
    return corrected.edits, corrected.outcome, guard(met, corrected.edits, corrected.outcome, case.nulls, on, work)


def play(case: GuardCase) -> dict[str, str]:
    """What the engine makes of a case, as sections."""
    _, outcome, found = judged(case)
    if found.refused is not None:
        said = guard_words.reason(case.file_name, found.refused)
        return {"guards": f"blocked by {_named(found.refused)}\n", "says": said + "\n"}
    lines = [f"remarked on by {_named(alarm)}\n" for alarm in found.warnings] or ["none\n"]
    out = {"guards": "".join(lines)}
    if isinstance(outcome, Applied):
        out["after"] = in_full(outcome.text)
    if found.warnings:
        out["says"] = guard_words.warning(case.file_name, found.warnings) + "\n"
    return out


def in_full(text: Text) -> str:
    """A text with its byte order mark."""
    return ("\ufeff" if text.bom else "") + text.raw


def _named(alarm: Alarm) -> str:
    return alarm.guard if alarm.edit_index is None else f"{alarm.guard}, edits[{alarm.edit_index}]"


def written(case: GuardCase, out: dict[str, str], source: str) -> str:
    """The text of a case's file, with `out` as what is expected."""
    call = json.dumps(case.call, indent=1) + "\n"
    parts = [header_of(source), f"-- file {case.file_name} --\n", escaped(case.file), "-- call --\n", call]
    for title in ("guards", "after", "says"):
        if title in out:
            parts += [f"-- {title} --\n", out[title] if title == "guards" else escaped(out[title])]
    return "".join(parts)
