"""The strategies of the profile `strict` told slowly: every window of the text is held against the oldText."""

from collections.abc import Iterator

ALIKE = {
    **dict.fromkeys("‘’‚‛′´ʼ", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
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
    """Places that are alike once quotes, dashes and spaces are plain."""
    plain = "".join(ALIKE.get(character, character) for character in text)
    key = "".join(ALIKE.get(character, character) for character in old)
    return [] if (plain, key) == (text, old) else literal(plain, key)


def collapsed(text: str) -> str:
    """A text with every run of blanks as one, and none at the ends of lines."""
    return "\n".join(_one_blank(line) for line in text.split("\n"))


def _one_blank(line: str) -> str:
    out = ""
    for character in line:
        blank = character.isspace()
        if not blank:
            out += character
        elif not out.endswith(" "):
            out += " "
    return out.removesuffix(" ")


def windows(text: str) -> Iterator[tuple[int, int]]:
    """Every stretch of a text."""
    for start in range(len(text) + 1):
        for end in range(start, len(text) + 1):
            yield start, end
