"""What a person can do about a finding: quick fixes, and the edit that a fix comes down to."""

from collections.abc import Sequence

from lsprotocol import types

from edit_assist_ls.engine.offer import Offer
from edit_assist_ls.engine.text import Text
from edit_assist_ls.ledger import Ledger
from edit_assist_ls.server.board import Board
from edit_assist_ls.server.capabilities import Client
from edit_assist_ls.server.errors import RequestFailedError
from edit_assist_ls.server.greeting import APPLIED, DISMISS
from edit_assist_ls.server.positions import span
from edit_assist_ls.showing.findings import Finding
from edit_assist_ls.showing.previews import newline_at, preview

APPLY_TITLE = "Apply the agent's edit here"
DIFFERENCE_TITLE = "Show the difference"
DISMISS_TITLE = "Dismiss"
STALE = (
    "The agent's edit no longer fits: the lines that it is about have changed. "
    "Show the difference to see what it wanted, and make the change by hand."
)


def actions(
    board: Board, client: Client, ledger: Ledger, real_path: str, asked: types.Range, difference: str
) -> list[types.CodeAction | types.Command]:
    """The quick fixes for what is shown in a range; `difference` names the command that shows a difference."""
    found = [finding for finding in board.shown(real_path) if _touches(finding, asked)]
    if not client.takes_actions or not found:
        return [command for finding in found for command in _commands(finding, difference)]
    uri, text = board.scope.uri_of(real_path), board.text_of(real_path)
    out: list[types.CodeAction | types.Command] = []
    for finding in found:
        diagnostic = board.diagnostic(finding, text if isinstance(text, Text) else None, uri)
        if isinstance(text, Text):
            out += _applying(board, client, ledger, finding, text, diagnostic)
        out += [
            types.CodeAction(
                title=command.title,
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[diagnostic],
                command=command,
            )
            for command in _commands(finding, difference)
        ]
    return out


def _touches(finding: Finding, asked: types.Range) -> bool:
    """Whether what is shown for a finding shares a line with a range."""
    shown = finding.shown
    return shown.line0 <= asked.end.line and asked.start.line <= shown.last_line0


def _commands(finding: Finding, difference: str) -> list[types.Command]:
    arguments = [finding.call.id, finding.edit_index]
    return [
        types.Command(DIFFERENCE_TITLE, difference, arguments=arguments),
        types.Command(DISMISS_TITLE, DISMISS, arguments=arguments),
    ]


def _applying(
    board: Board, client: Client, ledger: Ledger, finding: Finding, text: Text, diagnostic: types.Diagnostic
) -> list[types.CodeAction]:
    """An action for each place that the edit fits at."""
    out: list[types.CodeAction] = []
    for place, lines in finding.places.items():
        made = preview(finding.call, finding.edit_index, text, ledger.text_digest, place)
        if not made.offers:
            continue
        one = len(finding.places) == 1
        title = APPLY_TITLE if one else f"Apply the agent's edit at line {lines.line0 + 1}"
        action = types.CodeAction(
            title=title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[diagnostic],
            is_preferred=True if finding.preferred else None,
            # A client that resolves it may run it even where the edit is refused: it comes with the edit.
            command=None if client.resolves_commands else _applied(title, finding.call.id, finding.edit_index),
            data={"id": finding.call.id, "editIndex": finding.edit_index, "place": place, "line0": lines.line0},
        )
        if not client.resolves_edits and finding.call.real_path is not None:
            action.edit = workspace_edit(board, client, finding.call.real_path, text, made.offers)
        out.append(action)
    return out


def _applied(title: str, call_id: str, edit_index: int) -> types.Command:
    return types.Command(title, APPLIED, arguments=[call_id, edit_index])


def resolved(board: Board, client: Client, ledger: Ledger, action: types.CodeAction) -> types.CodeAction:
    """An action with its edit, against the text as it is now; raises `RequestFailedError` where it no longer fits."""
    data = action.data if isinstance(action.data, dict) else {}
    call_id, edit_index, place = data.get("id"), data.get("editIndex"), data.get("place")
    if not (isinstance(call_id, str) and isinstance(edit_index, int) and isinstance(place, int)):
        return action
    call = ledger.call(call_id)
    if call is None or call.real_path is None or not 0 <= edit_index < len(call.edits):
        raise RequestFailedError("This call is not in the ledger any more: there is nothing to apply.")
    text = board.text_of(call.real_path)
    made = preview(call, edit_index, text, ledger.text_digest, place) if isinstance(text, Text) else None
    if made is None or not made.offers or not isinstance(text, Text) or call.edits[edit_index].state != "failed":
        raise RequestFailedError(STALE)
    action.edit = workspace_edit(board, client, call.real_path, text, made.offers)
    action.command = _applied(action.title, call_id, edit_index)
    return action


def workspace_edit(
    board: Board, client: Client, real_path: str, text: Text, offers: Sequence[Offer]
) -> types.WorkspaceEdit:
    """The replacements as the client takes them: with the version of an open document, null for a closed file."""
    uri, document = board.scope.uri_of(real_path), board.documents.of_path(real_path)
    edits: list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit] = [
        types.TextEdit(
            range=span(text, made.start, made.end, board.encoding),
            new_text=made.new_text.replace("\n", newline_at(text, made.start)),
        )
        for made in offers
    ]
    if not client.document_changes:
        return types.WorkspaceEdit(changes={uri: [edit for edit in edits if isinstance(edit, types.TextEdit)]})
    version = document.version if document is not None else None
    identifier = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, edits)])
