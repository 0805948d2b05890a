"""Lines that stand for text which was left out: written by a model or a reader, and no text of the file.

A line is read word by word: it is a placeholder where every word of it belongs to saying that text was left out, and
one of them says so. Code that spreads or elides (`...rest`, a Python `...`) is none.
"""

import re
from collections.abc import Iterator
from typing import Literal

from edit_assist_ls.engine.text import line_end, line_start

MAX_LINE_CHARS = 200
MAX_WORDS = 12
MAX_FREE_WORDS = 5
"""How many words a remark that begins with dots may have where some of them may be any."""

Sureness = Literal["sure", "loose"]

_OPENING = re.compile(
    r"(?://+!?|/\*+|<!--|\{/\*|\(\*|\{#|\{\{!(?:--)?|<%(?:#|--)|(?:#+!?|--+|;+|%+|\*|'|rem)(?=[\s.…\[(<]|$))\s*",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"(?:\*+/\}?|--!?>|\*\)|#\}|(?:--)?\}\}|(?:--)?%>)$")
_BRACKETED = re.compile(r"[\[(<][^\[\]()<>]*[\])>]\.?")
_DOTS = re.compile(r"\.{3,}|…")
_BEGINS = re.compile(r"[\[(<]?\s*(?:\.{3,6}(?!\.)|…)")
_ENDS = re.compile(r"(?:(?<!\.)\.{3,6}|…)\s*[\])>]?$")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+")
_BETWEEN_WORDS = frozenset(" \t,.:;()[]<>/-_=~")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LEFT_OUT = _words("rest remainder remaining existing unchanged omitted elided truncated snip snipped")
"""Words that say by themselves that something was left out."""
_CUT = _words("unchanged omitted elided truncated snip snipped")
"""Those that need no noun."""
_AS_BEFORE = _words("same previous other others original current old more etc keep kept")
"""Words that say so beside dots, or beside a noun for code."""
_CODE = _words("code file files implementation logic content contents body")
_NOUNS = _CODE | _words(
    "function functions method methods class classes import imports line lines part parts section sections component "
    "components definition definitions test tests case cases entry entries item items field fields property "
    "properties route routes text list module modules script scripts style styles rule rules config configuration "
    "setup html jsx css markup query block blocks statement statements handler handlers column columns row rows value "
    "values element elements parameter parameters argument arguments variable variables option options declaration "
    "declarations attribute attributes state everything stuff things"
)
_FILLERS = _words(
    "a an the of your our my this these all any it its is are was were be been stay stays remain remains leave goes go "
    "here there above below for brevity to in as with and or no not before after earlier later from between shown "
    "show continue continues exactly identical change changes changed needed required else do does on up"
)
_KNOWN = _LEFT_OUT | _AS_BEFORE | _NOUNS | _FILLERS
_FIRST_WORDS = _LEFT_OUT | {"other", "more"}


_TELLING = tuple(sorted(_LEFT_OUT | _AS_BEFORE))
MAX_LOOKED_AT = 2_000


def may_be_placeholders(text: str) -> Iterator[tuple[int, str]]:
    """The lines of an LF text, with their numbers from 0, that `placeholder` may say something of; the first few."""
    line0 = counted = 0
    for start in sorted({line_start(text, at) for at in _telling(text)}):
        line0 += text.count("\n", counted, start)
        counted = start
        yield line0, text[start : line_end(text, start)]


def _telling(text: str) -> Iterator[int]:
    """Where dots or a telling word stand, each looked for `MAX_LOOKED_AT` times at most: faster than a pattern."""
    lower = text.lower()
    if len(lower) != len(text):  # a letter became two: offsets are no longer those of the text
        lower = text
    for sign in ("...", "…", *_TELLING):
        at, looked_at = lower.find(sign), 0
        while at >= 0 and looked_at < MAX_LOOKED_AT:
            if not sign.isalpha() or not (_in_a_word(lower, at - 1) or _in_a_word(lower, at + len(sign))):
                yield at
            at, looked_at = lower.find(sign, at + len(sign)), looked_at + 1


def _in_a_word(text: str, at: int) -> bool:
    return 0 <= at < len(text) and "a" <= text[at] <= "z"


def placeholder(line: str) -> Sureness | None:
    """How surely a line says nothing but that text was left out; None where it says anything else.

    `sure`: such as `# ... rest of the code ...` and `// ...`.
    `loose`: it may be a remark in its own right, and is a placeholder only where text beside it is missing.
    """
    if len(line) > MAX_LINE_CHARS:
        return None
    inner, opening = _uncommented(line.strip())
    begins, ends = _BEGINS.match(inner), _ENDS.search(inner)
    bracketed = _BRACKETED.fullmatch(inner) is not None
    between = _DOTS.sub(" ", inner).lower()
    words = _WORD.findall(between)
    if not words:
        return "sure" if begins and opening not in ("", "*") and _plain(between) else None
    if len(words) > MAX_WORDS or not _plain(between):
        return None
    if begins and not ends and (bracketed or not opening) and inner[begins.end()] not in " \t([":
        return None
    dotted = begins is not None or ends is not None
    return _in_comment(words, opening, bracketed, dotted) if opening else _bare(words, bracketed, dotted)


