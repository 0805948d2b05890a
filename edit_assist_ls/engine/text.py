"""One text, decoded once: the LF view that matching works on, its lines, and the way back to the raw text.

An `offset` counts code points of the LF view (CRLF and lone CR read as LF, the byte order mark left off); a `line0`
counts lines from 0. Lines end at CRLF, LF and lone CR and nowhere else; a final line ending opens no further line.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from operator import add

from edit_assist_ls.engine import folding

BOM = "\ufeff"


@dataclass(frozen=True)
class NotUtf8:
    """Bytes that are not UTF-8: the first bad byte's offset (from 0), its line (from 1), and itself.

    `encoding` names what the bytes plainly are instead; None where that is not plain.
    """

    byte_offset: int
    line: int
    byte: int = field(default=0, compare=False)
    encoding: str | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Text:
    """`raw` is the decoded text without its byte order mark; `bom` says whether it had one.

    Views are computed when first asked for and kept.
    """

    raw: str
    bom: bool = False

    @staticmethod
    def of(text: str) -> "Text":
        """A text from a string: a leading U+FEFF is its byte order mark."""
        return Text(text[1:], bom=True) if text.startswith(BOM) else Text(text)

    def encode(self) -> bytes:
        """The bytes of the text, byte order mark included. Lone surrogates become U+FFFD, as the hosts write them."""
        text = BOM + self.raw if self.bom else self.raw
        return well_formed(text).encode()

    @cached_property
    def comparable(self) -> bool:
        """Whether the text can be compared as the hosts compare it: see `folding.comparable`."""
        return folding.comparable(self.raw)

    @cached_property
    def lf(self) -> str:
        """The LF view."""
        return folding.lf(self.raw)

    @cached_property
    def folded(self) -> str:
        """The LF view under the built-in's folding: the same object as `lf` where nothing folds."""
        return folding.fuzzy(self.lf)

    @cached_property
    def trimmed(self) -> str:
        """The LF view with the trailing whitespace of each line removed."""
        return self.folded if self.lf.isascii() else folding.trim_line_ends(self.lf)

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the LF view, without their endings."""
        lines = self.lf.split("\n")
        if not lines[-1]:
            lines.pop()
        return lines

    @cached_property
    def folded_lines(self) -> list[str]:
        """The lines under the Extended folding, one for each of `lines`."""
        lines = self.lines if self.folded is self.lf else self.folded.split("\n")[: len(self.lines)]
        return [line.lstrip(folding.LEADING) for line in lines]

    @cached_property
    def extended(self) -> str:
        """`folded_lines` as one text, without a final line feed."""
        return "\n".join(self.folded_lines)

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset at which each line starts, and last the offset at which a further line would."""
        ends = [0, *accumulate(map(len, self.lf.split("\n")))]
        return list(map(add, ends, range(len(ends))))

    def line0_at(self, offset: int) -> int:
        """The line that holds `offset`; a line's ending belongs to it."""
        return bisect_right(self.line_starts, offset, hi=len(self.line_starts) - 1) - 1

    @cached_property
    def line_count(self) -> int:
        """How many lines there are, without splitting the text."""
        text = self.lf
        return text.count("\n") + (not text.endswith("\n")) if text else 0

    @cached_property
    def _crlf_offsets(self) -> list[int]:
        """The offset in the LF view of each line feed that is a CRLF in the raw text."""
        pieces = self.raw.split("\r\n")
        return list(accumulate(map(len, pieces[:-1]), lambda at, length: at + 1 + length)) if pieces[1:] else []

    def raw_offset(self, offset: int) -> int:
        """Where `offset` lies in the raw text: before the CR where it is that of a CRLF's line feed."""
        return offset + bisect_left(self._crlf_offsets, offset) if "\r\n" in self.raw else offset


def well_formed(text: str) -> str:
    """The text with U+FFFD for each lone surrogate; a pair of them becomes the character that they stand for."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def line_start(text: str, offset: int, above: int = 0) -> int:
    """Where the line of an LF text starts that lies `above` lines above that of `offset`; -1 where there is none."""
    start = text.rfind("\n", 0, offset) + 1
    for _ in range(above):
        if start == 0:
            return -1
        start = text.rfind("\n", 0, start - 1) + 1
    return start


def line_end(text: str, offset: int, below: int = 0) -> int:
    """Where the line of an LF text ends that lies `below` lines below that of `offset`; -1 where there is none.

    The end is the offset of the line feed, or of the end of the text; a final line feed opens no further line.
    """
    for _ in range(below):
        offset = text.find("\n", offset) + 1
        if offset == 0 or offset == len(text):
            return -1
    end = text.find("\n", offset)
    return len(text) if end < 0 else end


def cuts_a_word(text: str, start: int, end: int) -> bool:
    """Whether the piece of a text between two offsets begins or ends inside a word."""
    begins = text[start].isalnum() and text[max(0, start - 1) : start].isalnum()
    return begins or (text[end - 1].isalnum() and text[end : end + 1].isalnum())


def decode(data: bytes) -> Text | NotUtf8:
    """The text of a file's bytes, strictly: what is not UTF-8 is named, not guessed at."""
    try:
        return Text.of(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n") + 1
        return NotUtf8(error.start, line, data[error.start], encoding_of(data))


def encoding_of(data: bytes) -> str | None:
    """UTF-16 or UTF-32 by a byte order mark, or UTF-16 by a NUL in every second byte of the beginning."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return f"{name} (it begins with {mark.hex(' ').upper()})"
    head = data[:400]
    pairs = len(head) // 2
    for offset, name in ((1, "UTF-16, little end first"), (0, "UTF-16, big end first")):
        if pairs >= 4 and head[offset::2].count(0) * 2 > pairs and head[1 - offset :: 2].count(0) * 10 < pairs:
            return f"{name} (every second byte is NUL)"
    return None


_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
