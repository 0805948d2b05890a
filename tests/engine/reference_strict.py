"""The strategies of the profile `strict` told slowly: every window of the text is held against the oldText."""

from collections.abc import Iterator

ALIKE = {
    **dict.fromkeys("‘’‚‛′´ʼ", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−﹘﹣", "-"),
    **{chr(ord(sign) + 0xFEE0): sign for sign in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"},
    **dict.fromkeys("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
}


def literal(text: str, old: str) -> list[tuple[int, int]]:
    """Every place where a text stands as it is."""
    return [(at, at + len(old)) for at in range(len(text) - len(old) + 1) if text[at : at + len(old)] == old]


def line_trimmed(text: str, old: str) -> list[tuple[int, int]]:
    """Windows of whole lines that are alike once both their ends are bare."""
    ended = old.endswith("\n") and len(old) > 1
    wanted = [line.strip() for line in (old[:-1] if ended else old).split("\n")]
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if not any(wanted):
        return []
    found = []
    for first in range(len(lines) - len(wanted) + 1):
        window = lines[first : first + len(wanted)]
        if [line.strip() for line in window] == wanted:
            start = sum(len(line) + 1 for line in lines[:first])
            end = start + sum(len(line) + 1 for line in window) - 1
            found.append((start, end + (ended and end < len(text))))
    return found


def unicode(text: str, old: str) -> list[tuple[int, int]]:
    """Stretches that are alike once quotes, dashes, spaces and other punctuation are plain."""
    key = plain(old)
    if (plain(text), key) == (text, old):
        return []
    return [(start, end) for start, end in windows(text) if start < end and plain(text[start:end]) == key]


def plain(text: str) -> str:
    """A text with its punctuation as ASCII has it."""
    return "".join("..." if character == "…" else ALIKE.get(character, character) for character in text)


def whitespace(text: str, old: str) -> list[tuple[int, int]]:
    """Places that are alike sign by sign, where a run of blanks is one sign and none at the end of a line.

    Where old ends with blanks, all that are there belong to the place, and there are some, or the line ends.
    """
    signs, key = signs_of(text), [sign for sign, _, _ in signs_of(old)]
    if not "".join(key).strip():
        return []
    found = []
    for at in range(len(signs) - len(key) + 1):
        window = signs[at : at + len(key)]
        if [sign for sign, _, _ in window] != key:
            continue
        start, end = window[0][1], window[-1][2]
        if old[-1] != "\n" and old[-1].isspace():
            line = text[end:].split("\n")[0]
            if line and not line[0].isspace():
                continue
            end += len(line) - len(line.lstrip())
        found.append((start, end))
    return found


def signs_of(text: str) -> list[tuple[str, int, int]]:
    """Each sign of a text with its place; a run of blanks is a space, or nothing at the end of a line."""
    signs: list[tuple[str, int, int]] = []
    at = 0
    while at < len(text):
        end = at + 1
        if text[at] != "\n" and text[at].isspace():
            while end < len(text) and text[end] != "\n" and text[end].isspace():
                end += 1
            if end < len(text) and text[end] != "\n":
                signs.append((" ", at, end))
        else:
            signs.append((text[at], at, end))
        at = end
    return signs


def escape(text: str, old: str) -> list[tuple[int, int]]:
    """Places that stand as old does once each backslash and letter of it is what they are for."""
    meant, at = "", 0
    while at < len(old):
        pair = old[at : at + 2]
        known = {
            "\\n": "\n",
            "\\t": "\t",
            "\\r": "\r",
            "\\\\": "\\",
            "\\'": "'",
            '\\"': '"',
            "\\`": "`",
            "\\/": "/",
            "\\$": "$",
        }
        meant += known.get(pair, pair if pair[0] == "\\" else pair[0])
        at += len(pair) if pair[0] == "\\" else 1
    meant = meant.replace("\r\n", "\n")
    return [] if meant == old or not meant.strip() else literal(text, meant)


def windows(text: str) -> Iterator[tuple[int, int]]:
    """Every stretch of a text."""
    for start in range(len(text) + 1):
        for end in range(start, len(text) + 1):
            yield start, end
