"""`editAssist/prepareArguments` over the wire: any JSON value is answered, and answered as the host needs it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.server.client import InProcess

PAIR = {"oldText": "alpha = 1", "newText": "alpha = 10"}
FOLDED = {"path": "a.py", "edits": [PAIR]}


def params(folder: Path, arguments: Any, call_id: str = "c1") -> dict[str, Any]:
    return {"toolCallId": call_id, "toolName": "edit", "cwd": str(folder), "arguments": arguments}


def nested(depth: int) -> Any:
    deep: Any = 1
    for _ in range(depth):
        deep = [deep]
    return deep


def test_a_call_goes_its_whole_way(client: InProcess, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("alpha = 1\n")
    sent = {"file_path": "`a.py`", "changes": json.dumps([{"search": "1→alpha = 1", "replace": "1→alpha = 10"}])}
    answer = client.ask("editAssist/prepareArguments", params(tmp_path, sent))
    assert answer["arguments"] == FOLDED and "refusal" not in answer
    (note,) = answer["notes"]
    call = {key: value for key, value in params(tmp_path, None).items() if key != "arguments"}
    assert client.ask("editAssist/toolCall", {**call, "input": FOLDED}) == {"corrections": []}
    done = {"type": "text", "text": "Successfully replaced 1 block(s) in a.py."}
    result = client.ask("editAssist/toolResult", {**call, "input": FOLDED, "content": [done], "isError": False})
    assert result["content"] == [{"type": "text", "text": f"{done['text']}\n\n{note}"}]


@pytest.mark.parametrize(
    "arguments",
    [
        None,
        7,
        1e300,
        10**30,
        "",
        "\ud800",
        [],
        [[]],
        {},
        {"path": "\ud800", "edits": [PAIR]},
        {"path": "a\0b", "edits": [PAIR]},
        {"path": "x" * 100_000, "edits": [PAIR]},
        {"path": "a.py", "edits": "[" * 100_000},
        {"path": "a.py", "edits": "[1," * 100_000},
        {"path": "a.py", "edits": nested(900)},
        {"file_path": "a.py", "edits": [PAIR], "deep": nested(900)},
        {"path": "a.py", "edits": [{"oldText": "\ud800", "newText": "\udfff", "oldString": "\ud800"}]},
        {"path": "a.py", "edits": [PAIR] * 10_000},
        {"path": "a.py", **{f"k{at}": "" for at in range(10_000)}},
    ],
)
def test_every_value_is_answered(client: InProcess, tmp_path: Path, arguments: Any) -> None:
    (tmp_path / "a.py").write_text("alpha = 1\n")
    answer = client.ask("editAssist/prepareArguments", params(tmp_path, arguments))
    assert set(answer) <= {"arguments", "notes", "refusal"}
    assert len(str(answer.get("refusal", ""))) < 1_000 and sum(map(len, answer["notes"])) < 4_000
    ordinary = client.ask("editAssist/prepareArguments", params(tmp_path, {"path": "a.py", **PAIR}, "c2"))
    assert ordinary["arguments"] == FOLDED