def _uncommented(line: str) -> tuple[str, str]:
    """A line without the signs of a comment around it, and the sign that opens it."""
    opening = _OPENING.match(line)
    if opening is None:
        return line, ""
    inner = _CLOSING.sub("", line[opening.end() :])
    return inner.strip(" \t-=_~"), opening[0].strip()


def _plain(between: str) -> bool:
    """Whether there is nothing but words and a little punctuation: no operator, quote or call of code."""
    return _BETWEEN_WORDS.issuperset("".join(_WORD.split(between)))


def _bare(words: list[str], bracketed: bool, dotted: bool) -> Sureness | None:
    """A line that is no comment: only what cannot be prose or code counts."""
    says = _LEFT_OUT.intersection(words)
    if not (dotted or bracketed) or not says or not _all_known(words):
        return None
    about = says & _CUT or _NOUNS.intersection(words)
    return ("sure" if dotted or says & _CUT or _CODE.intersection(words) else "loose") if about else None


def _in_comment(words: list[str], opening: str, bracketed: bool, dotted: bool) -> Sureness | None:
    says, as_before = _LEFT_OUT.intersection(words), _AS_BEFORE.intersection(words)
    about_code, noun = _CODE.intersection(words), _NOUNS.intersection(words)
    if dotted or (bracketed and says):
        first = next((word for word in words if word not in _FILLERS and word not in ("keep", "kept")), "")
        free = len(words) <= MAX_FREE_WORDS and first in _FIRST_WORDS
        return "sure" if free or ((says or as_before) and _all_known(words)) else None
    if not _all_known(words):
        return None
    if says and (about_code or (noun and says & _CUT)):
        return "loose" if opening[0] in "#*" else "sure"
    return "loose" if (says and (noun or len(words) == 1)) or (about_code and as_before) else None


def _all_known(words: list[str]) -> bool:
    return all(word in _KNOWN or word.isdigit() for word in words)


_MARK_WORDS = r"(?:truncated|omitted|elided|snip(?:ped)?|more (?:chars?|characters|bytes|lines)|use offset)"
_CUT_DOTS = r"(?:\.{3}|…)"
_INSIDE = r"[^\[\]()<>\n\"']{0,100}"
_COUNTED = r"\d[\d,]* (?:more |other )?(?:chars?|characters|bytes|lines)\b"
_MARK = re.compile(
    rf"(?:{_CUT_DOTS}?[ ]?\[{_INSIDE}?\b{_MARK_WORDS}\b{_INSIDE}\]"
    rf"|(?:{_CUT_DOTS}[ ]?|(?<!\S)(?=\(\S+ ))\({_INSIDE}?\b{_MARK_WORDS}\b{_INSIDE}\)"
    rf"|(?<!\w)<{_INSIDE}?\b{_MARK_WORDS}\b{_INSIDE}>|<{_MARK_WORDS} {_INSIDE}>"
    rf"|\[?{_CUT_DOTS}[ ]?[\[(+]?[+]?{_COUNTED}{_INSIDE}[\])]?(?:[ ]?\([^()\n]{{0,60}}\))?)"
    rf"(?:[ ]?{_CUT_DOTS})?(?=[\"'`,;)}}\]]{{0,4}}[ \t]*$)",
    re.IGNORECASE,
)
_MARK_REACH = 300
_WITHIN = re.compile(rf"\b{_MARK_WORDS}\b|{_COUNTED}", re.IGNORECASE)


def may_be_cut(text: str) -> bool:
    """Whether a text may have a line with a mark of truncation, or one that ends in dots."""
    lower = text.lower()
    return any(sign in lower for sign in _CUT_SIGNS) and (
        "..." in text or "…" in text or _WITHIN.search(text) is not None
    )


_CUT_SIGNS = ("...", "…", "truncated", "omitted", "elided", "snip", "more ", "use offset", " char", " bytes", " lines")


def truncation_mark(line: str) -> tuple[str, str] | None:
    """What stands before a reader's mark of truncation at the end of a line, and the mark; None where there is none."""
    end = max(0, len(line) - _MARK_REACH)
    if _WITHIN.search(line, end) is None:
        return None
    found = _MARK.search(line, end)
    return None if found is None else (line[: found.start()], found[0].strip())


_TRAILING_DOTS = re.compile(r"[ ]?((?<!\.)\.{3}|…)([\"'`,;)}\]]{0,2})[ \t]*$")
MIN_CUT_CHARS = 24
MIN_CUT_CHARS_CLOSED = 40
"""How much of a line stands before dots that a reader put for its rest; if quotes or brackets close it, more."""


def trailing_dots(line: str) -> tuple[str, str] | None:
    """What stands before the dots at the end of a long line, and the dots; None where it does not end so."""
    found = _TRAILING_DOTS.search(line, max(0, len(line) - 40))
    if found is None or len(line[: found.start()].strip()) < (MIN_CUT_CHARS_CLOSED if found[2] else MIN_CUT_CHARS):
        return None
    return line[: found.start()], found[1]
