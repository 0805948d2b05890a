"""A call's arguments before the host validates them, and what is remembered of that for the call's result."""

import os

from edit_assist_ls.arguments import Prepared, prepare
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from edit_assist_ls.hosts import HOSTS
from edit_assist_ls.session.memory import Call, Memory, Remarks


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

    strict = settings.profile == "strict"
    prepared = prepare(arguments, host, call.origin.cwd, text_at, strict=strict, work=Work())
    if settings.arguments == "hint":
        prepared = Prepared(refusal=prepared.refusal, nulls=prepared.nulls)
    remarks = Remarks(prepared.notes, prepared.refusal, prepared.nulls)
    if remarks != Remarks():
        memory.session(call.origin).remember(call.tool_call_id, remarks)
    return prepared
