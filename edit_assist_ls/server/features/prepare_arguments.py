"""`editAssist/prepareArguments`: a call has been sent and is not validated yet; its arguments in the host's shape."""

from edit_assist_ls import session
from edit_assist_ls.server.hooks import Hook, origin_of
from edit_assist_ls.server.wire import PrepareArgumentsParams, PrepareArgumentsResult
from edit_assist_ls.session import Call


def handle(memory: session.Memory, params: PrepareArgumentsParams) -> PrepareArgumentsResult:
    """Arguments may be any JSON value."""
    call = Call(origin_of(params), params.tool_call_id, params.tool_name, {}, params.message_id)
    prepared = session.prepare_arguments(memory, call, params.arguments)
    return PrepareArgumentsResult(arguments=prepared.arguments, notes=list(prepared.notes), refusal=prepared.refusal)


HOOK = Hook("editAssist/prepareArguments", PrepareArgumentsParams, handle, unchanged=PrepareArgumentsResult(notes=[]))
