"""A person's Neovim beside an agent, each with a server process of its own: what is seen, and the quick fixes."""

import re
from pathlib import Path

import pytest

from tests.editors.neovim.embedded import Neovim
from tests.editors.neovim.lab import LOAD_GO, NEW, OLD, Lab, attached, has_diagnostics

DIAGNOSTICS = """
    return vim.tbl_map(function(diagnostic)
      local text = vim.api.nvim_buf_get_text(
        0, diagnostic.lnum, diagnostic.col, diagnostic.end_lnum, diagnostic.end_col, {})
      return { source = diagnostic.source, code = diagnostic.code, message = diagnostic.message,
               severity = diagnostic.severity, text = table.concat(text, '\\n') }
    end, vim.diagnostic.get(0))"""
REGION = "\tif err != nil {\n\t\treturn nil, err\n\t}"
FIXED = LOAD_GO.replace("return nil, err\n", "return nil, wrap(err)\n").splitlines()


def choose(neovim: Neovim, action: str, line: int) -> None:
    """Types what a person types for a quick fix: `gra` on the line (from 1), then the action's number and Enter."""
    neovim.keys(f"{line}Ggra")
    neovim.until_shown(action)
    (number,) = {found[1] for row in neovim.screen.lines() if action in row and (found := re.match(r"(\d+):", row))}
    neovim.keys(f"{number}<CR>")


def test_a_failed_call_is_seen_while_the_file_is_open(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.neovim(file) as neovim, lab.agent() as agent:
        told = agent.misses("load.go", OLD, NEW)
        has_diagnostics(neovim, 1)
        (seen,) = neovim.lua(DIAGNOSTICS)
        assert (seen["source"], seen["code"], seen["severity"]) == ("edit-assist", "no-match", 2)
        assert seen["text"] == REGION
        assert seen["message"] in told
        neovim.keys("5G<C-W>d")
        neovim.until_shown("Nearest region: lines 5-7")


def test_a_closed_file_has_it_too_and_shows_it_when_it_is_opened(lab: Lab) -> None:
    file, other = lab.write("deep/load.go", LOAD_GO), lab.write("other.txt", "text\n")
    with lab.agent(file.parent) as agent:
        agent.misses("load.go", OLD, NEW)
        with lab.neovim(other) as neovim:
            neovim.until_lua("return #vim.diagnostic.get() == 1")
            assert neovim.lua("return vim.api.nvim_buf_is_loaded(vim.diagnostic.get()[1].bufnr)") is False
            neovim.command("lua vim.diagnostic.config({ virtual_text = true })")
            neovim.edit(file)
            neovim.until_shown("Nearest region: lines 5-7")
            assert [seen["text"] for seen in neovim.lua(DIAGNOSTICS)] == [REGION]


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("say('🎉!', 2)", "say('🎉', 3)", "// töp 😀\nsay('🎉', 2)\nrest()\n"),
        ("say('🎉!',\r\n  2)", "say('🎉',\n  3)", "// töp 😀\r\nsay('🎉',\r\n  2)\r\nrest()\r\n"),
    ],
    ids=["emoji", "emoji and CRLF"],
)
def test_quick_fix_by_keys_in_one_step_of_undo(lab: Lab, old: str, new: str, text: str) -> None:
    file = lab.write("party.js", text)
    with lab.neovim(file) as neovim, lab.agent() as agent:
        agent.misses("party.js", old, new)
        has_diagnostics(neovim, 1)
        before = neovim.lines()
        assert neovim.lua("return vim.lsp.get_clients({ bufnr = 0 })[1].offset_encoding") == "utf-8"
        (seen,) = neovim.lua(DIAGNOSTICS)
        assert seen["text"].startswith("say('🎉',") and seen["text"].endswith("2)")
        choose(neovim, "Apply the agent's edit here", 2)
        after = text.replace("2)", "3)")
        neovim.until(lambda: neovim.lines() == after.splitlines(), "the edit")
        has_diagnostics(neovim, 0)
        neovim.until_lua("""
            local client = vim.lsp.get_clients({ bufnr = 0 })[1]
            return client:request_sync('editAssist/calls', vim.empty_dict()).result.calls[1].state == 'applied'""")
        assert file.read_bytes() == text.encode()
        neovim.command("silent write")
        assert file.read_bytes() == after.encode()
        neovim.keys("u")
        neovim.until(lambda: neovim.lines() == before, "the undo")


