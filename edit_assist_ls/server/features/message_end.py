"""`editAssist/messageEnd`: a message of the transcript is complete; the hint for a call that never ran."""

from edit_assist_ls import session
from edit_assist_ls.server.hooks import Hook, origin_of
from edit_assist_ls.server.wire import MessageEndParams, MessageEndResult


def handle(memory: session.Memory, params: MessageEndParams) -> MessageEndResult:
    """The message in a result is the whole message."""
    return MessageEndResult(message=session.message_end(memory, origin_of(params), params.message))


HOOK = Hook("editAssist/messageEnd", MessageEndParams, handle, unchanged=MessageEndResult())
