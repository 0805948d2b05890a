"""The desk with every hook at it. Importing this imports the engine."""

from typing import Any

from edit_assist_ls.server.features import (
    before_agent_start,
    message_end,
    session_shutdown,
    session_start,
    tool_call,
    tool_result,
)
from edit_assist_ls.server.hooks import Desk, Hook
from edit_assist_ls.session import Memory
from edit_assist_ls.settings import Store

HOOKS: tuple[Hook[Any], ...] = (
    session_start.HOOK,
    session_shutdown.HOOK,
    before_agent_start.HOOK,
    tool_call.HOOK,
    tool_result.HOOK,
    message_end.HOOK,
)


def opened(settings: Store) -> Desk:
    """A desk with an empty memory."""
    return Desk(Memory(settings), {hook.method: hook for hook in HOOKS})
