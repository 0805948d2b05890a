"""The package as a person installs it: from the folder and from a packed tarball; and what a run with it costs."""

import json
import os
import statistics
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.pi.lab import CLIENT, Lab
from tests.pi.scripted_model import Turn, edits, says

FILE = "def f(x):\n    if x:\n        return 1\n    return 0\n"
TURNS = [Turn(calls=(edits("a.py", ("if x:\n    return 1", "if x:\n    return 2")),)), says("all done")]


def pi_command(lab: Lab, *args: str) -> str:
    """A command of pi that runs no agent; what it says."""
    search = os.pathsep.join([str(lab.pi.node.parent), str(lab.pi.npm.parent), os.environ["PATH"]])
    env = {**os.environ, "PATH": search, "PI_CODING_AGENT_DIR": str(lab.agent), "PI_OFFLINE": "1", "PI_TELEMETRY": "0"}
    done = subprocess.run(
        [*lab.pi.command, *args],
        cwd=lab.workspace,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def assert_works(lab: Lab) -> None:
    file = lab.write("a.py", FILE)
    run = lab.run(TURNS, with_extension=False)
    assert (run.status, run.stderr) == (0, "")
    assert file.read_text() == FILE.replace("return 1", "return 2")


def test_installed_from_its_folder(lab: Lab) -> None:
    pi_command(lab, "install", str(CLIENT))
    assert str(CLIENT.name) in pi_command(lab, "list")
    assert_works(lab)


def packed(lab: Lab) -> Path:
    """The tarball that would be published."""
    out = lab.agent.parent
    command = [str(lab.pi.npm), "pack", "--json", "--pack-destination", str(out), str(CLIENT)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=out, stdin=subprocess.DEVNULL)
    name: str = json.loads(done.stdout)[0]["filename"]
    return out / name


def test_installed_from_a_packed_tarball(lab: Lab) -> None:
    tarball = packed(lab)
    with tarfile.open(tarball) as archive:
        names = {Path(name).relative_to("package").parts[0] for name in archive.getnames()}
    assert names == {"package.json", "README.md", "src"}
    pi_command(lab, "install", f"npm:edit-assist-pi@file:{tarball}")
    assert (lab.agent / "npm" / "node_modules" / "edit-assist-pi" / "src" / "edit-assist.ts").is_file()
    assert_works(lab)


def test_commands_that_run_no_agent_start_no_server(lab: Lab) -> None:
    pi_command(lab, "install", str(CLIENT))
    started = lab.agent.parent / "started"
    program = lab.agent.parent / "server"
    program.write_text(f"#!/bin/sh\ntouch {started}\n")
    program.chmod(0o755)
    lab.settings({**json.loads((lab.agent / "settings.json").read_text()), "edit-assist": {"server": str(program)}})
    pi_command(lab, "--help")
    pi_command(lab, "--list-models")
    assert not started.exists()


def test_what_a_run_costs(lab: Lab, capsys: pytest.CaptureFixture[str]) -> None:
    """Printed, not judged: the time of a run with the extension beside one without, interleaved."""
    turns = [Turn(calls=(edits("a.py", ("return 1", "return 2")),)), says("all done")]
    seconds: dict[bool, list[float]] = {False: [], True: []}
    for number in range(20):
        lab.write("a.py", FILE)
        run = lab.run(turns, mode="print", with_extension=number % 2 == 1)
        assert (run.status, run.stdout) == (0, "all done\n")
        seconds[number % 2 == 1].append(run.seconds)
    without, with_it = (statistics.median(seconds[which]) for which in (False, True))
    with capsys.disabled():
        print(f"\npi run, median of 10: {without:.3f} s without, {with_it:.3f} s with ({with_it / without:.2f} times)")
