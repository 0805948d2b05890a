"""What the client can do, resolved once when it says so."""

from dataclasses import dataclass

from lsprotocol import types


@dataclass(frozen=True, slots=True)
class Client:
    """The client's capabilities that anything here depends on."""

    answers_configuration: bool = False
    """It answers `workspace/configuration`."""
    registers_configuration: bool = False
    """It takes a dynamic registration for `workspace/didChangeConfiguration`."""
    shows_diagnostics: bool = False
    """It says something of `textDocument/publishDiagnostics`."""
    related_information: bool = False
    """It shows places beside a diagnostic's own."""
    document_changes: bool = False
    """It takes a `WorkspaceEdit` that names the version of its documents."""
    takes_actions: bool = False
    """It takes code actions, not commands alone."""
    resolves_edits: bool = False
    """It asks for the edit of a code action when the person takes it."""
    resolves_commands: bool = False
    """It asks for the command of a code action then too."""
    shows_documents: bool = False
    """It answers `window/showDocument`."""
    registers_files: bool = False
    """It takes a dynamic registration for `workspace/didChangeWatchedFiles`."""
    relative_patterns: bool = False
    """It watches files by a folder and a pattern in it."""


def resolved(capabilities: types.ClientCapabilities) -> Client:
    """The client's capabilities as plain values; what it does not say it cannot do."""
    workspace = capabilities.workspace or types.WorkspaceClientCapabilities()
    document = capabilities.text_document or types.TextDocumentClientCapabilities()
    change, files, edit = (
        workspace.did_change_configuration,
        workspace.did_change_watched_files,
        workspace.workspace_edit,
    )
    diagnostics, action = document.publish_diagnostics, document.code_action
    show = capabilities.window.show_document if capabilities.window else None
    resolve = action.resolve_support if action else None
    lazily = resolve.properties if action and action.data_support and resolve else ()
    return Client(
        answers_configuration=bool(workspace.configuration),
        registers_configuration=bool(change and change.dynamic_registration),
        shows_diagnostics=diagnostics is not None,
        related_information=bool(diagnostics and diagnostics.related_information),
        document_changes=bool(edit and edit.document_changes),
        takes_actions=bool(action and action.code_action_literal_support),
        resolves_edits="edit" in lazily,
        resolves_commands="edit" in lazily and "command" in lazily,
        shows_documents=bool(show and show.support),
        registers_files=bool(files and files.dynamic_registration),
        relative_patterns=bool(files and files.relative_pattern_support),
    )
