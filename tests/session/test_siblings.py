"""The sibling rule: a call is judged against the file as the calls before it in its message will leave it."""

from pathlib import Path
from typing import Any

import pytest

from edit_assist_ls import session
from edit_assist_ls.files import MAX_BYTES, MAX_LINES
from tests.session.agent import NOT_FOUND, Agent, edit_input

TWO_LINES = "if x:\n    a = 1\n"
DRIFTED = ("\ta = 1", "\ta = 2")
RIGHTED = [("    a = 1", "    a = 2")]


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    agent = Agent(tmp_path)
    agent.write_file("a.py", TWO_LINES)
    return agent


def test_a_call_is_judged_against_what_its_sibling_will_leave(agent: Agent) -> None:
    assert agent.edit("c1", ("    a = 1", "        a = 1")) is None
    assert agent.edit("c2", ("        a = 1", "        a = 2")) is None
    assert agent.edit("c3", ("\ta = 2", "\ta = 3")) == [("        a = 2", "        a = 3")]


def test_a_correction_is_part_of_what_a_sibling_will_leave(agent: Agent) -> None:
    assert agent.edit("c1", ("\ta = 1", "\tb = 1")) == [("    a = 1", "    b = 1")]
    assert agent.edit("c2", ("\tb = 1", "\tc = 1")) == [("    b = 1", "    c = 1")]


def test_a_sibling_that_will_be_refused_leaves_the_file(agent: Agent) -> None:
    assert agent.edit("c1", ("zzz", "b = 1")) is None
    assert agent.edit("c2", ("a = 1", "a = 1")) is None
    assert agent.edit("c3") is None
    assert agent.edit("c4", DRIFTED) == RIGHTED


def test_a_write_sets_the_file_to_its_content_whatever_came_before(agent: Agent) -> None:
    agent.edit("c1", ("a = 1", "b = 1"))
    agent.write("c2", "while y:\n\tb = 2\n")
    assert agent.edit("c3", ("    b = 2", "    b = 3")) == [("\tb = 2", "\tb = 3")]
    assert agent.edit("c4", DRIFTED) is None


def test_a_write_makes_a_file_that_was_missing_or_could_not_be_read(agent: Agent) -> None:
    agent.write_file("bad.py", b"\xff\n")
    for name in ("new.py", "bad.py"):
        assert agent.edit(f"{name}1", DRIFTED, path=name) is None
        agent.write(f"{name}2", TWO_LINES, path=name)
        assert agent.edit(f"{name}3", DRIFTED, path=name) == RIGHTED


@pytest.mark.parametrize("content", [None, 5, ["x"], "\n" * (MAX_LINES + 1), "x" * (MAX_BYTES + 1)])
def test_after_a_write_of_what_is_not_known_siblings_are_left_alone(agent: Agent, content: object) -> None:
    agent.write("c1", content)
    assert agent.edit("c2", DRIFTED) is None
    agent.write("c3", TWO_LINES)
    assert agent.edit("c4", DRIFTED) == RIGHTED


def test_after_a_call_of_unknown_outcome_siblings_are_left_alone(agent: Agent) -> None:
    assert agent.edit("c1", ("\ud800", "x")) is None
    assert agent.edit("c2", DRIFTED) is None
    agent.message = "m2"
    assert agent.call("c3", {"path": "a.py", "edits": [{"oldText": "a = 1", "newText": None}]}).arguments is None
    assert agent.edit("c4", DRIFTED) is None
    agent.message = "m3"
    assert agent.edit("c5", DRIFTED) == RIGHTED


def test_after_the_text_outgrew_the_guards_siblings_are_left_alone(agent: Agent) -> None:
    assert agent.edit("c1", ("if x:\n", "if x:\n" + "#\n" * MAX_LINES)) is None
    assert agent.edit("c2", DRIFTED) is None


def test_what_the_host_writes_for_lone_surrogates_is_what_siblings_meet(agent: Agent) -> None:
    agent.write("c1", "if x:\n    a = '\ud800'\n")
    assert agent.edit("c2", ("\ta = '\ufffd'", "\ta = 2")) == [("    a = '\ufffd'", "    a = 2")]


def test_a_byte_order_mark_that_is_written_is_one(agent: Agent) -> None:
    agent.write("c1", "\ufeffif x:\n    a = 1\n")
    assert agent.edit("c2", ("\tif x:", "\tif y:")) == [("if x:", "if y:")]


def test_the_next_message_starts_from_the_disk(agent: Agent) -> None:
    agent.edit("c1", ("a = 1", "b = 1"))
    assert agent.edit("c2", DRIFTED) is None
    agent.message = "m2"
    assert agent.edit("c3", DRIFTED) == RIGHTED


def test_another_tools_call_of_the_next_message_ends_the_last_one(agent: Agent) -> None:
    agent.edit("c1", ("a = 1", "b = 1"))
    agent.message = "m2"
    agent.call("c2", {"command": "ls"}, "bash")
    agent.message = "m1"
    assert agent.edit("c3", DRIFTED) == RIGHTED


