"""What the real pi and the model get from the extension: file, transcript, and what the model reads next."""

import json
from typing import Any

import pytest

from tests.pi.lab import Lab, Run
from tests.pi.scripted_model import Call, Turn, edits, says

STOCK_SUCCESS = "Successfully replaced 1 block(s) in a.py."
NO_MATCH = (
    "Could not find the exact text in a.py. The old text must match exactly including all whitespace and newlines."
)
FILE = "def f(x):\n    if x:\n        return 1\n    return 0\n"
MISINDENTED = edits("a.py", ("if x:\n    return 1", "if x:\n    return 2"))
RULE = (
    "When an edit fails, re-read the exact file region and retry the edit. Prefer the edit tool for single-file text "
    "changes. Use a shell script patch only for bulk multi-file changes the edit tool cannot express."
)


def one(lab: Lab, call: Call, **options: Any) -> Run:
    """A run of one call, then the model's last words."""
    run = lab.run([Turn(calls=(call,)), says("all done")], **options)
    assert run.status == 0, run.stderr
    assert run.stderr == ""
    return run


def test_a_drifted_call_is_corrected(lab: Lab) -> None:
    file = lab.write("a.py", FILE)
    run = one(lab, MISINDENTED)
    assert file.read_text() == FILE.replace("return 1", "return 2")
    text = run.tool_texts()[0]
    assert text.startswith(STOCK_SUCCESS + "\n\n")
    assert "lines 2-3" in text
    kept = [entry["message"] for entry in lab.session_entries() if entry["type"] == "message"]
    results = [message for message in kept if message["role"] == "toolResult"]
    assert [block["text"] for block in results[0]["content"]] == [text]
    assert not results[0]["isError"]
    asked = next(message for message in kept if message["role"] == "assistant")["content"][-1]["arguments"]
    assert asked == MISINDENTED.arguments


def test_an_exact_call_reads_as_without_the_extension(lab: Lab) -> None:
    file = lab.write("a.py", FILE)
    run = one(lab, edits("a.py", ("return 1", "return 2")))
    assert run.tool_texts() == [STOCK_SUCCESS]
    assert file.read_text() == FILE.replace("return 1", "return 2")


def test_of_several_edits_the_drifting_one_is_corrected(lab: Lab) -> None:
    file = lab.write("a.py", FILE)
    drifting = ("if x:\n    return 1", "if x:\n    return 2")
    call = edits("a.py", ("def f(x):", "def g(x):"), drifting, ("return 0", "return 3"))
    run = one(lab, call)
    assert file.read_text() == "def g(x):\n    if x:\n        return 2\n    return 3\n"
    text = run.tool_texts()[0]
    assert text.startswith("Successfully replaced 3 block(s) in a.py.\n\n")
    assert "edits[1]" in text
    assert "edits[0]" not in text


def test_no_match_is_explained(lab: Lab) -> None:
    file = lab.write("a.py", FILE)
    run = one(lab, edits("a.py", ("    if x:\n        return 11\n", "")))
    text = run.tool_texts()[0]
    assert text.startswith(NO_MATCH + "\n\n")
    assert "lines 2-3" in text
    assert "return 11" in text
    assert file.read_text() == FILE


def test_an_ambiguous_call_is_explained(lab: Lab) -> None:
    file = lab.write("a.py", "x = 1\ny = 2\nx = 1\n")
    run = one(lab, edits("a.py", ("x = 1", "x = 2")))
    text = run.tool_texts()[0]
    assert text.startswith("Found 2 occurrences of the text in a.py.")
    assert "below line 2: y = 2" in text
    assert file.read_text() == "x = 1\ny = 2\nx = 1\n"


