"""`edit-assist-ls ledger`: what the ledger holds, less of it, or none of it."""

import argparse
import io
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from edit_assist_ls.ledger import CallRecord

SHOWN = 30
MAX_SUMMARY_CHARS = 100

DESCRIPTION = """\
Shows, prunes or deletes the ledger: the file in the user's state folder through
which server processes share the calls of agents. It is private to the user, and
keeps 30 days or 64 MB, whichever is less.
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command's options."""
    parser = commands.add_parser(
        "ledger",
        help="show, prune or delete what is kept of calls",
        description=DESCRIPTION,
        epilog="exit status: 0 it is done, 1 there is no ledger, 2 it cannot be used",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    acts = parser.add_subparsers(dest="act", metavar="ACT", title="what to do (show, where nothing is said)")
    show = acts.add_parser("show", help="list the newest calls", allow_abbrev=False)
    for to in (parser, show):
        to.add_argument("--limit", type=_count, default=SHOWN, metavar="N", help=f"at most N calls (default: {SHOWN})")
        to.add_argument("--path", metavar="PATH", help="only calls on this file, or on files under this folder")
        to.add_argument("--json", action="store_true", help="one JSON object a line, as it is kept, for programs")
    prune = acts.add_parser("prune", help="delete the oldest calls", allow_abbrev=False)
    prune.add_argument("--days", type=_amount, default=30.0, metavar="N", help="keep calls of N days (default: 30)")
    prune.add_argument("--mb", type=_amount, default=64.0, metavar="N", help="keep at most N megabytes (default: 64)")
    acts.add_parser("delete", help="delete it, with what is kept beside it", allow_abbrev=False)
    acts.add_parser("path", help="say where it lies", allow_abbrev=False)


def run(args: argparse.Namespace) -> int:
    """The exit status of the command."""
    from edit_assist_ls.ledger import default_folder
    from edit_assist_ls.ledger.store import FILE_NAME

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for the characters that its encoding lacks
    folder = default_folder()
    if folder is None:
        return _fail("the user has no state folder on this system, and so no ledger", 2)
    file = folder / FILE_NAME
    if args.act == "path":
        print(file)
        return 0
    if args.act == "delete":
        return _delete(folder)
    if not file.exists():
        return _fail(f"there is no ledger at {file}: no call was kept yet", 1)
    try:
        return _prune(folder, args.days, args.mb) if args.act == "prune" else _show(folder, args)
    except BrokenPipeError:
        raise
    except OSError as error:
        return _fail(f"{file} cannot be used: {error.strerror or error}", 2)


def _show(folder: "Path", args: argparse.Namespace) -> int:
    import json
    import sqlite3
    from contextlib import closing
    from dataclasses import asdict
    from pathlib import Path

    from edit_assist_ls.ledger import rows, store
    from edit_assist_ls.ledger.records import from_json

    path = None if args.path is None else str(Path(args.path).resolve())
    folders, paths = (None, []) if path is None else ([path], [path])
    try:
        with closing(store.connect(folder, 2.0)) as connection:
            found = rows.read_calls(connection, folders, paths, args.limit, failing=False)
    except sqlite3.Error as error:
        return _fail(f"the ledger cannot be read: {error}", 2)
    calls = [call for row in found if (call := from_json(row[2])) is not None]
    if args.json:
        for call in calls:
            print(json.dumps({**asdict(call), "state": call.state}))
        return 0
    for line in _table(calls):
        print(line)
    if not calls:
        print("No call is kept" + ("." if path is None else f" of {path}."))
    return 0


def _table(calls: "Sequence[CallRecord]") -> list[str]:
    from datetime import datetime

    from edit_assist_ls.cli_text import escape_line

    lines: list[str] = []
    for call in calls:
        when = datetime.fromtimestamp(call.at_ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M:%S")
        first = next((edit.start_line for edit in call.edits if edit.start_line is not None), None)
        where = escape_line(call.real_path or call.path or "(no file)") + (f":{first}" if first else "")
        summary = escape_line(call.summary)
        summary = summary if len(summary) <= MAX_SUMMARY_CHARS else summary[: MAX_SUMMARY_CHARS - 1] + "…"
        lines.append(f"{when}  {call.state:9}  {escape_line(call.host)}  {where}\n    {summary}")
    return lines


def _prune(folder: "Path", days: float, megabytes: float) -> int:
    import sqlite3
    from contextlib import closing

    from edit_assist_ls.ledger import store

    try:
        with closing(store.connect(folder, 5.0)) as connection:
            gone = store.prune(connection, days, int(megabytes * 1024 * 1024))
            left = store.used_bytes(connection)
    except sqlite3.Error as error:
        return _fail(f"the ledger cannot be pruned: {error}", 2)
    print(f"{gone} call{'' if gone == 1 else 's'} deleted; {left / 1024 / 1024:.1f} MB are left.")
    return 0


def _delete(folder: "Path") -> int:
    """Running servers notice that their file is gone, and begin a new one."""
    from pathlib import Path

    from edit_assist_ls.ledger import store

    if not folder.exists():
        return _fail(f"there is nothing to delete in {folder}", 1)
    kept = folder / store.DIFFERENCES
    bases = (folder / store.FILE_NAME, *store.damaged_files(folder))
    files = [Path(f"{base}{side}") for base in bases for side in store.SIDE_FILES]
    gone = 0
    try:
        with store.locked(folder):
            for file in [*files, *sorted(kept.glob("*.diff"))]:
                if file.is_file() or file.is_symlink():
                    file.unlink()
                    print(f"deleted {file}")
                    gone += 1
        if kept.is_dir():
            kept.rmdir()
    except OSError as error:
        return _fail(f"not everything in {folder} could be deleted: {error.strerror}", 2)
    if not gone:
        return _fail(f"there is nothing to delete in {folder}", 1)
    return 0


def _fail(why: str, status: int) -> int:
    print(f"edit-assist-ls ledger: {why}", file=sys.stderr)
    return status


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= 1_000_000):
        raise argparse.ArgumentTypeError(f"a number of calls from 1, not {text!r}")
    return int(text)


def _amount(text: str) -> float:
    try:
        amount = float(text)
    except ValueError:
        amount = -1.0
    if not 0 <= amount < 1e9:
        raise argparse.ArgumentTypeError(f"a number from 0, not {text!r}")
    return amount
