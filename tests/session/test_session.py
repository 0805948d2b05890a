"""What each hook answers: corrections and their honesty line, Diagnosis, hints, the rule, and hostile input."""

import copy
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from edit_assist_ls import session
from edit_assist_ls.engine import messages
from edit_assist_ls.engine.builtin import Refused
from edit_assist_ls.engine.text import Text
from edit_assist_ls.hosts import pi
from edit_assist_ls.session import Call, Memory, Verdict
from edit_assist_ls.settings import Settings
from tests.session.agent import NOT_FOUND, Agent, built_in, edit_input, text_blocks

TWO_LINES = "if x:\n    a = 1\n"
DRIFTED = ("\ta = 1", "\ta = 2")
DONE = "Successfully replaced 1 block(s) in a.py."


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    agent = Agent(tmp_path, message=None)
    agent.write_file("a.py", TWO_LINES)
    return agent


def test_a_drifted_call_is_corrected_and_everything_else_of_it_kept(agent: Agent) -> None:
    arguments = edit_input("a.py", DRIFTED, ("if x", "if y"), extra={"deep": [1]})
    arguments["edits"][0]["reason"] = "why"
    before = copy.deepcopy(arguments)
    verdict = agent.call("c1", arguments)
    assert arguments == before, "what came in is not touched"
    assert verdict.arguments == {
        "path": "a.py",
        "edits": [
            {"oldText": "    a = 1", "newText": "    a = 2", "reason": "why"},
            {"oldText": "if x", "newText": "if y"},
        ],
        "extra": {"deep": [1]},
    }
    (correction,) = verdict.corrections
    assert (correction.edit_index, correction.start_line, correction.end_line) == (0, 2, 2)
    accepted = built_in((agent.cwd / "a.py").read_bytes(), verdict.arguments)
    assert isinstance(accepted, Text) and accepted.raw == "if y:\n    a = 2\n"


@pytest.mark.parametrize("tool", ["bash", "write", "Edit", "", "multi_edit"])
def test_other_tools_are_left_alone(agent: Agent, tool: str) -> None:
    assert agent.call("c1", edit_input("a.py", DRIFTED), tool) == Verdict()
    assert agent.result("c1", edit_input("a.py", DRIFTED), NOT_FOUND, error=True, tool=tool) is None


def test_an_unknown_host_is_left_alone(agent: Agent) -> None:
    agent.host = "somebody-else"
    assert agent.call("c1", edit_input("a.py", DRIFTED)) == Verdict()
    assert agent.result("c1", edit_input("a.py", DRIFTED), NOT_FOUND, error=True) is None
    assert session.before_agent_start(agent.memory, agent.origin, "p", ["edit"]) is None
    assert session.message_end(agent.memory, agent.origin, {"role": "toolResult"}) is None
    assert session.session_start(agent.memory, agent.origin, project_trusted=True) == (Settings(), ())
    session.session_shutdown(agent.memory, agent.host, None)


def test_the_honesty_line_is_given_once_after_the_hosts_own_text(agent: Agent) -> None:
    verdict = agent.call("c1", edit_input("a.py", DRIFTED))
    assert verdict.arguments is not None
    image = {"type": "image", "data": "…"}
    content = [image, {"type": "text", "text": DONE, "more": 1}, {"type": "text", "text": "second"}]
    line = messages.honesty("a.py", verdict.corrections, 1)
    got = agent.result("c1", verdict.arguments, content, error=False)
    assert got == [
        image,
        {"type": "text", "text": f"{DONE}\n\n{line}", "more": 1},
        {"type": "text", "text": "second"},
    ]
    assert agent.result("c1", verdict.arguments, content, error=False) is None


def test_a_result_without_text_gets_a_block_of_its_own(agent: Agent) -> None:
    verdict = agent.call("c1", edit_input("a.py", DRIFTED))
    got = agent.result("c1", {}, [5, {"type": "text"}], error=False)
    assert got == [5, {"type": "text"}, *text_blocks(messages.honesty("a.py", verdict.corrections, 1))]


