"""Differences kept in the state folder, for editors that have no better view of one."""

import difflib
import os
import re
from collections.abc import Sequence
from pathlib import Path

from edit_assist_ls.engine.text import Text
from edit_assist_ls.ledger import Ledger, default_folder
from edit_assist_ls.ledger.store import DIFFERENCES
from edit_assist_ls.server.board import Board
from edit_assist_ls.server.errors import RequestFailedError
from edit_assist_ls.showing.previews import preview, replaced

KEPT = 50
MAX_LINES = 4_000


def keep(board: Board, ledger: Ledger, call_id: str, edit_index: int | None) -> str:
    """The URI of a file with the difference between a file and the same file with the edit; raises where there is none.

    The file is private to the user; the oldest of `KEPT` go.
    """
    call = ledger.call(call_id)
    if call is None or call.real_path is None or (edit_index is not None and edit_index >= len(call.edits)):
        raise RequestFailedError("This call is not in the ledger any more.")
    text = board.text_of(call.real_path)
    made = preview(call, edit_index, text, ledger.text_digest) if isinstance(text, Text) else None
    if isinstance(text, Text) and made is not None and made.offers:
        body = _difference(text.lines, Text(replaced(text, made.offers)).lines, call.real_path)
    else:
        body = "\n\n".join(
            [f"# {call.real_path}", call.summary, *(edit.message for edit in call.edits if edit.message)]
        )
    folder = default_folder()
    if folder is None:
        raise RequestFailedError("There is no folder to keep the difference in: the user has no state folder.")
    name = re.sub(r"[^0-9a-zA-Z]", "", call_id)[:40] + ("" if edit_index is None else f"-{edit_index + 1}")
    return _write(folder / DIFFERENCES, f"{name}.diff", body).as_uri()


def _difference(before: Sequence[str], after: Sequence[str], real_path: str) -> str:
    """A unified diff; its headers name the file as it is and as the agent wanted it."""
    rows = difflib.unified_diff(before, after, real_path, f"{real_path} (the agent's edit)", lineterm="")
    kept = [row for row, _ in zip(rows, range(MAX_LINES), strict=False)]
    return "\n".join(kept) + "\n"


def _write(folder: Path, name: str, body: str) -> Path:
    """Write a file that only the user reads, and let go of the oldest ones."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = folder / name
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            stream.write(body)
        kept = {old: status.st_mtime_ns for old in folder.glob("*.diff") if (status := _status(old)) is not None}
        for old in sorted(kept, key=lambda old: kept[old])[:-KEPT]:
            old.unlink(missing_ok=True)
    except OSError as error:
        raise RequestFailedError(f"The difference cannot be kept in {folder}: {error.strerror}.") from None
    return file


def _status(file: Path) -> os.stat_result | None:
    """The status of a file that another server may delete at any time."""
    try:
        return file.stat()
    except FileNotFoundError:
        return None
