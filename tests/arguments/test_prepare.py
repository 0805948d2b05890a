"""Arguments as models send them: what each becomes, and that nothing is guessed, lost or touched twice."""

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edit_assist_ls.arguments import Prepared, json_text, prepare
from edit_assist_ls.arguments.paths import ENTRIES_LOOKED_AT, NoFile, meant
from edit_assist_ls.arguments.shape import NEW_NAMES, OLD_NAMES, PATH_NAMES
from edit_assist_ls.engine.builtin import Applied, apply
from edit_assist_ls.engine.text import Text, decode
from edit_assist_ls.engine.work import Work
from edit_assist_ls.hosts import pi
from tests import tables


def prepared(arguments: Any, cwd: Path, *, strict: bool = False) -> Prepared:
    def text_at(path: str) -> Text | None:
        resolved = pi.resolve_path(path, str(cwd))
        try:
            found = decode(Path(resolved or "/nowhere").read_bytes())
        except OSError:
            return None
        return found if isinstance(found, Text) else None

    return prepare(arguments, pi.HOST, str(cwd), text_at, strict=strict, work=Work())


@pytest.mark.parametrize(("file", "number"), tables.cases("arguments"))
def test_cases(file: Path, number: int, tmp_path: Path, update_fixtures: bool) -> None:
    def play(case: Any) -> Any:
        for name, text in case.get("files", {}).items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, "utf-8")
        arguments = copy.deepcopy(case["arguments"])
        done = prepared(arguments, tmp_path, strict=case.get("strict", False))
        assert arguments == case["arguments"], "what was sent was changed in place"
        found = {"arguments": done.arguments, "notes": list(done.notes), "refusal": done.refusal, "nulls": done.nulls}
        return {name: value for name, value in found.items() if value}

    tables.check(file, number, play, update=update_fixtures)


_names = st.sampled_from(
    [*PATH_NAMES, *OLD_NAMES, *NEW_NAMES, "edits", "edit", "changes", "replaceAll", "arguments", "x"]
)
_scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
_json = st.recursive(
    _scalars | st.sampled_from(["a.py", "b.py", "alpha", '{"oldText": "a", "newText": "b"}', "[{", "null"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_names, inner, max_size=5),
    max_leaves=12,
)


@given(_json)
def test_no_value_raises_and_what_comes_out_is_left_alone(value: Any) -> None:
    before = copy.deepcopy(value)
    done = prepared(value, Path("/nowhere"))
    assert value == before
    assert (done.arguments is None) == (done.notes == ())
    if done.arguments is not None:
        assert pi.edits_of(done.arguments) is not None and isinstance(done.arguments["path"], str)
        assert prepared(done.arguments, Path("/nowhere")).arguments is None, "prepared arguments are a fixed point"
    if done.refusal is not None:
        assert 10 < len(done.refusal) < 700 and "\n" not in done.refusal
    assert all(len(note) < 3_000 and "\n" not in note for note in done.notes)


_texts = st.text(st.sampled_from("ab \t\n→12:|`-+&<>;\\\"'nt"), max_size=14)


@given(_texts, st.lists(st.tuples(_texts, _texts), min_size=1, max_size=3))
def test_a_call_that_the_built_in_takes_is_left_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, text: str, pairs: list[tuple[str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("call")
    (folder / "a.py").write_bytes(text.encode())
    arguments = {"path": "a.py", "edits": [{"oldText": old, "newText": new} for old, new in pairs]}
    edits = pi.edits_of(arguments)
    assert edits is not None
    if isinstance(apply(Text.of(text), edits, Work()), Applied):
        done = prepared(arguments, folder)
        assert (done.arguments, done.refusal) == (None, None)


@given(_texts, _texts, _texts)
def test_marks_are_a_fixed_point_in_a_file(
    tmp_path_factory: pytest.TempPathFactory, text: str, old: str, new: str
) -> None:
    folder = tmp_path_factory.mktemp("marks")
    (folder / "a.py").write_bytes(text.encode())
    done = prepared({"path": "a.py", "edits": [{"oldText": old, "newText": new}]}, folder)
    if done.arguments is not None:
        assert prepared(done.arguments, folder).arguments is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 2,]", [1, 2]),
        ('{"a": "x,]", }', {"a": "x,]"}),
        ('["a\tb\nc"]', ["a\tb\nc"]),
        ('{"a": 1, "a": 1}', {"a": 1}),
    ],
)
def test_lenient_json(text: str, value: Any) -> None:
    assert json_text.read(text) == value


