"""What a hook request is to the server, and the one guard around them all: whatever is wrong with us, the
host's call goes on as if we were not there."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic

import msgspec

from edit_assist_ls.server import wire
from edit_assist_ls.server.wire import Params
from edit_assist_ls.session import Call, Memory, Origin

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Hook(Generic[Params]):
    """A hook request: its method, the type of its params, what answers it, and the answer that changes nothing."""

    method: str
    params_type: type[Params]
    handle: Callable[[Memory, Params], msgspec.Struct]
    unchanged: msgspec.Struct


@dataclass(frozen=True, slots=True)
class Desk:
    """Where hook requests are answered: the memory that they share, and the hooks by method."""

    memory: Memory
    hooks: Mapping[str, Hook[Any]]

    def answer(self, method: str, params: object) -> Any:
        """The JSON result of a known hook request; raises `InvalidParamsError` and nothing else."""
        hook = self.hooks[method]
        typed = wire.params_of(params, hook.params_type)
        try:
            return wire.to_json(hook.handle(self.memory, typed))
        except Exception:
            log.exception("%s failed; it is answered as unchanged", method)
            return wire.to_json(hook.unchanged)


def origin_of(params: wire.HookParams) -> Origin:
    """Where a hook comes from."""
    return Origin(params.host or "pi", params.session_id, params.cwd)


def call_of(params: wire.ToolCallParams | wire.EditParams | wire.ToolResultParams) -> Call:
    """The call that a hook is about."""
    return Call(origin_of(params), params.tool_call_id, params.tool_name, params.input, params.message_id)
