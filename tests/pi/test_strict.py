"""The profile `strict` in the real pi: our own edit tool, its semantics and how it writes."""

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.pi.lab import Lab, Run
from tests.pi.scripted_model import Call, Turn, edits, says

MEDDLING = Path(__file__).with_name("meddling_server.py")
FILE = "const a = 1;\nconst b = 2;\nconst c = 3;\n"


@pytest.fixture
def strict(lab: Lab) -> Lab:
    lab.settings({"edit-assist": {"profile": "strict"}})
    return lab


def one(lab: Lab, *calls: Call, **options: Any) -> Run:
    run = lab.run([Turn(calls=calls), says("all done")], **options)
    assert (run.status, run.stderr) == (0, "")
    return run


def details(lab: Lab) -> list[Any]:
    messages = [entry["message"] for entry in lab.session_entries() if entry["type"] == "message"]
    return [message.get("details") for message in messages if message["role"] == "toolResult"]


def test_edits_build_on_each_other_and_the_details_are_the_hosts(strict: Lab) -> None:
    file = strict.write("a.js", FILE)
    call = edits("a.js", ("const b = 2;", "const b = 4;"), ("const b = 4;", "export const b = 4;"))
    run = one(strict, call)
    assert file.read_text() == FILE.replace("const b = 2;", "export const b = 4;")
    assert run.tool_texts() == ["Applied 2 edits to a.js."]
    (found,) = details(strict)
    assert found["firstChangedLine"] == 2
    assert found["diff"] == " 1 const a = 1;\n-2 const b = 2;\n+2 export const b = 4;\n 3 const c = 3;"
    assert found["patch"] == (
        "--- a.js\n+++ a.js\n@@ -1,3 +1,3 @@\n const a = 1;\n-const b = 2;\n+export const b = 4;\n const c = 3;\n"
    )
    assert [edit["matchedVia"] for edit in found["edits"]] == ["exact", "exact"]


def test_the_details_are_what_the_hosts_own_tool_says_of_the_same_change(lab: Lab) -> None:
    text = "".join(f"line {number}\n" for number in range(40)) + "end"
    call = edits("a.txt", ("line 3\n", "line three\nand more\n"), ("line 30", "line thirty"), ("end", "END"))
    lab.write("a.txt", text)
    one(lab, call, with_extension=False)
    lab.write("a.txt", text)
    lab.settings({"edit-assist": {"profile": "strict"}})
    one(lab, call)
    stock, ours = details(lab)
    ours.pop("edits")
    assert ours == stock


def test_it_refuses_what_the_host_would_guess_at(strict: Lab) -> None:
    file = strict.write("q.md", "Title “Quoted” — one\nTitle “Quoted” - two aaa\n")
    before = file.read_bytes()
    run = one(strict, edits("q.md", ("aa", "b")), edits("q.md", ('Title "Quoted" -', "T")))
    twins, quotes = run.tool_texts()
    assert twins.startswith("Edit 1 is at 2 places in q.md") and quotes.startswith("Edit 1 stands nowhere literally")
    assert file.read_bytes() == before


def test_bytes_that_no_edit_touches_stay(strict: Lab) -> None:
    crlf = strict.write("crlf.txt", b"\xef\xbb\xbfa = 1\r\nb = 2\r\nc = 3")
    mixed = strict.write("mixed.txt", b"a = 1;\r\nb = 2;\nc = 3;\r\n\xe2\x80\x9cq\xe2\x80\x9d  \n")
    one(strict, edits("crlf.txt", ("b = 2", "b = 3\nb = 4")), edits("mixed.txt", ("a = 1;", "a = 10;")))
    assert crlf.read_bytes() == b"\xef\xbb\xbfa = 1\r\nb = 3\r\nb = 4\r\nc = 3"
    assert mixed.read_bytes() == b"a = 10;\r\nb = 2;\nc = 3;\r\n\xe2\x80\x9cq\xe2\x80\x9d  \n"


def test_links_modes_and_other_links_are_kept(strict: Lab) -> None:
    script = strict.write("go.sh", "#!/bin/sh\necho hi\n")
    script.chmod(0o754)
    (strict.workspace / "link.sh").symlink_to("go.sh")
    twin = strict.write("twin.txt", "one\n")
    os.link(twin, strict.workspace / "other.txt")
    inode = twin.stat().st_ino
    one(strict, edits("link.sh", ("echo hi", "echo ho")), edits("twin.txt", ("one", "two")))
    assert (strict.workspace / "link.sh").is_symlink()
    assert script.read_text() == "#!/bin/sh\necho ho\n" and stat.S_IMODE(script.stat().st_mode) == 0o754
    assert (strict.workspace / "other.txt").read_text() == "two\n" and twin.stat().st_ino == inode
    assert not [file for file in strict.workspace.iterdir() if file.name.startswith(".go.sh")]


def test_edits_of_one_file_in_one_message_all_land(strict: Lab) -> None:
    file = strict.write("n.txt", "".join(f"<{number}>\n" for number in range(12)))
    calls = [edits("n.txt", (f"<{number}>", f"<{number}!>")) for number in range(12)]
    one(strict, *calls)
    assert file.read_text() == "".join(f"<{number}!>\n" for number in range(12))


def test_calls_of_one_message_keep_their_order(strict: Lab) -> None:
    """As pi's own tools do, which wait for their turns at one file in the order of the calls."""
    file = strict.write("n.txt", "one\n")
    rewrite = Call("write", {"path": "n.txt", "content": "three\n"})
    again = edits("./n.txt", ("three", "three and a half"), ("half", "half, or four"))
    run = one(strict, edits("n.txt", ("one", "two")), edits("n.txt", ("two", "two and more")), rewrite, again)
    assert file.read_text() == "three and a half, or four\n"
    assert [text.split()[0] for text in run.tool_texts()] == ["Applied", "Applied", "Successfully", "Applied"]