@given(st.text(st.sampled_from('ab[]{},"\\\n '), max_size=24))
def test_trailing_commas_are_those_of_a_slow_reading(text: str) -> None:
    kept: list[str] = []
    depth, in_string, at = 0, False, 0
    while at < len(text):
        character = text[at]
        if in_string and character == "\\":
            kept.append(text[at : at + 2])
            at += 2
            continue
        if character == '"':
            in_string = not in_string
        depth += 0 if in_string else (character in "[{") - (character in "]}")
        rest = text[at + 1 :].lstrip()
        if in_string or character != "," or rest[:1] not in ("]", "}"):
            kept.append(character)
        at += 1
    scanned = json_text._scan(text)
    assert scanned.is_open == (in_string or depth > 0)
    assert (scanned.without_commas or text) == "".join(kept)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[{"a": "b', "cut-off"),
        ('{"a": [1, 2', "cut-off"),
        ('{"a": 1} trailing', "unreadable"),
        ("{'a': 1}", "unreadable"),
        ("[1 2]", "unreadable"),
        ('{"a": 1, "a": 2}', "twice"),
        ('{"a": 1, "a": 2,}', "twice"),
        ("[" * 100_000, "unreadable"),
        ("[" + "1," * json_text.MAX_CHARS + "1]", "too-long"),
        ("", "unreadable"),
    ],
)
def test_what_is_no_json_is_never_completed(text: str, reason: str) -> None:
    found = json_text.read(text)
    assert isinstance(found, json_text.NoJson) and found.reason == reason


@given(_json)
def test_whole_json_is_read_as_json_reads_it(value: Any) -> None:
    assert json_text.read(json.dumps(value)) == value
    cut = json.dumps([value])[:-1]
    assert isinstance(json_text.read(cut), json_text.NoJson)


def test_a_path_is_meant_only_inside_the_folder_and_only_where_it_is_one(tmp_path: Path) -> None:
    work = tmp_path / "work"
    (work / "src").mkdir(parents=True)
    (work / "src" / "a.py").write_text("x")
    (tmp_path / "out.py").write_text("x")

    def resolve(path: str) -> str | None:
        return pi.resolve_path(path, str(work))

    links = ("[a](src/a.py)", "[`a`]('src/a.py')")
    for written in ("'src/a.py'", "`src/a.py`", "src\\a.py", "src%2Fa.py", "“src/a.py”", *links):
        found = meant(written, str(work), resolve)
        assert found is not None and not isinstance(found, NoFile), written
        assert resolve(found.path) == str(work / "src" / "a.py")
    assert isinstance(meant("'../out.py'", str(work), resolve), NoFile)
    absolute = meant(f"'{tmp_path}/out.py'", str(work), resolve)
    assert absolute is not None and not isinstance(absolute, NoFile)
    (work / "src%2Fa.py").write_text("y")
    assert meant("src%2Fa.py", str(work), resolve) is None, "as given first"
    (work / "link").symlink_to(tmp_path)
    assert isinstance(meant("'link/out.py'", str(work), resolve), NoFile), "a link leads out"


@pytest.mark.parametrize("path", ["'" + "x" * 300 + "'", "'" * 500_000, "%41/" * 900, "\\", "file:", "[](a)", "`\0`"])
def test_no_path_is_too_odd_to_be_answered(path: str, tmp_path: Path) -> None:
    done = prepared({"path": path, "edits": [{"oldText": "a", "newText": "b"}]}, tmp_path)
    assert done == Prepared()


def test_a_uri_is_decoded_once(tmp_path: Path) -> None:
    (tmp_path / "my app.py").write_text("alpha\n")
    edits = [{"oldText": "alpha", "newText": "beta"}]
    assert prepared({"path": f"file://{tmp_path}/my%20app.py", "edits": edits}, tmp_path) == Prepared()
    quoted = prepared({"path": f"'file://{tmp_path}/my%20app.py'", "edits": edits}, tmp_path)
    assert quoted.arguments == {"path": f"file://{tmp_path}/my%20app.py", "edits": edits}
    twice = prepared({"path": f"file://{tmp_path}/my%2520app.py", "edits": edits}, tmp_path)
    assert twice.arguments is None and twice.refusal is not None and "my app.py" in twice.refusal
    relative = prepared({"path": "file:../my app.py", "edits": edits}, tmp_path / "inner")
    assert relative.arguments is None, "no absolute path was given, and this one leads out"


def test_what_is_said_is_bounded_whatever_the_names(tmp_path: Path) -> None:
    edit = {"oldText": "a", "newText": "b"}
    many = prepared({"path": "a.py", "edits": [edit], **{f"{at}\n{'k' * 9_000}": "" for at in range(50)}}, tmp_path)
    assert many.arguments is not None and len(many.notes[0]) < 3_000 and "and 40 more" in many.notes[0]
    key = json.dumps("k" * 9_000)
    twice = prepared({"path": "a.py", "edits": f"[{{{key}: 1, {key}: 2}}]"}, tmp_path)
    assert twice.refusal is not None and len(twice.refusal) < 300


def test_near_names_are_few_and_looked_for_in_few_entries(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"settings{number}.py").write_text("")
    found = meant("setings1.py", str(tmp_path), lambda path: pi.resolve_path(path, str(tmp_path)))
    assert isinstance(found, NoFile) and 1 <= len(found.near) <= 5 and "settings1.py" in found.near
    many = tmp_path / "many"
    many.mkdir()
    for number in range(ENTRIES_LOOKED_AT + 50):
        os.close(os.open(many / f"{number:05}.txt", os.O_CREAT))
    assert isinstance(meant("zz/qq.txt", str(many), lambda path: pi.resolve_path(path, str(many))), NoFile)
