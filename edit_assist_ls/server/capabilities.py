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


def resolved(capabilities: types.ClientCapabilities) -> Client:
    """The client's capabilities as plain values; what it does not say it cannot do."""
    workspace = capabilities.workspace or types.WorkspaceClientCapabilities()
    change = workspace.did_change_configuration
    return Client(
        answers_configuration=bool(workspace.configuration),
        registers_configuration=bool(change and change.dynamic_registration),
    )
