"""What people see: the failing calls of an agent, in the servers of their editors."""

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.server.people import CAPABILITIES, LOAD, SECONDS, STALE, WANTED, Agent, Editor, Opening


def lines_of(diagnostic: dict[str, Any]) -> tuple[int, int]:
    return diagnostic["range"]["start"]["line"], diagnostic["range"]["end"]["line"]


def test_an_editor_reads_what_the_model_read_and_puts_the_edit_in(folder: Path, started: Opening) -> None:
    agent, editor = started(Agent(folder)), started(Editor(folder))
    (block,) = agent.edit("load.go", STALE)
    uri = (folder / "load.go").as_uri()
    shown = editor.sees_one(uri)
    assert block["text"].endswith("\n\n" + shown["message"]) and "Nearest region: lines 4-6" in shown["message"]
    assert (shown["source"], shown["severity"], shown["code"]) == ("edit-assist", 2, "no-match")
    assert shown["range"] == {"start": {"line": 3, "character": 0}, "end": {"line": 5, "character": 2}}
    apply, difference, dismiss = editor.actions(uri, 4)
    assert [apply["title"], difference["title"], dismiss["title"]] == [
        "Apply the agent's edit here",
        "Show the difference",
        "Dismiss",
    ]
    assert all(action["diagnostics"] == [shown] and action["kind"] == "quickfix" for action in (apply, difference))
    assert "isPreferred" not in apply and "edit" not in apply
    assert editor.edit_of(apply) == {
        "documentChanges": [
            {"textDocument": {"uri": uri, "version": None}, "edits": [{"range": shown["range"], "newText": WANTED}]}
        ]
    }
    assert editor.actions(uri, 0) == []
    assert editor.actions(uri, 4, only=["source.fixAll"]) == editor.actions(uri, 4, only=["quickfix.other"]) == []
    assert len(editor.actions(uri, 4, only=["quickfix"])) == len(editor.actions(uri, 4, only=[""])) == 3
    editor.ask("workspace/executeCommand", apply["command"])
    editor.sees_none(uri)
    (call,) = editor.ask("editAssist/calls", {})["calls"]
    assert (call["state"], call["startLine"], call["endLine"], call["uri"]) == ("applied", 4, 6, uri)
    assert call["edits"] == [{"state": "applied", "code": "no-match", "startLine": 4, "endLine": 6}]
    assert call["at"].endswith("Z") and call["summary"].startswith("edits[0] is not in load.go.")
    assert (folder / "load.go").read_text() == LOAD


@pytest.mark.parametrize(("encoding", "end"), [("utf-8", 15), ("utf-16", 12), ("utf-32", 11)])
def test_columns_are_those_of_the_clients_encoding(folder: Path, started: Opening, encoding: str, end: int) -> None:
    (folder / "e.js").write_text("// top\nsay('\U0001f389', é2\n")
    capabilities = {**CAPABILITIES, "general": {"positionEncodings": [encoding]}}
    agent, editor = started(Agent(folder)), started(Editor(folder, capabilities=capabilities))
    agent.edit("e.js", ("say('\U0001f389!', é2", "say(3"))
    uri = (folder / "e.js").as_uri()
    shown = editor.sees_one(uri)
    assert shown["range"]["end"] == {"line": 1, "character": end}
    edit = editor.edit_of(editor.actions(uri, 1)[0])
    assert edit["documentChanges"][0]["edits"][0]["range"]["end"]["character"] == end


def test_a_buffer_counts_where_it_differs_from_the_disk(folder: Path, started: Opening) -> None:
    agent, editor = started(Agent(folder)), started(Editor(folder))
    uri = (folder / "load.go").as_uri()
    editor.open(uri, "// new\n" + LOAD, version=7)
    agent.edit("load.go", STALE)
    assert lines_of(editor.sees_one(uri)) == (4, 6)
    assert editor.published[uri]["version"] == 7
    (change,) = editor.edit_of(editor.actions(uri, 4)[0])["documentChanges"]
    assert change["textDocument"] == {"uri": uri, "version": 7}
    assert change["edits"][0]["range"]["start"]["line"] == 4
    editor.type(uri, "// new\n// newer\n" + LOAD, 8)
    editor.sees(uri, lambda found: [lines_of(one) for one in found] == [(5, 7)])
    action = editor.actions(uri, 5)[0]
    editor.type(uri, LOAD.replace("nil, err", "nil, nil"), 9)
    error = editor.error("codeAction/resolve", action)
    assert error["code"] == -32803 and "no longer fits" in error["message"]
    editor.sees_none(uri)
    editor.type(uri, LOAD, 10)
    assert lines_of(editor.sees_one(uri)) == (3, 5)
    editor.type(uri, LOAD.replace("\tif err != nil {\n\t\treturn nil, err\n\t}", WANTED), 11)
    editor.sees_none(uri)
    editor.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert lines_of(editor.sees_one(uri)) == (3, 5)
    assert "version" not in editor.published[uri]


