"""A language server of ours that misbehaves as told: fake_server.py BEHAVIOUR [METHOD].

missing-module  ends at once with an error on stderr
silent          reads and never answers
prints          says something that is no LSP
crash METHOD    ends with status 3 when asked that
hang METHOD     never answers that, and all that follows
wrong METHOD    answers that with something of a wrong shape
refuse METHOD   answers that with an error
records FILE    appends every message that it gets to that file, a line of JSON each

Otherwise it answers "unchanged"; `beforeAgentStart` gets the rule "FAKE RULE".
"""

import json
import sys
from typing import Any

_WRONG: dict[str, Any] = {
    "initialize": 7,
    "editAssist/sessionStart": {"settings": []},
    "editAssist/beforeAgentStart": {"rule": 5},
    "editAssist/toolCall": {"input": {"path": "elsewhere.py", "edits": [{"oldText": 1}]}, "corrections": []},
    "editAssist/toolResult": {"content": [{"type": "text", "text": "something else altogether"}]},
    "editAssist/messageEnd": {"message": {"content": "text"}},
}
_GOOD: dict[str, Any] = {
    "initialize": {"capabilities": {}},
    "editAssist/sessionStart": {"settings": {"enabled": True}, "problems": []},
    "editAssist/beforeAgentStart": {"rule": "FAKE RULE"},
    "editAssist/toolCall": {"corrections": []},
}


def main(behaviour: str, method: str) -> None:
    if behaviour == "missing-module":
        sys.exit("ModuleNotFoundError: No module named 'edit_assist_ls'")
    if behaviour == "prints":
        sys.stdout.write("Hello! This is a friendly server.\n")
        sys.stdout.flush()
    hangs = behaviour == "silent"
    while (message := _read()) is not None:
        if behaviour == "records":
            with open(method, "a", encoding="utf-8") as file:  # noqa: PTH123  # as little as can be imported
                file.write(json.dumps(message) + "\n")
        if message.get("method") == "exit":
            return
        if "id" not in message or hangs:
            continue
        asked = message["method"]
        if asked == method and behaviour == "crash":
            sys.exit(3)
        if asked == method and behaviour == "hang":
            hangs = True
            continue
        if asked == method and behaviour == "refuse":
            _write({"id": message["id"], "error": {"code": -32602, "message": "not with me"}})
            continue
        answers = _WRONG if asked == method and behaviour == "wrong" else _GOOD
        _write({"id": message["id"], "result": answers.get(asked, {})})


def _read() -> dict[str, Any] | None:
    length = 0
    while line := sys.stdin.buffer.readline().strip():
        name, _, value = line.partition(b":")
        length = int(value) if name.lower() == b"content-length" else length
    return json.loads(sys.stdin.buffer.read(length)) if length else None


def _write(message: dict[str, Any]) -> None:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if sys.argv[2:] else "")
