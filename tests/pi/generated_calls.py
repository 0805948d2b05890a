"""Edit calls as a hostile world would make them, from a seed: drifted texts, folding characters, endings, overlaps.

A call is `(text, edits)`: the file's text (a leading U+FEFF is its byte order mark) and `(oldText, newText)` pairs.
Most texts are small and poor in words, so that repeats, twins and overlaps are common.
"""

from random import Random

Call = tuple[str, list[tuple[str, str]]]

_WORDS = [
    "x", "foo", "bar", "=", "1", "(", ")", "if a:", "return", "'s'", '"t"', "a-b", "{", "}", "#", "$&", "\\n",
    "foo foo", "aa", "aaa", "ab", "aba", "end", "x = 1", "é", "e\u0301", "日本", "…", "ﬁn", "½", "①", "㎏", "Å", "🙂",
    "\u1100\u1161\u11a8", "가", "각", "ｆｏｏ", "´", "¨x", "ſ", "ﷺ",
    "\u0345", "\u0301", "\u0323", "a\u0328\u0301", "\u1100\u1161", "\u0f43", "\u2126", "ﬀ",
]  # fmt: skip
_ALIKE = {
    "'": "‘’‚‛′`",
    '"': "“”„‟″",
    "-": "‐‑‒–—―−﹣－",
    " ": "\u00a0\u2000\u2001\u2002\u2003\u2009\u200a\u202f\u205f\u3000\u1680\u180e\u200b\t",
    "e": "é",
    "f": "ｆ",
}
_TAILS = [
    " ", "  ", "\t", "\u00a0", "\u2003", "\u3000", "\ufeff", "\x0b", "\x0c", "\u2028", "\u2029", "\x85", "\x1c",
    "\u1680", "\u180e", "\u200b", " \u0301", "´", "\u2009 ",
]  # fmt: skip
_INDENTS = ["", "", "  ", "    ", "\t", "        ", "\t\t", "  \t", "\u00a0 ", " \u3000"]


def call(seed: int) -> Call:
    """The call of one seed; the same on every machine."""
    rng = Random(seed)
    is_large = rng.random() < 0.05
    lines = [_line(rng) for _ in range(rng.randint(60, 250) if is_large else rng.choice((0, 1, 1, 2, 3, 4, 6, 9, 14)))]
    if lines and rng.random() < 0.4:
        lines += rng.sample(lines, rng.randint(1, len(lines)))
    text = _joined(rng, lines)
    if rng.random() < 0.12:
        text = "\ufeff" + text
    count = rng.choice((1, 5, 12) if is_large else (1, 1, 1, 1, 2, 2, 3, 4))
    edits = [_edit(rng, text) for _ in range(0 if rng.random() < 0.005 else count)]
    return text, edits


def _line(rng: Random) -> str:
    words = " ".join(rng.choice(_WORDS) for _ in range(rng.choice((0, 1, 1, 2, 3))))
    line = rng.choice(_INDENTS) + words
    if rng.random() < 0.2:
        line = _alike(rng, line)
    if rng.random() < 0.2:
        line += rng.choice(_TAILS)
    return line


def _joined(rng: Random, lines: list[str]) -> str:
    style = rng.random()
    if style < 0.55:
        endings = ["\n"]
    elif style < 0.75:
        endings = ["\r\n"]
    elif style < 0.8:
        endings = ["\r"]
    else:
        endings = ["\n", "\n", "\r\n", "\r\n", "\r", "\n\r", "\r\r\n"]
    text = "".join(line + rng.choice(endings) for line in lines)
    return text if rng.random() < 0.7 else text.rstrip("\r\n")


def _alike(rng: Random, text: str) -> str:
    return "".join(rng.choice(_ALIKE[c]) if c in _ALIKE and rng.random() < 0.5 else c for c in text)


def _edit(rng: Random, text: str) -> tuple[str, str]:
    old = _drifted(rng, _piece(rng, text))
    return old, _replacement(rng, old)


def _piece(rng: Random, text: str) -> str:
    kind = rng.random()
    if kind < 0.02 or not text:
        return rng.choice(("", " ", "\n", "\t\n", "\u00a0", "\ufeff", "\r", "x", " \n \n"))
    if kind < 0.55:
        lines = text.splitlines(keepends=True)
        first = rng.randrange(len(lines))
        piece = "".join(lines[first : first + rng.choice((1, 1, 2, 3, 5, 9))])
        return piece.rstrip("\r\n") if rng.random() < 0.6 else piece
    start = rng.randrange(len(text))
    return text[start : start + rng.choice((1, 2, 3, 5, 8, 13, 30))]


def _drifted(rng: Random, old: str) -> str:
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 3))):
        match rng.randrange(11):
            case 0:
                old = old.replace("\r\n", "\n").replace("\r", "\n")
            case 1:
                old = "\n".join(line.rstrip() for line in old.split("\n"))
            case 2:
                old = "\n".join(line + rng.choice(("", rng.choice(_TAILS))) for line in old.split("\n"))
            case 3:
                old = _alike(rng, old)
            case 4:
                for plain, others in _ALIKE.items():
                    for other in others:
                        old = old.replace(other, plain)
            case 5:
                old = old.replace("\n", rng.choice(("\r\n", "\r", "\n")))
            case 6:
                old = old.lstrip() if rng.random() < 0.5 else " " + old
            case 7 if old:
                at, to = rng.randrange(len(old)), rng.randint(0, 1)
                old = old[:at] + rng.choice(("", rng.choice(_WORDS), rng.choice(_TAILS))) + old[at + to :]
            case 8:
                old += rng.choice(("\n", "\r\n", " ", rng.choice(_TAILS)))
            case 9 if rng.random() < 0.2:
                old = "\ufeff" + old
            case _:
                old = rng.choice(("\n", "")) + old
    return old


def _replacement(rng: Random, old: str) -> str:
    match rng.randrange(8):
        case 0:
            return ""
        case 1:
            return old
        case 2:
            return _drifted(rng, old)
        case 3:
            return old + "\n" + _line(rng)
        case 4:
            return rng.choice(("\n", "\r\n", "\r")).join(_line(rng) for _ in range(rng.randint(1, 3)))
        case 5:
            return "\n" + _line(rng)
        case 6:
            return _line(rng) + rng.choice(("\n", "\r\n", "\r", "$1", "\ud800" if rng.random() < 0.05 else ""))
        case _:
            return rng.choice(_WORDS)
