"""Whether a no-match failure was a Whitespace-only diff, judged by what the session itself shows of the file.

A session file does not hold the file as the failed call met it. What it does hold is every `read` of the file, what
was written to it since, and the oldText with which a retry landed. An oldText that is found in one of these as an
Extended match, but not as the built-in would have matched it, differed in leading whitespace alone.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from edit_assist_ls.engine import builtin, folding, matching
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from edit_assist_ls.health.entries import decoded

Verdict = Literal["whitespace-only", "differs", "unseen"]
"""`differs`: a shown text holds no such place. `unseen`: the session shows nothing to compare with."""

WORK_LIMIT = 20_000_000
"""Characters looked at for one failed call."""


def edits_of(arguments: bytes | msgspec.Raw) -> list[builtin.Edit]:
    """The edits of a call in the shapes that the built-in takes; what is not text is left out."""
    value = decoded(arguments, dict[str, object]) if arguments else None
    if value is None:
        return []
    edits: object = value.get("edits")
    if isinstance(edits, str):
        edits = decoded(edits.encode("utf-8", "replace"), object)
    if isinstance(edits, dict):
        edits = [edits]
    if not isinstance(edits, list):
        edits = [value]
    return list(_edits(edits))


def _edits(items: Sequence[object]) -> Iterator[builtin.Edit]:
    for item in items:
        if isinstance(item, dict):
            old, new = item.get("oldText"), item.get("newText")
            if isinstance(old, str) and isinstance(new, str):
                yield builtin.Edit(old, new)


def after_edits(text: str, edits: Sequence[builtin.Edit]) -> str:
    """A shown part of a file (LF) after a call that succeeded: unchanged where the call touched another part of it.

    Only edits that stand in the part literally and once are made: the others are not known to be in it.
    """
    for edit in edits:
        old_text = folding.lf(edit.old_text)
        if old_text and text.count(old_text) == 1:
            text = text.replace(old_text, folding.lf(edit.new_text))
    return text


def may_hold(text: str, old_text: str) -> bool:
    """Whether a text could hold `old_text` apart from whitespace: its longest line stands in it.

    A quick answer for the many that are simply not what the file says; where the built-in's folding could matter
    (one of the two is not ASCII), the answer is yes.
    """
    line = max((line.strip() for line in old_text.splitlines()), key=len, default="")
    return line in text or not (line.isascii() and text.isascii())


def compare(shown: str, old_text: str, work: Work) -> Verdict:
    """What a text that the session shows says of an oldText that the built-in did not find.

    Out of work, or where the shown text would have matched (it is not what the call met): `differs`.
    """
    text, wanted = Text.of(shown), folding.lf(old_text)
    if not wanted.strip() or not work.spend(3 * (len(shown) + len(wanted))):
        return "differs"
    if wanted in text.lf or folding.fuzzy(wanted) in text.folded:
        return "differs"
    return "whitespace-only" if matching.extended(text, wanted, 1) else "differs"


def compare_all(shown: Sequence[str], old_text: str, work: Work) -> Verdict:
    """The verdict of several shown texts together: one whitespace-only place is enough."""
    if not shown:
        return "unseen"
    verdicts = (compare(text, old_text, work) for text in shown if may_hold(text, old_text))
    return "whitespace-only" if "whitespace-only" in verdicts else "differs"