def test_files_sessions_and_hosts_do_not_mix(agent: Agent) -> None:
    agent.write_file("b.py", TWO_LINES)
    agent.edit("c1", ("a = 1", "b = 1"))
    assert agent.edit("c2", DRIFTED, path="b.py") == RIGHTED
    other = Agent(agent.cwd, agent.memory, session_id="s2")
    assert other.edit("c1", DRIFTED) == RIGHTED
    nameless = Agent(agent.cwd, agent.memory, session_id=None)
    assert nameless.edit("c1", DRIFTED) == RIGHTED
    assert agent.edit("c3", DRIFTED) is None


def test_one_file_by_any_of_its_names(agent: Agent) -> None:
    (agent.cwd / "link.py").symlink_to("a.py")
    agent.edit("c1", ("a = 1", "b = 1"), path="link.py")
    for path in ("./a.py", "@a.py", f"{agent.cwd}/a.py", (agent.cwd / "a.py").as_uri()):
        assert agent.edit("c2", ("\tb = 1", "\tb = 2"), path=path) == [("    b = 1", "    b = 2")]
        agent.message = f"{agent.message}+"
        agent.edit("c1", ("a = 1", "b = 1"))


def test_a_call_without_a_message_has_no_siblings(agent: Agent) -> None:
    agent.edit("c1", ("a = 1", "b = 1"))
    agent.message = None
    assert agent.edit("c2", DRIFTED) == RIGHTED
    agent.write("c3", "nothing of it\n")
    assert agent.edit("c4", DRIFTED) == RIGHTED
    agent.message = "m1"
    assert agent.edit("c5", DRIFTED) is None, "the message is still the same one"


def test_once_all_results_of_the_file_are_in_the_disk_counts_again(agent: Agent) -> None:
    agent.edit("c1", ("a = 1", "b = 1"))
    agent.edit("c2", ("b = 1", "c = 1"))
    agent.result("c1", edit_input("a.py"), NOT_FOUND, error=True)
    assert agent.edit("c3", ("\tc = 1", "\td = 1")) == [("    c = 1", "    d = 1")]
    agent.result("c3", edit_input("a.py"), "Operation aborted", error=True)
    assert agent.edit("c4", ("\td = 1", "\te = 1")) == [("    d = 1", "    e = 1")]
    agent.result("c4", edit_input("a.py"), "Operation aborted", error=True)
    agent.result("c2", edit_input("a.py"), "Operation aborted", error=True)
    assert agent.edit("c5", DRIFTED) == RIGHTED


def test_a_message_of_role_tool_result_is_a_result_too(agent: Agent) -> None:
    agent.edit("c1", ("a = 1", "b = 1"))
    agent.write_file("b.py", "")
    agent.edit("c2", ("x", "y"), path="b.py")
    others: list[dict[str, Any]] = [
        {"role": "assistant", "toolCallId": "c1"},
        {"role": "toolResult", "toolCallId": ["c1"]},
    ]
    for other in others:
        assert session.message_end(agent.memory, agent.origin, other) is None
    assert agent.edit("c3", ("\tb = 1", "\tb = 2")) is not None
    for call in ("c1", "c3"):
        message = {"role": "toolResult", "toolCallId": call, "toolName": "edit", "isError": False}
        assert session.message_end(agent.memory, agent.origin, message) is None
    assert agent.edit("c4", DRIFTED) == RIGHTED


def test_shutdown_forgets(agent: Agent) -> None:
    agent.edit("c1", ("a = 1", "b = 1"))
    session.session_shutdown(agent.memory, "pi", "s1")
    assert agent.edit("c2", DRIFTED) == RIGHTED


def test_with_correction_off_nothing_is_corrected_and_the_siblings_are_predicted_all_the_same(agent: Agent) -> None:
    settings = agent.write_file(".pi/settings.json", '{"edit-assist": {"correction": "off"}}')
    assert agent.edit("c1", DRIFTED) is None
    assert agent.edit("c2", ("    a = 1", "\ta = 3")) is None
    settings.unlink()
    assert agent.edit("c3", DRIFTED) is None, "the call before it will have changed the line"
    agent.message = "m2"
    assert agent.edit("c4", DRIFTED) == RIGHTED


def test_very_many_predictions_are_forgotten_to_the_safe_side(agent: Agent) -> None:
    big = "if x:\n    a = 1\n" + "#" * 250_000
    for number in range(20):
        agent.write(f"w{number}", big, path=f"{number}.py")
        agent.write_file(f"{number}.py", TWO_LINES)
    kept = [number for number in range(20) if agent.edit(f"e{number}", DRIFTED, path=f"{number}.py") is not None]
    assert kept and min(kept) > 10, "what was predicted long ago is unknown, and never the disk"
    kept_chars = sum(
        len(text.raw) for text in agent.memory.session(agent.origin).predicted.values() if text is not None
    )
    assert kept_chars <= 2_000_000
    agent.message = "m2"
    for number in range(1_100):
        agent.write(f"x{number}", "x", path=f"some/{number}.py")
    assert agent.edit("y", DRIFTED) is None
    agent.message = "m3"
    assert agent.edit("z", DRIFTED) == RIGHTED
