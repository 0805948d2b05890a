"""`editAssist/sessionStart`: a session of the host begins; the effective settings and what is wrong with them."""

from edit_assist_ls import session
from edit_assist_ls.server.hooks import Hook, origin_of
from edit_assist_ls.server.wire import SessionStartParams, SessionStartResult
from edit_assist_ls.settings import Settings


def handle(memory: session.Memory, params: SessionStartParams) -> SessionStartResult:
    """A host that does not know of trust (absent, null) reads the project's settings."""
    trusted = params.project_trusted is not False
    settings, problems = session.session_start(
        memory, origin_of(params), project_trusted=trusted, process_id=params.process_id
    )
    return SessionStartResult(settings=settings, problems=list(problems))


HOOK = Hook(
    "editAssist/sessionStart",
    SessionStartParams,
    handle,
    unchanged=SessionStartResult(settings=Settings(), problems=[]),
)