def test_a_closed_file_is_looked_at_when_it_changes(folder: Path, started: Opening) -> None:
    agent, editor = started(Agent(folder)), started(Editor(folder))
    agent.edit("load.go", STALE)
    uri = (folder / "load.go").as_uri()
    editor.sees_one(uri)
    (folder / "load.go").write_text("// a\n// b\n" + LOAD)
    editor.sees(uri, lambda found: [lines_of(one) for one in found] == [(5, 7)])
    (folder / "load.go").unlink()
    editor.sees_none(uri)


def test_files_are_watched_by_a_client_that_can(folder: Path, started: Opening) -> None:
    watched = {"didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True}}
    capabilities = {**CAPABILITIES, "workspace": {**CAPABILITIES["workspace"], **watched}}
    odd = folder / "[x].go"
    odd.write_text(LOAD)
    agent, editor = started(Agent(folder)), started(Editor(folder, capabilities=capabilities))
    agent.edit("[x].go", STALE)
    uri = f"{folder.as_uri()}/%5Bx%5D.go"
    editor.sees_one(uri)
    editor.sees(uri, lambda _: any(m["method"] == "client/registerCapability" for m in editor.heard))
    (asked,) = (m for m in editor.heard if m["method"] == "client/registerCapability")
    (registration,) = asked["params"]["registrations"]
    assert registration["method"] == "workspace/didChangeWatchedFiles"
    (watcher,) = registration["registerOptions"]["watchers"]
    assert watcher["globPattern"] == {"baseUri": folder.as_uri(), "pattern": "?x?.go"}
    odd.write_text("// a\n" + LOAD)
    editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
    editor.sees(uri, lambda found: [lines_of(one) for one in found] == [(4, 6)])


def test_crlf_files_get_crlf(folder: Path, started: Opening) -> None:
    (folder / "w.go").write_bytes(LOAD.replace("\n", "\r\n").encode())
    agent, editor = started(Agent(folder)), started(Editor(folder))
    agent.edit("w.go", STALE)
    uri = (folder / "w.go").as_uri()
    assert editor.sees_one(uri)["range"]["end"] == {"line": 5, "character": 2}
    (change,) = editor.edit_of(editor.actions(uri, 3)[0])["documentChanges"]
    assert change["edits"][0]["newText"] == WANTED.replace("\n", "\r\n")
    (call,) = editor.ask("editAssist/calls", {})["calls"]
    preview = editor.ask("editAssist/preview", {"id": call["id"]})
    assert preview["before"] == LOAD.replace("\n", "\r\n")
    wanted = LOAD.replace("\tif err != nil {\n\t\treturn nil, err\n\t}", WANTED)
    assert preview["after"] == wanted.replace("\n", "\r\n")
    assert preview["edit"]["documentChanges"] and "stale" not in preview


def test_an_ambiguous_edit_is_offered_at_every_place(folder: Path, started: Opening) -> None:
    (folder / "d.js").write_text("start()\nlog('one')\nstop()\nstart()\n  log('one') // 2\nstop()\n")
    agent, editor = started(Agent(folder)), started(Editor(folder))
    agent.edit("d.js", ("log('one')", "log('two')"))
    uri = (folder / "d.js").as_uri()
    shown = editor.sees_one(uri)
    related = [info["location"]["range"]["start"]["line"] for info in shown["relatedInformation"]]
    assert (shown["code"], lines_of(shown), related) == ("ambiguous", (1, 1), [1, 4])
    titles = [action["title"] for action in editor.actions(uri, 1)]
    assert titles == [
        "Apply the agent's edit at line 2",
        "Apply the agent's edit at line 5",
        "Show the difference",
        "Dismiss",
    ]
    (change,) = editor.edit_of(editor.actions(uri, 1)[1])["documentChanges"]
    assert change["edits"][0]["newText"] == "  log('two') // 2"
    (folder / "d.js").write_text("start()\nlog('two')\nstop()\nstart()\n  log('one') // 2\nstop()\n")
    editor.sees(uri, lambda found: [lines_of(one) for one in found] == [(4, 4)])


def test_one_whitespace_only_place_is_preferred(folder: Path, started: Opening) -> None:
    (folder / "p.py").write_text("def f():\n    if a:\n        x = 1\n    y = 2\n")
    agent = started(Agent(folder))
    editor = started(Editor(folder))
    agent.edit("p.py", ("if a:\n    x = 1\n    y = 2", "if a:\n    x = 3\n    y = 2"))
    uri = (folder / "p.py").as_uri()
    shown = editor.sees_one(uri)
    assert shown["code"] == "whitespace-only"
    assert editor.actions(uri, 1)[0]["isPreferred"] is True


def test_paths_are_compared_and_uris_are_the_clients_own(tmp_path: Path, started: Opening) -> None:
    (tmp_path / "real" / "sub dir").mkdir(parents=True)
    (tmp_path / "real" / "sub dir" / "load.go").write_text(LOAD)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real2").mkdir()
    agent = started(Agent(tmp_path / "link" / "sub dir"))
    agent.edit("load.go", STALE)
    spelled = (tmp_path / "link").as_uri()
    by_link = started(Editor(spelled))
    by_link.sees_one(f"{spelled}/sub%20dir/load.go")
    elsewhere = started(Editor(tmp_path / "real2"))
    assert elsewhere.ask("editAssist/calls", {})["calls"] == []
    own = f"{spelled}/sub dir/../sub%20dir/load.go"
    elsewhere.open(own, LOAD)
    elsewhere.sees_one(own)
    elsewhere.notify("textDocument/didClose", {"textDocument": {"uri": own}})
    elsewhere.sees_none(own)
    folder = {"uri": (tmp_path / "real").as_uri(), "name": "real"}
    elsewhere.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
    uri = (tmp_path / "real" / "sub dir" / "load.go").as_uri()
    elsewhere.sees_one(uri)
    elsewhere.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}})
    elsewhere.sees_none(uri)


