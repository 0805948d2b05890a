"""Indentation carried by evidence: how an agent wrote the depths of a block, and how the file has them.

Each line that oldText and the file share pairs an indentation as written with one as in the file. The pairs make a
`Relation` if they preserve order (strictly, by width, tab stops every 8; a prefix that all lines gained or lost
always does); else the agent misread the block. A relation then says how any other line of newText is to be indented.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from edit_assist_ls.engine.folding import indentation, width
from edit_assist_ls.engine.text import Text

Pair = tuple[str, str]
USUAL_STEPS = (4, 2, 8, 3)
NEIGHBOURHOOD = 300
"""How many lines around a block are looked at for the file's unit."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Pairs (as written, in the file) by depth; `added` or `removed` is the prefix of a uniform shift."""

    pairs: tuple[Pair, ...]
    added: str | None = None
    removed: str | None = None

    @property
    def changes(self) -> bool:
        """False where the agent wrote every depth as the file has it."""
        return any(written != in_file for written, in_file in self.pairs)


@dataclass(frozen=True, slots=True)
class Style:
    """What a level is: `unit` in the file (a tab or spaces), `own_steps` in what the agent wrote, likeliest first."""

    unit: str
    own_steps: tuple[int, ...]

    def step(self, length: int) -> int | None:
        """The likeliest step that makes `length` columns whole levels."""
        return next((step for step in (*self.own_steps, *USUAL_STEPS) if length % step == 0), None)


def relate(old_lines: Sequence[str], file_lines: Sequence[str]) -> Relation | None:
    """The relation of a block's indentations, line by line; None where it is no order-preserving map.

    The file may spell one depth in two ways (a tab, eight spaces); an agent that did so itself was not sure of it.
    """
    known: dict[str, str] = {}
    for old, file in zip(old_lines, file_lines, strict=True):
        if not old.strip():
            continue
        written, in_file = indentation(old), indentation(file)
        if width(known.setdefault(written, in_file)) != width(in_file):
            return None
    pairs = tuple(sorted(known.items(), key=lambda pair: width(pair[0])))
    if not pairs:
        return Relation(())
    written, in_file = pairs[0]
    if in_file.endswith(written):
        added = in_file[: len(in_file) - len(written)]
        if all(f == added + w for w, f in pairs):
            return Relation(pairs, added=added)
    if written.endswith(in_file):
        removed = written[: len(written) - len(in_file)]
        if all(w == removed + f for w, f in pairs):
            return Relation(pairs, removed=removed)
    for (w1, f1), (w2, f2) in pairwise(pairs):
        if width(w1) >= width(w2) or width(f1) >= width(f2):
            return None
    return Relation(pairs)


def style_of(relation: Relation, written_lines: Sequence[str], text: Text, line0: int) -> Style:
    """The units in play: the file's from the block's own depths, else its neighbourhood; the agent's from its steps."""
    return Style(_file_unit(relation, text, line0), _steps(written_lines))


def _steps(written_lines: Sequence[str]) -> tuple[int, ...]:
    grown: Counter[int] = Counter()
    previous = None
    for line in written_lines:
        if not line.strip():
            continue
        depth = width(indentation(line))
        if previous is not None and depth > previous:
            grown[depth - previous] += 1
        previous = depth
    return tuple(step for step, _ in sorted(grown.items(), key=lambda item: (-item[1], item[0])))


def _file_unit(relation: Relation, text: Text, line0: int) -> str:
    depths = [f for _, f in relation.pairs]
    if any("\t" in depth for depth in depths):
        return "\t"
    differences = [len(b) - len(a) for a, b in pairwise(depths) if len(b) > len(a)]
    if differences:
        return " " * min(differences)
    near = text.lines[max(0, line0 - NEIGHBOURHOOD) : line0 + NEIGHBOURHOOD]
    indents = [indentation(line) for line in near if line.strip()]
    tabs = sum(indent.startswith("\t") for indent in indents)
    spaces = sum(indent.startswith("  ") for indent in indents)
    if tabs > spaces and not any(depths):
        return "\t"
    steps = Counter(len(b) - len(a) for a, b in pairwise(indents) if len(b) - len(a) in (2, 3, 4, 8))
    return " " * (steps.most_common(1)[0][0] if steps else 4)


