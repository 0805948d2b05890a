"""The foldings that a comparison may use.

All of them work on the LF view of a text and keep its lines: line n of a folded text is the folding of line n.
"""

import re
from unicodedata import combining, normalize

LEADING = " \t"
"""What counts as leading whitespace: a no-break space in an indentation is a character like any other."""

TRAILING = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What JavaScript's `trimEnd` removes. Python's own set differs (U+001C-001F, U+0085; not U+FEFF)."""

_TRAILING_ASCII = "\t\v\f\r "
_TRAILING_OTHER = "".join(c for c in TRAILING if not c.isascii())

_ALIKE = {
    "'": "\u2018\u2019\u201a\u201b",
    '"': "\u201c\u201d\u201e\u201f",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
    " ": "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
}


MARKS_LIMIT = 1_000
"""A longer run of combining marks takes normalization, which sorts them one by one, quadratic time."""


def comparable(text: str) -> bool:
    """False for text that cannot be compared as the host compares it, or not in bounded time.

    A host that counts in UTF-16 can find a lone surrogate inside another character; runs of more than `MARKS_LIMIT`
    combining marks are not normalized.
    """
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    if len(text) < MARKS_LIMIT or max(map(len, text.split("\n"))) < MARKS_LIMIT:
        return True
    marks = "".join(c for c in set(text) if c > "\u02ff" and combining(c))
    return not marks or re.search(f"[{re.escape(marks)}]{{{MARKS_LIMIT}}}", text) is None


def lf(text: str) -> str:
    """`text` with CRLF and lone CR as LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


TRIM_ROUNDS = 3
TRIM_FEW = 100
"""Up to so many characters at so many ends of lines are cut one by one, all lines at once: else line by line."""


def trim_line_ends(text: str) -> str:
    """`text` with the trailing whitespace of every line removed (the text itself where there is none)."""
    found = [c for c in (_TRAILING_ASCII if text.isascii() else _TRAILING_ASCII + _TRAILING_OTHER) if c in text]
    for _ in range(TRIM_ROUNDS):
        ending = [c for c in found if c + "\n" in text]
        if not ending:
            last = text.rfind("\n") + 1
            return text[:last] + text[last:].rstrip(TRAILING) if text[-1:] in found else text
        if sum(text.count(c + "\n") for c in ending) > TRIM_FEW:
            break
        for c in ending:
            text = text.replace(c + "\n", "\n")
    return "\n".join([line.rstrip(TRAILING) for line in text.split("\n")])


def fuzzy(text: str) -> str:
    """The built-in's own folding: NFKC, line ends trimmed, then quotes, dashes and spaces to ASCII.

    The order matters and is the built-in's; folding twice changes nothing more. The text itself is returned where
    nothing folds, so that identity tells a caller that offsets in both are the same.
    """
    if text.isascii():
        return trim_line_ends(text)
    # No composition reaches across a line feed, so only the lines that may need it are normalized.
    lines = [line if line.isascii() else normalize("NFKC", line) for line in text.split("\n")]
    folded = "\n".join([line.rstrip(TRAILING) for line in lines])
    for plain, others in _ALIKE.items():
        for other in others:
            if other in folded:
                folded = folded.replace(other, plain)
    return text if folded == text else folded


def bare(text: str) -> str:
    """`text` with the leading whitespace of every line removed."""
    return "\n".join([line.lstrip(LEADING) for line in text.split("\n")])


def extended(text: str) -> str:
    """The Extended match's folding: the built-in's, and leading whitespace removed."""
    return bare(fuzzy(text))


def indentation(line: str) -> str:
    """The leading whitespace of one line."""
    return line[: len(line) - len(line.lstrip(LEADING))]


def width(indent: str) -> int:
    """How far an indentation reaches, in columns, with tab stops every 8."""
    if "\t" not in indent:
        return len(indent)
    column = 0
    for character in indent:
        column = column + 1 if character == " " else column - column % 8 + 8
    return column
