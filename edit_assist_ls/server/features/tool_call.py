"""`editAssist/toolCall`: a call is about to run; the corrected arguments where it drifted."""

from edit_assist_ls import session
from edit_assist_ls.engine import correction
from edit_assist_ls.server.hooks import Hook, call_of
from edit_assist_ls.server.wire import Block, Correction, ToolCallParams, ToolCallResult


def handle(memory: session.Memory, params: ToolCallParams) -> ToolCallResult:
    """Computed on the loop's thread: the work limit bounds it, and hooks of one session are to be in order."""
    verdict = session.tool_call(memory, call_of(params))
    return ToolCallResult(
        input=verdict.arguments,
        corrections=[_on_wire(c) for c in verdict.corrections],
        block=None if verdict.block is None else Block(reason=verdict.block),
    )


def _on_wire(made: correction.Correction) -> Correction:
    return Correction(
        edit_index=made.edit_index,
        kind=made.kind,
        start_line=made.start_line,
        end_line=made.end_line,
        new_text=made.new_text,
    )


HOOK = Hook("editAssist/toolCall", ToolCallParams, handle, unchanged=ToolCallResult(corrections=[]))