def carried(indent: str, relation: Relation, style: Style) -> str:
    """How a line that the agent indented by `indent` is to be indented in the file."""
    known = dict(relation.pairs)
    if indent in known:
        return known[indent]
    base = max((w for w in known if indent.startswith(w)), key=len, default=None)
    if base is not None:
        rest = indent[len(base) :]
        return known[base] + (_scaled(rest, relation, style) or _levels(rest, relation, style))
    if relation.added is not None:
        return relation.added + indent
    if relation.removed is not None:
        return indent.removeprefix(relation.removed) if indent.startswith(relation.removed) else ""
    if indent in known.values():
        return indent
    shallowest, in_file = relation.pairs[0]
    if shallowest.startswith(indent):
        rest = shallowest[len(indent) :]
        missing = _scaled(rest, relation, style) or _levels(rest, relation, style)
        return in_file.removesuffix(missing) if in_file.endswith(missing) else ""
    return _levels(indent, relation, style)


def _scaled(rest: str, relation: Relation, style: Style) -> str | None:
    """`rest` by the ratio that the pairs show, where it comes out whole; None where they show none.

    Neighbouring depths show it by their difference. A lone depth, counted from zero, shows one only between tabs and
    spaces, where a tab comes out as wide as tabs are, or as the agent's own step.
    """
    if relation.added is not None or relation.removed is not None:
        return None
    ratios = [
        (w2.removeprefix(w1), f2.removeprefix(f1))
        for (w1, f1), (w2, f2) in pairwise(relation.pairs)
        if w2.startswith(w1) and f2.startswith(f1)
    ]
    if not ratios:
        ratios = [(w, f) for w, f in relation.pairs if _tab_width(w, f) in (4, 8, *style.own_steps[:1])]
        ratios += [(w, f) for w, f in relation.pairs if _tab_width(f, w) in (2, 3, 4, 8)]
    for written, in_file in ratios:
        if not written or not in_file or set(written) != set(rest) or len(set(in_file)) != 1:
            continue
        length = Fraction(len(rest) * len(in_file), len(written))
        if length.denominator == 1:
            return in_file[0] * int(length)
    return None


def _tab_width(spaces: str, tabs: str) -> float | None:
    """How many spaces stand for a tab; None where the two are not spaces and tabs."""
    return len(spaces) / len(tabs) if set(spaces) == {" "} and set(tabs) == {"\t"} else None


def _levels(rest: str, relation: Relation, style: Style) -> str:
    """`rest` as whole levels of the file's unit; verbatim where it is the file's own style or no whole number."""
    depths = "".join(f for _, f in relation.pairs)
    mixed = " " in depths and "\t" in depths
    if mixed or len(set(rest)) != 1:
        return rest
    if style.unit == "\t":
        step = style.step(len(rest))
        return rest if rest[0] == "\t" or step is None else "\t" * (len(rest) // step)
    if rest[0] == "\t":
        return style.unit * len(rest)
    unit, step = len(style.unit), style.step(len(rest))
    if len(relation.pairs) > 1 or step is None or any(len(f) % unit for _, f in relation.pairs):
        return rest
    if len(rest) % unit == 0 and not _same_level(relation, unit, style):
        return rest
    return style.unit * (len(rest) // step)


def _same_level(relation: Relation, unit: int, style: Style) -> bool:
    """Whether a lone depth, in the agent's own steps, is as many levels deep as in the file's unit: at least one."""
    (written, in_file), step = relation.pairs[0], next(iter(style.own_steps), 0)
    return bool(in_file) and step > 0 and len(written) * unit == len(in_file) * step
