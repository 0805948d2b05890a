"""Whatever is wrong with the server, pi goes on as if the extension were not there, and says so once."""

import pytest

from tests.pi.lab import Lab, fake, processes
from tests.pi.scripted_model import ScriptedModel, Turn, edits, says

TURNS = [
    Turn(calls=(edits("a.py", ("x = 1", "x = 2")),)),
    Turn(calls=(edits("a.py", ("no such text", "y")),)),
    says("all done"),
]
NO_MATCH = (
    "Could not find the exact text in a.py. The old text must match exactly including all whitespace and newlines."
)
STOCK_TEXTS = ["Successfully replaced 1 block(s) in a.py.", NO_MATCH]

BROKEN = {
    "ends at the start": (fake("missing-module"), "ended (exit status 1)"),
    "speaks no LSP": (fake("prints"), "no LSP header"),
    "crashes when greeted": (fake("crash", "initialize"), "ended (exit status 3)"),
    "crashes in tool_call": (fake("crash", "editAssist/toolCall"), "ended (exit status 3)"),
    "crashes in tool_result": (fake("crash", "editAssist/toolResult"), "ended (exit status 3)"),
    "crashes in message_end": (fake("crash", "editAssist/messageEnd"), "ended (exit status 3)"),
    "crashes in before_agent_start": (fake("crash", "editAssist/beforeAgentStart"), "ended (exit status 3)"),
    "hangs from the start": (fake("silent"), "still starting"),
    "hangs in tool_call": (fake("hang", "editAssist/toolCall"), "did not answer editAssist/toolCall"),
    "hangs in tool_result": (fake("hang", "editAssist/toolResult"), "did not answer editAssist/toolResult"),
    "wrong greeting": (fake("wrong", "initialize"), "could not be greeted"),
    "wrong settings": (fake("wrong", "editAssist/sessionStart"), "could not be greeted"),
    "wrong rule": (fake("wrong", "editAssist/beforeAgentStart"), "does not keep to the contract"),
    "wrong input": (fake("wrong", "editAssist/toolCall"), "does not keep to the contract"),
    "wrong content": (fake("wrong", "editAssist/toolResult"), "does not keep to the contract"),
    "wrong message": (fake("wrong", "editAssist/messageEnd"), "does not keep to the contract"),
    "no program": ("/nowhere/edit-assist-ls", "EDIT_ASSIST_LS names /nowhere/edit-assist-ls"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_server_costs_one_notification_and_nothing_else(lab: Lab, case: str) -> None:
    server, told = BROKEN[case]
    lab.write("a.py", "x = 1\n")
    with lab.rpc(TURNS, server=server) as rpc:
        rpc.prompt()
        assert rpc.finish() == 0
    assert (lab.workspace / "a.py").read_text() == "x = 2\n"
    assert tool_texts(rpc.model) == STOCK_TEXTS
    assert len(rpc.notices) == 1
    assert told in rpc.notices[0]
    assert rpc.stderr == b""
    assert not processes(rpc.mark, of="python")


def tool_texts(model: ScriptedModel) -> list[str]:
    """The tool results that the model's last request held."""
    return [message["content"] for message in model.requests[-1]["messages"] if message["role"] == "tool"]
