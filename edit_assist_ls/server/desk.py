"""The desk with every hook at it. Importing this imports the engine."""

from typing import Any

from edit_assist_ls.server.features import (
    before_agent_start,
    edit,
    message_end,
    prepare_arguments,
    session_shutdown,
    session_start,
    tool_call,
    tool_result,
)
from edit_assist_ls.server.hooks import Desk, Hook
from edit_assist_ls.session import Memory

HOOKS: tuple[Hook[Any], ...] = (
    session_start.HOOK,
    session_shutdown.HOOK,
    before_agent_start.HOOK,
    prepare_arguments.HOOK,
    tool_call.HOOK,
    edit.HOOK,
    tool_result.HOOK,
    message_end.HOOK,
)


def opened(memory: Memory) -> Desk:
    """A desk with a memory, which is empty as yet."""
    return Desk(memory, {hook.method: hook for hook in HOOKS})