def test_the_honesty_line_is_for_that_call_of_that_session_and_only_for_its_success(agent: Agent) -> None:
    agent.call("c1", edit_input("a.py", DRIFTED))
    assert agent.result("c2", {}, DONE, error=False) is None
    assert Agent(agent.cwd, agent.memory, session_id="s2").result("c1", {}, DONE, error=False) is None
    assert agent.result("c1", edit_input("a.py", DRIFTED), "Operation aborted", error=True) is None
    assert agent.result("c1", {}, DONE, error=False) is None, "the error ended it"


def test_a_call_that_was_not_corrected_has_no_honesty_line(agent: Agent) -> None:
    for message in (None, "m1"):
        agent.message = message
        assert agent.edit("c1", ("    a = 1", "    a = 2")) is None
        assert agent.result("c1", {}, DONE, error=False) is None


def test_calls_that_never_get_a_result_are_forgotten(agent: Agent) -> None:
    agent.message = "m1"
    for number in range(2_000):
        agent.edit(f"c{number}", ("\ta = 1", f"\ta = {number % 2 + 2}"))
        agent.message = f"m{number}"
    remembered = agent.memory.session(agent.origin)
    assert len(remembered.open_calls) <= 1_024
    for number in range(600):
        Agent(agent.cwd, agent.memory, session_id=f"s{number}").edit("c", DRIFTED)
    assert len(agent.memory.sessions) <= 256


def test_a_failed_call_gets_its_diagnosis_after_the_stock_text(agent: Agent) -> None:
    arguments = edit_input("a.py", ("    b = 1", "    b = 2"))
    image = {"type": "image", "data": "…"}
    got = agent.result("c1", arguments, [*text_blocks(NOT_FOUND), image], error=True)
    assert got is not None and got[1] == image and len(got) == 2
    first, _, added = got[0]["text"].partition("\n\n")
    assert first == NOT_FOUND and "line 2" in added


@pytest.mark.parametrize(
    "stock",
    [
        "Operation aborted",
        "Could not edit file: a.py. Error code: ENOENT.",
        "",
        pi.stock_text(Refused("not-found", 7), "a.py", 9),
        pi.stock_text(Refused("overlap", 0, None, 9), "a.py", 9),
        pi.stock_text(Refused("empty-old-text", 0), "a.py", 1),
    ],
)
def test_what_the_file_does_not_bear_out_is_left_as_it_is(agent: Agent, stock: str) -> None:
    assert agent.result("c1", edit_input("a.py", ("    b = 1", "")), stock, error=True) is None


def test_a_failed_call_on_a_file_that_cannot_be_read_is_left_as_it_is(agent: Agent) -> None:
    os.mkfifo(agent.cwd / "fifo")
    agent.write_file("latin.py", b"\xe9\n")
    agent.write_file("big.py", "x" * 307_201)
    agent.write_file("long.py", "\n" * 20_001)
    for path in ("missing.py", ".", "fifo", "latin.py", "big.py", "long.py", "a\0b", "~" * 10_000, "file://x/y"):
        assert agent.edit("c1", ("b", "c"), path=path) is None
        stock = pi.stock_text(Refused("not-found", 0), path, 1)
        assert agent.result("c1", edit_input(path, ("b", "c")), stock or "", error=True) is None


