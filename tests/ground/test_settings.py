"""Settings: which layer counts, what is a problem and how it is told, and when a file is read again."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from edit_assist_ls.engine.guard_names import GUARDS
from edit_assist_ls.settings import Layer, Settings, Store, layer_of, resolve

SECTION = "edit-assist"


def from_values(*sections: dict[str, Any]) -> tuple[Settings, tuple[str, ...]]:
    return resolve([Layer(f"place {number}", section) for number, section in enumerate(sections, 1)])


def test_what_nobody_set_is_the_default_and_no_problem() -> None:
    assert resolve([]) == (Settings(), ())
    assert from_values({}, {}) == (Settings(), ())


def test_a_later_layer_counts_key_by_key_and_null_is_unset() -> None:
    settings, problems = from_values(
        {"enabled": False, "correction": "off"},
        {"enabled": True, "correction": None},
        {"correction": None, "theme": "dark", "command": "/bin/evil"},
    )
    assert (settings, problems) == (Settings(enabled=True, correction="off"), ())


@pytest.mark.parametrize(
    ("key", "value", "must"),
    [
        ("enabled", "yes", "true or false"),
        ("enabled", 1, "true or false"),
        ("correction", "carri", '"carry", "oldText" or "off"'),
        ("correction", ["carry"], '"carry", "oldText" or "off"'),
        ("correction", {}, '"carry", "oldText" or "off"'),
        ("arguments", False, '"repair" or "hint"'),
        ("profile", "loose", '"assist" or "strict"'),
        ("ledger", 3, '"full", "minimal" or "off"'),
        ("guards", True, "an object whose values are true or false"),
        ("guards", {"utf8": "on"}, "an object whose values are true or false"),
    ],
)
def test_a_malformed_value_is_told_once_and_leaves_the_lower_layer(key: str, value: object, must: str) -> None:
    settings, problems = from_values({"enabled": False}, {key: value})
    assert settings == Settings(enabled=False)
    (problem,) = problems
    assert f"edit-assist.{key} is {json.dumps(value)} in place 2; it must be {must}, so " in problem
    assert problem.endswith(" is used.") and problem.count(". ") == 0


def test_every_choice_can_be_made() -> None:
    for key, values in {
        "profile": ("assist", "strict"),
        "arguments": ("repair", "hint"),
        "ledger": ("full", "minimal", "off"),
    }.items():
        for value in values:
            settings, problems = from_values({key: value})
            assert (getattr(settings, key), problems) == (value, ())


def test_guards_are_switched_one_by_one_and_layer_by_layer() -> None:
    settings, problems = from_values({"guards": {"utf8": False, "null": False}}, {"guards": {"null": True}})
    assert problems == () and settings.guards == {**dict.fromkeys(GUARDS, True), "utf8": False}
    settings, (problem,) = from_values({"guards": {"utf8": False, "utf9": False}})
    assert settings == Settings() and 'there is no guard "utf9" (there are utf8, twins, null, ' in problem


def test_a_long_or_strange_value_is_shown_short_and_on_one_line() -> None:
    _, (problem,) = from_values({"correction": "a\nb\u202e" * 1_000})
    assert len(problem) < 250
    assert "\n" not in problem and "\u202e" not in problem
    deep: Any = "x"
    for _ in range(5_000):
        deep = [deep]
    _, (problem,) = from_values({"enabled": deep})
    assert "edit-assist.enabled is a value of type list" in problem


def test_a_section_that_is_no_object_is_one_problem() -> None:
    assert layer_of(None, "here") == Layer("here")
    assert layer_of({"enabled": False}, "here").values == {"enabled": False}
    (problem,) = layer_of([1], "here").problems
    assert problem == "edit-assist is [1] in here; it must be an object."


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{oops", "is not JSON"),
        (b"", "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"[1]", "is not a JSON object"),
        (b"null", "is not a JSON object"),
        (b"{" + b" " * 400_000 + b"}", "larger than"),
        (b'{"edit-assist": 7}', "edit-assist is 7"),
    ],
)
def test_a_file_that_cannot_be_understood_is_one_problem(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(data)
    settings, problems = Store().resolve([str(path)], SECTION)
    assert settings == Settings()
    assert len(problems) == 1 and said in problems[0] and str(path) in problems[0]


def test_a_folder_in_the_files_place_is_one_problem_and_a_missing_file_none(tmp_path: Path) -> None:
    _, problems = Store().resolve([str(tmp_path), str(tmp_path / "missing")], SECTION)
    assert len(problems) == 1 and "no regular file" in problems[0]


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b'\xef\xbb\xbf{"edit-assist": {"enabled": false}}')
    assert Store().resolve([str(path)], SECTION) == (Settings(enabled=False), ())


def test_a_change_of_the_file_counts_at_once_even_in_the_same_instant(tmp_path: Path) -> None:
    path, store = tmp_path / "settings.json", Store()
    for correction in ("carry", "off", "oldText", "carry", "off"):
        path.write_text(json.dumps({SECTION: {"correction": correction}}).ljust(60))
        settings, _ = store.resolve([str(path)], SECTION)
        assert settings.correction == correction
    path.unlink()
    assert store.resolve([str(path)], SECTION) == (Settings(), ())


def test_an_unchanged_file_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, store = tmp_path / "settings.json", Store()
    path.write_text('{"edit-assist": {"enabled": false}}')
    os.utime(path, ns=(10**18, 10**18))
    first = store.resolve([str(path)], SECTION)
    monkeypatch.setattr(os, "open", lambda *_: pytest.fail("it was read again"))
    assert store.resolve([str(path)], SECTION) is first


def test_the_client_counts_over_the_files(tmp_path: Path) -> None:
    path, store = tmp_path / "settings.json", Store()
    path.write_text('{"edit-assist": {"enabled": true, "correction": "off"}}')
    store.initialization = layer_of({"enabled": False, "callsChanged": True}, "initialization")
    assert store.resolve([str(path)], SECTION)[0] == Settings(enabled=False, correction="off")
    store.configuration = layer_of({"enabled": True}, "configuration")
    assert store.resolve([str(path)], SECTION)[0] == Settings(enabled=True, correction="off")
    store.configuration = layer_of({"enabled": None}, "configuration")
    assert store.resolve([str(path)], SECTION)[0] == Settings(enabled=False, correction="off")


def test_many_folders_are_not_all_kept(tmp_path: Path) -> None:
    store = Store()
    for number in range(200):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps({SECTION: {"correction": "off" if number % 2 else "carry"}}))
        assert store.resolve([str(path)], SECTION)[0].correction == ("off" if number % 2 else "carry")
    assert len(store._kept) <= 32 and len(store._resolved) <= 32