def test_documents_that_are_no_files_are_ignored(folder: Path, started: Opening) -> None:
    agent, editor = started(Agent(folder)), started(Editor(folder))
    for uri in ("untitled:Untitled-1", "git:/x/load.go?ref", "file://other-machine/load.go", "vscode://x", "x"):
        editor.open(uri, LOAD)
        editor.type(uri, "x", 2)
        assert editor.actions(uri, 0) == []
        editor.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    agent.edit("load.go", STALE)
    editor.sees_one((folder / "load.go").as_uri())


def test_a_later_edit_of_the_place_answers_the_failed_one(folder: Path, started: Opening) -> None:
    agent, editor = started(Agent(folder)), started(Editor(folder))
    (folder / "a.py").write_text("one()\ntwo()\nthree()\n")
    uri = (folder / "a.py").as_uri()
    agent.edit("a.py", ("twoo()", "two()\nand()"))
    editor.sees_one(uri)
    agent.edit("a.py", ("one()", "ONE()"))
    assert lines_of(editor.sees_one(uri)) == (1, 1)
    agent.edit("a.py", ("two()\nthree()", "two()\nand()\nthree()"))
    editor.sees_none(uri)
    states = [call["state"] for call in editor.ask("editAssist/calls", {"uri": uri})["calls"]]
    assert states == ["exact", "exact", "failed"]


def test_an_edit_without_a_place_is_shown_on_the_first_line_until_its_agent_lands_one(
    folder: Path, started: Opening
) -> None:
    agent, editor = started(Agent(folder)), started(Editor(folder))
    uri = (folder / "load.go").as_uri()
    agent.edit("load.go", ("something else entirely, zzz", "qqqqqqqqqqqq"))
    shown = editor.sees_one(uri)
    assert lines_of(shown) == (0, 0) and shown["range"]["end"]["character"] == len("package main")
    assert [action["title"] for action in editor.actions(uri, 0)] == ["Show the difference", "Dismiss"]
    agent.edit("load.go", ("package main", "package load"))
    editor.sees_none(uri)


def test_dismissed_in_one_editor_gone_in_the_other(folder: Path, started: Opening) -> None:
    agent, one, two = started(Agent(folder)), started(Editor(folder)), started(Editor(folder))
    agent.edit("load.go", STALE, ("nowhere at all, zz", "x"))
    uri = (folder / "load.go").as_uri()
    for editor in (one, two):
        editor.sees(uri, lambda found: len(found) == 2)
    dismiss = one.actions(uri, 3)[-1]["command"]
    one.ask("workspace/executeCommand", dismiss)
    assert lines_of(two.sees_one(uri)) == (0, 0)
    one.ask("workspace/executeCommand", {"command": "editAssist.dismiss", "arguments": dismiss["arguments"][:1]})
    two.sees_none(uri)
    assert two.ask("editAssist/calls", {})["calls"][0]["state"] == "dismissed"


