"""The pi coding agent (1.6.0): its edit tool's arguments, path rules, stock texts and settings files."""

import copy
import json
import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

from edit_assist_ls.engine.builtin import Edit, RefusalKind, Refused
from edit_assist_ls.hosts.host import Host, Malformed
from edit_assist_ls.hosts.pi_details import edit_details

_UNICODE_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_URL_EDGES = "".join(map(chr, range(0x21)))
_BAD_PERCENT = re.compile(r"%(?:2f|(?![0-9a-f]{2}))", re.IGNORECASE)
_INVALID = ('Validation failed for tool "edit":', 'Invalid arguments for tool "edit":')
_RECEIVED = "\n\nReceived arguments:\n"


def path_of(arguments: Mapping[str, Any]) -> str | None:
    """The path that a call of the edit or write tool names."""
    path = arguments.get("path")
    return path if isinstance(path, str) else None


def resolve_path(path: str, cwd: str) -> str | None:
    """The absolute path that pi opens for `path`; None where pi would fail on it.

    Unicode spaces read as a space, one leading `@` goes, `~` and `~/` are the home folder, `file://` URLs
    are decoded, what is relative counts from `cwd`. Dots are resolved by the letter, before any link is.
    """
    written = _UNICODE_SPACES.sub(" ", path).removeprefix("@")
    target, base = _expanded(written), _expanded(cwd)
    if target is None or base is None:
        return None
    joined = os.path.normpath(os.path.join(base, target))  # noqa: PTH118  # dots by the letter, as the host does
    if "\0" in joined or not joined.startswith("/") or not _is_utf8(joined):
        return None
    return "/" + joined.lstrip("/")


def _expanded(path: str) -> str | None:
    if path == "~":
        return _home()
    if path.startswith("~/"):
        return f"{_home()}/{path[2:]}"
    return _file_url_path(path) if path.startswith("file://") else path


def _home() -> str:
    return os.path.expanduser("~")  # noqa: PTH111  # Path.home() raises where there is none


def _file_url_path(url: str) -> str | None:
    try:
        parts = urlsplit(re.sub("[\t\n\r]", "", url.strip(_URL_EDGES)).replace("\\", "/"))
        path = parts.path or "/"
        if parts.netloc.lower() not in ("", "localhost") or _BAD_PERCENT.search(path):
            return None
        return unquote_to_bytes(path).decode("utf-8")
    except ValueError:
        return None


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def edits_of(arguments: Mapping[str, Any]) -> tuple[Edit, ...] | None:
    """The edits of a call that has the tool's own shape, every text a text; else None."""
    edits = arguments.get("edits")
    if not isinstance(edits, list):
        return None
    out: list[Edit] = []
    for edit in edits:
        if not isinstance(edit, dict):
            return None
        old_text, new_text = edit.get("oldText"), edit.get("newText")
        if not (isinstance(old_text, str) and isinstance(new_text, str)):
            return None
        out.append(Edit(old_text, new_text))
    return tuple(out)


def with_edits(arguments: Mapping[str, Any], edits: Sequence[Edit]) -> dict[str, Any]:
    """A deep copy of the arguments with other texts in the edits; every other key stays as it is."""
    out: dict[str, Any] = copy.deepcopy(dict(arguments))
    for target, edit in zip(out["edits"], edits, strict=True):
        target["oldText"], target["newText"] = edit.old_text, edit.new_text
    return out


def written_by(arguments: Mapping[str, Any]) -> str | None:
    """What a call of the write tool makes of its file."""
    content = arguments.get("content")
    return content if isinstance(content, str) else None


_AS_IT_STANDS = "must match exactly including all whitespace and newlines."
_NOT_UNIQUE = "must be unique. Please provide more context to make it unique."
_ODD = "This might indicate an issue with special characters or the text not existing as expected."
_OVERLAP = "edits[{edit}] and edits[{other}] overlap in {path}. Merge them into one edit or target disjoint regions."
_NO_EDITS = "Edit tool input is invalid. edits must contain at least one replacement."
_LINE_COUNT = "Cannot preserve unchanged lines because the base content has a different line count."
_OUT_OF_RANGE = "Replacement range is outside the base content."