def test_indentation_is_carried(lab: Lab) -> None:
    file = lab.write("a.py", "class A:\n    def one(self):\n        if self:\n            return 1\n")
    with lab.neovim(file) as neovim, lab.agent() as agent:
        agent.misses("a.py", "if self :\n    return 1", "if self:\n    log()\n    return 2")
        has_diagnostics(neovim, 1)
        choose(neovim, "Apply the agent's edit here", 3)
        wanted = ["        if self:", "            log()", "            return 2"]
        neovim.until(lambda: neovim.lines()[2:] == wanted, "the edit, indented")


def test_several_places_each_with_an_action(lab: Lab) -> None:
    file = lab.write("d.js", "start()\nlog('one')\nstop()\nstart()\nlog('one')\nstop()\n")
    with lab.neovim(file) as neovim, lab.agent() as agent:
        agent.is_ambiguous("d.js", "log('one')", "log('two')", 2)
        has_diagnostics(neovim, 1)
        places = neovim.lua("return vim.diagnostic.get(0)[1].user_data.lsp.relatedInformation")
        assert [place["location"]["range"]["start"]["line"] for place in places] == [1, 4]
        choose(neovim, "at line 5", 2)
        neovim.until(lambda: neovim.lines()[4] == "log('two')", "the edit at the second place")
        assert neovim.lines()[1] == "log('one')"


def test_typing_moves_the_diagnostic_and_a_fix_by_hand_clears_it(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.neovim(file) as neovim, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        has_diagnostics(neovim, 1)
        neovim.keys("ggO// one<CR>// two<Esc>")
        neovim.until_lua("return vim.diagnostic.get(0)[1].lnum == 6")
        assert [seen["text"] for seen in neovim.lua(DIAGNOSTICS)] == [REGION]
        neovim.keys("8GSreturn nil, wrap(err)<Esc>")
        has_diagnostics(neovim, 0)


def test_what_no_longer_fits_is_refused_and_changes_nothing(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.neovim(file, notify=False) as neovim, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        has_diagnostics(neovim, 1)
        neovim.lua("""
            vim.ui.select = function(actions, _, choose)
              _G.first = function() choose(actions[1], 1) end
            end""")
        neovim.keys("5Ggra")
        neovim.until_lua("return _G.first ~= nil")
        # It is dismissed in another Neovim while the menu is open in this one.
        with lab.neovim(lab.write("other.txt", "text\n"), name="two") as second:
            second.command("EditAssistDismiss all")
            has_diagnostics(neovim, 0)
        neovim.lua("_G.said = {}; vim.notify = function(text) table.insert(_G.said, text) end; _G.first()")
        assert "no longer fits" in neovim.until_lua("return _G.said[1]")
        assert neovim.lines() == LOAD_GO.splitlines()
        state = neovim.lua("""
            local client = vim.lsp.get_clients({ bufnr = 0 })[1]
            return client:request_sync('editAssist/calls', vim.empty_dict()).result.calls[1].state""")
        assert state == "dismissed"


def test_a_link_shows_it_under_the_name_that_neovim_has(lab: Lab, tmp_path: Path) -> None:
    lab.write("load.go", LOAD_GO)
    link = tmp_path / "link"
    link.symlink_to(lab.folder, target_is_directory=True)
    with lab.neovim(link / "load.go") as neovim, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        has_diagnostics(neovim, 1)
        choose(neovim, "Apply the agent's edit here", 5)
        neovim.until(lambda: neovim.lines() == FIXED, "the edit")


def test_nothing_outside_the_workspace_is_opened(lab: Lab, tmp_path: Path) -> None:
    outside = tmp_path / "outside.go"
    outside.write_text(LOAD_GO)
    inside = lab.write("load.go", LOAD_GO)
    with lab.neovim(lab.write("other.txt", "text\n")) as neovim, lab.agent() as agent:
        agent.misses(str(outside), OLD, NEW)
        agent.misses("load.go", OLD, NEW)
        neovim.until_lua("return #vim.diagnostic.get() == 1")
        names = neovim.lua("return vim.tbl_map(vim.api.nvim_buf_get_name, vim.api.nvim_list_bufs())")
        assert str(inside) in names
        assert str(outside) not in names
        neovim.edit(outside)
        attached(neovim)
        has_diagnostics(neovim, 1)


def test_an_ended_session_clears_what_it_showed(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.neovim(file) as neovim, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        has_diagnostics(neovim, 1)
        agent.end_session()
        has_diagnostics(neovim, 0)