NO_EDITS: list[Any] = [None, 1, "x", {}, [], [1], [[]], [None], [{}], [{"oldText": "a"}]]
HOSTILE: list[Any] = [
    {},
    {"path": "a.py"},
    {"path": None, "edits": []},
    {"path": ["a.py"], "edits": [{"oldText": "a", "newText": "b"}]},
    *({"path": "a.py", "edits": edits} for edits in NO_EDITS),
    {"path": "a.py", "edits": [{"oldText": 1, "newText": None}]},
    {"path": "a.py", "edits": [{"oldText": "a = 1", "newText": "b"}, {"oldText": "a = 1", "newText": None}]},
    {"path": "a.py", "edits": [{"oldText": "\ud800", "newText": "\udfff"}]},
    {"path": "a.py", "edits": [{"oldText": "\0\ta = 1", "newText": "\0"}]},
    {"path": "a.py", "edits": [{"oldText": "\t" * 1_000_000, "newText": ""}]},
    {"path": "a.py", "edits": [{"oldText": "z" * 1_000_000, "newText": "z" * 1_000_000}]},
    {"path": "a.py", "edits": [{"oldText": "\ta = 1", "newText": "b"}] * 10_000},
    {"path": "a.py", "edits": [{"oldText": "", "newText": ""}] * 10_000},
    {"path": "\ud800", "edits": [{"oldText": "a", "newText": "b"}]},
]


