"""What people see, where files, folders, ledgers and clients are other than one would think."""

import os
from pathlib import Path

import pytest

from edit_assist_ls.ledger import default_folder, store
from tests.server.people import CAPABILITIES, LOAD, STALE, WANTED, Agent, Editor, Opening, forget


def test_a_session_outlives_the_ledger_that_it_was_told_to(folder: Path, started: Opening) -> None:
    agent, editor = started(Agent(folder)), started(Editor(folder))
    uri = (folder / "load.go").as_uri()
    agent.edit("load.go", STALE)
    editor.sees_one(uri)
    forget()
    editor.sees_none(uri)
    agent.edit("load.go", STALE)
    editor.sees_one(uri)


def test_a_session_outlives_a_prune_of_everything(folder: Path, started: Opening) -> None:
    agent, editor = started(Agent(folder)), started(Editor(folder))
    uri = (folder / "load.go").as_uri()
    agent.edit("load.go", STALE)
    editor.sees_one(uri)
    kept = default_folder()
    assert kept is not None
    connection = store.connect(kept, 2.0)
    store.prune(connection, 0.0, 0)
    connection.close()
    editor.sees_none(uri)
    agent.edit("load.go", STALE)
    editor.sees_one(uri)


def test_a_name_that_is_no_utf8_hides_nothing_else(folder: Path, started: Opening) -> None:
    strange = os.fsencode(folder) + b"/b\xff.go"
    Path(os.fsdecode(strange)).write_text(LOAD)
    (folder / "link.go").symlink_to(os.fsdecode(strange))
    agent, editor = started(Agent(folder)), started(Editor(folder))
    agent.edit("link.go", STALE)
    agent.edit("load.go", STALE)
    editor.sees_one((folder / "load.go").as_uri())
    uris = [call["uri"] for call in editor.ask("editAssist/calls", {})["calls"]]
    assert (folder / "load.go").as_uri() in uris and folder.as_uri() + "/b%FF.go" in uris


def test_the_root_is_a_folder(folder: Path, started: Opening) -> None:
    agent, editor = started(Agent(folder)), started(Editor("file:///"))
    agent.edit("load.go", STALE)
    editor.sees_one((folder / "load.go").as_uri())


def test_many_documents_and_folders(folder: Path, started: Opening) -> None:
    agent = started(Agent(folder))
    editor = started(Editor(*[folder / f"none{number}" for number in range(1_200)]))
    uri = (folder / "load.go").as_uri()
    for number in range(1_200):
        editor.open((folder / f"{number}.go").as_uri(), "x\n")
    editor.open(uri, LOAD)
    agent.edit("load.go", STALE)
    editor.sees_one(uri)


def test_a_place_is_the_same_place_when_another_has_gone(folder: Path, started: Opening) -> None:
    text = "a\nx = 1\nb\nx = 1\nc\nx = 1\nd\n"
    (folder / "a.py").write_text(text)
    agent, editor = started(Agent(folder)), started(Editor(folder))
    uri = (folder / "a.py").as_uri()
    editor.open(uri, text)
    agent.edit("a.py", ("x = 1", "x = 2"))
    editor.sees_one(uri)
    second = next(action for action in editor.actions(uri, 1) if action["title"].endswith("line 4"))
    editor.type(uri, "a\ny = 1\nb\nx = 1\nc\nx = 1\nd\n", 2)
    (change,) = editor.edit_of(second)["documentChanges"][0]["edits"]
    assert change["range"]["start"]["line"] == 3
    first = "a\nx = 1\nb\ny = 1\nc\nx = 1\nd\n"
    editor.type(uri, first, 3)
    assert editor.error("codeAction/resolve", second)["code"] == -32803


@pytest.mark.parametrize(("encoding", "mark"), [("utf-8", 3), ("utf-16", 1), ("utf-32", 1)])
def test_a_mark_that_the_client_shows_counts_as_it_does(
    folder: Path, started: Opening, encoding: str, mark: int
) -> None:
    (folder / "a.py").write_bytes(b"\xef\xbb\xbfx = 1 # a\ny = 1\n")
    agent = started(Agent(folder))
    capabilities = {**CAPABILITIES, "general": {"positionEncodings": [encoding]}}
    with_mark, without = (started(Editor(folder, capabilities=capabilities)) for _ in range(2))
    uri = (folder / "a.py").as_uri()
    with_mark.open(uri, "\ufeffx = 1 # a\ny = 1\n")
    agent.edit("a.py", ("x = 1  # a\ny = 2", "x = 3  # a\ny = 2"))
    for editor, more in ((with_mark, mark), (without, 0)):
        diagnostic = editor.sees_one(uri)
        assert diagnostic["range"]["start"] == {"line": 0, "character": 0}
        action = editor.actions(uri, 0)[0]
        (change,) = editor.edit_of(action)["documentChanges"][0]["edits"]
        assert change["range"]["start"] == {"line": 0, "character": more}


@pytest.mark.parametrize("new", ["\tif err != nil {", "\t}", "\tif err != nil {\n\t\treturn nil, err"])
def test_an_edit_that_takes_lines_away_is_shown(folder: Path, started: Opening, new: str) -> None:
    agent, editor = started(Agent(folder)), started(Editor(folder))
    agent.edit("load.go", (STALE[0], new))
    editor.sees_one((folder / "load.go").as_uri())


def test_lone_surrogates_reach_the_client(folder: Path, started: Opening) -> None:
    agent, editor = started(Agent(folder)), started(Editor(folder))
    uri = (folder / "load.go").as_uri()
    editor.open(uri, LOAD.replace("load()", "l\ud800d()"))
    agent.edit("load.go", STALE)
    editor.sees_one(uri)
    (change,) = editor.edit_of(editor.actions(uri, 4)[0])["documentChanges"][0]["edits"]
    assert change["newText"] == WANTED
