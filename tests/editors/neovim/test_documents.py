"""What the documents tell people to put in their configuration, put into a real Neovim's."""

import re
from pathlib import Path

import pytest

from tests.editors.neovim.embedded import Neovim
from tests.editors.neovim.lab import LOAD_GO, NEW, OLD, PLUGIN, Lab, attached, has_diagnostics
from tests.editors.test_snippets import snippets

DOCUMENTS = {"README.md": r"^```lua\n(.*?)^```$", "doc/edit-assist.txt": r">lua\n(.*?)^<$"}


def test_neovim_without_the_plugin(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    (snippet,) = snippets("lua")
    command = [str(lab.program), "--clean", "-i", "NONE", "-n"]
    server = lab.env()["EDIT_ASSIST_LS"].split()
    quoted = ", ".join(f"'{word}'" for word in server)
    assert "'edit-assist-ls', " in snippet
    with Neovim(command, lab.folder, lab.env()) as neovim, lab.agent() as agent:
        neovim.lua(snippet.replace("'edit-assist-ls', ", f"{quoted}, "))
        neovim.edit(file)
        attached(neovim)
        agent.misses("load.go", OLD, NEW)
        has_diagnostics(neovim, 1)
        neovim.keys("5Ggra")
        neovim.until_shown("1: Apply the agent's edit here")
        neovim.keys("1<CR>")
        neovim.until(lambda: neovim.lines()[5] == "\t\treturn nil, wrap(err)", "the edit")


def test_vim_script_is_vim_script(lab: Lab, tmp_path: Path) -> None:
    (snippet,) = snippets("vim")
    script = tmp_path / "vimrc"
    script.write_text(snippet)
    with lab.neovim() as neovim:
        neovim.command(f"source {script}")
        assert "lsp#register_server" in neovim.lua("return vim.fn.execute('autocmd User lsp_setup')")
        neovim.command("function! RegisterServer(server)\nlet g:server = a:server\nendfunction")
        script.write_text(snippet.replace("lsp#register_server", "RegisterServer"))
        neovim.command("autocmd! User lsp_setup")
        neovim.command(f"source {script}")
        neovim.command("doautocmd User lsp_setup")
        assert neovim.lua("return vim.g.server.allowlist") == ["*"]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_each_piece_of_lua_is_lua(lab: Lab, document: str) -> None:
    text = (PLUGIN / document).read_text("utf-8")
    pieces = re.findall(DOCUMENTS[document], text, re.DOTALL | re.MULTILINE)
    assert len(pieces) >= 3
    with lab.neovim() as neovim:
        for piece in pieces:
            # A spec of a plugin manager, or an option, stands in a table of the reader's own.
            is_part = piece.strip().startswith(("{", "settings ="))
            neovim.lua("assert(loadstring(...))", f"return {{ {piece} }}" if is_part else piece)


def test_settings_reach_the_server(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.neovim(file) as neovim, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        has_diagnostics(neovim, 1)
        neovim.lua("require('edit_assist').setup({ settings = { ledger = 'off' } })")
        neovim.command("EditAssistRestart")
        neovim.until_lua("return (vim.lsp.get_clients({ name = 'edit_assist_ls' })[1] or { id = 0 }).id > 1")
        attached(neovim)
        neovim.until_lua("""
            local client = vim.lsp.get_clients({ bufnr = 0 })[1]
            return #client:request_sync('editAssist/calls', vim.empty_dict()).result.calls == 0""")
        has_diagnostics(neovim, 0)
