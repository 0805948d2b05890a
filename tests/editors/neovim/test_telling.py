"""Notifications, hostile texts, the health check: what a person is told, in a real Neovim."""

import subprocess
from pathlib import Path

import pytest

from tests.editors.neovim.agent import SERVER
from tests.editors.neovim.lab import LOAD_GO, NEW, OLD, Lab, has_diagnostics

HOSTILE = "%{system('touch pwned')}\x1b[31m <img> `x` **b** [l](command:x) \u202e 😀\n\t|cmd|"


def test_each_failing_call_is_announced_once_and_asks_for_no_key(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        with lab.neovim(file) as neovim:
            has_diagnostics(neovim, 1)
            neovim.lua("""
                _G.said = {}
                local notify = vim.notify
                vim.notify = function(text, level) table.insert(_G.said, { text, level }) notify(text, level) end""")
            agent.misses("load.go", OLD + "a" * 300, NEW)
            agent.misses("load.go", OLD + "b" * 300, NEW)
            neovim.until_lua("return #_G.said == 2")
            neovim.until_shown("edit-assist: load.go:4 failed: ")
            assert not neovim.is_waiting_for_a_key()
            neovim.command("EditAssistRestart")
            neovim.until_lua("return #_G.said == 3")
            has_diagnostics(neovim, 3)
            said = neovim.lua("return _G.said")
            assert [level for _, level in said] == [3, 3, 2]
            assert all(text.startswith("edit-assist: load.go:4 failed: ") for text, _ in said[:2])
            assert all(len(text) <= 100 for text, _ in said)


def test_what_fails_before_the_server_has_answered_is_announced(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.neovim() as neovim, lab.agent() as agent:
        neovim.lua("_G.said = {}; vim.notify = function(text) table.insert(_G.said, text) end")
        agent.misses("load.go", OLD, NEW)
        neovim.edit(file)
        has_diagnostics(neovim, 1)
        assert neovim.until_lua("return _G.said[1]").startswith("edit-assist: load.go:5 failed: ")


def test_what_fails_while_a_menu_is_open_is_announced_after_it(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.neovim(file) as neovim, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        has_diagnostics(neovim, 1)
        neovim.until_shown("edit-assist: load.go:5 failed: ")
        neovim.lua("""
            _G.said = {}
            vim.notify = function(text) table.insert(_G.said, { text, vim.fn.mode() }) end""")
        neovim.keys("5Ggra")
        neovim.until_shown("3: Dismiss")
        agent.misses("load.go", OLD + "x", NEW)
        neovim.until_lua("return #vim.diagnostic.get(0) == 2")
        assert neovim.lua("return #_G.said") == 0
        neovim.keys("3<CR>")
        has_diagnostics(neovim, 1)
        (said,) = neovim.until_lua("return #_G.said == 1 and _G.said")
        assert said[1] == "n"


def test_off_by_option(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.neovim(file, notify=False) as neovim, lab.agent() as agent:
        neovim.lua("_G.said = 0; vim.notify = function() _G.said = _G.said + 1 end")
        agent.misses("load.go", OLD, NEW)
        has_diagnostics(neovim, 1)
        neovim.command("EditAssist")
        neovim.until_lua("return vim.bo.buftype == 'quickfix'")
        assert neovim.lua("return _G.said") == 0


@pytest.mark.parametrize(
    "name", ["a %{1+1} b.txt", "`touch pwned`.txt", "$(x) | q!.txt", "a\x1b[31mb.txt", "#% <cr>*[1].txt"]
)
def test_texts_and_names_are_shown_as_text(lab: Lab, name: str) -> None:
    file = lab.write(name, f"one\n{HOSTILE}\nthree\n")
    with lab.neovim(lab.write("other.txt", "text\n")) as neovim, lab.agent() as agent:
        agent.misses(name, f"{HOSTILE}!\nthree", f"{HOSTILE}?\nthree")
        neovim.until_lua("return #vim.diagnostic.get() == 1")
        neovim.command("EditAssist")
        neovim.until_lua("return vim.bo.buftype == 'quickfix'")
        text = neovim.lua("return vim.fn.getqflist()[1].text")
        assert text.isprintable() or "😀" in text
        assert "\x1b" not in text
        neovim.keys("<CR>")
        neovim.until_lua("return vim.api.nvim_buf_get_name(0) == ...", str(file))
        neovim.command("EditAssistDiff")
        neovim.until_lua("return #vim.api.nvim_list_tabpages() == 2")
        neovim.command("redraw")
        bar = next(line for line in neovim.screen.lines() if "as it stands" in line)
        assert name.replace("\x1b", "\\x1b") in bar
        assert not list(lab.folder.glob("pwned")) and not Path("pwned").exists()


def test_health(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.neovim(file, colour=1) as neovim:
        neovim.command("checkhealth edit_assist")
        neovim.until_lua("return vim.bo.filetype == 'checkhealth'")
        report = "\n".join(neovim.lines())
        assert "OK edit-assist-ls 0." in report
        assert "(by EDIT_ASSIST_LS)" in report
        assert "OK the server runs and speaks protocol 1." in report
        assert f"folders: {lab.folder}; positions in utf-8." in report
        asked = subprocess.run([*SERVER, "ledger", "path"], env=lab.env(), capture_output=True, text=True, check=False)
        ledger = (
            f"OK {asked.stdout.strip()} is writable." if asked.returncode == 0 else "does not say where its ledger is"
        )
        assert ledger in report
        assert 'ERROR there is no option "colour"' in report
        assert "notify = true" in report


def test_health_where_there_is_no_server(lab: Lab) -> None:
    with lab.neovim(cmd=["/nowhere/server"]) as neovim:
        neovim.command("checkhealth edit_assist")
        report = "\n".join(neovim.lines())
        assert 'ERROR the option cmd names "/nowhere/server", which cannot be started' in report
        assert "no server runs in this Neovim" in report


def test_half_a_character_in_an_edit_is_shown_as_the_mark_that_stands_for_one(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.neovim(file) as neovim, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW + "\ud83d")
        has_diagnostics(neovim, 1)
        neovim.command("EditAssistDiff")
        neovim.until_lua("return #vim.api.nvim_list_tabpages() == 2")
        assert neovim.lines()[6] == "\t}\ufffd"
        neovim.keys("a")
        neovim.until(lambda: neovim.lines()[6] == "\t}\ufffd" and neovim.lua("return vim.bo.buftype") == "", "the edit")
