"""The server's life beside pi's: lost and fetched anew, through new sessions and reloads, and gone when pi is."""

import os
import signal
import threading
from pathlib import Path

import pytest

from tests.pi.lab import CHECKOUT, SERVER, Lab, Rpc, fake, has_ended, processes, send_signal
from tests.pi.scripted_model import Turn, edits, says

FILE = "def f(x):\n    if x:\n        return 1\n    return 0\n"
NO_MATCH = (
    "Could not find the exact text in a.py. The old text must match exactly including all whitespace and newlines."
)
SUCCESS = "Successfully replaced 1 block(s) in a.py."


def step(number: int, gate: threading.Event | None = None) -> Turn:
    """A drifted call that counts the file's 1 up."""
    call = edits("a.py", (f"if x:\n    return {number}", f"if x:\n    return {number + 1}"))
    return Turn(calls=(call,), gate=gate)


def server_of(rpc: Rpc) -> int:
    """The one server of a run."""
    (pid,) = processes(rpc.mark)
    return pid


def asked(rpc: Rpc) -> None:
    """Waits until pi is about to hear the model out."""
    rpc.until(lambda event: event["type"] == "turn_start", "turn")


def corrected(text: str) -> bool:
    return text.startswith(SUCCESS + "\n\n")


def tool_texts(rpc: Rpc) -> list[str]:
    return [message["content"] for message in rpc.model.requests[-1]["messages"] if message["role"] == "tool"]


def test_a_server_killed_before_any_call_is_replaced_by_the_next_call(lab: Lab) -> None:
    file, gate = lab.write("a.py", FILE), threading.Event()
    with lab.rpc([step(1, gate), says("done")]) as rpc:
        rpc.send(type="prompt", message="go")
        asked(rpc)
        pid = server_of(rpc)
        send_signal(pid, signal.SIGKILL)
        rpc.until(lambda event: event.get("method") == "notify", "notification")
        gate.set()
        rpc.settled()
        assert rpc.finish() == 0
    assert corrected(tool_texts(rpc)[0])
    assert "return 2" in file.read_text()
    assert "ended (SIGKILL)" in rpc.notices[0]
    assert [notice for notice in rpc.notices if "corrected" not in notice] == rpc.notices[:1]
    assert not processes(rpc.mark)


def test_a_server_killed_between_calls_is_replaced_by_the_next_call(lab: Lab) -> None:
    file, gate = lab.write("a.py", FILE), threading.Event()
    with lab.rpc([step(1), step(2, gate), says("done")]) as rpc:
        rpc.send(type="prompt", message="go")
        asked(rpc)
        asked(rpc)
        send_signal(server_of(rpc), signal.SIGKILL)
        gate.set()
        rpc.settled()
        assert rpc.finish() == 0
    assert all(map(corrected, tool_texts(rpc)))
    assert len(tool_texts(rpc)) == 2
    assert "return 3" in file.read_text()
    assert sum("ended (SIGKILL)" in notice for notice in rpc.notices) == 1


def test_a_stopped_server_costs_some_waiting_and_is_replaced(lab: Lab) -> None:
    file, gate = lab.write("a.py", FILE), threading.Event()
    with lab.rpc([step(1), step(2, gate), step(2), says("done")]) as rpc:
        rpc.send(type="prompt", message="go")
        asked(rpc)
        asked(rpc)
        send_signal(server_of(rpc), signal.SIGSTOP)
        gate.set()
        rpc.settled()
        assert rpc.finish() == 0
    first, second, third = tool_texts(rpc)
    assert corrected(first)
    assert corrected(second)
    assert third.startswith(NO_MATCH)
    assert "return 3" in file.read_text()
    assert sum("did not answer editAssist/prepareArguments in time" in notice for notice in rpc.notices) == 1
    assert not processes(rpc.mark)


def test_a_server_is_tried_afresh_three_times(lab: Lab) -> None:
    lab.write("a.py", "x\n" * 2)
    turns = [Turn(calls=(edits("a.py", ("no such text", "y")),))] * 7
    with lab.rpc([*turns, says("done")], server=fake("crash", "editAssist/toolCall")) as rpc:
        rpc.prompt()
        rpc.send(type="prompt", message="/edit-assist")
        shown = rpc.until(lambda event: event.get("method") == "notify", "overview")["message"]
        assert rpc.finish() == 0
    assert tool_texts(rpc) == [NO_MATCH] * 7
    assert len(rpc.notices) == 2
    assert "started 4 times" in shown


