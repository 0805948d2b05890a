"""`editAssist/sessionShutdown`: a session of the host has ended; its state is forgotten."""

from edit_assist_ls import session
from edit_assist_ls.server.hooks import Hook
from edit_assist_ls.server.wire import Empty, SessionShutdownParams


def handle(memory: session.Memory, params: SessionShutdownParams) -> Empty:
    """Forgetting a session that is not known does nothing."""
    session.session_shutdown(memory, params.host or "pi", params.session_id)
    return Empty()


HOOK = Hook("editAssist/sessionShutdown", SessionShutdownParams, handle, unchanged=Empty())
