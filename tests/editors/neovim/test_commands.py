"""The commands in a real Neovim, with an agent's server beside it: the list, the difference, dismissing, restarting."""

import os
import signal
from pathlib import Path

from tests.editors.neovim.embedded import Neovim
from tests.editors.neovim.lab import LOAD_GO, NEW, OLD, Lab, attached, has_diagnostics

LIST = "return vim.fn.getqflist({ items = 1, title = 1, idx = 0 })"
FIXED = LOAD_GO.replace("return nil, err\n", "return nil, wrap(err)\n").splitlines()
RECORD_NOTICES = "_G.said = {}; vim.notify = function(text, level) table.insert(_G.said, { text, level }) end"
TABS = "return #vim.api.nvim_list_tabpages()"
SIDES = """
    return vim.tbl_map(function(window)
      local bufnr = vim.api.nvim_win_get_buf(window)
      return { lines = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), diff = vim.wo[window].diff,
               bar = vim.wo[window].winbar, modifiable = vim.bo[bufnr].modifiable, kind = vim.bo[bufnr].buftype,
               format = vim.bo[bufnr].fileformat }
    end, vim.api.nvim_tabpage_list_wins(0))"""


def test_the_list_shows_place_state_and_text_and_jumps(lab: Lab) -> None:
    file, other = lab.write("load.go", LOAD_GO), lab.write("other.txt", "text\n")
    with lab.neovim(other) as neovim, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        agent.lands("other.txt", "text", "texts")
        neovim.until_lua("return #vim.diagnostic.get() == 1")
        neovim.command("EditAssist")
        neovim.until_lua("return vim.bo.buftype == 'quickfix'")
        shown = neovim.lua(LIST)
        assert shown["title"] == "Edit Assist: 2 calls"
        assert [(item["type"], item["text"].split()[0]) for item in shown["items"]] == [("N", "exact"), ("W", "failed")]
        neovim.keys("G<CR>")
        neovim.until_lua("return vim.api.nvim_buf_get_name(0) == ...", str(file))
        assert neovim.lua("return vim.fn.line('.')") == 5
        neovim.command("EditAssist failed")
        neovim.until_lua("return #vim.fn.getqflist() == 1")
        assert neovim.lua(LIST)["title"] == "Edit Assist: 1 call, failed"