@pytest.mark.parametrize("arguments", [[], [5], ["x", "y"], ["x", -1], ["x", 0, 1], ["x", True]])
def test_arguments_of_commands_are_checked(folder: Path, started: Opening, arguments: list[Any]) -> None:
    editor = started(Editor(folder))
    error = editor.error("workspace/executeCommand", {"command": "editAssist.dismiss", "arguments": arguments})
    assert error["code"] == -32602
    error = editor.error("workspace/executeCommand", {"command": "editAssist.dismiss", "arguments": ["nobody"]})
    assert error["code"] == -32803 and "not in the ledger" in error["message"]
    assert editor.error("editAssist/preview", {"id": "nobody"})["code"] == -32803


def test_a_session_that_ends_takes_what_is_shown_with_it(folder: Path, started: Opening) -> None:
    agent, editor = started(Agent(folder)), started(Editor(folder))
    uri = (folder / "load.go").as_uri()
    agent.edit("load.go", STALE)
    editor.sees_one(uri)
    agent.ask("editAssist/sessionShutdown", {"host": "pi", "sessionId": "s"})
    editor.sees_none(uri)
    assert len(editor.ask("editAssist/calls", {})["calls"]) == 1
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    other = started(Agent(folder, "s2", processId=child.pid))
    other.edit("load.go", STALE)
    editor.sees_one(uri)
    child.communicate(b"\n")
    editor.sees_none(uri)


def test_an_unsaved_buffer_is_named_to_the_model_and_offered_in_it(folder: Path, started: Opening) -> None:
    agent, editor = started(Agent(folder)), started(Editor(folder))
    uri = (folder / "load.go").as_uri()
    editor.open(uri, LOAD.replace("return nil, err", "return 0, err"))
    unsaved = ("\t\treturn 0, err\n\t}", "\t\treturn 1, err\n\t}")
    said = _said_in_time(agent, unsaved, "unsaved")
    assert "only in an unsaved editor buffer" in said
    shown = editor.sees(uri, lambda found: any("unsaved" in one["message"] for one in found))[-1]
    assert lines_of(shown) == (4, 5)
    editor.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert "unsaved" not in _said_in_time(agent, unsaved, "Nearest region")


def _said_in_time(agent: Agent, edit: tuple[str, str], wanted: str) -> str:
    """What the model is told of an edit, once it says what is wanted."""
    until = time.monotonic() + SECONDS
    while wanted not in (said := str(agent.edit("load.go", edit)[0]["text"])):
        assert time.monotonic() < until, said
    return said


def test_clients_that_can_do_less(folder: Path, started: Opening) -> None:
    agent = started(Agent(folder))
    agent.edit("load.go", STALE)
    uri = (folder / "load.go").as_uri()
    literal: dict[str, Any] = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
    plain = started(Editor(folder, capabilities={"textDocument": {"publishDiagnostics": {}, "codeAction": literal}}))
    plain.sees_one(uri)
    apply = plain.actions(uri, 3)[0]
    assert apply["edit"] == {"changes": {uri: [{"range": plain.sees_one(uri)["range"], "newText": WANTED}]}}
    commands = started(Editor(folder, capabilities={"textDocument": {"publishDiagnostics": {}}}))
    commands.sees_one(uri)
    assert [command["command"] for command in commands.actions(uri, 3)] == [
        "editAssist.difference",
        "editAssist.dismiss",
    ]
    silent = started(Editor(folder, capabilities={}))
    assert silent.ask("editAssist/calls", {})["calls"][0]["state"] == "failed"
    assert silent.shown(uri) == []


def test_a_difference_is_kept_for_editors_without_a_view(folder: Path, started: Opening) -> None:
    agent, editor = started(Agent(folder)), started(Editor(folder))
    agent.edit("load.go", STALE)
    uri = (folder / "load.go").as_uri()
    editor.sees_one(uri)
    command = editor.actions(uri, 3)[1]["command"]
    kept = Path(editor.ask("workspace/executeCommand", command)["uri"].removeprefix("file://"))
    text = kept.read_text()
    assert "-\t\treturn nil, err\n+\t\treturn nil, wrap(err)\n" in text and str(folder / "load.go") in text
    assert kept.stat().st_mode & 0o777 == 0o600
    named = {"clientCommands": {"difference": "mine.difference"}}
    other = started(Editor(folder, options=named))
    other.sees_one(uri)
    assert other.actions(uri, 3)[1]["command"]["command"] == "mine.difference"


