"""`editAssist/edit`: a call under the profile `strict`, computed here and written by the client."""

from edit_assist_ls import session
from edit_assist_ls.server.hooks import Hook, call_of
from edit_assist_ls.server.wire import EditParams, EditResult


def handle(memory: session.Memory, params: EditParams) -> EditResult:
    """Nothing is written here."""
    outcome = session.edit_strictly(memory, call_of(params))
    return EditResult(
        ok=outcome.code is None,
        text=outcome.text,
        code=outcome.code,
        details=outcome.details,
        sha256=outcome.sha256,
        content=outcome.content,
    )


HOOK = Hook(
    "editAssist/edit",
    EditParams,
    handle,
    unchanged=EditResult(ok=False, code="unreadable", text="The edit could not be computed. Nothing was changed."),
)