def test_a_missing_server_is_told_with_how_to_install_it(lab: Lab) -> None:
    file = lab.write("a.py", FILE)
    with lab.rpc([step(1), says("done")], server=None) as rpc:
        rpc.prompt()
        assert rpc.finish() == 0
    assert tool_texts(rpc) == [NO_MATCH]
    assert file.read_text() == FILE
    assert len(rpc.notices) == 1
    assert "uv tool install edit-assist-ls" in rpc.notices[0]


KILLING = """
import { readdirSync, readFileSync, existsSync } from "node:fs";
const isServer = (pid) => {
  try {
    const parent = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1).split(" ")[1];
    return Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("edit_assist_ls");
  } catch {
    return false;
  }
};
export default (pi) =>
  pi.on("tool_call", async (event) => {
    if (event.toolCallId !== "call_0_0") return;
    const pid = Number(readdirSync("/proc").find(isServer));
    process.kill(pid, "SIGKILL");
    while (existsSync(`/proc/${pid}`)) await new Promise(setImmediate);
  });
"""


def test_a_call_whose_sibling_another_server_judged_is_left_alone(lab: Lab) -> None:
    """A fresh server has not seen what an earlier call of the message does to the file, and would correct wrongly."""
    file = lab.write("a.py", "if x:\n    if y:\n        a = 1\n")
    outdent = edits("a.py", ("    if y:\n        a = 1", "if y:\n    a = 1"))
    then = edits("a.py", ("if y:\n    a = 1", "if y:\n    a = 2"))
    drifted = edits("a.py", ("    if y:\n        a = 2", "    if y:\n        a = 3"))
    helper = lab.agent.parent / "killing.ts"
    helper.write_text(KILLING)
    turns = [Turn(calls=(outdent, then)), Turn(calls=(drifted,)), says("done")]
    with lab.rpc(turns, args=["-e", str(helper)]) as rpc:
        rpc.prompt()
        assert rpc.finish() == 0
    assert file.read_text() == "if x:\nif y:\n    a = 3\n"
    first, second, third = tool_texts(rpc)
    assert (first, second) == (SUCCESS, SUCCESS)
    assert corrected(third)
    assert sum("ended (SIGKILL)" in notice for notice in rpc.notices) == 1


def test_an_abort_is_honoured_in_the_middle_of_a_hook(lab: Lab) -> None:
    file = lab.write("a.py", FILE)
    with lab.rpc([step(1), says("done")], server=fake("hang", "editAssist/toolCall")) as rpc:
        rpc.send(type="prompt", message="go")
        rpc.until(lambda event: event["type"] == "tool_execution_start", "call")
        assert rpc.command(type="abort")["success"]
        assert any(event["type"] == "agent_settled" and event["aborted"] for event in rpc.seen)
        assert rpc.finish() == 0
    assert rpc.notices == []
    assert file.read_text() == FILE
    assert not processes(rpc.mark, of="fake_server")


@pytest.mark.parametrize("mode", ["json", "print"])
@pytest.mark.parametrize("how", ["hang editAssist/toolCall", "crash editAssist/toolCall", "silent"])
def test_pi_does_not_end_in_the_middle_of_a_hook(lab: Lab, mode: str, how: str) -> None:
    file = lab.write("a.py", "x = 1\n")
    turns = [Turn(calls=(edits("a.py", ("x = 1", "x = 2")),)), says("all done")]
    run = lab.run(turns, mode=mode, server=fake(how))
    assert (run.status, run.stderr) == (0, "")
    assert "all done" in run.stdout
    assert file.read_text() == "x = 2\n"
    assert not processes(run.mark, of="fake_server")


@pytest.mark.parametrize("mode", ["json", "print"])
def test_no_process_is_left_after_an_ordinary_end(lab: Lab, mode: str) -> None:
    lab.write("a.py", FILE)
    run = lab.run([step(1), says("all done")], mode=mode)
    assert run.status == 0
    assert not processes(run.mark)


ENDS = {signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGINT: -signal.SIGINT, signal.SIGKILL: -signal.SIGKILL}


@pytest.mark.parametrize("number", ENDS, ids=lambda number: number.name)
@pytest.mark.parametrize("moment", ["idle", "busy"])
def test_no_process_is_left_after_a_signal(lab: Lab, number: signal.Signals, moment: str) -> None:
    lab.write("a.py", FILE)
    gate = threading.Event()
    with lab.rpc([step(1), step(2, gate)]) as rpc:
        if moment == "busy":
            rpc.send(type="prompt", message="go")
            asked(rpc)
            asked(rpc)
        else:
            rpc.command(type="get_state")
        pid = server_of(rpc)
        send_signal(rpc.process.pid, number)
        assert rpc.process.wait(60) == ENDS[number]
        assert has_ended(pid)


