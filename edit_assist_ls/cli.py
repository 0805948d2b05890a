"""The command `edit-assist-ls`: the language server, and what a person can ask of the engine without one.

Only argparse is imported before it is known what is asked for: each command imports what it needs when it
runs.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import IO

from edit_assist_ls import __version__, cli_health, cli_ledger

BROKEN_PIPE, INTERRUPTED = 141, 130  # as a shell reports a process that SIGPIPE or SIGINT ended
LOG_LEVELS = ("error", "warning", "info", "debug")

DESCRIPTION = """\
Corrects the edit calls of coding agents that would fail for a reason that is
provably not the agent's intent, and diagnoses the rest in a few lines.

Without a command it is the language server, on standard input and output, until
the client ends it; agents and editors start it themselves. To see what it makes
of one edit call, use `check`; to see it at work, `demo`."""

EXAMPLES = """\
examples:
  edit-assist-ls                          the server, on stdin and stdout
  edit-assist-ls --tcp 7654               the server on a port, for one client
  edit-assist-ls check app.py call.json   what would become of that call
  edit-assist-ls demo                     four calls, corrected and diagnosed"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit status; `argv` is what follows the program's name."""
    try:
        status = _run(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter flushes standard output once more at its end, which must find a pipe that takes it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _run(argv: list[str]) -> int:
    args = parser().parse_args(argv)
    if args.command in (None, "serve"):
        return _serve(args)
    status: int = importlib.import_module(f"edit_assist_ls.cli_{args.command}").run(args)
    return status


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line. `command` is None or the name of a command."""
    whole = argparse.ArgumentParser(
        prog="edit-assist-ls",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    whole.add_argument("--version", action="version", version=f"edit-assist-ls {__version__}")
    _add_server_options(whole.add_argument_group("options of the server"))
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    serve = commands.add_parser(
        "serve",
        help="be the language server (what happens without a command)",
        description="The language server, on standard input and output unless --tcp names a port.",
        allow_abbrev=False,
    )
    _add_server_options(serve)
    check = commands.add_parser(
        "check",
        help="say what would become of an edit call on a file",
        description="Says what would become of an edit call on FILE: exact (it lands as it is),\n"
        "corrected (and to what), or refused (with what the agent would read).\n"
        "Nothing is written.",
        epilog="exit status: 0 the call would land, 1 it would not, 2 the input cannot be used",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_check_arguments(check)
    cli_health.add_parser(commands)
    cli_ledger.add_parser(commands)
    commands.add_parser(
        "demo",
        help="show edit calls on real source files, corrected and diagnosed",
        description="Plays four edit calls on copies of real source files through the server: one\n"
        "corrected, one that matches nowhere, one that matches twice, one malformed.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    return whole


def _add_server_options(to: "argparse._ActionsContainer") -> None:
    where = to.add_mutually_exclusive_group()
    where.add_argument(
        "--stdio",
        action="store_true",
        default=argparse.SUPPRESS,
        help="speak LSP on standard input and output (the default)",
    )
    where.add_argument(
        "--tcp",
        type=_port,
        metavar="PORT",
        default=argparse.SUPPRESS,
        help="listen on PORT of the loopback interface, for one client",
    )
    to.add_argument(
        "--log-file",
        metavar="FILE",
        default=argparse.SUPPRESS,
        help="append the log to FILE (default: stderr)",
    )
    to.add_argument(
        "--log-level",
        type=str.lower,
        choices=LOG_LEVELS,
        default=argparse.SUPPRESS,
        metavar="LEVEL",
        help=f"{', '.join(LOG_LEVELS)} (default: warning)",
    )
    to.add_argument("--clientProcessId", default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def _add_check_arguments(check: argparse.ArgumentParser) -> None:
    check.add_argument("file", metavar="FILE", help="the file that the call is about; - for standard input")
    check.add_argument(
        "call",
        metavar="CALL.json",
        help='the call, {"path"?, "edits": [{"oldText", "newText"}, ...]}, bare or as "input" or "arguments" of '
        "an object; - for standard input",
    )
    check.add_argument("--json", action="store_true", help="one JSON object for programs")
    check.add_argument("--profile", choices=("assist", "strict"), default="assist", help="the policy (default: assist)")
    check.add_argument(
        "--correction",
        choices=("carry", "oldText", "off"),
        default="carry",
        help="what may be corrected: oldText with newText carried along, oldText alone, or nothing (default: carry)",
    )


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 <= int(text) <= 65_535):
        raise argparse.ArgumentTypeError(f"a port is a number from 0 (any free one) to 65535, not {text!r}")
    return int(text)


def _serve(args: argparse.Namespace) -> int:
    try:
        _start_log(getattr(args, "log_file", None), getattr(args, "log_level", "warning"))
    except OSError as error:
        print(f"edit-assist-ls: cannot write the log to {args.log_file}: {error.strerror}", file=sys.stderr)
        return 2
    from edit_assist_ls.server import app

    if hasattr(args, "tcp"):
        return app.serve_tcp(args.tcp)
    if sys.stdin is not None and sys.stdin.isatty() and not hasattr(args, "stdio"):
        print(
            "edit-assist-ls: waiting for a client to speak LSP on standard input; --help says more",
            file=sys.stderr,
        )
    return app.serve_stdio()


def _start_log(log_file: str | None, level: str) -> None:
    """The log goes to `log_file`, else to standard error. OSError where the file cannot be opened.

    pygls and asyncio log the messages that they carry at their lower levels, and with them the texts of
    files: neither is heard below a warning.
    """
    import logging

    stream: IO[str] = sys.stderr
    if log_file is not None:
        stream = open(log_file, "a", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115, PTH123
    logging.basicConfig(
        stream=stream,
        level=level.upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        force=True,
    )
    for name in ("pygls", "asyncio"):
        logging.getLogger(name).setLevel(logging.WARNING if level != "error" else logging.ERROR)
