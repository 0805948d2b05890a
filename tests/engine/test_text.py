"""A Text's views and offsets, held to slow walks over the raw text."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from edit_assist_ls.engine.text import NotUtf8, Text, decode
from tests.engine import reference_builtin as reference
from tests.engine.texts import messy, wild

texts = st.one_of(messy, wild)


def walked_lines(raw: str) -> list[str]:
    """The lines of a raw text, character by character."""
    lines, line, open_line = [], "", False
    at = 0
    while at < len(raw):
        if raw[at] in "\r\n":
            at += 2 if raw[at : at + 2] == "\r\n" else 1
            lines.append(line)
            line, open_line = "", False
            continue
        line += raw[at]
        open_line = True
        at += 1
    return [*lines, line] if open_line else lines


@given(texts)
def test_lines(raw: str) -> None:
    text = Text.of(raw)
    assert text.lines == walked_lines(raw.removeprefix("\ufeff"))
    assert text.line_count == len(text.lines)
    assert text.lf == reference.to_lf(raw.removeprefix("\ufeff"))
    assert text.bom == raw.startswith("\ufeff")


@given(texts)
def test_offsets_lead_back_to_the_raw_text(file: str) -> None:
    raw = file.removeprefix("\ufeff")
    text = Text.of(file)
    place = [at for at, c in enumerate(raw) if not (c == "\n" and at and raw[at - 1] == "\r")] + [len(raw)]
    assert [text.raw_offset(offset) for offset in range(len(text.lf) + 1)] == place


@given(texts)
def test_line_of_every_offset(file: str) -> None:
    text = Text.of(file)
    for offset in range(len(text.lf)):
        assert text.line0_at(offset) == text.lf.count("\n", 0, offset)
    for line0, line in enumerate(text.lines):
        start = text.line_starts[line0]
        assert text.lf[start : start + len(line)] == line
        assert start == sum(len(before) + 1 for before in text.lines[:line0])


@given(texts)
@example("ﬁ\u00a0\r\n\u2028‘\x85")
def test_folded_views(file: str) -> None:
    text = Text.of(file)
    assert text.folded == reference.fold(text.lf)
    assert reference.fold(text.folded) == text.folded
    assert text.folded_lines == [reference.fold(line).lstrip(" \t") for line in text.lines]


@given(texts)
def test_bytes_come_back(file: str) -> None:
    data = file.encode("utf-8", "replace")
    text = decode(data)
    assert isinstance(text, Text)
    assert text.encode() == data


@given(st.binary(max_size=40), st.sampled_from([b"", b"a\n", b"\r\n", b"\r\r", b"\xef\xbb\xbf"]))
def test_bytes_that_are_not_utf8(data: bytes, before: bytes) -> None:
    data = before + data
    found = decode(data)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        good = data[: error.start].decode()
        assert found == NotUtf8(error.start, reference.to_lf(good).count("\n") + 1)
    else:
        assert isinstance(found, Text)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"\xff\xfea\x00", NotUtf8(0, 1)),
        (b"a\r\nb\rc\ncaf\xe9\n", NotUtf8(10, 4)),
        (b"\xed\xa0\x80", NotUtf8(0, 1)),
        (b"\xf8\x88\x80\x80\x80", NotUtf8(0, 1)),
        (b"abc\xe2\x82", NotUtf8(3, 1)),
    ],
)
def test_first_bad_byte(data: bytes, found: NotUtf8) -> None:
    assert decode(data) == found


def test_lone_surrogates_are_written_as_the_host_writes_them() -> None:
    assert Text.of("a\ud800b\ud83d\ude00").encode() == "a\ufffdb\U0001f600".encode()
    assert Text.of("\ufeffa").encode() == b"\xef\xbb\xbfa"