MALFORMED = {
    "reads in place of editing": (
        Call("edit", {"path": "a.py", "offset": 1, "limit": 20}),
        "Validation failed",
        "These are arguments of the read tool",
    ),
    "edits as text": (
        Call("edit", {"path": "a.py", "edits": "replace x by y"}),
        "Validation failed",
        "edits arrived as text: send a list of objects",
    ),
    "no edits": (
        Call("edit", {"path": "a.py"}),
        "Validation failed",
        "The call arrived with path and no edits: send {",
    ),
    "no JSON": (
        Call("edit", "path=a.py"),
        "Invalid arguments",
        "The arguments arrived as text, not as an object: send {",
    ),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_a_malformed_call_keeps_its_error_and_gets_the_hint(lab: Lab, case: str) -> None:
    call, begin, hint = MALFORMED[case]
    lab.write("a.py", FILE)
    stock = one(lab, call, with_extension=False).tool_texts()[0]
    assert stock.startswith(begin)
    text = one(lab, call).tool_texts()[0]
    assert text.startswith(f"{stock}\n\n{hint}")


def test_a_truncated_call_keeps_its_error(lab: Lab) -> None:
    lab.write("a.py", FILE)
    cut = Turn(calls=(Call("edit", '{"path": "a.py", "edits": [{"oldText": "ret'),), finish="length")
    turns = [cut, says("all done")]
    stock, run = lab.run(turns, with_extension=False), lab.run(turns)
    assert run.status == 0
    assert run.tool_texts()[0] == stock.tool_texts()[0]
    assert "output token limit" in run.tool_texts()[0]


def test_the_rule_is_given_once_as_a_guideline(lab: Lab) -> None:
    lab.write("a.py", FILE)
    run = one(lab, MISINDENTED)
    stock = one(lab, edits("a.py", ("return 2", "return 1")), with_extension=False)
    for request in range(2):
        prompt = run.system_text(request)
        assert prompt.count(RULE) == 1
        assert prompt.replace(f"- {RULE}\n", "") == stock.system_text()


def test_the_rule_is_a_section_of_a_prompt_without_guidelines(lab: Lab) -> None:
    run = one(lab, edits("a.py", ("a", "b")), args=["--system-prompt", "You edit files."])
    assert run.system_text().count(f"<edit_assist>\n{RULE}\n</edit_assist>") == 1
    assert "You edit files." in run.system_text()


def test_no_rule_without_the_edit_tool(lab: Lab) -> None:
    run = lab.run([says("hello")], args=["--tools", "read,bash"])
    assert RULE not in run.system_text()


def test_switched_off_nothing_is_changed(lab: Lab) -> None:
    lab.settings({"edit-assist": {"enabled": False}})
    lab.write("a.py", FILE)
    run = one(lab, MISINDENTED)
    assert run.tool_texts() == [NO_MATCH]
    assert RULE not in run.system_text()


CORRECTED = {
    "carry": FILE.replace("return 1", "return 2"),
    "oldText": FILE.replace("    if x:\n        return 1", "if x:\n    return 2"),
    "off": FILE,
}


@pytest.mark.parametrize("correction", CORRECTED)
def test_the_correction_setting(lab: Lab, correction: str) -> None:
    lab.settings({"edit-assist": {"correction": correction}})
    file = lab.write("a.py", FILE)
    run = one(lab, MISINDENTED)
    assert file.read_text() == CORRECTED[correction]
    assert run.tool_texts()[0].startswith(f"{NO_MATCH if correction == 'off' else STOCK_SUCCESS}\n\n")


def test_a_projects_settings_count_where_the_project_is_trusted(lab: Lab) -> None:
    lab.project_settings({"edit-assist": {"correction": "off"}})
    file = lab.write("a.py", FILE)
    one(lab, MISINDENTED, args=["--approve"])
    assert file.read_text() == FILE
    one(lab, MISINDENTED)
    assert file.read_text() == FILE.replace("return 1", "return 2")


def test_an_oversized_file_is_left_to_the_built_in(lab: Lab) -> None:
    big = FILE + "# filler\n" * 40_000
    file = lab.write("a.py", big)
    run = one(lab, MISINDENTED)
    assert run.tool_texts() == [NO_MATCH]
    assert file.read_text() == big


def test_crlf_and_byte_order_mark_survive(lab: Lab) -> None:
    content = ("\ufeff" + FILE.replace("\n", "\r\n")).encode()
    file = lab.write("a.py", content)
    one(lab, MISINDENTED)
    assert file.read_bytes() == content.replace(b"return 1", b"return 2")


def test_other_tools_are_none_of_its_business(lab: Lab) -> None:
    lab.write("a.py", FILE)
    run = one(lab, Call("read", {"path": "a.py"}))
    assert run.tool_texts() == [FILE]


def test_json_mode_shows_what_the_model_read(lab: Lab) -> None:
    lab.write("a.py", FILE)
    run = one(lab, MISINDENTED)
    ended = next(event for event in run.events if event["type"] == "tool_execution_end")
    assert ended["result"]["content"][0]["text"] == run.tool_texts()[0]
    assert json.dumps(run.events)


def test_print_mode_prints_the_last_words_alone(lab: Lab) -> None:
    file = lab.write("a.py", FILE)
    run = one(lab, MISINDENTED, mode="print")
    assert run.stdout == "all done\n"
    assert file.read_text() == FILE.replace("return 1", "return 2")
