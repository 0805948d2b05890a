"""A small blocking LSP client over a child process's pipes, for what plays an agent host: demo and bench."""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self


class ServerError(Exception):
    """The server answered with an error, or ended before it answered."""


class Client:
    """A running server that has answered `initialize`; as a context manager it is stopped at the end.

    `command` is started in the folder `cwd` with the environment `env` (the caller's own where None); what it
    writes to standard error is dropped. `capabilities` are the client's: none, unless said.
    """

    def __init__(
        self,
        command: Sequence[str],
        cwd: Path,
        env: Mapping[str, str] | None = None,
        capabilities: Mapping[str, Any] | None = None,
    ) -> None:
        self._process = subprocess.Popen(  # noqa: S603  # the caller's own command, no shell
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._last_id = 0
        params = {"processId": os.getpid(), "rootUri": cwd.as_uri(), "capabilities": dict(capabilities or {})}
        self.server: dict[str, Any] = self.ask("initialize", params)
        self.tell("initialized", {})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.stop()

    def ask(self, method: str, params: object) -> Any:
        """The result of a request. Raises ServerError."""
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": params})
        while (message := self._receive()).get("id") != self._last_id or "method" in message:
            if "method" in message and "id" in message:
                self._send({"id": message["id"], "result": None})
        if "error" in message:
            raise ServerError(f"{method}: {message['error']}")
        return message["result"]

    def tell(self, method: str, params: object) -> None:
        """Sends a notification."""
        self._send({"method": method, "params": params})

    def stop(self) -> int:
        """Ends the server as the protocol says; its exit status."""
        try:
            self.ask("shutdown", None)
            self.tell("exit", None)
        except (ServerError, OSError):
            return self.kill()
        self._process.communicate()
        return self._process.returncode

    def kill(self) -> int:
        """Ends the process without a word; its exit status."""
        self._process.kill()
        self._process.communicate()
        return self._process.returncode

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self._process.stdout
        length = 0
        while (line := self._process.stdout.readline()) != b"\r\n":
            if not line:
                raise ServerError(f"the server ended with status {self._process.wait()}")
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        message: dict[str, Any] = json.loads(self._process.stdout.read(length))
        return message
