"""Where the extension looks for the server, and where it does not: nothing that a project holds is run."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.pi.installed import Installed
from tests.pi.lab import CLIENT

ASK = f"""
import {{ findServer }} from {json.dumps((CLIENT / "src" / "find-server.ts").as_uri())};
const [workspace, env] = JSON.parse(process.argv[1]);
console.log(JSON.stringify(findServer(workspace, env)));
"""


class Machine:
    """A home folder with programs in it, a workspace with programs in it, and what the extension makes of them."""

    def __init__(self, pi: Installed, base: Path) -> None:
        self.pi, self.base = pi, base
        self.workspace = base / "work"
        self.agent = base / "home" / ".pi" / "agent"
        self.workspace.mkdir()
        self.agent.mkdir(parents=True)

    def program(self, path: str) -> str:
        file = self.base / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("#!/bin/sh\n")
        file.chmod(0o755)
        return str(file)

    def setting(self, value: object) -> None:
        (self.agent / "settings.json").write_text(json.dumps({"edit-assist": {"server": value}}))

    def find(self, *path: str, workspace: Path | None = None, **env: str) -> dict[str, Any]:
        environment = {"HOME": str(self.base / "home"), "PATH": os.pathsep.join(path), **env}
        argument = json.dumps([str(workspace or self.workspace), environment])
        done = subprocess.run(
            [self.pi.node, "--input-type=module", "-e", ASK, argument],
            capture_output=True,
            text=True,
            check=True,
            cwd=self.workspace,
            env={**os.environ, "HOME": environment["HOME"]},
        )
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def folder(self, name: str) -> str:
        return str(self.base / name)


@pytest.fixture
def machine(pi: Installed, tmp_path: Path) -> Machine:
    return Machine(pi, tmp_path)


def test_the_order_is_settings_variable_path_uvx(machine: Machine) -> None:
    path = machine.folder("bin")
    uvx = machine.program("bin/uvx")
    assert machine.find(path)["args"] == ["edit-assist-ls", "--stdio"]
    assert machine.find(path)["command"] == uvx
    on_path = machine.program("bin/edit-assist-ls")
    assert (machine.find(path)["command"], machine.find(path)["via"]) == (on_path, "PATH")
    named = machine.program("named/server")
    found = machine.find(path, EDIT_ASSIST_LS=named)
    assert (found["command"], found["args"], found["via"]) == (named, ["--stdio"], "EDIT_ASSIST_LS")
    set_by_user = machine.program("set/server")
    machine.setting([set_by_user, "--log-level", "debug"])
    found = machine.find(path, EDIT_ASSIST_LS=named)
    assert (found["command"], found["via"]) == (set_by_user, "settings")
    assert found["args"] == ["--log-level", "debug", "--stdio"]


def test_nothing_found(machine: Machine) -> None:
    assert machine.find(machine.folder("bin")) == {}


def test_relative_entries_and_entries_inside_the_workspace_are_skipped(machine: Machine) -> None:
    machine.program("work/.venv/bin/edit-assist-ls")
    machine.program("work/node_modules/.bin/uvx")
    inside = [machine.folder("work/.venv/bin"), ".venv/bin", "", ".", machine.folder("work/node_modules/.bin")]
    assert machine.find(*inside) == {}
    outside = machine.program("bin/edit-assist-ls")
    found = machine.find(*inside, machine.folder("bin"))
    assert found["command"] == outside
    assert found["env"]["PATH"] == machine.folder("bin")


def test_an_entry_that_leads_into_the_workspace_by_a_link_is_skipped(machine: Machine) -> None:
    machine.program("work/bin/edit-assist-ls")
    (machine.base / "link").symlink_to(machine.workspace / "bin")
    assert machine.find(machine.folder("link")) == {}
    (machine.base / "worklink").symlink_to(machine.workspace)
    assert machine.find(machine.folder("work/bin"), workspace=machine.base / "worklink") == {}


def test_a_projects_settings_name_no_program(machine: Machine) -> None:
    evil = machine.program("work/evil")
    (machine.workspace / ".pi").mkdir()
    (machine.workspace / ".pi" / "settings.json").write_text(json.dumps({"edit-assist": {"server": evil}}))
    assert machine.find() == {}


def test_modules_of_the_workspace_shadow_none(machine: Machine) -> None:
    python = machine.program("bin/python3.12")
    own = machine.folder("lib")
    search = os.pathsep.join(["", ".", "src", str(machine.workspace / "src"), own])
    inside = machine.folder("work/.venv")
    found = machine.find(machine.folder("bin"), EDIT_ASSIST_LS=python, PYTHONPATH=search, VIRTUAL_ENV=inside)
    assert found["args"] == ["-P", "-m", "edit_assist_ls", "--stdio"]
    assert found["env"]["PYTHONSAFEPATH"] == "1"
    assert found["env"]["PYTHONPATH"] == own
    assert "VIRTUAL_ENV" not in found["env"]
    assert not Path(found["cwd"]).is_relative_to(machine.workspace)
    found = machine.find(machine.folder("bin"), EDIT_ASSIST_LS="python3.12 -m other")
    assert (found["command"], found["args"]) == (python, ["-P", "-m", "other", "--stdio"])


@pytest.mark.parametrize(
    "value", ["bin/server", "./server", "no-such-program", 7, [], [""], ["/nowhere/x"], {"command": "x"}, "/", True]
)
def test_an_unusable_setting_is_told_and_not_passed_over(machine: Machine, value: object) -> None:
    machine.program("bin/edit-assist-ls")
    machine.program("work/bin/server")
    machine.setting(value)
    found = machine.find(machine.folder("bin"))
    assert "edit-assist.server" in found["problem"]


SAYING_NOTHING = ["", "{", "[]", "7", "null", '{"edit-assist": 7}', '{"edit-assist": {"server": null}}']


@pytest.mark.parametrize("settings", SAYING_NOTHING)
def test_settings_that_say_nothing_are_passed_over(machine: Machine, settings: str) -> None:
    (machine.agent / "settings.json").write_text(settings)
    on_path = machine.program("bin/edit-assist-ls")
    assert machine.find(machine.folder("bin"))["command"] == on_path


def test_the_agent_folder_may_be_elsewhere_and_is_passed_on_in_full(machine: Machine) -> None:
    machine.setting(machine.program("set/server"))
    other = machine.base / "home" / "other"
    other.mkdir()
    found = machine.find(machine.folder("bin"), PI_CODING_AGENT_DIR="~/other")
    assert found == {}
    machine.program("bin/edit-assist-ls")
    found = machine.find(machine.folder("bin"), PI_CODING_AGENT_DIR="~/other")
    assert found["env"]["PI_CODING_AGENT_DIR"] == str(other)


def test_a_path_with_blanks_is_one_program(machine: Machine) -> None:
    program = machine.program("my programs/edit-assist-ls")
    assert machine.find(EDIT_ASSIST_LS=program)["command"] == program
    machine.setting("~/../my programs/edit-assist-ls")
    assert machine.find()["via"] == "settings"


def test_a_folder_and_a_file_that_cannot_be_run_are_no_programs(machine: Machine) -> None:
    (machine.base / "bin" / "edit-assist-ls").mkdir(parents=True)
    plain = machine.base / "other" / "edit-assist-ls"
    plain.parent.mkdir()
    plain.write_text("text")
    plain.chmod(0o644)
    assert machine.find(machine.folder("bin"), machine.folder("other")) == {}
