"""What the extension says to the server, as a server hears it."""

import json
from collections import defaultdict
from typing import Any

from tests.pi.lab import Lab, fake
from tests.pi.scripted_model import Call, ScriptedModel, Turn, edits, says

RULE = "FAKE RULE"


def recording(lab: Lab) -> str:
    return fake("records", str(lab.agent.parent / "heard"))


def heard(lab: Lab) -> dict[str, list[dict[str, Any]]]:
    """The params of every message that the server got, by method."""
    messages = defaultdict(list)
    for line in (lab.agent.parent / "heard").read_text().splitlines():
        message = json.loads(line)
        messages[message["method"]].append(message.get("params"))
    return messages


def test_a_session_is_begun_and_ended(lab: Lab) -> None:
    lab.run([says("done")], server=recording(lab))
    messages = heard(lab)
    assert list(messages)[:3] == ["initialize", "initialized", "editAssist/sessionStart"]
    assert list(messages)[-3:] == ["editAssist/sessionShutdown", "shutdown", "exit"]
    (start,) = messages["editAssist/sessionStart"]
    assert start["host"] == "pi"
    assert start["cwd"] == str(lab.workspace)
    assert start["projectTrusted"] is True
    assert start["processId"] == messages["initialize"][0]["processId"]
    session = next(entry for entry in lab.session_entries() if entry["type"] == "session")
    assert start["sessionId"] == session["id"]


def test_trust_is_passed_on(lab: Lab) -> None:
    lab.project_settings({})
    lab.run([says("done")], server=recording(lab))
    lab.run([says("done")], server=recording(lab), args=["--approve"])
    assert [start["projectTrusted"] for start in heard(lab)["editAssist/sessionStart"]] == [False, True]


def test_siblings_bear_the_id_of_their_message(lab: Lab) -> None:
    lab.write("a.py", "x = 1\n")
    first = (
        edits("a.py", ("x = 1", "x = 2")),
        Call("write", {"path": "b.py", "content": "y"}),
        Call("ls", {"path": "."}),
    )
    second = (edits("a.py", ("x = 2", "x = 3")),)
    lab.run([Turn(calls=first), Turn(calls=second), says("done")], server=recording(lab))
    messages = heard(lab)
    edit, written, later = messages["editAssist/toolCall"]
    assert edit["messageId"] == written["messageId"] != later["messageId"]
    assert [call["toolCallId"] for call in (edit, written, later)] == ["call_0_0", "call_0_1", "call_1_0"]
    assert (edit["toolName"], written["toolName"]) == ("edit", "write")
    assert edit["input"] == first[0].arguments
    results = messages["editAssist/toolResult"]
    assert {result["toolCallId"] for result in results} == {"call_0_0", "call_0_1", "call_1_0"}
    assert all(result["isError"] is False and result["content"][0]["type"] == "text" for result in results)
    ends = messages["editAssist/messageEnd"]
    assert {end["toolCallId"] for end in ends} == {"call_0_0", "call_0_1", "call_1_0"}
    assert all(end["message"]["role"] == "toolResult" for end in ends)


def test_nested_calls_bear_none(lab: Lab) -> None:
    lab.write("a.py", "x = 1\n")
    script = 'await tools.edit({path: "a.py", edits: [{oldText: "x = 1", newText: "x = 2"}]});'
    turns = [Turn(calls=(Call("codemode", {"code": script}),)), says("done")]
    lab.run(turns, server=recording(lab), args=["--tools", "+codemode"])
    (call,) = heard(lab)["editAssist/toolCall"]
    assert "messageId" not in call
    assert call["toolCallId"] == "call_0_0/1"
    assert (lab.workspace / "a.py").read_text() == "x = 2\n"


def test_a_malformed_call_is_heard_of_at_its_end(lab: Lab) -> None:
    lab.run([Turn(calls=(Call("edit", {"path": "a.py"}),)), says("done")], server=recording(lab))
    messages = heard(lab)
    assert not messages["editAssist/toolCall"]
    (end,) = messages["editAssist/messageEnd"]
    assert end["message"]["isError"]


def test_the_rule_stands_once_over_several_prompts(lab: Lab) -> None:
    with lab.rpc([says("one"), says("two")], server=recording(lab)) as rpc:
        rpc.prompt()
        rpc.prompt("more")
        assert rpc.finish() == 0
    assert [rules(rpc.model, number) for number in range(2)] == [1, 1]
    (first, second) = heard(lab)["editAssist/beforeAgentStart"]
    assert RULE not in first["systemPrompt"]
    assert "edit" in second["activeTools"]


def rules(model: ScriptedModel, request: int) -> int:
    """How often the rule stands in a request."""
    return json.dumps(model.requests[request]).count(RULE)


def test_what_is_no_json_is_not_passed_on_and_costs_nothing(lab: Lab) -> None:
    file = lab.write("a.py", "x = 1\n")
    other = lab.agent.parent / "other.ts"
    other.write_text('export default (pi) => pi.on("tool_call", (event) => { event.input.note = 1n; });\n')
    turns = [Turn(calls=(edits("a.py", ("x = 1", "x = 2")),)), says("done")]
    with lab.rpc(turns, server=recording(lab), first=["-e", str(other)]) as rpc:
        rpc.prompt()
        assert rpc.finish() == 0
    assert file.read_text() == "x = 2\n"
    assert rpc.notices == []
    assert "editAssist/toolCall" not in heard(lab)
    assert heard(lab)["editAssist/messageEnd"]
