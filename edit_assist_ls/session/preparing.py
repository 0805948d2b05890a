"""A call's arguments before the host validates them, and what is remembered of that for the call's result."""

import os

from edit_assist_ls.arguments import Prepared, prepare, words
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from edit_assist_ls.hosts import HOSTS
from edit_assist_ls.hosts.host import Host
from edit_assist_ls.session.memory import Call, Memory, Remarks

MAX_DRAFTS = 256
MAX_DRAFT_CHARS = 2_000_000


def prepare_arguments(memory: Memory, call: Call, arguments: object) -> Prepared:
    """The arguments as the host should be given them, where they can be; under the setting `hint` they never are.

    What is said of them is remembered, and said once more in the call's result or error.
    """
    host = HOSTS.get(call.origin.host)
    if host is None or call.tool_name != host.edit_tool:
        return Prepared()
    settings, _ = memory.settings_for(host, call.origin)
    if not settings.enabled:
        return Prepared()

    def text_at(path: str) -> Text | None:
        resolved = host.resolve_path(path, call.origin.cwd)
        text = None if resolved is None else memory.texts.read(os.path.realpath(resolved))
        return text if isinstance(text, Text) else None

    session = memory.session(call.origin)
    drafts = session.drafts_of(call.message_id)

    def written_before(path: str) -> str:
        return drafts.get(host.resolve_path(path, call.origin.cwd) or "", "")

    strict = settings.profile == "strict"
    prepared = prepare(
        arguments, host, call.origin.cwd, text_at, strict=strict, work=Work(), written_before=written_before
    )
    remarks = Remarks(prepared.notes, prepared.refusal, prepared.nulls, prepared.contradicts)
    if settings.arguments == "hint":
        hint = None if prepared.arguments is None else words.send_instead(prepared.arguments)
        remarks = Remarks((), prepared.refusal or hint, prepared.nulls)
        prepared = Prepared(None, () if hint is None else (hint,), prepared.refusal, prepared.nulls)
    session.remarks.pop(call.tool_call_id, None)
    if remarks != Remarks():
        session.remember(call.tool_call_id, remarks)
    _draft(host, call, prepared.arguments or arguments, drafts)
    return prepared


def _draft(host: Host, call: Call, arguments: object, drafts: dict[str, str]) -> None:
    """Keep what a call is to write into its file, for those that come after it in the same message."""
    if not isinstance(arguments, dict) or call.message_id is None:
        return
    edits, path = host.edits_of(arguments), host.path_of(arguments)
    resolved = None if path is None else host.resolve_path(path, call.origin.cwd)
    if edits is not None and resolved is not None and len(drafts) < MAX_DRAFTS:
        written = "\n".join([drafts.get(resolved, ""), *(edit.new_text for edit in edits)])
        drafts[resolved] = written[-MAX_DRAFT_CHARS:]
