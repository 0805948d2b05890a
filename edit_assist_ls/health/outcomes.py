"""What became of an edit call, read from the text of its result in the session file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from edit_assist_ls.engine import messages
from edit_assist_ls.engine.builtin import RefusalKind
from edit_assist_ls.hosts.pi import HOST

FAILURE_CLASSES = (
    "no-match",
    "ambiguous",
    "malformed-arguments",
    "overlap",
    "no-change",
    "file-error",
    "other",
)
"""The classes of failed calls. `other` is divided further by reason: `empty-old-text`, `aborted`, `blocked`
(in the host's words), the built-in's two odd failures, `unknown` (such as a call blocked in an extension's words)."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed edit call: its class, what is known beyond that, and the edit (from 0) that the host named."""

    failure_class: str
    reason: str = ""
    edit_index: int | None = None


_OF_REFUSAL: Mapping[RefusalKind, tuple[str, str]] = {
    "not-found": ("no-match", ""),
    "ambiguous": ("ambiguous", ""),
    "overlap": ("overlap", ""),
    "no-change": ("no-change", ""),
    "no-edits": ("malformed-arguments", ""),
    "empty-old-text": ("other", "empty-old-text"),
}
_OF_HOST = (
    ("malformed-arguments", "", re.compile(r'(?:Validation failed|Invalid arguments) for tool "')),
    ("malformed-arguments", "", re.compile(r'Tool call "[^"]*" was not executed: the response hit the output')),
    ("file-error", "", re.compile(r"Could not edit file: |E[A-Z0-9]{2,}: ")),
    ("other", "aborted", re.compile(r"Operation aborted\Z")),
    ("other", "blocked", re.compile(r"Tool execution was blocked|Extension failed, blocking execution")),
)
_HONESTY = "\n\n" + messages.honesty("/", (), 1).partition("/")[0]
"""How the honesty line begins, after the blank line that parts it from the host's own text."""


def failure_of(text: str) -> Failure:
    """The class of a failed edit call by the first text of its result, which the host's own words begin."""
    refused = HOST.refusal_in(text)
    if refused:
        failure_class, reason = _OF_REFUSAL.get(refused.kind, ("other", refused.kind))
        return Failure(failure_class, reason, refused.edit_index)
    for failure_class, reason, pattern in _OF_HOST:
        if pattern.match(text):
            return Failure(failure_class, reason)
    return Failure("other", "unknown")


def is_corrected(text: str) -> bool:
    """Whether the result of an edit call that landed carries the honesty line of a correction."""
    return _HONESTY in text and HOST.is_success(text)
