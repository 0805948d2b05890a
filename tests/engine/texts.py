"""Generated texts: small alphabets that make collisions, foldings, drifts and ties likely."""

from collections.abc import Sequence

from hypothesis import strategies as st

from edit_assist_ls.engine.builtin import Edit

FOLDING = "‘’‚‛“”„‟‐—−\u00a0\u2003\u202f\u3000ﬁ①Ａe\u0301é\ufeff\u2028\x85\x1c\u1680𝒳😀"
ENDINGS = ("\n", "\r\n", "\r")

PLAIN = ("a", "b", "ab", "aa", "if", "  ", " ", "\t", "    ", "x = 1", "'", '"', "-", "…")
pieces = st.sampled_from([*PLAIN, *FOLDING, "\n", *ENDINGS])
messy = st.lists(pieces, max_size=14).map("".join)
"""Short texts of pieces that fold, repeat and end lines in every way."""

wild = st.text(st.characters(codec=None), max_size=40)
"""Any text at all, lone surrogates, NUL and astral characters included."""

WORDS = "if ready:|return|return 1|total += x|}|{|end|pass|print(total)|# note|x = ‘y’|call(a, b)"
words = st.sampled_from(WORDS.split("|"))
indents = st.sampled_from(["", "  ", "    ", "      ", "        ", "\t", "\t\t", "\t  "])
trails = st.sampled_from(["", "", "", "", " ", "  ", "\t", "\u00a0"])


@st.composite
def code_lines(draw: st.DrawFn, most: int = 12) -> list[str]:
    """Lines as code has them: an indentation, a few words, now and then a blank or trailing whitespace."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, most))):
        if draw(st.integers(0, 6)) == 0:
            lines.append(draw(st.sampled_from(["", "", "  "])))
        else:
            lines.append(draw(indents) + draw(words) + draw(trails))
    return lines


@st.composite
def code(draw: st.DrawFn) -> str:
    """A file of such lines with endings of one kind, or mixed, with or without a last one and a byte order mark."""
    lines = draw(code_lines())
    ending = draw(st.sampled_from(["\n", "\n", "\r\n", "\r", None]))
    text = "".join(line + (ending or draw(st.sampled_from(ENDINGS))) for line in lines)
    if draw(st.booleans()):
        text = text.rstrip("\r\n")
    return ("\ufeff" if draw(st.integers(0, 5)) == 0 else "") + text


def _lf(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


@st.composite
def drifted(draw: st.DrawFn, file: str) -> Edit:
    """An edit whose oldText is a block of the file, written with other whitespace, and now and then other words."""
    lines = _lf(file).split("\n")
    start = draw(st.integers(0, len(lines) - 1))
    old = lines[start : start + draw(st.integers(1, 5))]
    how = draw(st.sampled_from(["as is", "shift", "unshift", "tabs", "spaces", "trail", "trim", "each", "word"]))
    if how == "shift":
        shift = draw(indents)
        old = [shift + line if line.strip() else line for line in old]
    elif how == "unshift":
        old = [line[draw(st.integers(0, 4)) :] if line[:4].isspace() else line for line in old]
    elif how == "tabs":
        old = [line.replace("    ", "\t") for line in old]
    elif how == "spaces":
        old = [line.replace("\t", draw(st.sampled_from(["    ", "  "]))) for line in old]
    elif how == "trail":
        old = [line + draw(trails) for line in old]
    elif how == "trim":
        old = [line.rstrip() for line in old]
    elif how == "each":
        old = [draw(indents) + line.strip() for line in old]
    elif how == "word":
        old = [draw(words) if draw(st.integers(0, 3)) == 0 else line for line in old]
    new = list(old)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(new)))
        kind = draw(st.sampled_from(["insert", "delete", "change"]))
        if kind == "insert":
            new.insert(at, draw(indents) + draw(words))
        elif new and at < len(new):
            new[at : at + 1] = [] if kind == "delete" else [draw(indents) + draw(words)]
    feed = draw(st.sampled_from(["", "", "\n", "\n    "]))
    ending = draw(st.sampled_from(["\n", "\n", "\n", "\r\n"]))
    return Edit((("\n".join(old)) + feed).replace("\n", ending), ("\n".join(new) + feed).replace("\n", ending))


@st.composite
def code_calls(draw: st.DrawFn, most: int = 3) -> tuple[str, tuple[Edit, ...]]:
    """A file and a call of drifted edits on it."""
    file = draw(code())
    return file, tuple(draw(st.lists(drifted(file), min_size=1, max_size=most)))


@st.composite
def messy_calls(draw: st.DrawFn) -> tuple[str, tuple[Edit, ...]]:
    """A messy file and edits whose oldTexts are mostly pieces of it."""
    file = draw(messy)
    edits: list[Edit] = []
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, max(0, len(file) - 1)))
        piece = file[start : start + draw(st.integers(1, 6))]
        if draw(st.booleans()):
            piece = piece.replace("’", "'").replace("”", '"').replace("\u00a0", " ").rstrip(" \t")
        edits.append(Edit(draw(st.one_of(st.just(piece), messy)), draw(messy)))
    return file, tuple(edits)


def pairs(edits: Sequence[Edit]) -> list[tuple[str, str]]:
    """Edits as the references take them."""
    return [(edit.old_text, edit.new_text) for edit in edits]
