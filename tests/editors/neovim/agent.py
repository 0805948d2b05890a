"""An agent's server, a process of its own, and the calls that its host tells it of."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from tests.server.client import Client, notification

SERVER = [sys.executable, "-P", "-m", "edit_assist_ls"]
NOT_FOUND = (
    "Could not find the exact text in {}. The old text must match exactly including all whitespace and newlines."
)
SEVERAL = (
    "Found {} occurrences of the text in {}. The text must be unique. Please provide more context to make it unique."
)
DONE = "Successfully replaced 1 block(s) in {}."
Edit = tuple[str, str]


class Agent(Client):
    """For the length of a `with`. Paths of calls are as the model writes them, resolved against `cwd`."""

    def __init__(self, cwd: Path, env: Mapping[str, str]) -> None:
        self._cwd = cwd
        self._calls = 0
        self._process = subprocess.Popen(
            SERVER, cwd=cwd, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdin
        assert self._process.stdout
        self._stdout = os.fdopen(os.dup(self._process.stdout.fileno()), "rb")
        super().__init__(self._process.stdin.write, self._stdout.readline, self._stdout.read)

    def __enter__(self) -> Self:
        self.start()
        self._ask("sessionStart", processId=os.getpid())
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._stdout, self._process.stdin, self._process.stdout):
            if stream:
                stream.close()

    def call(self, path: str, edits: Sequence[Edit], result: str, is_error: bool) -> str:
        """A call of the edit tool that ended with `result`; what the model got."""
        self._calls += 1
        told = {
            "toolCallId": f"call-{self._calls}",
            "toolName": "edit",
            "input": {"path": path, "edits": [{"oldText": old, "newText": new} for old, new in edits]},
        }
        self._ask("toolCall", **told)
        content = [{"type": "text", "text": result}]
        answer = self._ask("toolResult", **told, content=content, isError=is_error)
        text: str = (answer.get("content") or content)[0]["text"]
        return text

    def lands(self, path: str, old: str, new: str) -> str:
        """A call that the built-in took."""
        return self.call(path, [(old, new)], DONE.format(path), is_error=False)

    def misses(self, path: str, old: str, new: str) -> str:
        """A call that the built-in refused because its oldText is not there."""
        return self.call(path, [(old, new)], NOT_FOUND.format(path), is_error=True)

    def is_ambiguous(self, path: str, old: str, new: str, count: int) -> str:
        """A call that the built-in refused because its oldText is there `count` times."""
        return self.call(path, [(old, new)], SEVERAL.format(count, path), is_error=True)

    def end_session(self) -> None:
        """The host ends the session."""
        self._ask("sessionShutdown")
        self.send(notification("exit"))

    def _ask(self, hook: str, **params: Any) -> Any:
        return self.ask(f"editAssist/{hook}", {"host": "pi", "sessionId": "one", "cwd": str(self._cwd), **params})
