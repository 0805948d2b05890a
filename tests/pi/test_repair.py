"""Malformed edit calls in the real pi: repaired before it validates them, or refused in a sentence; guards, too."""

import json
from typing import Any

import pytest

from tests.pi.lab import Lab, Run
from tests.pi.scripted_model import Call, Turn, edits, says

FILE = "alpha = 1\nbeta = 2\n"
AFTER = "alpha = 10\nbeta = 2\n"
PAIR = {"oldText": "alpha = 1", "newText": "alpha = 10"}


def one(lab: Lab, arguments: dict[str, Any] | str, **options: Any) -> Run:
    run = lab.run([Turn(calls=(Call("edit", arguments),)), says("all done")], **options)
    assert (run.status, run.stderr) == (0, "")
    return run


SHAPES: dict[str, dict[str, Any] | str] = {
    "aliases": {"file_path": "a.py", "old_string": "alpha = 1", "new_string": "alpha = 10"},
    "aliases-in-edits": {"path": "a.py", "changes": [{"search": "alpha = 1", "replace": "alpha = 10"}]},
    "edits-as-text": {"path": "a.py", "edits": json.dumps([PAIR]).replace("}]", "},]")},
    "edits-as-texts": {"path": "a.py", "edits": [json.dumps(PAIR)]},
    "one-object": {"path": "a.py", "edits": PAIR},
    "wrapped": {"path": "a.py", "edits": {"edits": [PAIR]}},
    "wrapped-in-the-list": {"edits": [{"path": "a.py", "edits": [PAIR]}]},
    "top-level-pair": {"path": "a.py", **PAIR},
    "inner-path": {"edits": [{"path": "a.py", **PAIR}]},
    "empty-edits": {"path": "a.py", "edits": [{}, PAIR, "", None]},
    "repeated": {"path": "a.py", "edits": [PAIR, PAIR]},
    "quoted-path": {"path": "`a.py`", "edits": [PAIR]},
    "line-numbers": {"path": "a.py", "edits": [{"oldText": "  1→alpha = 1", "newText": "  1→alpha = 10"}]},
    "line-numbers-on-one-side": {"path": "a.py", "edits": [{"oldText": "1: alpha = 1", "newText": "alpha = 10"}]},
    "fence": {
        "path": "a.py",
        "edits": [{"oldText": "```py\nalpha = 1\n```", "newText": "```py\nalpha = 10\n```"}],
    },
    "broken-json": '{"path": "a.py", "edits": [' + json.dumps(PAIR) + ",]}",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_lands_and_the_model_is_told(lab: Lab, shape: str) -> None:
    file = lab.write("a.py", FILE)
    run = one(lab, SHAPES[shape])
    assert file.read_text() == AFTER
    (text,) = run.tool_texts()
    assert text.startswith("Successfully replaced 1 block(s) in a.py.\n\nedit-assist: ")
    assert "Send them so next time." in text


def test_the_hosts_own_shape_is_not_remarked_on(lab: Lab) -> None:
    file = lab.write("a.py", FILE)
    assert one(lab, {"path": "a.py", "edits": [PAIR]}).tool_texts() == ["Successfully replaced 1 block(s) in a.py."]
    assert file.read_text() == AFTER


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            {"edits": [{"path": "a.py", **PAIR}, {"path": "b.py", **PAIR}]},
            "The call names two files, a.py and b.py:",
        ),
        ({"path": "a.py", "edits": [{"path": "b.py", **PAIR}]}, "Not run: The call names two files, a.py and b.py:"),
        (
            {"path": "a.py", "edits": [{"oldText": "alpha = 1"}]},
            "edits[0] has no newText, it arrived with oldText alone:",
        ),
        ({"path": "a.py", "edits": '[{"oldText": "alpha = 1", "newText": "be'}, "edits is cut off"),
        ({"path": "a.py", "edits": [{"oldText": {"a": 1}, "newText": "x"}]}, "arrived as an object"),
    ],
)
def test_what_could_mean_two_things_is_refused_in_a_sentence(lab: Lab, arguments: dict[str, Any], said: str) -> None:
    file = lab.write("a.py", FILE)
    (text,) = one(lab, arguments).tool_texts()
    assert said in text and not text.startswith("edit-assist")
    assert file.read_text() == FILE


