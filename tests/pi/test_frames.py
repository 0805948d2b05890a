"""The wire's framing, as the extension reads and writes it: in any pieces, and nothing but LSP."""

import json
import subprocess
from base64 import b64decode, b64encode
from typing import Any

import pytest

from tests.pi.installed import Installed
from tests.pi.lab import CLIENT

READ = f"""
import {{ frame, frameReader }} from {json.dumps((CLIENT / "src" / "frames.ts").as_uri())};
const said = [];
const read = frameReader((body) => said.push(body), (what) => said.push({{ nonsense: what }}));
for (const chunk of JSON.parse(process.argv[1])) read(Buffer.from(chunk, "base64"));
console.log(JSON.stringify([said, frame({{ text: "\\ud800é" }}).toString("base64")]));
"""


def read(pi: Installed, chunks: list[bytes]) -> tuple[list[Any], bytes]:
    """What the reader makes of chunks, and one frame that the writer makes."""
    argument = json.dumps([b64encode(chunk).decode() for chunk in chunks])
    done = subprocess.run(
        [pi.node, "--input-type=module", "-e", READ, argument], capture_output=True, text=True, check=True
    )
    said, written = json.loads(done.stdout)
    return said, b64decode(written)


def framed(body: bytes, more: bytes = b"") -> bytes:
    return b"Content-Length: %d\r\n%s\r\n" % (len(body), more) + body


BODIES = [{"id": 1, "result": "é🙂"}, {"id": 2, "result": None}, [], "x"]
KIND = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
STREAM = b"".join(framed(json.dumps(body, ensure_ascii=False).encode(), KIND) for body in BODIES)


@pytest.mark.parametrize("size", [1, 2, 7, 60, 10_000])
def test_bodies_come_out_whole_however_they_come_in(pi: Installed, size: int) -> None:
    chunks = [STREAM[at : at + size] for at in range(0, len(STREAM), size)]
    assert read(pi, chunks)[0] == BODIES


def test_lone_surrogates_are_written_as_escapes(pi: Installed) -> None:
    assert read(pi, [])[1] == framed('{"text":"\\ud800é"}'.encode())


NONSENSE = {
    "a line": [b"Hello!\n"],
    "a line, then a frame": [b"Hello!\n" + framed(b"{}")],
    "a header of another kind": [b"Host: here\r\nContent-Length: 2\r\n\r\n{}"],
    "no length": [b"Content-Type: text\r\n\r\n{}"],
    "an endless header": [b"Content-Type: " + b"x" * 9_000],
    "an absurd length": [b"Content-Length: 999999999\r\n\r\n"],
    "no JSON": [framed(b"{")],
}


@pytest.mark.parametrize("case", NONSENSE)
def test_nonsense_is_told_once_and_ends_the_reading(pi: Installed, case: str) -> None:
    (said,) = read(pi, [*NONSENSE[case], framed(b"{}"), b"more"])[0]
    assert list(said) == ["nonsense"]
