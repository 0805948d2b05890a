"""`editAssist/toolResult`: a call has run; the honesty line of a corrected call, the Diagnosis of a failed one."""

from edit_assist_ls import session
from edit_assist_ls.server.hooks import Hook, call_of
from edit_assist_ls.server.wire import ToolResultParams, ToolResultResult


def handle(memory: session.Memory, params: ToolResultParams) -> ToolResultResult:
    """The content in a result is the whole list of blocks."""
    call = call_of(params)
    content = session.tool_result(memory, call, params.content, is_error=params.is_error, details=params.details)
    return ToolResultResult(content=content)


HOOK = Hook("editAssist/toolResult", ToolResultParams, handle, unchanged=ToolResultResult())