# kind: (the text where the call has one edit, the text where it has several)
_STOCK_TEXTS: dict[RefusalKind, tuple[str, str]] = {
    "not-found": (
        f"Could not find the exact text in {{path}}. The old text {_AS_IT_STANDS}",
        f"Could not find edits[{{edit}}] in {{path}}. The oldText {_AS_IT_STANDS}",
    ),
    "ambiguous": (
        f"Found {{count}} occurrences of the text in {{path}}. The text {_NOT_UNIQUE}",
        f"Found {{count}} occurrences of edits[{{edit}}] in {{path}}. Each oldText {_NOT_UNIQUE}",
    ),
    "overlap": (_OVERLAP, _OVERLAP),
    "no-change": (
        f"No changes made to {{path}}. The replacement produced identical content. {_ODD}",
        "No changes made to {path}. The replacements produced identical content.",
    ),
    "empty-old-text": (
        "oldText must not be empty in {path}.",
        "edits[{edit}].oldText must not be empty in {path}.",
    ),
    "no-edits": (_NO_EDITS, _NO_EDITS),
    "line-count": (_LINE_COUNT, _LINE_COUNT),
    "out-of-range": (_OUT_OF_RANGE, _OUT_OF_RANGE),
}
_SUCCESS = "Successfully replaced {count} block(s) in {path}."


def _pattern(template: str) -> re.Pattern[str]:
    """A stock text to look for at the start of a result: the path in it is whatever the model wrote."""
    pattern = re.escape(template).replace(re.escape("{path}"), ".*?")
    for name in ("edit", "other", "count"):
        pattern = pattern.replace(re.escape(f"{{{name}}}"), f"(?P<{name}>[0-9]{{1,9}})")
    return re.compile(pattern + r"(?=\n|\Z)", re.DOTALL)


@cache
def _refusals() -> list[tuple[re.Pattern[str], RefusalKind]]:
    return [(_pattern(text), kind) for kind, texts in _STOCK_TEXTS.items() for text in dict.fromkeys(texts)]


def refusal_in(text: str) -> Refused | None:
    """What pi's edit tool refused, read from the error text that it begins with; None for any other error."""
    for pattern, kind in _refusals():
        if match := pattern.match(text):
            found = {name: int(digits) for name, digits in match.groupdict().items()}
            of_one_edit = kind in ("not-found", "ambiguous", "empty-old-text")
            edit_index = found.get("edit", 0 if of_one_edit else None)
            return Refused(kind, edit_index, found.get("count"), found.get("other"))
    return None


def stock_text(refused: Refused, path: str, edit_count: int) -> str | None:
    """pi's own error text for a refusal; None for `unsearched`, which pi does not know."""
    texts = _STOCK_TEXTS.get(refused.kind)
    return texts and texts[edit_count != 1].format(
        path=path, edit=refused.edit_index, count=refused.count, other=refused.other_index
    )


def success_text(path: str, edit_count: int) -> str:
    """pi's own text for an edit call that landed."""
    return _SUCCESS.format(count=edit_count, path=path)


def is_success(text: str) -> bool:
    """True for the result text of an edit call that landed."""
    return _pattern(_SUCCESS).match(text) is not None


def rejected_in(text: str) -> Mapping[str, Any] | None:
    """The arguments that pi's validation of an edit call refused, none where they cannot be read back.

    None for any other error text.
    """
    head, _, received = text.partition(_RECEIVED)
    if not head.startswith(_INVALID):
        return None
    try:
        arguments, _ = json.JSONDecoder().raw_decode(received)
    except (ValueError, RecursionError):
        return {}
    return arguments if isinstance(arguments, dict) else {}


def malformed_in(text: str) -> Malformed | None:
    """Which known shape the arguments had that pi's validation of an edit call refused; None for any other.

    `read-shaped`: exactly path, offset and limit, the numbers numbers. `edits-string`: `edits` is a text.
    """
    arguments = rejected_in(text)
    if not arguments:
        return None
    if isinstance(arguments.get("edits"), str):
        return "edits-string"
    if arguments.keys() == {"path", "offset", "limit"} and isinstance(arguments["path"], str):
        numbers = (arguments["offset"], arguments["limit"])
        return "read-shaped" if all(type(number) in (int, float) for number in numbers) else None
    return None


def settings_files(cwd: str, environment: Mapping[str, str]) -> tuple[str, str]:
    """The user's settings file ($PI_CODING_AGENT_DIR or ~/.pi/agent) and the project's."""
    agent_dir = environment.get("PI_CODING_AGENT_DIR", "")
    if agent_dir == "~" or agent_dir.startswith("~/"):
        agent_dir = _home() + agent_dir[1:]
    agent_dir = agent_dir or f"{_home()}/.pi/agent"
    return f"{agent_dir}/settings.json", f"{cwd}/.pi/settings.json"


HOST = Host(
    name="pi",
    edit_tool="edit",
    write_tool="write",
    path_of=path_of,
    resolve_path=resolve_path,
    edits_of=edits_of,
    with_edits=with_edits,
    written_by=written_by,
    refusal_in=refusal_in,
    stock_text=stock_text,
    success_text=success_text,
    is_success=is_success,
    rejected_in=rejected_in,
    malformed_in=malformed_in,
    edit_details=edit_details,
    settings_files=settings_files,
    settings_section="edit-assist",
)