def test_what_is_changed_meanwhile_is_not_lost(strict: Lab) -> None:
    file = strict.write("n.txt", "one\n")
    server = f"{sys.executable} {MEDDLING} {file} 2"
    run = one(strict, edits("n.txt", ("one", "two")), server=server)
    assert file.read_text() == "two\nmeddled 1\nmeddled 2\n"
    assert run.tool_texts() == ["Applied 1 edit to n.txt."]


def test_a_file_that_keeps_changing_is_not_written(strict: Lab) -> None:
    file = strict.write("n.txt", "one\n")
    run = one(strict, edits("n.txt", ("one", "two")), server=f"{sys.executable} {MEDDLING} {file} 9")
    assert file.read_text() == "one\nmeddled 1\nmeddled 2\nmeddled 3\n"
    assert run.tool_texts() == [
        "n.txt keeps changing while it is edited. Nothing was changed. Re-read it and send the edit again."
    ]


def test_the_model_is_told_the_rules_that_hold(strict: Lab) -> None:
    """pi's own parameters, and their meaning: not that each edit is matched against the original file."""
    strict.write("a.js", FILE)
    run = one(strict, edits("a.js", ("const b = 2;", "const b = 4;")))
    (tool,) = [tool["function"] for tool in run.requests[0]["tools"] if tool["function"]["name"] == "edit"]
    parameters = tool["parameters"]
    assert parameters["required"] == ["path", "edits"] and parameters["properties"]["edits"]["type"] == "array"
    item = parameters["properties"]["edits"]["items"]
    assert (item["required"], item["properties"]["oldText"]["type"]) == (["oldText", "newText"], "string")
    told = json.dumps(tool)
    assert "in order" in told and "original" not in told and "overlap" not in told
    prompt = run.system_text()
    assert "a later edit may build on an earlier one" in prompt and "match the original file" not in prompt


def test_where_edit_is_switched_off_it_stays_off(strict: Lab) -> None:
    run = strict.run([says("hello")], args=["--tools", "read,bash"])
    assert [tool["function"]["name"] for tool in run.requests[0]["tools"]] == ["read", "bash"]


def test_what_no_edit_can_be_made_in_says_why(strict: Lab) -> None:
    (strict.workspace / "folder").mkdir()
    (strict.workspace / "dangling").symlink_to("nowhere")
    os.mkfifo(strict.workspace / "fifo")
    latin = strict.write("latin.txt", b"caf\xe9 one\n")
    paths = ["folder", "dangling", "none.txt", "fifo"]
    calls = [edits(path, ("one", "two")) for path in [*paths, "latin.txt"]]
    empty = Call("edit", {"path": "latin.txt", "edits": []})
    texts = one(strict, *calls, empty).tool_texts()
    assert [text.partition(":")[0] for text in texts[:4]] == [f"{path} cannot be edited" for path in paths]
    assert "no valid UTF-8" in texts[4] and "line 1" in texts[4] and latin.read_bytes() == b"caf\xe9 one\n"
    assert texts[5].startswith("The call has no list of edits, or an empty one.")
    assert not (strict.workspace / "nowhere").exists()


def test_the_environment_falls_back_to_assist(strict: Lab) -> None:
    file = strict.write("a.js", FILE)
    run = one(strict, edits("a.js", ("const b = 2;", "const b = 4;")), env={"EDIT_ASSIST_PROFILE": "assist"})
    assert run.tool_texts() == ["Successfully replaced 1 block(s) in a.js."]
    assert file.read_text() == FILE.replace("b = 2", "b = 4")


def test_without_the_server_the_hosts_own_edit_runs_and_says_so(strict: Lab, tmp_path: Path) -> None:
    """The server is killed between two calls, and cannot be started again."""
    file = strict.write("a.js", FILE)
    once = tmp_path / "once.sh"
    marker = tmp_path / "started"
    start = f'exec "{sys.executable}" -m edit_assist_ls --stdio'
    once.write_text(f'#!/bin/sh\n[ -e "{marker}" ] && exit 3\necho $$ > "{marker}"\n{start}\n')
    once.chmod(0o755)
    kill = Call("bash", {"command": f"kill -9 $(cat {marker})"})
    turns = [
        Turn(calls=(edits("a.js", ("const a = 1;", "const a = 2;")),)),
        Turn(calls=(kill,)),
        Turn(calls=(edits("a.js", ("const b = 2;", "const b = 4;")),)),
        Turn(calls=(Call("edit", {"path": "a.js", "edits": '[{"oldText": "c = 3", "newText": "c = 5"}]'}),)),
        Turn(calls=(edits("a.js", ("nowhere", "x")), Call("edit", {"path": "a.js", "edits": []}))),
        says("done"),
    ]
    run = strict.run(turns, server=str(once))
    texts = run.tool_texts()
    assert texts[0] == "Applied 1 edit to a.js."
    assert file.read_text() == "const a = 2;\nconst b = 4;\nconst c = 5;\n"
    stock = "Successfully replaced 1 block(s) in a.js."
    refused = ["Could not find the exact text in a.js.", "Edit tool input is invalid."]
    for text, its_own in zip(texts[2:], [stock, stock, *refused], strict=True):
        assert text.startswith(its_own) and "host's own edit ran" in text
