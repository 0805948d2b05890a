"""`edit-assist-ls check`: its verdicts, its exit statuses, and one clear line for what it cannot use."""

import io
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from edit_assist_ls import cli_check  # noqa: F401  # imported here, not under another user's rights
from edit_assist_ls.cli import main
from edit_assist_ls.files import MAX_BYTES, MAX_LINES

SOURCE = (
    "class Box:\n    def open(self):\n        self.lid = up\n        return self\n\n    def shut(self):\n        pass\n"
)
NOBODY = 65_534

Check = Callable[..., tuple[int, str, str]]


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Check:
    """`check(edits, source, *options)` → exit status, standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORCE_COLOR", raising=False)

    def run(
        edits: list[tuple[str, str]], source: str | bytes = SOURCE, *options: str, path: str = "box.py"
    ) -> tuple[int, str, str]:
        data = source if isinstance(source, bytes) else source.encode()
        (tmp_path / "box.py").write_bytes(data)
        call = {"path": path, "edits": [{"oldText": old, "newText": new} for old, new in edits]}
        (tmp_path / "call.json").write_text(json.dumps(call))
        status = main(["check", *options, "box.py", "call.json"])
        assert (tmp_path / "box.py").read_bytes() == data
        return status, *capsys.readouterr()

    return run


DRIFTED = ("def open(self):\n    self.lid = up\n", "def open(self):\n    self.lid = down\n")


def test_an_exact_call_lands(check: Check) -> None:
    status, out, err = check([("self.lid = up", "self.lid = down")])
    assert (status, err) == (0, "")
    assert out.startswith("exact  this call lands on box.py as it is\n")
    assert "  Successfully replaced 1 block(s) in box.py.\n" in out
    assert "  -        self.lid = up\n  +        self.lid = down\n" in out


def test_a_call_that_lands_by_the_fuzzy_step_says_so(check: Check) -> None:
    status, out, _ = check([('say("hi")', 'say("ho")')], "say(\u201chi\u201d)\n")
    assert status == 0
    assert "by the built-in's fuzzy step" in out.splitlines()[0]


def test_a_drifted_call_is_corrected(check: Check) -> None:
    status, out, _ = check([DRIFTED])
    assert status == 0
    assert out.startswith("corrected  ")
    assert "lines 2-3 of the file" in out
    assert "    -def open(self):\n" in out and "    +\u00b7\u00b7\u00b7\u00b7def open(self):\n" in out
    assert "Could not find the exact text in box.py." in out
    assert "  edit-assist" in out
    assert "  -        self.lid = up\n  +        self.lid = down\n" in out


def test_a_refused_call_shows_the_stock_text_and_then_the_report(check: Check) -> None:
    status, out, err = check([("    def open(self):\n        self.lyd = up", "x")])
    assert (status, err) == (1, "")
    said = out.split("What the agent reads:\n")[1]
    assert said.startswith("  Could not find the exact text in box.py. The old text must match exactly ")
    assert "whitespace and newlines.\n\n  edits[0] " in said
    assert "lines 2-3" in said


def test_an_ambiguous_call_names_its_places(check: Check) -> None:
    status, out, _ = check([("(self):", "(me):")])
    assert status == 1
    assert "Found 2 occurrences of the text in box.py." in out
    assert "  2:" in out and "  6:" in out


def test_an_edit_past_help_leaves_the_other_corrected_and_the_call_refused(check: Check) -> None:
    status, out, _ = check([DRIFTED, ("nowhere to be found", "x")])
    assert status == 1
    assert out.startswith("refused  ")
    assert "edits[0]  lines 2-3 of the file" in out
    assert "Could not find edits[1] in box.py." in out


def test_no_edits_are_refused_as_the_host_words_it(check: Check) -> None:
    status, out, _ = check([])
    assert status == 1
    assert "edits must contain at least one replacement." in out


def test_the_correction_setting_is_heeded(check: Check) -> None:
    status, out, _ = check([DRIFTED], SOURCE, "--correction", "off")
    assert status == 1 and "Whitespace-only" in out
    status, out, _ = check([DRIFTED], SOURCE, "--correction", "oldText")
    assert status == 0 and "newText: as the agent wrote it" in out


@pytest.mark.parametrize("wrapper", ["input", "arguments"])
def test_a_call_may_be_wrapped_and_come_from_standard_input(
    wrapper: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    call = {"id": "call_1", wrapper: {"edits": [{"oldText": "x = 1", "newText": "x = 2"}]}}
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf" + json.dumps(call).encode())))
    assert main(["check", str(tmp_path / "a.py"), "-"]) == 0
    assert f"Successfully replaced 1 block(s) in {tmp_path}/a.py." in capsys.readouterr().out


def test_the_file_may_come_from_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "call.json").write_text(json.dumps({"path": "b.py", "edits": [{"oldText": "x", "newText": "y"}]}))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x = 1\r\n")))
    assert main(["check", "-", str(tmp_path / "call.json")]) == 0
    assert "in b.py." in capsys.readouterr().out


def test_json_for_a_corrected_call(check: Check) -> None:
    status, out, _ = check([DRIFTED], SOURCE, "--json")
    verdict = json.loads(out)
    assert status == 0
    assert (verdict["outcome"], verdict["lands"], verdict["path"]) == ("corrected", True, "box.py")
    assert verdict["corrections"] == [
        {"editIndex": 0, "kind": "whitespace", "startLine": 2, "endLine": 3, "newText": "carried"}
    ]
    assert verdict["edits"] == [
        {
            "oldText": "    def open(self):\n        self.lid = up\n",
            "newText": "    def open(self):\n        self.lid = down\n",
        }
    ]
    assert verdict["stockText"].startswith("Could not find the exact text")
    assert verdict["text"].startswith("Successfully replaced 1 block(s) in box.py.\n\n")
    assert "-        self.lid = up\n+        self.lid = down" in verdict["diff"]
    assert "refused" not in verdict


def test_json_for_a_refused_call(check: Check) -> None:
    status, out, _ = check([("(self):", "(me):")], SOURCE, "--json")
    verdict = json.loads(out)
    assert status == 1
    assert verdict["refused"] == {"kind": "ambiguous", "editIndex": 0, "count": 2}
    assert [place["startLine"] for place in verdict["diagnoses"][0]["places"]] == [2, 6]
    assert "edits" not in verdict and "diff" not in verdict


HOSTILE = "a\x1b[31m = \u202e1\n\x7f\u2066b\x85\u200f\u2028\x00 = 2\n"


@pytest.mark.parametrize("options", [(), ("--json",)])
@pytest.mark.parametrize(
    "edits",
    [
        [("a\x1b[31m = \u202e1", "\x9b2J\u061c")],  # lands: shown in the diff
        [("  a\x1b[31m = \u202e1\n  \x7f\u2066b\x85\u200f\u2028\x00 = 2", "x\x07")],  # corrected
        [("a\x1b[31m = \u202e9 \u202d\n\x7f\u2066b\x85\u200f\u2028\x00 = 3", "x")],  # refused: shown in the diagnosis
        [("\ud800", "\udfff")],
    ],
)
def test_what_is_shown_is_escaped(edits: list[tuple[str, str]], options: tuple[str, ...], check: Check) -> None:
    _, out, _ = check(edits, HOSTILE, *options, path="box\x1b]0;\u202e\n.py")
    assert not set(out) & set("\x00\x07\x1b\x7f\x85\x9b\u061c\u200f\u2028\u202d\u202e\u2066\ud800\udfff")
    assert "\\u202e" in out and ("\\x1b" in out or "\\u001b" in out)


@contextmanager
def _as_nobody() -> Iterator[None]:
    """Without the rights of root, who may read everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("edit-assist-ls check: ") and err.count("\n") == 1 and err.endswith("\n")
    return err


