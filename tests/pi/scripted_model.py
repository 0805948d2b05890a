"""A chat-completions model on loopback that plays written turns, one a request, and keeps every request it got."""

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

_USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call of a turn; `arguments` as text is sent as it stands, JSON or not."""

    name: str
    arguments: dict[str, Any] | str


@dataclass(frozen=True, slots=True)
class Turn:
    """What the model says to one request; `finish` is its reason to stop, "length" for a turn cut short.

    `gate` holds the answer back until it is set.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    finish: str | None = None
    gate: threading.Event | None = field(default=None, compare=False)


def says(text: str) -> Turn:
    """A turn of words alone, which ends the run."""
    return Turn(text)


def edits(path: str, *pairs: tuple[str, str]) -> Call:
    """A call of the edit tool with so many (oldText, newText)."""
    return Call("edit", {"path": path, "edits": [{"oldText": old, "newText": new} for old, new in pairs]})


class ScriptedModel:
    """The model's server, for the length of a `with`. The script's end is answered with the word "done"."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self.requests: list[dict[str, Any]] = []
        self._turns = list(turns)
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                return

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                number, turn = model._next(body)
                if turn.gate is not None:
                    turn.gate.wait(60)
                events = b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in _events(number, turn))
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("connection", "close")
                self.end_headers()
                self.close_connection = True
                try:
                    self.wfile.write(events + b"data: [DONE]\n\n")
                except OSError:
                    return  # The agent was stopped meanwhile.

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for turn in self._turns:
            if turn.gate is not None:
                turn.gate.set()
        self._server.shutdown()
        self._server.server_close()

    def _next(self, body: dict[str, Any]) -> tuple[int, Turn]:
        with self._lock:
            number = len(self.requests)
            self.requests.append(body)
        return number, self._turns[number] if number < len(self._turns) else says("done")


def _events(number: int, turn: Turn) -> list[dict[str, Any]]:
    """The turn as a stream: words, then each call's name with half of its arguments, then the other half."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": turn.text}]
    for index, call in enumerate(turn.calls):
        text = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)
        half = len(text) // 2
        first = {"name": call.name, "arguments": text[:half]}
        deltas += (
            {"tool_calls": [{"index": index, "id": f"call_{number}_{index}", "type": "function", "function": first}]},
            {"tool_calls": [{"index": index, "function": {"arguments": text[half:]}}]},
        )
    base = {"id": f"chat-{number}", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
    finish = turn.finish or ("tool_calls" if turn.calls else "stop")
    chunks = [{**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    return [*chunks, {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}], "usage": _USAGE}]