def test_calls_are_told_of_to_those_who_asked(folder: Path, started: Opening) -> None:
    agent = started(Agent(folder))
    told, untold = started(Editor(folder, options={"callsChanged": True})), started(Editor(folder))
    agent.edit("load.go", ("package main", "package load"))
    uri = (folder / "load.go").as_uri()
    told.sees(uri, lambda _: bool(told.ask("editAssist/calls", {})["calls"]))
    told.sees(uri, lambda _: any(m["method"] == "editAssist/didChangeCalls" for m in told.heard))
    (call,) = told.ask("editAssist/calls", {"uri": uri, "limit": 5})["calls"]
    assert (call["state"], call["startLine"], call["edits"]) == (
        "exact",
        1,
        [{"state": "exact", "startLine": 1, "endLine": 1}],
    )
    preview = told.ask("editAssist/preview", {"id": call["id"]})
    assert preview["after"] == preview["before"] and "not kept" in preview["stale"]
    agent.edit("load.go", STALE)
    untold.sees_one(uri)
    assert not [m for m in untold.heard if m["method"] == "editAssist/didChangeCalls"]


@pytest.mark.parametrize("level", ["minimal", "off"])
def test_less_is_kept_where_less_is_asked_for(folder: Path, started: Opening, level: str) -> None:
    (folder / ".pi").mkdir()
    (folder / ".pi" / "settings.json").write_text(f'{{"edit-assist": {{"ledger": "{level}"}}}}')
    agent, editor = started(Agent(folder)), started(Editor(folder))
    agent.edit("load.go", STALE)
    uri = (folder / "load.go").as_uri()
    if level == "off":
        (folder / "kept").mkdir()
        kept = folder / "kept" / "load.go"
        kept.write_text(LOAD)
        started(Agent(kept.parent)).edit("load.go", STALE)
        editor.sees_one(kept.as_uri())
        assert [call["uri"] for call in editor.ask("editAssist/calls", {})["calls"]] == [kept.as_uri()]
        return
    shown = editor.sees_one(uri)
    assert lines_of(shown) == (3, 5) and "err" not in shown["message"]
    (folder / "load.go").write_text("// a\n" + LOAD)
    editor.sees(uri, lambda found: [lines_of(one) for one in found] == [(4, 6)])
    assert [action["title"] for action in editor.actions(uri, 4)] == ["Show the difference", "Dismiss"]


def test_a_malformed_call_is_shown_on_the_first_line(folder: Path, started: Opening) -> None:
    agent, editor = started(Agent(folder)), started(Editor(folder))
    refusal = (
        'Validation failed for tool "edit":\n  - edits: missing\n\nReceived arguments:\n'
        '{"path": "load.go", "offset": 1, "limit": 2}'
    )
    message = {
        "role": "toolResult",
        "toolCallId": "m1",
        "toolName": "edit",
        "isError": True,
        "content": [{"type": "text", "text": refusal}],
    }
    agent.ask("editAssist/messageEnd", {**agent.common(), "message": message})
    shown = editor.sees_one((folder / "load.go").as_uri())
    assert (shown["code"], lines_of(shown)) == ("malformed-arguments", (0, 0))
    assert "arguments of the read tool" in shown["message"]


def test_the_client_may_turn_it_off_and_on(folder: Path, started: Opening) -> None:
    agent, editor = started(Agent(folder)), started(Editor(folder))
    uri = (folder / "load.go").as_uri()
    agent.edit("load.go", STALE)
    editor.sees_one(uri)
    editor.notify("workspace/didChangeConfiguration", {"settings": {"editAssist": {"ledger": "off"}}})
    editor.sees_none(uri)
    assert editor.ask("editAssist/calls", {})["calls"] == []
    editor.notify("workspace/didChangeConfiguration", {"settings": {"editAssist": {}}})
    editor.sees_one(uri)


def test_a_file_that_a_call_named_outside_every_folder_is_not_shown(tmp_path: Path, started: Opening) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out.go").write_text(LOAD)
    (tmp_path / "in" / "link.go").symlink_to(tmp_path / "out.go")
    agent, editor = started(Agent(tmp_path / "in")), started(Editor(tmp_path / "in"))
    agent.edit("link.go", STALE)
    agent.edit("../out.go", STALE)
    (tmp_path / "in" / "load.go").write_text(LOAD)
    agent.edit("load.go", STALE)
    editor.sees_one((tmp_path / "in" / "load.go").as_uri())
    assert [call["uri"] for call in editor.ask("editAssist/calls", {})["calls"]] == [
        (tmp_path / "in" / "load.go").as_uri()
    ]
    assert set(editor.published) == {(tmp_path / "in" / "load.go").as_uri()}
