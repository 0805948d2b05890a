"""A call's arguments before the host validates them, and what its result says of them: once, and where it belongs."""

import json
from pathlib import Path
from typing import Any

import pytest

from edit_assist_ls import session
from edit_assist_ls.arguments import Prepared
from edit_assist_ls.engine import messages
from edit_assist_ls.session import Call
from tests.session.agent import Agent, edit_input

FILE = "alpha = 1\nbeta = 2\n"
ALIASES = {"file_path": "a.py", "old_string": "alpha = 1", "new_string": "alpha = 10"}
FOLDED = edit_input("a.py", ("alpha = 1", "alpha = 10"))
DONE = "Successfully replaced 1 block(s) in a.py."
NO_FILE = "Could not edit file: b.py. Error code: ENOENT."


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    made = Agent(tmp_path)
    made.write_file("a.py", FILE)
    return made


def prepared(agent: Agent, arguments: Any, call_id: str = "c1", tool: str = "edit") -> Prepared:
    call = Call(agent.origin, call_id, tool, {}, agent.message)
    return session.prepare_arguments(agent.memory, call, arguments)


def text_of(content: list[Any] | None) -> str:
    assert content is not None
    found = content[0]["text"]
    assert isinstance(found, str)
    return found


def validation_error(arguments: object) -> str:
    return f'Validation failed for tool "edit":\n  - x\n\nReceived arguments:\n{json.dumps(arguments, indent=2)}'


def test_a_note_follows_the_success_of_its_call_once(agent: Agent) -> None:
    done = prepared(agent, ALIASES)
    assert done.arguments == FOLDED and done.refusal is None
    prepared(agent, {"path": "a.py", **FOLDED["edits"][0]}, "c2")
    assert text_of(agent.result("c1", FOLDED, DONE, error=False)) == f"{DONE}\n\n{done.notes[0]}"
    assert agent.result("c1", FOLDED, DONE, error=False) is None
    assert agent.message_of("c1", DONE) is None
    assert "beside path" in text_of(agent.result("c2", FOLDED, DONE, error=False))


def test_a_note_follows_a_correction_and_a_diagnosis(agent: Agent) -> None:
    done = prepared(agent, {"file_path": "a.py", "old_string": "  alpha = 1", "new_string": "  alpha = 10"})
    assert done.arguments is not None
    verdict = agent.call("c1", done.arguments)
    assert verdict.arguments == FOLDED
    text = text_of(agent.result("c1", FOLDED, DONE, error=False))
    assert text.endswith(done.notes[0]) and text.count("\n\n") == 2


def test_what_was_refused_is_told_where_the_call_fails_and_only_there(agent: Agent) -> None:
    wrong = edit_input("a.pi", ("alpha = 1", "alpha = 10"))
    done = prepared(agent, wrong)
    assert done.arguments is None and done.refusal is not None and "a.py" in done.refusal
    assert text_of(agent.result("c1", wrong, NO_FILE, error=True)) == f"{NO_FILE}\n\n{done.refusal}"
    prepared(agent, wrong, "c2")
    assert agent.result("c2", wrong, DONE, error=False) is None, "it was a file after all"


def test_a_call_that_never_ran_is_told_in_its_message_once(agent: Agent) -> None:
    arguments = {"path": "a.py", "edits": [{"oldText": "alpha = 1"}]}
    done = prepared(agent, arguments)
    stock = validation_error(arguments)
    assert agent.message_of("c1", stock) == f"{stock}\n\n{done.refusal}"
    assert agent.message_of("c1", stock) is None


def test_text_that_was_no_json_is_told_in_its_message(agent: Agent) -> None:
    done = prepared(agent, '{"path": "a.py", "edits": [{"oldText": "alp')
    assert done.refusal is not None and "cut off" in done.refusal
    stock = 'Invalid arguments for tool "edit": Unterminated string\n\nReceived arguments:\n{"path": "a.py", "ed'
    assert agent.message_of("c1", stock) == f"{stock}\n\n{done.refusal}"


@pytest.mark.parametrize(
    "stock",
    ["Not run: a.py is no valid UTF-8.", 'Tool call "edit" was not executed: the response hit the output token limit.'],
)
def test_a_call_that_was_stopped_for_another_reason_keeps_what_was_said_of_it(agent: Agent, stock: str) -> None:
    done = prepared(agent, ALIASES)
    assert agent.message_of("c1", stock) == f"{stock}\n\n{done.notes[0]}"
    assert agent.message_of("c1", stock) is None


def test_the_arguments_of_a_read_have_one_answer(agent: Agent) -> None:
    arguments = {"path": "a.py", "offset": 1, "limit": 2}
    assert prepared(agent, arguments).refusal == messages.read_tool_hint()
    stock = validation_error(arguments)
    assert agent.message_of("c1", stock) == f"{stock}\n\n{messages.read_tool_hint()}"


