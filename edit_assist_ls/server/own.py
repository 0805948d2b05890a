"""What a request of ours is that is no hook: an editor asks it, and it is answered with what the client sees."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

import msgspec

from edit_assist_ls.server import wire
from edit_assist_ls.server.server import Server
from edit_assist_ls.server.wire import Params


@dataclass(frozen=True, slots=True)
class Own(Generic[Params]):
    """A request: its method, the type of its params, and what answers it; that may raise `RequestFailedError`."""

    method: str
    params_type: type[Params]
    handle: Callable[[Server, Params], msgspec.Struct]

    def answer(self, server: Server, params: object) -> Any:
        """The JSON result; raises `InvalidParamsError` and `RequestFailedError`."""
        return wire.to_json(self.handle(server, wire.params_of(params, self.params_type)))