def test_a_stopped_server_does_not_outlive_pi(lab: Lab) -> None:
    with lab.rpc([]) as rpc:
        rpc.command(type="get_state")
        pid = server_of(rpc)
        send_signal(pid, signal.SIGSTOP)
        assert rpc.finish() == 0
        assert has_ended(pid)


def test_a_new_session_has_a_server_of_its_own(lab: Lab) -> None:
    file = lab.write("a.py", FILE)
    with lab.rpc([step(1), says("done"), step(2), says("done")]) as rpc:
        rpc.prompt()
        first = server_of(rpc)
        assert rpc.command(type="new_session")["success"]
        rpc.prompt()
        second = server_of(rpc)
        assert rpc.finish() == 0
    assert first != second
    assert "return 3" in file.read_text()
    assert len(rpc.notices) == 2
    assert all("corrected" in notice for notice in rpc.notices)
    assert not processes(rpc.mark)


RELOADING = """
export default function (pi) {
  pi.registerCommand("again", { handler: async (_args, ctx) => { await ctx.reload(); } });
}
"""


def test_a_reload_starts_afresh(lab: Lab) -> None:
    file = lab.write("a.py", FILE)
    helper = lab.agent.parent / "again.ts"
    helper.write_text(RELOADING)
    with lab.rpc([step(1), says("done"), step(2), says("done")], args=["-e", str(helper)]) as rpc:
        rpc.prompt()
        first = server_of(rpc)
        rpc.command(type="prompt", message="/again")
        rpc.command(type="get_state")
        assert has_ended(first)
        rpc.prompt()
        assert server_of(rpc) != first
        assert rpc.finish() == 0
    assert "return 3" in file.read_text()
    assert not processes(rpc.mark)


def test_a_correction_is_notified_and_counted(lab: Lab) -> None:
    lab.write("a.py", FILE)
    lab.settings({"edit-assist": {"correction": "carry"}})
    failing = Turn(calls=(edits("a.py", ("nothing like that", "")),))
    with lab.rpc([step(1), failing, says("done")]) as rpc:
        rpc.prompt()
        assert rpc.notices == ["edit-assist: corrected the edit of a.py, lines 2-3 (newText carried along)"]
        rpc.send(type="prompt", message="/edit-assist")
        shown = rpc.until(lambda event: event.get("method") == "notify", "overview")["message"]
        assert rpc.finish() == 0
    assert "edit calls: 2, of which corrected 1, failed 1 (explained 1)" in shown
    assert "correction carry" in shown
    assert SERVER.split()[0] in shown


def test_malformed_settings_are_told_once(lab: Lab) -> None:
    lab.settings({"edit-assist": {"correction": "sometimes"}})
    lab.write("a.py", FILE)
    with lab.rpc([step(1), says("done")]) as rpc:
        rpc.prompt()
        rpc.prompt("again")
        assert rpc.finish() == 0
    told = [notice for notice in rpc.notices if "edit-assist.correction" in notice]
    assert len(told) == 1


def test_what_a_model_writes_cannot_steer_a_terminal(lab: Lab) -> None:
    name = "a\x1b[31m\u202e.py"
    lab.write(name, FILE)
    call = edits(name, ("if x:\n    return 1", "if x:\n    return 2"))
    with lab.rpc([Turn(calls=(call,)), says("done")]) as rpc:
        rpc.prompt()
        assert rpc.finish() == 0
    (notice,) = rpc.notices
    assert "\\u001b[31m\\u202e.py" in notice


def test_no_module_of_the_workspace_shadows_one(lab: Lab) -> None:
    canary = lab.agent.parent / "canary"
    evil = f"open({str(canary)!r}, 'w').write('ran')\n"
    for name in ("msgspec", "json", "lsprotocol", "edit_assist_ls/__init__", "sitecustomize", "rapidfuzz/__init__"):
        lab.write(f"{name}.py", evil)
    file = lab.write("a.py", FILE)
    search = os.pathsep.join(["", ".", str(lab.workspace), str(CHECKOUT)])
    run = lab.run([step(1), says("done")], env={"PYTHONPATH": search})
    assert run.status == 0
    assert "return 2" in file.read_text()
    assert not Path(canary).exists()