@pytest.mark.parametrize("arguments", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("message", [None, "m1"])
def test_arguments_of_any_shape_do_no_harm(agent: Agent, arguments: Any, message: str | None) -> None:
    agent.message = message
    assert agent.call("c1", arguments) == Verdict()
    assert agent.call("c2", arguments, "write") == Verdict()
    for stock in (NOT_FOUND, pi.stock_text(Refused("no-change"), "a.py", 2) or "", DONE, ""):
        for error in (True, False):
            got = agent.result("c1", arguments, stock, error=error)
            assert got is None or got[0]["text"].startswith(stock)


def test_random_json_in_every_place_does_no_harm(agent: Agent) -> None:
    rng = random.Random(7)
    leaves = [None, True, 0, -1.5, "", "a.py", "\ta = 1", "text", "edit", "toolResult", NOT_FOUND, "\ud800", "\0"]
    names = ["path", "edits", "oldText", "newText", "content", "text", "type", "role", "toolName", "isError", "\ud800"]

    def value(depth: int) -> Any:
        match rng.randrange(4 if depth else 2):
            case 2:
                return [value(depth - 1) for _ in range(rng.randrange(4))]
            case 3:
                return {rng.choice(names): value(depth - 1) for _ in range(rng.randrange(6))}
            case _:
                return rng.choice(leaves)

    for _ in range(2_000):
        arguments = {rng.choice(names): value(3) for _ in range(rng.randrange(5))}
        content = [value(2) for _ in range(rng.randrange(3))]
        before = copy.deepcopy((arguments, content))
        agent.message = rng.choice([None, "m1", "m2"])
        tool = rng.choice(["edit", "write"])
        agent.call("c1", arguments, tool)
        agent.result("c1", arguments, content, error=rng.random() < 0.5)
        session.message_end(agent.memory, agent.origin, {**arguments, "role": "toolResult", "content": content})
        assert (arguments, content) == before


def test_the_rule_is_appended_once_while_the_edit_tool_is_active(agent: Agent) -> None:
    start = session.before_agent_start
    got = start(agent.memory, agent.origin, "Be good.", ["read", "edit"])
    assert got == session.Prompt(f"Be good.\n\n{messages.RULE}", messages.RULE)
    assert got is not None and start(agent.memory, agent.origin, got.system_prompt, ["edit"]) is None
    assert start(agent.memory, agent.origin, "Be good.", ["read", "edits"]) is None
    assert start(agent.memory, agent.origin, "", ["edit"]) == session.Prompt(messages.RULE, messages.RULE)


def validation_failure(arguments: object, **changes: object) -> dict[str, Any]:
    text = f'Validation failed for tool "edit":\n  - x\n\nReceived arguments:\n{json.dumps(arguments, indent=2)}'
    message = {
        "role": "toolResult",
        "toolCallId": "c1",
        "toolName": "edit",
        "isError": True,
        "content": text_blocks(text),
        "timestamp": 5,
    }
    return {**message, **changes}


def test_the_two_malformed_shapes_get_their_hint(agent: Agent) -> None:
    for arguments, hint in (
        ({"path": "a", "offset": 1, "limit": 2}, messages.read_tool_hint()),
        ({"path": "a", "edits": "[{"}, messages.edits_string_hint()),
    ):
        message = validation_failure(arguments)
        before = copy.deepcopy(message)
        got = session.message_end(agent.memory, agent.origin, message)
        stock = before["content"][0]["text"]
        assert got == {**before, "content": text_blocks(f"{stock}\n\n{hint}")}
        assert message == before


@pytest.mark.parametrize(
    "changes",
    [
        {"role": "assistant"},
        {"role": None},
        {"toolName": "read"},
        {"isError": False},
        {"isError": 1},
        {"content": "text"},
        {"content": None},
        {"content": []},
        {"content": text_blocks("")},
        {"content": [{"type": "text", "text": 5}]},
    ],
)
def test_other_messages_are_left_as_they_are(agent: Agent, changes: dict[str, Any]) -> None:
    message = validation_failure({"path": "a", "edits": ""}, **changes)
    assert session.message_end(agent.memory, agent.origin, message) is None


def test_the_off_switch_turns_everything_off_and_on_again(agent: Agent) -> None:
    switch = agent.write_file(".pi/settings.json", '{"edit-assist": {"enabled": false}}')
    failed = edit_input("a.py", ("    b = 1", ""))
    assert agent.edit("c1", DRIFTED) is None
    assert agent.result("c1", failed, NOT_FOUND, error=True) is None
    assert session.before_agent_start(agent.memory, agent.origin, "p", ["edit"]) is None
    message = validation_failure({"path": "a", "edits": ""})
    assert session.message_end(agent.memory, agent.origin, message) is None
    switch.unlink()
    assert agent.edit("c1", DRIFTED) is not None
    assert agent.result("c2", failed, NOT_FOUND, error=True) is not None
    assert session.before_agent_start(agent.memory, agent.origin, "p", ["edit"]) is not None
    assert session.message_end(agent.memory, agent.origin, message) is not None


def test_a_session_that_is_not_trusted_ignores_the_projects_file(agent: Agent) -> None:
    agent.write_file(".pi/settings.json", '{"edit-assist": {"enabled": false, "correction": 5}}')
    settings, problems = session.session_start(agent.memory, agent.origin, project_trusted=False)
    assert (settings.enabled, problems) == (True, ())
    assert agent.edit("c1", DRIFTED) is not None
    other = Agent(agent.cwd, agent.memory, session_id="s2", message=None)
    assert other.edit("c1", DRIFTED) is None
    settings, problems = session.session_start(agent.memory, agent.origin, project_trusted=True)
    assert settings.enabled is False and len(problems) == 1 and "edit-assist.correction" in problems[0]
    assert agent.edit("c2", DRIFTED) is None


def test_the_users_file_is_found_by_the_hosts_variable(agent: Agent, tmp_path: Path) -> None:
    agent.memory = Memory(environment={"PI_CODING_AGENT_DIR": str(tmp_path / "agent")})
    agent.write_file("agent/settings.json", '{"edit-assist": {"correction": "oldText"}}')
    assert agent.edit("c1", DRIFTED) == [("    a = 1", "\ta = 2")]
    agent.write_file(".pi/settings.json", '{"edit-assist": {"correction": "carry"}}')
    assert agent.edit("c2", DRIFTED) == [("    a = 1", "    a = 2")]


def test_the_text_of_the_first_look_serves_the_second(agent: Agent) -> None:
    arguments = edit_input("a.py", ("    b = 1", ""))
    agent.call("c1", arguments)
    first = agent.memory.texts.read(os.path.realpath(agent.cwd / "a.py"))
    agent.result("c1", arguments, NOT_FOUND, error=True)
    assert agent.memory.texts.read(os.path.realpath(agent.cwd / "a.py")) is first


def test_a_call_is_a_value() -> None:
    origin = session.Origin("pi", None, "/")
    assert Call(origin, "c", "edit", {}) == Call(origin, "c", "edit", {})