def test_a_file_without_permission_cannot_be_used(capsys: pytest.CaptureFixture[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        for name in ("secret.py", "call.json"):
            (Path(folder) / name).write_text("{}")
        (Path(folder) / "secret.py").chmod(0)
        with _as_nobody():
            status = main(["check", f"{folder}/secret.py", f"{folder}/call.json"])
        assert status == 2
        assert one_line(capsys).endswith("/secret.py: no permission to read it\n")


def lay_out(folder: Path) -> None:
    (folder / "good.py").write_text("x\n")
    (folder / "good.json").write_text('{"edits": [{"oldText": "x", "newText": "y"}]}')
    (folder / "folder").mkdir()
    os.mkfifo(folder / "fifo")
    (folder / "latin.py").write_bytes(b"ok\r\nok\rcaf\xe9\n")
    (folder / "large.py").write_bytes(b"x" * (MAX_BYTES + 1))
    (folder / "long.py").write_bytes(b"\n" * (MAX_LINES + 1))
    (folder / "latin.json").write_bytes(b'{"a": "\xe9"}')
    (folder / "deep.json").write_text("[" * 200_000)


@pytest.mark.parametrize(
    ("file", "call", "said"),
    [
        ("missing.py", "good.json", "missing.py: no such file"),
        ("good.py/x", "good.json", "good.py/x: no such file"),
        ("folder", "good.json", "folder: a folder, not a file"),
        ("fifo", "good.json", "fifo: not a regular file"),
        ("/dev/zero", "good.json", "/dev/zero: not a regular file"),
        ("nul\0.py", "good.json", "nul\\0.py: "),
        ("latin.py", "good.json", "latin.py: not UTF-8 at byte 10 (counted from 0), line 3"),
        ("large.py", "good.json", "large.py: more than 307,200 bytes"),
        ("long.py", "good.json", "long.py: more than 20,000 lines"),
        ("good.py", "missing.json", "missing.json: no such file"),
        ("good.py", "folder", "folder: is a directory"),
        ("good.py", "nul\0.json", "nul\\0.json: "),
        ("good.py", "latin.json", "latin.json: not UTF-8 at byte 7"),
        ("good.py", "deep.json", "deep.json: JSON that cannot be read"),
        ("good.py", "good.py", "good.py: not JSON: Expecting value, line 1, column 1"),
        ("-", "-", "FILE and CALL.json cannot both be standard input"),
    ],
)
def test_input_that_cannot_be_used(
    file: str,
    call: str,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["check", file, call]) == 2
    assert said in one_line(capsys)


EDIT = {"oldText": "x", "newText": "y"}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([EDIT], "an edit call must be an object, not a list"),
        (None, "an edit call must be an object, not null"),
        ({}, "edits is missing"),
        ({"path": "a.py", "offset": 1}, "edits is missing"),
        ({"path": 3, "edits": [EDIT]}, "path must be a string, not a number"),
        ({"edits": "[]"}, "edits must be a list, not a string"),
        ({"edits": {"0": EDIT}}, "edits must be a list, not an object"),
        ({"edits": [EDIT, "x"]}, "edits[1] must be an object, not a string"),
        ({"edits": [{"newText": "y"}]}, "edits[0].oldText is missing"),
        ({"edits": [EDIT, {"oldText": "x", "newText": None}]}, "edits[1].newText must be a string, not null"),
        ({"edits": [{"oldText": True, "newText": "y"}]}, "edits[0].oldText must be a string, not true"),
        ({"input": {"edits": [7]}}, "input.edits[0] must be an object, not a number"),
        ({"arguments": []}, "arguments must be an object, not a list"),
        ({"arguments": {"path": None, "edits": []}}, "arguments.path must be a string, not null"),
    ],
)
def test_a_call_of_the_wrong_shape_names_the_field(
    value: Any, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_text("x\n")
    (tmp_path / "call.json").write_text(json.dumps(value))
    assert main(["check", str(tmp_path / "a.py"), str(tmp_path / "call.json")]) == 2
    told = one_line(capsys).split("call.json: ", 1)[1].rstrip("\n")
    assert told == said or told.startswith(f"{said}; the agent reads: ")


@pytest.mark.parametrize("profile", ["assist", "strict"])
@pytest.mark.parametrize(
    "value",
    [
        {"file_path": "a.py", "old_string": "x", "new_string": "y"},
        {"edits": json.dumps([EDIT])},
        {"input": {"path": "a.py", "edits": EDIT}},
    ],
)
def test_arguments_are_repaired_first(
    value: Any, profile: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_text("x\n")
    (tmp_path / "call.json").write_text(json.dumps(value))
    command = ["check", "--profile", profile, str(tmp_path / "a.py"), str(tmp_path / "call.json")]
    assert main(command) == 0
    assert "the arguments were put into the tool's own shape" in capsys.readouterr().out
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["notes"]


def test_the_profile_strict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, call = tmp_path / "a.js", tmp_path / "call.json"
    file.write_text("const a = 1;\nconst b  = 2;\n")
    command = ["check", "--profile", "strict", str(file), str(call)]
    call.write_text(json.dumps({"edits": [{"oldText": "const b = 2;", "newText": "const b = 3;"}]}))
    assert main(command) == 0
    out = capsys.readouterr().out
    assert out.startswith("lands  strict would apply this call") and "edits[0]  line 2, whitespace" in out
    assert main([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["outcome"], told["edits"]) == ("lands", [{"matchedVia": "whitespace", "startLine": 2, "endLine": 2}])
    assert told["firstChangedLine"] == 2 and "+const b = 3;" in told["patch"]
    call.write_text(json.dumps({"edits": [{"oldText": "const", "newText": "let"}]}))
    assert main(command) == 1
    assert capsys.readouterr().out.startswith("refused  (not-unique) strict would not apply this call")
    assert main([*command, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["code"] == "not-unique"
    assert file.read_text() == "const a = 1;\nconst b  = 2;\n"


def test_guards_are_told_of(check: Check) -> None:
    status, out, _ = check([("aa", "b")], "xaaax\n")
    assert status == 1 and out.startswith("blocked") and "What the built-in does" not in out
    status, out, _ = check([("a = 1\n", "a = 2")], "a = 1\nb = 2\n")
    assert status == 0 and "took a line break away" in out


def test_huge_calls_get_an_answer(check: Check) -> None:
    status, out, _ = check([(f"{number} nowhere", "x") for number in range(10_000)])
    assert status == 1 and "edits[0]" in out
    status, out, _ = check([("x" * 1_000_000, "y")])
    assert status == 1 and len(out) < 10_000
