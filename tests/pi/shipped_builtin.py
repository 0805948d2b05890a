"""pi's own shipped edit tool beside our model of it: play calls through both, and shrink a call on which they part."""

import json
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from edit_assist_ls.engine.builtin import Applied, Edit, apply
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from edit_assist_ls.hosts.pi import HOST
from tests.pi.generated_calls import Call

PATH = "a.py"
DRIVER = Path(__file__).with_name("builtin_driver.mjs")

Outcome = bytes | str
"""The file's next bytes, or the message of the refusal."""


def model_outcome(call: Call) -> Outcome:
    """What our model says, in the built-in's own terms."""
    text, pairs = call
    edits = [Edit(old, new) for old, new in pairs]
    result = apply(Text.of(text), edits, Work(1_000_000_000))
    if isinstance(result, Applied):
        return result.text.encode()
    message = HOST.stock_text(result, PATH, len(edits))
    assert message is not None, f"the model did not search {call!a}"
    return message


class ShippedBuiltin:
    """One Node process that holds pi's edit tool. A context manager; `outcomes` keeps the order of the calls."""

    def __init__(self, node: Path, package: Path) -> None:
        self._command = [str(node), str(DRIVER), str(package)]

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", bufsize=1 << 16
        )
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(10)

    def outcomes(self, calls: Sequence[Call]) -> list[Outcome]:
        """What the shipped tool does with each call (at most some hundred at once: the pipes are filled in turn)."""
        answers = self._answers(calls)
        return [b64decode(one["file"]) if "file" in one else str(one["message"]) for one in answers]

    def details(self, calls: Sequence[Call]) -> list[dict[str, Any] | None]:
        """What the shipped tool says of each change beside its text; None where it refuses."""
        return [one.get("details") for one in self._answers(calls)]

    def _answers(self, calls: Sequence[Call]) -> list[dict[str, Any]]:
        assert self._process.stdin
        assert self._process.stdout
        for text, pairs in calls:
            edits = [{"oldText": old, "newText": new} for old, new in pairs]
            file = b64encode(text.encode()).decode()
            self._process.stdin.write(json.dumps({"file": file, "path": PATH, "edits": edits}) + "\n")
        self._process.stdin.flush()
        return [json.loads(self._process.stdout.readline()) for _ in calls]


def disagreements(shipped: ShippedBuiltin, calls: Iterable[Call]) -> Iterator[Call]:
    """The calls on which the shipped tool and our model part."""
    for chunk in _chunked(calls, 64):
        for call, theirs in zip(chunk, shipped.outcomes(chunk), strict=True):
            if model_outcome(call) != theirs:
                yield call


def shrunk(shipped: ShippedBuiltin, call: Call) -> Call:
    """A smallest call, under leaving out edits and pieces of texts, on which the two still part."""

    def parts(candidate: Call) -> bool:
        return shipped.outcomes([candidate])[0] != model_outcome(candidate)

    smaller: Call | None = call
    while smaller is not None:
        call = smaller
        smaller = next(filter(parts, _smaller(call)), None)
    return call


def _smaller(call: Call) -> Iterator[Call]:
    text, edits = call
    if len(edits) > 1:
        for index in range(len(edits)):
            yield text, edits[:index] + edits[index + 1 :]
    for index, (old, new) in enumerate(edits):
        yield from ((text, [*edits[:index], (old, cut), *edits[index + 1 :]]) for cut in _cuts(new))
        yield from ((text, [*edits[:index], (cut, new), *edits[index + 1 :]]) for cut in _cuts(old))
    yield from ((cut, edits) for cut in _cuts(text))


def _cuts(text: str) -> Iterator[str]:
    size = len(text)
    while size:
        for start in range(0, len(text), size):
            yield text[:start] + text[start + size :]
        size //= 2


def _chunked(calls: Iterable[Call], size: int) -> Iterator[list[Call]]:
    chunk: list[Call] = []
    for call in calls:
        chunk.append(call)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