def test_with_hint_nothing_is_folded(lab: Lab) -> None:
    file = lab.write("a.py", FILE)
    lab.project_settings({"edit-assist": {"arguments": "hint"}})
    run = lab.run([Turn(calls=(Call("edit", SHAPES["aliases"]),)), says("done")], args=["--approve"])
    assert file.read_text() == FILE
    (text,) = run.tool_texts()
    assert text.startswith("Validation failed")
    assert text.endswith(f"send {json.dumps({'path': 'a.py', 'edits': [PAIR]})}.")


def test_a_call_that_was_cut_short_is_never_completed(lab: Lab) -> None:
    file = lab.write("a.py", FILE)
    (text,) = one(lab, '{"path": "a.py", "edits": [{"oldText": "alpha = 1", "newText": "be').tool_texts()
    assert text.startswith('Invalid arguments for tool "edit": ') and "The call is cut off" in text
    cut = Turn(calls=(Call("edit", SHAPES["aliases"]),), finish="length")
    (text,) = lab.run([cut, says("done")]).tool_texts()
    assert text.startswith('Tool call "edit" was not executed') and "edit-assist" not in text
    assert file.read_text() == FILE


@pytest.mark.parametrize(
    "edits_with_null",
    [
        {"oldText": "alpha = 1", "newText": None},
        [{"oldText": "alpha = 1", "newText": None}],
        '[{"oldText": "alpha = 1", "newText": null}]',
    ],
)
def test_null_is_never_written_as_a_word(lab: Lab, edits_with_null: object) -> None:
    file = lab.write("a.py", FILE)
    (text,) = one(lab, {"path": "a.py", "edits": edits_with_null}).tool_texts()
    assert "null" in text
    assert file.read_text() == FILE


def test_a_call_that_would_lose_bytes_or_write_null_is_not_run(lab: Lab) -> None:
    latin = lab.write("latin.py", b"x = 1\n# caf\xe9\n")
    (text,) = one(lab, {"path": "latin.py", "edits": [{"oldText": "x = 1", "newText": "x = 2"}]}).tool_texts()
    assert text.startswith("Not run: latin.py is no valid UTF-8 (byte E9 at offset 11, line 2).")
    assert latin.read_bytes() == b"x = 1\n# caf\xe9\n"
    file = lab.write("a.py", FILE)
    (text,) = one(lab, {"path": "a.py", "edits": [{"oldText": "alpha = 1", "newText": None}]}).tool_texts()
    assert text.startswith("Not run: edits[0].newText is null")
    assert file.read_text() == FILE
    lab.write("t.txt", "aaa\nend\n")
    (text,) = one(lab, {"path": "t.txt", "edits": [{"oldText": "aa", "newText": "b"}]}).tool_texts()
    assert text.startswith("Not run: edits[0] stands at several places (line ")


def test_a_guard_that_is_off_lets_the_call_run(lab: Lab) -> None:
    file = lab.write("t.txt", "aaa\nend\n")
    lab.settings({"edit-assist": {"guards": {"twins": False}}})
    one(lab, {"path": "t.txt", "edits": [{"oldText": "aa", "newText": "b"}]})
    assert file.read_text() == "ba\nend\n"


def test_warnings_follow_the_success(lab: Lab) -> None:
    lab.write("a.py", "def f():\n    one()\n    two()\n")
    call = edits("a.py", ("    one()\n    two()\n", "    three()\n    # ... rest of the code ...\n"))
    run = lab.run([Turn(calls=(call,)), says("done")])
    text = run.tool_texts()[0]
    assert text.startswith("Successfully replaced 1 block(s) in a.py.\n\nedit-assist, a.py: edits[0] put a placeholder")


def test_the_same_failing_call_gets_a_shorter_answer(lab: Lab) -> None:
    lab.write("a.py", FILE)
    call = edits("a.py", ("alpha = 7\nbeta = 2\n", "alpha = 8\nbeta = 2\n"))
    run = lab.run([Turn(calls=(call,)), Turn(calls=(call,)), Turn(calls=(call,)), says("done")])
    first, second, third = run.tool_texts()
    assert "Nearest region" in first and "Nearest region" not in second
    assert "2 times now" in second and "3 times now" in third
    assert len(second) < len(first)
