"""What a person may have put in the file: an edit at a place that the built-in would not have taken it at.

The edit says how oldText becomes newText; the place says what stands there instead of oldText. What the edit leaves
as it is stays as the file has it; what it changes is taken from newText, in the file's indentation.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from edit_assist_ls.engine import folding
from edit_assist_ls.engine.builtin import Edit
from edit_assist_ls.engine.correction import PAIRING_LIMIT, shared_lines, stands_as_in_file
from edit_assist_ls.engine.indentation import Relation, carried, relate, style_of
from edit_assist_ls.engine.matching import exact
from edit_assist_ls.engine.text import Text

PART_SCORE = 80
"""How much (of 100) an oldText must read like a piece of a line to count as one."""
MOST_CHARS = 5_000
MOST_TOKENS = 500
_TOKEN = re.compile(r"\w+|[^\w\s]+")

Pairs = dict[int, int]
"""Lines of oldText (from 0) and the lines of the place that stand for them, in order."""


@dataclass(frozen=True, slots=True)
class Offer:
    """`new_text` (LF) for the offsets `start`..`end` (half-open) of the LF view."""

    start: int
    end: int
    new_text: str


def offer(text: Text, edit: Edit, line0: int, last_line0: int) -> Offer | None:
    """The edit at the lines `line0`..`last_line0`; None where it would fit there in several ways, or not at all.

    The offer covers whole lines, the last one's ending excluded, but where the edit takes that ending away.
    """
    if not 0 <= line0 <= last_line0 < len(text.lines):
        return None
    old, new = folding.lf(edit.old_text), folding.lf(edit.new_text)
    start, end = text.line_starts[line0], text.line_starts[last_line0] + len(text.lines[last_line0])
    if old.endswith("\n"):
        if new.endswith("\n"):
            old, new = old[:-1], new[:-1]
        elif end < len(text.lf) and text.lf[start : end + 1].endswith(old):
            end += 1
        else:
            old = old[:-1]
            if not new and end < len(text.lf):
                end += 1
                return Offer(start, end, "") if _is_whole(old, line0, last_line0) else None
    there = text.lf[start:end]
    literal = exact(Text(there), old, 2)
    if len(literal) == 1:
        at = literal[0]
        return Offer(start, end, there[:at] + new + there[at + len(old) :])
    if literal or not old:
        return None
    merged = _merged(text, old.split("\n"), new.split("\n"), line0, last_line0)
    return None if merged is None else Offer(start, end, merged)


def _is_whole(old: str, line0: int, last_line0: int) -> bool:
    """Whether oldText is about as many lines as the place: then deleting it deletes the lines."""
    return abs(old.count("\n") - (last_line0 - line0)) <= 2


def _merged(text: Text, old: list[str], new: list[str], line0: int, last_line0: int) -> str | None:
    """The lines of the place as the edit would have them: a merge of what the agent and the file made of oldText."""
    there = text.lines[line0 : last_line0 + 1]
    if not _complete(old, new, there):
        return None
    pairs = _pairs(old, there)
    kept = shared_lines(old, new)
    written = _in_style(text, old, new, there, pairs, line0)
    out: list[str] = []
    old_at = new_at = there_at = 0
    anchors = [(old_line, at, pairs[old_line]) for at, old_line in sorted(kept.items()) if old_line in pairs]
    for old_line, new_line, there_line in [*anchors, (len(old), len(new), len(there))]:
        if new[new_at:new_line] == old[old_at:old_line]:
            out += there[there_at:there_line]
        else:
            out += written[new_at:new_line]
        if old_line < len(old):
            out.append(there[there_line])
        old_at, new_at, there_at = old_line + 1, new_line + 1, there_line + 1
    return "\n".join(out)


def _complete(old: list[str], new: list[str], there: Sequence[str]) -> bool:
    """Give an oldText that begins or ends inside a line the rest of that line, and newText with it.

    False where it does so somewhere that is not plain: the rest of the line would be lost.
    """
    head = tail = ""
    first, last = old[0].rstrip(folding.TRAILING), old[-1].lstrip(folding.LEADING)
    if len(old) == 1:
        if len(there) > 1:
            return True
        key = first.lstrip(folding.LEADING)
        spot = _spot(there[0], key)
        if spot is None:
            return not _is_part(key, there[0])
        head, tail = there[0][: spot[0]], there[0][spot[1] :].rstrip(folding.TRAILING)
        blank = folding.indentation(old[0])
        head = head.removesuffix(blank) if head.strip() else ""
    else:
        ended = there[0].rstrip(folding.TRAILING)
        spot = _last_spot(ended, first) or _spot(ended, first.lstrip(folding.LEADING))
        if spot is not None and spot[1] == len(ended):
            head = ended[: spot[0]]
        elif old[0] != new[0] and _is_part(first.strip(), ended):
            return False
        begun = there[-1].lstrip(folding.LEADING)
        spot = _spot(begun, last.rstrip(folding.TRAILING))
        if spot is not None and spot[0] == 0:
            tail = begun[spot[1] :]
        elif old[-1] != new[-1] and _is_part(last.strip(), begun):
            return False
    if head.strip():
        old[0], new[0] = head + old[0], head + new[0]
    if tail.strip():
        old[-1], new[-1] = old[-1] + tail, new[-1] + tail
    return True


def _last_spot(line: str, key: str) -> tuple[int, int] | None:
    at = _folded_at(line, key, str.rfind)
    return (at, at + len(key)) if at >= 0 else None


def _spot(line: str, key: str) -> tuple[int, int] | None:
    """Where the only place of `key` in a line is, under the fuzzy folding; blanks between words may be other ones."""
    at = _folded_at(line, key, str.find)
    if at >= 0:
        return (at, at + len(key)) if at == _folded_at(line, key, str.rfind) else None
    folded, tokens = folding.fuzzy(line), _TOKEN.findall(folding.fuzzy(key))
    if not tokens or len(folded) != len(line) or len(tokens) > MOST_TOKENS:
        return None
    gaps = [r"[ \t]+" if a[-1].isalnum() and b[0].isalnum() else r"[ \t]*" for a, b in pairwise(tokens)]
    pattern = "".join(re.escape(token) + gap for token, gap in zip(tokens, [*gaps, ""], strict=True))
    found = [(match.start(), match.end()) for match in islice(re.finditer(pattern, folded), 2)]
    return found[0] if len(found) == 1 else None


def _is_part(key: str, line: str) -> bool:
    """Whether `key` reads much like a piece of a line, and much less like all of it."""
    folded, key = folding.extended(line), folding.extended(key).strip()
    if not key or len(key) * 4 > len(folded) * 3 or len(folded) > MOST_CHARS:
        return False
    return fuzz.partial_ratio(key, folded) >= PART_SCORE


def _folded_at(line: str, key: str, find: Callable[[str, str], int]) -> int:
    """Where `key` stands in a line under the fuzzy folding; -1 where it does not, or the folding moves columns."""
    folded, key = folding.fuzzy(line), folding.fuzzy(key)
    return find(folded, key) if key and len(folded) == len(line) else -1


def _pairs(old: Sequence[str], there: Sequence[str]) -> Pairs:
    """Lines that read alike pair in order; what lies between two pairs, or at an end, pairs where it is as many."""
    old_keys, keys = [folding.extended(line) for line in old], [folding.extended(line) for line in there]
    pairs: Pairs = {}
    if len(old) == len(there) and sum(a == b for a, b in zip(old_keys, keys, strict=True)) * 2 >= len(old):
        return {at: at for at in range(len(old))}
    blocks = LCSseq.opcodes(old_keys, keys).as_matching_blocks() if len(old) * len(there) <= PAIRING_LIMIT else []
    old_at = there_at = 0
    for old_line, there_line, size in [*((b.a, b.b, b.size) for b in blocks if b.size), (len(old), len(there), 0)]:
        if old_line - old_at == there_line - there_at:
            pairs |= {old_at + i: there_at + i for i in range(old_line - old_at)}
        pairs |= {old_line + i: there_line + i for i in range(size)}
        old_at, there_at = old_line + size, there_line + size
    return pairs


def _in_style(
    text: Text, old: Sequence[str], new: Sequence[str], there: Sequence[str], pairs: Pairs, line0: int
) -> list[str]:
    """The lines of newText in the indentation of the place, as far as the pairs show how the two relate."""
    alike = [(old[a], there[b]) for a, b in pairs.items() if folding.extended(old[a]) == folding.extended(there[b])]
    evidence = alike or [(old[a], there[b]) for a, b in pairs.items()]
    relation = _relation(evidence)
    if relation is None or not relation.changes:
        return list(new)
    if stands_as_in_file([o for o, _ in evidence], [t for _, t in evidence], new):
        return list(new)
    style = style_of(relation, [*new, *old], text, line0)
    lines: list[str] = []
    for line in new:
        indent = folding.indentation(line)
        lines.append(carried(indent, relation, style) + line[len(indent) :] if line.strip() else line)
    return lines


def _relation(evidence: Sequence[tuple[str, str]]) -> Relation | None:
    """How the depths relate; where the agent misread them, how the first line's does."""
    relation = relate([o for o, _ in evidence], [t for _, t in evidence])
    if relation is None:
        first = next(((o, t) for o, t in evidence if o.strip()), None)
        relation = None if first is None else relate([first[0]], [first[1]])
    return relation
