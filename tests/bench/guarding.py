"""What the guards cost and how often they cry wolf, in this process: the same calls judged by them and by none."""

import time
from collections.abc import Iterable
from dataclasses import dataclass

from edit_assist_ls.engine.builtin import Applied, Edit, apply
from edit_assist_ls.engine.correction import correct
from edit_assist_ls.engine.guard_names import GUARDS
from edit_assist_ls.engine.guards import Guarded, guard
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from tests.bench.drift import Case
from tests.bench.sources import LARGEST

ROWS = 9_000


@dataclass(frozen=True, slots=True)
class Guarding:
    """One call that lands, judged: what the guards took, and whether they said anything."""

    kind: str
    guard_ms: float
    alarmed: bool


def judge(cases: Iterable[Case]) -> list[Guarding]:
    """The calls among the cases that land as the true edit would: none of them does harm."""
    judged: list[Guarding] = []
    for case in cases:
        text = Text.of(case.text)
        corrected = correct(text, [Edit(case.old_text, case.new_text)], "carry", Work())
        if case.want is None or not isinstance(corrected.outcome, Applied) or corrected.outcome.text.raw != case.want:
            continue
        guard_ms, found = _timed(text, corrected.edits, corrected.outcome)
        judged.append(Guarding(case.kind, guard_ms, found != Guarded()))
    return judged


def hostile() -> list[Guarding]:
    """Calls on texts of 300 KB that give each guard as much to look at as one can."""
    rows = "".join(f"row {number:05} = value\n" for number in range(ROWS))
    repeated, mixed = "a" * (LARGEST - 10) + "b\n", rows.replace("5 = value\n", "5 = value\r\n")
    calls: dict[str, tuple[str, list[Edit]]] = {
        "text that begins as it ends": (repeated, [Edit("a" * (LARGEST // 2) + "b", "c")]),
        "placeholders": (rows, [Edit("row 08000 = value\n", "# ... rest of the code ...\n" * 10_000)]),
        "all but placeholders": (rows, [Edit("row 08000 = value\n", "the rest of it, and others there\n" * 8_000)]),
        "line endings": (mixed, [Edit("row 08000 = value\n", "row\n" * 20_000)]),
        "depths": ("x\n  go()\n" + rows, [Edit("go()", "\n  run()" * 20_000)]),
        "every row": (rows, [Edit(f"row {n:05} = value\n", f"row {n:05} = other") for n in range(0, ROWS, 90)]),
    }  # fmt: skip
    judged: list[Guarding] = []
    for kind, (raw, edits) in calls.items():
        text = Text.of(raw)
        outcome = apply(text, edits, Work())
        guard_ms, found = _timed(text, edits, outcome)
        judged.append(Guarding(kind, guard_ms, found != Guarded()))
    return judged


def _timed(text: Text, edits: Iterable[Edit], outcome: object) -> tuple[float, Guarded]:
    assert isinstance(outcome, Applied)
    work = Work()
    began = time.perf_counter()
    found = guard(text, list(edits), outcome, (), GUARDS, work)
    return (time.perf_counter() - began) * 1000, found
