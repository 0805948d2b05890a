"""Lines that stand for text which was left out: written by a model or a reader, and no text of the file."""

import re

_NOUN = (
    r"(?:code|files?|contents?|functions?|methods?|class|body|implementation|imports?|lines?|logic|parts?|sections?"
    r"|components?|definitions?|tests?|cases?|entries|items|fields|properties|routes|text|list|module|script|styles?"
    r"|rules|config|configuration|setup|html|jsx|css|markup|here)"
)
_STATE = (
    r"(?:(?:code |lines )?(?:is |are |stays? |remains? )?"
    r"(?:unchanged|omitted|the same|same as before|as before|as is|here|goes here|continues?(?: here)?|not shown"
    r"|elided|truncated))"
)
_ARTICLE = r"(?:the |your |my |this |all |any )?"
_SURE = rf"{_ARTICLE}(?:rest of |remaining |remainder of |existing |unchanged )+{_ARTICLE}{_NOUN}(?: {_STATE})?"
"""Words that say it without dots."""
_LOOSE = (
    rf"(?:{_ARTICLE}(?:other |original |previous |old |same |current |rest of |remaining |existing |unchanged )+"
    rf"{_ARTICLE}{_NOUN}(?: {_STATE})?|(?:no changes?|{_STATE})(?: (?:here|below|above))?|(?:the )?rest|etc|snip)"
)
_DOTS = r"(?:\.{3,}|…)"
_OPENING = r"(?://+|#+|/\*+|<!--|--+|;+|%+|\*|\{/\*|\(\*|'|rem\b)"
_CLOSING = r"(?:\*+/\}?|-->|\*\))"
_DOTTED = rf"(?:{_DOTS}\s*[(\[]?\s*(?:{_LOOSE})?\s*[)\]]?\s*{_DOTS}?|{_LOOSE}\s*{_DOTS})"
_COMMENT = re.compile(rf"\s*{_OPENING}\s*[(\[]?\s*(?:{_DOTTED}|{_SURE})\s*[)\]]?\.?\s*{_CLOSING}?\s*", re.IGNORECASE)
_BARE = re.compile(
    rf"\s*(?:{_DOTS}\s+{_LOOSE}\s*{_DOTS}?|[(\[]\s*{_DOTS}?\s*{_SURE}\s*{_DOTS}?\s*[)\]]|{_LOOSE}\s+{_DOTS})\s*",
    re.IGNORECASE,
)
_ONLY_DOTS = re.compile(rf"\s*{_OPENING}?\s*{_DOTS}\s*{_CLOSING}?\s*")
MAX_LINE_CHARS = 200
HINT = re.compile(
    r"\.\.\.|…|truncat|snip|\b(?:rest of|remaind?er|remaining|existing|unchanged|omitted)\b", re.IGNORECASE
)
"""What a text holds that has a line of either kind in it: one search for all lines."""

_CUT = re.compile(
    r"(?:\[(?:output |line |text |content )?truncated\b[^\]\n]*\]|\((?:output |line |text )?truncated\b[^)\n]*\)"
    r"|\[?(?:\.{3}|…)\s?\[?\+?\d+ (?:more )?(?:chars?|characters|bytes|lines)\b[^\]\n]*\]?"
    r"|<(?:truncated|snip)\b[^>\n]*>)",
    re.IGNORECASE,
)


def is_placeholder(line: str) -> bool:
    """Whether a line says nothing but that text was left out: `# ... rest of the code ...`, `// existing code`.

    Code that spreads or elides (`...rest`, a Python `...`) is none.
    """
    if len(line) > MAX_LINE_CHARS:
        return False
    if _ONLY_DOTS.fullmatch(line):
        return line.strip() not in ("...", "…")
    return _COMMENT.fullmatch(line) is not None or _BARE.fullmatch(line) is not None


def truncation_mark(line: str) -> tuple[str, str] | None:
    """What stands before a reader's mark of truncation in a line, and the mark; None where there is none."""
    found = _CUT.search(line)
    return None if found is None else (line[: found.start()], found[0])
