"""The real server, and somebody who changes a file while an edit of it is under way: meddling_server.py FILE TIMES.

After each of the first TIMES answers to `editAssist/edit`, before it is passed on, a line is added to FILE.
"""

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO


def main(file: Path, times: int) -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "edit_assist_ls", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert server.stdin
    assert server.stdout
    asked: set[object] = set()
    threading.Thread(target=_pass_questions, args=(server.stdin, asked), daemon=True).start()
    meddled = 0
    while (body := _read(server.stdout)) is not None:
        if json.loads(body).get("id") in asked and meddled < times:
            meddled += 1
            with file.open("a") as text:
                text.write(f"meddled {meddled}\n")
        _write(sys.stdout.buffer, body)
    server.wait(10)


def _pass_questions(server: IO[bytes], asked: set[object]) -> None:
    while (body := _read(sys.stdin.buffer)) is not None:
        message = json.loads(body)
        if message.get("method") == "editAssist/edit":
            asked.add(message["id"])
        _write(server, body)
    server.close()


def _read(stream: IO[bytes]) -> bytes | None:
    length = 0
    while line := stream.readline().strip():
        name, _, value = line.partition(b":")
        length = int(value) if name.lower() == b"content-length" else length
    return stream.read(length) if length else None


def _write(stream: IO[bytes], body: bytes) -> None:
    stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    stream.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