def test_with_hint_nothing_is_folded_and_a_failure_says_what_to_send(agent: Agent) -> None:
    agent.write_file(".pi/settings.json", '{"edit-assist": {"arguments": "hint"}}')
    done = prepared(agent, ALIASES)
    assert done.arguments is None and done.refusal is None
    (note,) = done.notes
    assert json.dumps(FOLDED) in note
    stock = validation_error(ALIASES)
    assert agent.message_of("c1", stock) == f"{stock}\n\n{note}"
    prepared(agent, ALIASES, "c2")
    assert agent.result("c2", FOLDED, DONE, error=False) is None, "the host folded it itself"
    long = {**ALIASES, "new_string": "x" * 5_000}
    (note,) = prepared(agent, long, "c3").notes
    assert len(note) < 300
    refused = prepared(agent, {"path": "a.py"}, "c4")
    assert refused.refusal is not None and refused.notes == ()


@pytest.mark.parametrize("strict", [False, True])
def test_enabled_is_false_and_other_tools(agent: Agent, strict: bool) -> None:
    settings: dict[str, Any] = {"enabled": False, "profile": "strict" if strict else "assist"}
    assert prepared(agent, ALIASES, tool="write") == Prepared()
    agent.write_file(".pi/settings.json", json.dumps({"edit-assist": settings}))
    assert prepared(agent, ALIASES) == Prepared()
    stock = validation_error(ALIASES)
    assert agent.message_of("c1", stock) is None


@pytest.mark.parametrize(
    "edits",
    [
        [{"oldText": "alpha = 1", "newText": None}],
        {"oldText": "alpha = 1", "newText": None},
        '[{"oldText": "alpha = 1", "newText": null}]',
        '{"oldText": "alpha = 1", "newText": null}',
    ],
)
def test_a_null_is_not_written_as_a_word_whatever_it_came_in(agent: Agent, edits: Any) -> None:
    prepared(agent, {"path": "a.py", "edits": edits})
    coerced = edit_input("a.py", ("alpha = 1", "null"))
    assert agent.call("c1", coerced).block is not None
    assert agent.call("c2", coerced).block is None, "of another call the word was meant"


def test_text_that_an_earlier_call_of_the_message_writes_bears_no_marks(agent: Agent) -> None:
    numbered = edit_input("./a.py", ("1: alpha = 1", "1: alpha = 10"))
    assert prepared(agent, numbered).arguments is not None
    agent.message = "m2"
    prepared(agent, edit_input("a.py", ("beta = 2", "1: alpha = 1\n2: beta = 2")), "c1")
    assert prepared(agent, numbered, "c2") == Prepared()
    agent.message = "m3"
    assert prepared(agent, numbered, "c3").arguments is not None
    agent.message = None
    prepared(agent, edit_input("a.py", ("beta = 2", "1: alpha = 1\n2: beta = 2")), "c4")
    assert prepared(agent, numbered, "c5").arguments is not None


def test_under_strict_repeats_stay_and_shapes_are_folded(agent: Agent) -> None:
    agent.write_file(".pi/settings.json", '{"edit-assist": {"profile": "strict"}}')
    assert prepared(agent, ALIASES).arguments == FOLDED
    twice = edit_input("a.py", ("alpha = 1", "x"), ("alpha = 1", "x"))
    assert prepared(agent, twice) == Prepared()


def test_a_call_that_is_prepared_again_is_remembered_as_it_was_last(agent: Agent) -> None:
    prepared(agent, ALIASES)
    prepared(agent, FOLDED)
    assert agent.result("c1", FOLDED, DONE, error=False) is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"path": "a.py", "edits": [{"path": "b.py", **FOLDED["edits"][0]}]}, "names two files, a.py and b.py"),
        ({**FOLDED, "file_path": "b.py"}, "names two files, a.py and b.py"),
        ({"path": "a.py", "edits": [{**FOLDED["edits"][0], "new_string": "x"}]}, "newText arrived with two"),
        ({**FOLDED, "changes": [{"oldText": "beta", "newText": "b"}]}, "two different lists of edits"),
        ({"path": "a.py", "edits": [{**FOLDED["edits"][0], "edits": [{"oldText": "b"}]}]}, "edits inside an edit"),
    ],
)
def test_a_call_that_says_two_things_is_not_run_for_the_one(agent: Agent, arguments: dict[str, Any], said: str) -> None:
    done = prepared(agent, arguments)
    assert done.arguments is None and done.refusal is not None and said in done.refusal
    verdict = agent.call("c1", arguments)
    assert verdict.block == f"Not run: {done.refusal}"
    assert agent.message_of("c1", verdict.block) is None, "it is told once"
    assert agent.call("c2", FOLDED).block is None
    agent.write_file(".pi/settings.json", '{"edit-assist": {"arguments": "hint"}}')
    prepared(agent, arguments, "c3")
    assert agent.call("c3", arguments).block is None


@pytest.mark.parametrize(
    "more", [{"edit": "rename alpha"}, {"changes": "one"}, {"description": "x"}, {"reason": {"a": 1}}]
)
def test_words_beside_the_edits_are_no_contradiction(agent: Agent, more: dict[str, Any]) -> None:
    assert prepared(agent, {**FOLDED, **more}) == Prepared()
    folded = prepared(agent, {**ALIASES, **more}).arguments
    assert folded == {**FOLDED, **more}
