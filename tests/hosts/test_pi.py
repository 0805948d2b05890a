"""The pi host: its paths, its stock texts, its arguments and the malformed shapes that it names."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from edit_assist_ls.engine.builtin import Edit, RefusalKind, Refused
from edit_assist_ls.hosts import HOSTS, pi

HOME = "/home/somebody"


@pytest.fixture(autouse=True)
def _at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", HOME)


@pytest.mark.parametrize(
    ("path", "resolved"),
    [
        ("a.py", "/w/a.py"),
        ("./a.py", "/w/a.py"),
        ("src/../a.py", "/w/a.py"),
        ("../a.py", "/a.py"),
        ("/abs/a.py", "/abs/a.py"),
        ("//abs//a.py", "/abs/a.py"),
        ("@a.py", "/w/a.py"),
        ("@@a.py", "/w/@a.py"),
        ("@/abs/a.py", "/abs/a.py"),
        ("~", HOME),
        ("~/a.py", HOME + "/a.py"),
        ("@~/a.py", HOME + "/a.py"),
        ("~other/a.py", "/w/~other/a.py"),
        ("a\u00a0b\u202fc\u3000d.py", "/w/a b c d.py"),
        ("a\u200bb.py", "/w/a\u200bb.py"),
        ("file:///abs/a%20b.py", "/abs/a b.py"),
        ("file://localhost/abs/%C3%A9.py", "/abs/é.py"),
        ("file:///abs/a.py?x#y", "/abs/a.py"),
        ("file:///abs/%2e%2e/a.py", "/a.py"),
        ("file://elsewhere/a.py", None),
        ("file:///a%2Fb", None),
        ("file:///a%zz", None),
        ("file:///a%ff", None),
        ("FILE:///a.py", "/w/FILE:/a.py"),
        ("", "/w"),
        ("a\0b", None),
        ("a\ud800b", None),
    ],
)
def test_paths_resolve_as_pi_resolves_them(path: str, resolved: str | None) -> None:
    assert pi.resolve_path(path, "/w") == resolved


def test_a_relative_cwd_resolves_nothing() -> None:
    assert pi.resolve_path("a.py", "w") is None


REFUSALS = [
    (
        Refused("not-found", 0),
        1,
        "Could not find the exact text in {}. The old text must match exactly including all whitespace and newlines.",
    ),
    (
        Refused("not-found", 3),
        5,
        "Could not find edits[3] in {}. The oldText must match exactly including all whitespace and newlines.",
    ),
    (
        Refused("ambiguous", 0, 45),
        1,
        (
            "Found 45 occurrences of the text in {}. The text must be unique. "
            "Please provide more context to make it unique."
        ),
    ),
    (
        Refused("ambiguous", 1, 2),
        2,
        (
            "Found 2 occurrences of edits[1] in {}. Each oldText must be unique. "
            "Please provide more context to make it unique."
        ),
    ),
    (
        Refused("overlap", 0, None, 1),
        2,
        "edits[0] and edits[1] overlap in {}. Merge them into one edit or target disjoint regions.",
    ),
    (
        Refused("no-change"),
        1,
        (
            "No changes made to {}. The replacement produced identical content. This might indicate an issue with "
            "special characters or the text not existing as expected."
        ),
    ),
    (Refused("no-change"), 2, "No changes made to {}. The replacements produced identical content."),
    (Refused("empty-old-text", 0), 1, "oldText must not be empty in {}."),
    (Refused("empty-old-text", 2), 3, "edits[2].oldText must not be empty in {}."),
    (Refused("no-edits"), 0, "Edit tool input is invalid. edits must contain at least one replacement."),
    (
        Refused("line-count"),
        1,
        "Cannot preserve unchanged lines because the base content has a different line count.",
    ),
    (Refused("out-of-range"), 1, "Replacement range is outside the base content."),
]
PATHS = ["a.py", "", "a b. The text.py", "in a.py. x", "{path}", "new\nline", "\ud800", "é" * 1_000, r"\d+$"]


@pytest.mark.parametrize(("refused", "edit_count", "template"), REFUSALS)
@pytest.mark.parametrize("path", PATHS)
def test_stock_texts_are_written_and_read(refused: Refused, edit_count: int, template: str, path: str) -> None:
    text = template.replace("{}", path)
    assert pi.stock_text(refused, path, edit_count) == text
    assert pi.refusal_in(text) == refused
    assert pi.refusal_in(text + "\n\nsomething that another extension added") == refused


def test_every_refusal_that_pi_knows_has_a_stock_text() -> None:
    kinds = set(get_args(RefusalKind))
    assert {refused.kind for refused, *_ in REFUSALS} == kinds - {"unsearched"}
    assert pi.stock_text(Refused("unsearched"), "a.py", 1) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Could not edit file: a.py. Error code: ENOENT.",
        "EISDIR: illegal operation on a directory, read",
        "Operation aborted",
        "Successfully replaced 1 block(s) in a.py.",
        (
            "x Could not find the exact text in a.py. "
            "The old text must match exactly including all whitespace and newlines."
        ),
        "Could not find the exact text in a.py.",
        (
            "Found many occurrences of the text in a.py. The text must be unique. "
            "Please provide more context to make it unique."
        ),
        (
            f"Found {'9' * 5_000} occurrences of the text in a.py. The text must be unique. "
            "Please provide more context to make it unique."
        ),
        "Tool edti not found",
    ],
)
def test_any_other_text_is_no_refusal(text: str) -> None:
    assert pi.refusal_in(text) is None


def test_success() -> None:
    assert pi.success_text("a.py", 2) == "Successfully replaced 2 block(s) in a.py."
    assert pi.is_success(pi.success_text("a b.\npy", 12) + "\nand more")
    assert not pi.is_success("Successfully wrote to a.py")
    assert not pi.is_success("No. Successfully replaced 2 block(s) in a.py.")


@pytest.mark.parametrize(
    "edits",
    [
        None,
        5,
        "text",
        {},
        [5],
        [None],
        [[]],
        [{}],
        [{"oldText": "a"}],
        [{"oldText": None, "newText": "b"}],
        [{"oldText": "a", "newText": 1}],
        [{"oldText": "a", "newText": "b"}, {"newText": "b"}],
    ],
)
def test_edits_of_any_other_shape_are_none(edits: Any) -> None:
    assert pi.edits_of({"edits": edits}) is None
    assert pi.edits_of({}) is None


def test_arguments_with_other_edits_keep_everything_else_and_share_nothing() -> None:
    arguments = {
        "path": "a.py",
        "note": {"deep": [1]},
        "edits": [{"oldText": "a", "newText": "b", "reason": ["r"]}, {"oldText": "c", "newText": "d"}],
    }
    before = json.dumps(arguments)
    edits = pi.edits_of(arguments)
    assert edits == (Edit("a", "b"), Edit("c", "d"))
    out = pi.with_edits(arguments, (Edit("A", "B"), Edit("c", "d")))
    assert out == {
        "path": "a.py",
        "note": {"deep": [1]},
        "edits": [{"oldText": "A", "newText": "B", "reason": ["r"]}, {"oldText": "c", "newText": "d"}],
    }
    out["note"]["deep"].append(2)
    out["edits"][0]["reason"].append("s")
    assert json.dumps(arguments) == before


def malformed(arguments: object, head: str = 'Validation failed for tool "edit":\n  - edits: missing') -> str:
    return f"{head}\n\nReceived arguments:\n{json.dumps(arguments, indent=2)}"


@pytest.mark.parametrize(
    ("arguments", "shape"),
    [
        ({"path": "a", "offset": 1, "limit": 2}, "read-shaped"),
        ({"limit": 2.5, "path": "a", "offset": 0}, "read-shaped"),
        ({"path": "a", "offset": 1}, None),
        ({"path": "a", "offset": "1", "limit": 2}, None),
        ({"path": "a", "offset": True, "limit": 2}, None),
        ({"path": 1, "offset": 1, "limit": 2}, None),
        ({"path": "a", "offset": 1, "limit": 2, "edits": []}, None),
        ({"path": "a", "edits": "[{"}, "edits-string"),
        ({"path": "a", "edits": ""}, "edits-string"),
        ({"path": "a", "edits": [{"oldText": "a"}]}, None),
        ([1], None),
        ("x", None),
        (None, None),
    ],
)
def test_the_malformed_shapes_are_told_apart(arguments: object, shape: str | None) -> None:
    assert pi.malformed_in(malformed(arguments)) == shape
    assert pi.malformed_in(malformed(arguments) + "\n\nadded by somebody") == shape


@pytest.mark.parametrize(
    "text",
    [
        malformed({"path": "a", "edits": ""}, 'Validation failed for tool "read":'),
        'Validation failed for tool "edit":\n\nReceived arguments:\n{not json',
        'Validation failed for tool "edit":\n\nReceived arguments:\n' + "[" * 100_000,
        'Validation failed for tool "edit":\n  - x',
        'Invalid arguments for tool "edit": Unexpected token\n\nReceived arguments:\npath=a.py',
        'Tool call "edit" was not executed: the response hit the output token limit',
    ],
)
def test_what_has_no_readable_arguments_has_no_shape(text: str) -> None:
    assert pi.malformed_in(text) is None


def test_settings_files() -> None:
    assert pi.settings_files("/w", {"PI_CODING_AGENT_DIR": "/agent"}) == (
        "/agent/settings.json",
        "/w/.pi/settings.json",
    )
    assert pi.settings_files("/w", {})[0] == f"{HOME}/.pi/agent/settings.json"
    assert pi.settings_files("/w", {"PI_CODING_AGENT_DIR": ""})[0] == f"{HOME}/.pi/agent/settings.json"
    assert pi.settings_files("/w", {"PI_CODING_AGENT_DIR": "~/x"})[0] == f"{HOME}/x/settings.json"


def test_pi_is_in_the_table_by_its_name() -> None:
    assert HOSTS["pi"] is pi.HOST and all(name == host.name for name, host in HOSTS.items())


def test_writes(tmp_path: Path) -> None:
    assert pi.written_by({"content": "x"}) == "x"
    assert pi.written_by({"content": 5}) is None
    assert pi.path_of({"path": str(tmp_path)}) == str(tmp_path)
    assert pi.path_of({"path": ["a"]}) is None