def test_the_list_follows_and_stays_on_its_call(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    lab.write("other.txt", "text\n")
    with lab.neovim(file) as neovim, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        has_diagnostics(neovim, 1)
        neovim.command("EditAssist")
        neovim.until_lua("return vim.bo.buftype == 'quickfix'")
        agent.misses("other.txt", "texd", "more")
        neovim.until_lua("return #vim.fn.getqflist() == 2")
        assert neovim.lua(LIST)["idx"] == 2
        assert neovim.lua("return vim.fn.line('.')") == 2
        neovim.command("EditAssistDismiss")
        neovim.until_lua("return vim.fn.getqflist()[2].text:find('^dismissed') ~= nil")
        assert neovim.lua("return vim.fn.getqflist()[1].text:find('^failed') ~= nil")
        neovim.command("call setqflist([{'text': 'something else'}], ' ')")
        agent.misses("other.txt", "texds", "more")
        neovim.until_lua("return #vim.diagnostic.get() == 2")
        assert neovim.lua("return #vim.fn.getqflist()") == 1


def test_the_calls_of_this_file_alone(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    lab.write("other.txt", "text\n")
    with lab.neovim(file, notify=False) as neovim, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        agent.misses("other.txt", "texd", "more")
        neovim.until_lua("return #vim.diagnostic.get() == 2")
        neovim.command("EditAssist!")
        neovim.until_lua("return vim.bo.buftype == 'quickfix'")
        assert neovim.lua("return #vim.fn.getqflist()") == 1
        agent.misses("load.go", OLD + "x", NEW)
        neovim.until_lua("return #vim.fn.getqflist() == 2")
        neovim.lua(RECORD_NOTICES)
        neovim.command("EditAssist!")
        neovim.command("EditAssist lost")
        first, second = neovim.lua("return _G.said")
        assert first[0].startswith("edit-assist: this buffer is no file")
        assert second[0].startswith('edit-assist: no call is ever "lost"')


def test_no_calls_is_said(lab: Lab) -> None:
    with lab.neovim(lab.write("a.txt", "text\n")) as neovim:
        neovim.lua(RECORD_NOTICES)
        neovim.command("EditAssist")
        neovim.command("EditAssistDiff")
        neovim.command("EditAssistDismiss")
        neovim.until_lua("return #_G.said == 3")
        assert {text for text, _ in neovim.lua("return _G.said")} == {
            "edit-assist: no edit calls in the folders of this Neovim.",
            "edit-assist: no call on this file is failing.",
            "edit-assist: no failing edit under the cursor; :EditAssistDismiss all dismisses every one.",
        }


def opens_the_difference(neovim: Neovim) -> None:
    neovim.until(lambda: neovim.lua(TABS) == 2, "the tab of the difference")
    left, right = neovim.lua(SIDES)
    assert left["lines"] == LOAD_GO.splitlines()
    assert right["lines"] == FIXED
    for side in (left, right):
        assert (side["diff"], side["modifiable"], side["kind"]) == (True, False, "nofile")


def test_the_difference_by_command_action_and_list(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.neovim(file) as neovim, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        has_diagnostics(neovim, 1)
        for line in (1, 6):
            neovim.keys(f"{line}G")
            neovim.command("EditAssistDiff")
            opens_the_difference(neovim)
            assert neovim.lua("return vim.fn.line('.')") == 6
            neovim.keys("q")
            neovim.until(lambda: neovim.lua(TABS) == 1, "one tab")
        neovim.keys("6Ggra")
        neovim.until_shown("2: Show the difference")
        neovim.keys("2<CR>")
        opens_the_difference(neovim)
        neovim.keys("q")
        neovim.until(lambda: neovim.lua(TABS) == 1, "one tab")
        neovim.command("EditAssist")
        neovim.until_lua("return vim.bo.buftype == 'quickfix'")
        neovim.command("EditAssistDiff")
        opens_the_difference(neovim)
        assert not [name for name in neovim.lua("return vim.fn.getcompletion('', 'buffer')") if not name]


def test_the_difference_puts_the_edit_in(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.neovim(lab.write("other.txt", "text\n")) as neovim, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        neovim.until_lua("return #vim.diagnostic.get() == 1")
        neovim.lua("local d = require('edit_assist.client').calls({}, function(calls) _G.id = calls[1].id end)")
        identifier = neovim.until_lua("return _G.id")
        neovim.command(f"EditAssistDiff {identifier}")
        opens_the_difference(neovim)
        neovim.keys("a")
        neovim.until_lua("return vim.api.nvim_buf_get_name(0) == ...", str(file))
        neovim.until(lambda: neovim.lines() == FIXED, "the edit")
        neovim.until_lua("return #vim.diagnostic.get() == 0")
        assert file.read_text() == LOAD_GO
        neovim.keys("u")
        neovim.until(lambda: neovim.lines() == LOAD_GO.splitlines(), "the undo")


def test_the_difference_of_a_crlf_file_has_no_marks(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO.replace("\n", "\r\n"))
    with lab.neovim(file) as neovim, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        has_diagnostics(neovim, 1)
        neovim.command("EditAssistDiff")
        opens_the_difference(neovim)
        assert [side["format"] for side in neovim.lua(SIDES)] == ["dos", "dos"]


def test_an_edit_that_no_longer_fits_is_said(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.neovim(file, notify=False) as neovim, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        has_diagnostics(neovim, 1)
        neovim.lua(RECORD_NOTICES)
        neovim.lua("require('edit_assist.client').calls({}, function(calls) _G.id = calls[1].id end)")
        identifier = neovim.until_lua("return _G.id")
        neovim.keys("ggdG")
        has_diagnostics(neovim, 0)
        neovim.command(f"EditAssistDiff {identifier}")
        neovim.command("EditAssistDiff nonsense")
        neovim.until_lua("return #_G.said == 2")
        (stale, _), (unknown, _) = neovim.lua("return _G.said")
        assert "no longer fits" in stale
        assert "not in the ledger any more" in unknown
        assert neovim.lua(TABS) == 1


def test_dismissed_in_one_neovim_gone_in_the_other(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.neovim(file) as one, lab.neovim(file, name="two") as two, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        has_diagnostics(one, 1)
        has_diagnostics(two, 1)
        two.command("EditAssist")
        two.until_lua("return vim.bo.buftype == 'quickfix'")
        one.keys("5Ggra")
        one.until_shown("3: Dismiss")
        one.keys("3<CR>")
        has_diagnostics(one, 0)
        two.until_lua("return #vim.diagnostic.get() == 0")
        two.until_lua("return vim.fn.getqflist()[1].text:find('^dismissed') ~= nil")


def test_dismissing_all_and_by_id(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.neovim(file, notify=False) as neovim, lab.agent() as agent:
        neovim.lua(RECORD_NOTICES)
        for extra in ("a", "b", "c"):
            agent.misses("load.go", OLD + extra, NEW)
        has_diagnostics(neovim, 3)
        ids = neovim.lua("return vim.fn.getcompletion('EditAssistDismiss ', 'cmdline')")
        assert ids[0] == "all"
        assert len(ids) == 4
        assert neovim.lua("return vim.fn.getcompletion('EditAssistDiff ' .. ..., 'cmdline')", ids[1][:8]) == [ids[1]]
        assert neovim.lua("return vim.fn.getcompletion('EditAssist d', 'cmdline')") == ["dismissed"]
        assert "EditAssistRestart" in neovim.lua("return vim.fn.getcompletion('EditAssist', 'command')")
        neovim.command(f"EditAssistDismiss {ids[1]}")
        has_diagnostics(neovim, 2)
        neovim.command("EditAssistDismiss all")
        has_diagnostics(neovim, 0)
        neovim.until_lua("return #_G.said == 1")
        assert neovim.lua("return _G.said[1][1]") == "edit-assist: 2 calls dismissed."


def test_several_on_one_line_are_a_choice(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.neovim(file, notify=False) as neovim, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        agent.misses("load.go", OLD.replace("==", "<"), NEW.replace("wrap", "mark"))
        has_diagnostics(neovim, 2)
        neovim.keys("6G:EditAssistDiff<CR>")
        neovim.until_shown("Which edit?")
        neovim.keys("2<CR>")
        neovim.until(lambda: neovim.lua(TABS) == 2, "the tab of the difference")
        assert neovim.lines()[5] in ("\t\treturn nil, wrap(err)", "\t\treturn nil, mark(err)")
        neovim.keys("q:EditAssistDismiss<CR>")
        neovim.until_shown("Which edit?")
        neovim.keys("<Esc>")
        neovim.until(lambda: not neovim.is_waiting_for_a_key(), "no prompt")
        has_diagnostics(neovim, 2)
        neovim.keys(":EditAssistDismiss<CR>")
        neovim.until_shown("Which edit?")
        neovim.keys("1<CR>")
        has_diagnostics(neovim, 1)


def server_of(neovim: Neovim) -> int:
    """The process id of the server that a Neovim runs."""
    children = Path(f"/proc/{neovim.process_id}/task/{neovim.process_id}/children").read_text().split()
    (server,) = [int(child) for child in children if b"edit_assist_ls" in Path(f"/proc/{child}/cmdline").read_bytes()]
    return server


def test_a_killed_server_is_said_and_restarted(lab: Lab) -> None:
    file = lab.write("load.go", LOAD_GO)
    with lab.neovim(file, notify=False) as neovim, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        has_diagnostics(neovim, 1)
        killed = server_of(neovim)
        neovim.lua(RECORD_NOTICES)
        os.kill(killed, signal.SIGKILL)
        neovim.until_lua("return #_G.said == 1")
        assert "edit_assist_ls quit with exit code 0 and signal 9" in neovim.lua("return _G.said[1][1]")
        has_diagnostics(neovim, 0)
        neovim.command("EditAssistRestart")
        attached(neovim)
        has_diagnostics(neovim, 1)
        neovim.until_lua("return #_G.said == 2")
        assert neovim.lua("return _G.said[2][1]") == "edit-assist: the server runs anew."
        assert server_of(neovim) != killed


def test_a_running_server_is_restarted_for_every_file(lab: Lab) -> None:
    first, second = lab.write("load.go", LOAD_GO), lab.write("no-type", "text\n")
    with lab.neovim(first) as neovim:
        neovim.edit(second)
        attached(neovim)
        before = server_of(neovim)
        neovim.command("EditAssistRestart")
        neovim.until_lua("""
            local clients = vim.lsp.get_clients({ name = 'edit_assist_ls' })
            return #clients == 1 and clients[1].id > 1 and vim.tbl_count(clients[1].attached_buffers) == 2""")
        assert server_of(neovim) != before


def test_commands_work_where_no_file_is_open(lab: Lab) -> None:
    lab.write("load.go", LOAD_GO)
    with lab.neovim() as neovim, lab.agent() as agent:
        agent.misses("load.go", OLD, NEW)
        neovim.command("EditAssist")
        neovim.until_lua("return vim.bo.buftype == 'quickfix'")
        assert neovim.lua("return #vim.fn.getqflist()") == 1
        neovim.command("cclose")
        neovim.command("EditAssistDiff")
        opens_the_difference(neovim)
