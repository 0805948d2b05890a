"""Unsaved editor buffers as other processes may know them: a digest of each line, no text.

Lines are digested without the blanks around them, so that an oldText which begins or ends inside a line's
indentation is found as well.
"""

from collections.abc import Callable

from edit_assist_ls.engine import folding
from edit_assist_ls.engine.matching import lines_of
from edit_assist_ls.engine.text import Text

DIGEST_BYTES = 8
LineDigest = Callable[[str], bytes]


def line_digests(text: Text, digest: LineDigest) -> bytes:
    """The digest of each line of a text, `DIGEST_BYTES` each, one after the other."""
    return b"".join(digest(line.strip()) for line in text.lines)


def holds(digests: bytes, old_text: str, digest: LineDigest) -> bool:
    """Whether the lines of an oldText stand one below the other in a buffer of which only digests are known."""
    lines, _ = lines_of(folding.lf(old_text))
    if not any(line.strip() for line in lines):
        return False
    wanted = b"".join(digest(line.strip()) for line in lines)
    at = digests.find(wanted)
    while at >= 0 and at % DIGEST_BYTES:
        at = digests.find(wanted, at + 1)
    return at >= 0
