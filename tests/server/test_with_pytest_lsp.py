"""The server as an LSP client library that is not ours sees it, with the capabilities of real editors."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

SECONDS = 20


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]
    config=ClientServerConfig(server_command=[sys.executable, "-P", "-m", "edit_assist_ls", "--stdio"]),
    params=["visual-studio-code", "neovim", "emacs"],
)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
    def register_capability(_params: types.RegistrationParams) -> None:
        """pytest-lsp leaves this to its user."""

    params = types.InitializeParams(
        process_id=None,
        root_uri=tmp_path.as_uri(),
        capabilities=client_capabilities(request.param),
        initialization_options={"correction": "carry"},
    )
    result = await lsp_client.initialize_session(params)
    assert result.server_info is not None and result.server_info.name == "edit-assist-ls"
    assert result.capabilities.code_action_provider
    yield
    await lsp_client.shutdown_session()


async def _asked(client: LanguageClient, method: str, params: object) -> Any:
    return await client.protocol.send_request_async(method, params)  # type: ignore[no-untyped-call]


async def test_an_editor_gets_quick_fixes_and_hooks_from_one_server(client: LanguageClient, tmp_path: Path) -> None:
    (tmp_path / "lamp.py").write_text("class Lamp:\n    on = False\n")
    document = types.TextDocumentItem((tmp_path / "lamp.py").as_uri(), "python", 1, "class Lamp:\n    on = False\n")
    client.text_document_did_open(types.DidOpenTextDocumentParams(document))
    start = types.Position(0, 0)
    actions = await asyncio.wait_for(
        client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(document.uri),
                types.Range(start, start),
                types.CodeActionContext(diagnostics=[]),
            )
        ),
        SECONDS,
    )
    assert not actions
    params: dict[str, Any] = {
        "host": "pi",
        "toolCallId": "call",
        "toolName": "edit",
        "cwd": str(tmp_path),
        "input": {"path": "lamp.py", "edits": [{"oldText": "\ton = False", "newText": "\ton = True"}]},
    }
    verdict = await asyncio.wait_for(_asked(client, "editAssist/toolCall", params), SECONDS)
    assert verdict.input.edits[0].newText == "    on = True"
    assert [correction.startLine for correction in verdict.corrections] == [2]
    assert client.messages == [], "nothing pops up on a person's screen"
