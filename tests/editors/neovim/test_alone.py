"""What needs no agent: where the plugin attaches, how it finds the server, its options, its help."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.editors.neovim.embedded import Neovim
from tests.editors.neovim.lab import HERE, PLUGIN, Lab, attached


def test_lua_driver(lab: Lab) -> None:
    """`driver.lua` says on its last line how many of its checks passed; Neovim ends with 1 where one did not."""
    command = [*lab.command, "--headless", "-l", str(HERE / "driver.lua")]
    done = subprocess.run(command, cwd=lab.folder, env=lab.env(), capture_output=True, text=True, timeout=60)
    print(done.stdout, done.stderr)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].endswith(" passed, 0 failed")


@pytest.mark.parametrize("name", ["main.go", "no-type-at-all", "new file.txt"])
def test_attached_to_every_file(lab: Lab, name: str) -> None:
    if name != "new file.txt":
        lab.write(name, "text\n")
    with lab.neovim() as neovim:
        neovim.edit(lab.folder / name)
        attached(neovim)
        folders = neovim.lua("return vim.lsp.get_clients()[1].workspace_folders")
        assert [folder["uri"] for folder in folders] == [lab.folder.as_uri()]


def test_not_attached_to_what_is_no_file(lab: Lab) -> None:
    file = lab.write("a.txt", "text\n")
    with lab.neovim(file) as neovim:
        for opening in ("help", "enew", "edit scheme://host/path", "copen", "terminal true"):
            neovim.command(opening)
            neovim.lua("vim.bo.filetype = 'text'")
        neovim.command(f"edit {lab.folder}")
        other = lab.write("b.txt", "text\n")
        neovim.edit(other)
        attached(neovim)
        names = neovim.lua("""
            local client = vim.lsp.get_clients({ name = 'edit_assist_ls' })[1]
            return vim.tbl_map(vim.api.nvim_buf_get_name, vim.tbl_keys(client.attached_buffers))""")
        assert sorted(names) == [str(file), str(other)]


def test_one_server_that_is_told_of_each_folder(lab: Lab, tmp_path: Path) -> None:
    first = lab.write("a.txt", "text\n")
    (tmp_path / "other" / ".git").mkdir(parents=True)
    (tmp_path / "loose").mkdir()
    second, third = tmp_path / "other" / "b.txt", tmp_path / "loose" / "c.txt"
    second.write_text("text\n")
    third.write_text("text\n")
    with lab.neovim() as neovim:
        for file in (first, second, third):
            neovim.edit(file)
        attached(neovim)
        client = "vim.lsp.get_clients({ name = 'edit_assist_ls' })"
        assert neovim.lua(f"return #{client}") == 1
        folders = neovim.lua(f"return {client}[1].workspace_folders")
        assert {folder["uri"] for folder in folders} == {lab.folder.as_uri(), (tmp_path / "other").as_uri()}


@pytest.mark.parametrize("is_by_setup", [False, True])
def test_switched_off(lab: Lab, is_by_setup: bool) -> None:
    file = lab.write("a.txt", "text\n")
    with lab.neovim(enabled=is_by_setup) as neovim:
        neovim.edit(file)
        if is_by_setup:
            attached(neovim)
            neovim.lua("require('edit_assist').setup({ enabled = false })")
        neovim.until_lua("return #vim.lsp.get_clients({ _uninitialized = true }) == 0")
        assert not neovim.lua("return vim.lsp.is_enabled('edit_assist_ls')")
        neovim.lua("require('edit_assist').setup({ enabled = true })")
        attached(neovim)


def test_no_server_is_said_once_with_what_to_do(lab: Lab) -> None:
    env = {**lab.env(), "PATH": os.defpath}
    del env["EDIT_ASSIST_LS"]
    with Neovim(lab.command, lab.folder, env, columns=250) as neovim:
        neovim.lua("_G.said = {}; vim.notify = function(text) table.insert(_G.said, text) end")
        for name in ("a.txt", "b.txt"):
            neovim.edit(lab.write(name, "text\n"))
        said = neovim.until_lua("return #_G.said > 0 and _G.said")
        assert len(said) == 1
        assert said[0].startswith("edit-assist: edit-assist-ls was not found on PATH.")
        neovim.command("EditAssist")
        assert neovim.lua("return _G.said")[1:] == said


def test_a_server_that_ends_at_once_is_said(lab: Lab) -> None:
    false = "/bin/false" if Path("/bin/false").exists() else "/usr/bin/false"
    with lab.neovim(cmd=[false]) as neovim:
        neovim.lua("_G.said = {}; vim.notify = function(text) table.insert(_G.said, text) end")
        neovim.command("EditAssist")
        neovim.until_lua("""
            return vim.iter(_G.said):any(function(text) return text:find('ended before it answered', 1, true) end)""")


def test_help_is_found_and_every_reference_leads_somewhere(lab: Lab, tmp_path: Path) -> None:
    copy = tmp_path / "plugin"
    subprocess.run(["cp", "-r", PLUGIN, copy], check=True)
    with Neovim(lab.command, lab.folder, lab.env(EDIT_ASSIST_TEST_PLUGIN=str(copy))) as neovim:
        neovim.lua("vim.cmd.helptags(... .. '/doc')", str(copy))
        tags = [line.split("\t")[0] for line in (copy / "doc" / "tags").read_text().splitlines()]
        assert {"edit-assist", ":EditAssist", ":EditAssistDiff", "g:edit_assist"} <= set(tags)
        neovim.command("help edit-assist")
        assert neovim.lua("return vim.fn.expand('%:t')") == "edit-assist.txt"
        text = (PLUGIN / "doc" / "edit-assist.txt").read_text("utf-8")
        assert max(map(len, text.expandtabs().splitlines())) <= 78
        references = {part for part in text.split("|")[1::2] if part and not any(c.isspace() for c in part)}
        assert len(references) > 10
        for reference in sorted(references):
            neovim.lua("vim.cmd.help({ args = { ... } })", reference)


def test_options_are_checked(lab: Lab) -> None:
    with lab.neovim(notify="no", limit=0, colour=1) as neovim:
        options, problems = neovim.lua("return { require('edit_assist.settings').get() }")
        assert options["notify"] is True
        assert options["limit"] == 100
        assert len(problems) == 3
        assert any("colour" in problem for problem in problems), json.dumps(problems)
