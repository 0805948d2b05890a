"""The command `health`: how editing goes, by the session files of the agent host.

The whole command line imports this module to know its options, so what only a report needs is imported where it is.
"""

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from edit_assist_ls.health.summary import Report, Window
    from edit_assist_ls.health.survey import Progress

UNUSABLE = 2
NEEDS_EXTRA = "--html needs the charting library: in a checkout, install with pipx install --force '.[report]' (or pip)"
BAR_WIDTH = 30

_AGO = re.compile(r"(\d{1,4})([dw])")


def _path(text: str) -> "Path":
    from pathlib import Path

    return Path(text)


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command to the whole command line."""
    command = subparsers.add_parser(
        "health",
        help="report how editing goes, from the session files of pi",
        description="Reads session files of the pi coding agent and says how editing goes: which edit calls\n"
        "landed, which failed and why, what a failure cost, and how often the shell was used instead.\n"
        "Nothing leaves the machine, and no session file is changed.",
        epilog="DAY is a UTC day like 2026-11-30, or a time ago like 14d or 2w.\n"
        "exit status: 0 reported, 2 the input cannot be used",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_argument(
        "paths", nargs="*", metavar="PATH", help="session files and folders (default: where pi keeps them)"
    )
    command.add_argument("--since", type=_day, metavar="DAY", help="the first day that counts")
    command.add_argument("--until", type=_day, metavar="DAY", help="the last day that counts")
    command.add_argument(
        "--compare",
        nargs=2,
        type=_window,
        metavar=("A..B", "C..D"),
        help="two windows of days side by side, such as before and after a change; an end may be left open",
    )
    command.add_argument(
        "--by", choices=("day", "week"), help="what the course of time is shown by (default: what fits)"
    )
    command.add_argument("--json", action="store_true", help="one JSON object for programs")
    command.add_argument(
        "--html", type=_path, metavar="FILE", help="write one page with charts, without any network use"
    )
    command.add_argument(
        "--with-text",
        action="store_true",
        help="show the newest failed calls too, with their paths and texts (left out otherwise)",
    )
    command.add_argument(
        "--jobs", type=_jobs, default=0, metavar="N", help="processes (default: as many as are worth it)"
    )


def run(args: argparse.Namespace) -> int:
    """Reports, and gives the exit status."""
    import importlib.util

    from edit_assist_ls.health import survey
    from edit_assist_ls.health.summary import Window, report_of

    if args.compare and (args.since or args.until):
        return _unusable("--compare has its own days: leave out --since and --until")
    if args.html and importlib.util.find_spec("vl_convert") is None:
        return _unusable(NEEDS_EXTRA)
    if args.html and not args.html.parent.is_dir():
        return _unusable(f"{args.html}: no such folder to write in")
    default = survey.default_folder(os.environ)
    if not args.paths and not _path(default).is_dir():
        return _unusable(f"{default}: no such folder; name a session file or folder")
    try:
        roots = survey.roots_of(args.paths or [default])
    except survey.UnusableError as error:
        return _unusable(str(error))
    with _progress(roots) as progress:
        found = survey.survey(roots, jobs=args.jobs, with_text=args.with_text, progress=progress)
    windows: Sequence[Window] = args.compare or [Window(args.since, args.until)]
    report = report_of(found, windows, args.by)
    if args.html:
        try:
            _write_page(args.html, report)
        except OSError as error:
            return _unusable(f"{args.html}: {error.strerror or error}")
    _print(args, report)
    return 0


def _print(args: argparse.Namespace, report: "Report") -> None:
    if args.json:
        import msgspec

        print(msgspec.json.format(msgspec.json.encode(report)).decode())
        return
    from edit_assist_ls.cli_text import escape
    from edit_assist_ls.health.plain import text_of

    print(text_of(report, escape))
    if args.html:
        print(f"\nThe page: {escape(str(args.html))}")


def _write_page(target: "Path", report: "Report") -> None:
    """Writes the page whole or not at all: to a file beside it first."""
    import tempfile

    from edit_assist_ls.cli_text import escape
    from edit_assist_ls.health.page import page_of

    page = page_of(report, escape).encode("utf-8", "replace")
    if target.exists() and not target.is_file():
        target.write_bytes(page)
        return
    descriptor, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with open(descriptor, "wb") as stream:  # noqa: PTH123
            stream.write(page)
        umask = os.umask(0)
        os.umask(umask)
        _path(beside).chmod(0o666 & ~umask)
        _path(beside).replace(target)
    except BaseException:
        _path(beside).unlink(missing_ok=True)
        raise


def _unusable(line: str) -> int:
    from edit_assist_ls.cli_text import escape

    print(f"edit-assist-ls: {escape(line)}", file=sys.stderr)
    return UNUSABLE


@contextmanager
def _progress(roots: Sequence[str]) -> "Iterator[Progress | None]":
    """A progress bar on standard error while the block runs, where that is a terminal; else None."""
    if not sys.stderr.isatty():
        yield None
        return
    from edit_assist_ls.health.survey import session_files

    total = sum(file.size for file in session_files(roots))
    try:
        from tqdm import tqdm
    except ImportError:
        done = 0

        def show(size: int) -> None:
            nonlocal done
            done += size
            part = min(1.0, done / total) if total else 1.0
            bar = "#" * int(BAR_WIDTH * part)
            print(f"\r[{bar:<{BAR_WIDTH}}] {100 * part:3.0f} %", end="", file=sys.stderr, flush=True)

        yield show
        print(f"\r{'':<{BAR_WIDTH + 8}}\r", end="", file=sys.stderr, flush=True)
        return
    tqdm.monitor_interval = 0  # a monitor thread would keep worker processes from being forked
    with tqdm(total=total, unit="B", unit_scale=True, leave=False, file=sys.stderr) as bar_of_tqdm:
        update: Callable[[float], object] = bar_of_tqdm.update
        yield lambda size: (update(size), None)[1]


def _day(text: str) -> str:
    from datetime import UTC, date, datetime, timedelta

    ago = _AGO.fullmatch(text)
    if ago:
        days = int(ago.group(1)) * (7 if ago.group(2) == "w" else 1)
        return (datetime.now(UTC).date() - timedelta(days)).isoformat()
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day like 2026-11-30 and no time ago like 14d") from None


def _window(text: str) -> "Window":
    from edit_assist_ls.health.summary import Window

    first, dots, last = text.partition("..")
    if not dots:
        raise argparse.ArgumentTypeError(f"{text!r} is no window like 2026-11-01..2026-11-14")
    return Window(_day(first) if first else None, _day(last) if last else None)


def _jobs(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 64:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 64")
    return int(text)
