"""`make ab`: the same calls through the real built-in of pi and through `strict`, and where the two part."""

import sys

from edit_assist_ls.engine.strict import Edited, StrictEdit, apply_strictly
from edit_assist_ls.engine.text import Text
from tests.ab.cases import CASES, Case, canaries_live, whole
from tests.pi.installed import install, missing
from tests.pi.shipped_builtin import Outcome, ShippedBuiltin


def through_strict(case: Case) -> Outcome:
    """The file's next bytes under `strict`, or the code of the refusal."""
    done = apply_strictly(Text.of(whole(case)), [StrictEdit(old, new) for old, new in case.edits])
    if isinstance(done, Edited):
        return done.text.encode()
    return done.code


def shown(case: Case, outcome: Outcome) -> str:
    """What a call came to, in a word: whether it landed, and with its canary lines alive."""
    if isinstance(outcome, str):
        return "refused" if " " in outcome else outcome
    return "lands" if canaries_live(case, outcome) else "LANDS, A CANARY LINE LOST"


def main() -> int:
    """Prints a row for each call; the exit status is 1 where `strict` lost a canary line."""
    reason = missing()
    if reason:
        print(f"not played: {reason}")
        return 0
    pi = install()
    with ShippedBuiltin(pi.node, pi.package) as shipped:
        theirs = shipped.outcomes([(whole(case), list(case.edits)) for case in CASES])
    ours = [through_strict(case) for case in CASES]
    width = max(len(case.name) for case in CASES)
    print(f"{'':{width}}  {'built-in':26} strict")
    for case, one, two in zip(CASES, theirs, ours, strict=True):
        parts = "   <- they part" if _part(one, two) else ""
        print(f"{case.name:{width}}  {shown(case, one):26} {shown(case, two)}{parts}")
    parting = sum(_part(one, two) for one, two in zip(theirs, ours, strict=True))
    lost = [
        sum("LOST" in shown(case, outcome) for case, outcome in zip(CASES, outcomes, strict=True))
        for outcomes in (theirs, ours)
    ]
    print(f"{len(CASES)} calls, the two part on {parting}; canary lines lost: built-in {lost[0]}, strict {lost[1]}")
    return 1 if lost[1] else 0


def _part(one: Outcome, two: Outcome) -> bool:
    """Whether one lands and the other does not, or both land with other bytes."""
    return one != two and not (isinstance(one, str) and isinstance(two, str))


if __name__ == "__main__":
    sys.exit(main())
