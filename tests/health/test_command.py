"""The command `health`: what it prints, the page it writes, what it refuses."""

import argparse
import contextlib
import io
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from edit_assist_ls import cli_health
from tests.health.sessions_by_hand import NO_MATCH, answer, chain, edit, result, write

SESSIONS = Path(__file__).parents[2] / "fixtures" / "sessions"


def health(*arguments: str) -> int:
    """Runs the command and gives its exit status."""
    parser = argparse.ArgumentParser(prog="edit-assist-ls")
    cli_health.add_parser(parser.add_subparsers(dest="command"))
    return cli_health.run(parser.parse_args(["health", *arguments]))


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert health(str(SESSIONS)) == 0
    out = capsys.readouterr().out
    assert re.search(r"^edit calls +37 ", out, re.MULTILINE)
    assert re.search(r"^ {6}Whitespace-only diff +3 ", out, re.MULTILINE)
    assert re.search(r"^lab/large-coder +19 ", out, re.MULTILINE)
    assert re.search(r"^2026-11-06 +5 ", out, re.MULTILINE)


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert health(str(SESSIONS), "--json", "--since", "2026-11-24", "--by", "week") == 0
    report = json.loads(capsys.readouterr().out)
    (window,) = report["windows"]
    assert (window["total"]["editCalls"], window["total"]["corrected"]) == (5, 2)
    assert (window["window"], list(window["periods"])) == ({"since": "2026-11-24", "until": None}, ["2026-11-23"])
    assert report["examples"] == []


def test_two_windows_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert health(str(SESSIONS), "--compare", "2026-11-01..2026-11-17", "2026-11-18..") == 0
    out = capsys.readouterr().out
    assert re.search(r"2026-11-01 to 2026-11-17 +from 2026-11-18 +change$", out, re.MULTILINE)
    assert re.search(r"^edit calls +32 +5$", out, re.MULTILINE)
    assert re.search(r"^landed, of calls with a result +48\.4 % +80\.0 % +\+31\.6$", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["/no/such/folder"], "edit-assist-ls: /no/such/folder: No such file or directory\n"),
        (["--compare", "..", "..", "--since", "3d"], "edit-assist-ls: --compare has its own days"),
        ([str(SESSIONS), "--html", "/no/such/folder/x.html"], "edit-assist-ls: /no/such/folder/x.html: no such folder"),
    ],
)
def test_input_that_cannot_be_used(arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    if "--html" in arguments:
        pytest.importorskip("vl_convert", reason="the extra `report` is not installed")
    assert health(*arguments) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert captured.err.startswith(line)


@pytest.mark.parametrize("arguments", [["--since", "soon"], ["--compare", "a", "b"], ["--jobs", "0"], ["--jobs", "x"]])
def test_arguments_that_cannot_be_read(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        health(*arguments)
    assert ended.value.code == 2


def test_no_default_folder(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PI_CODING_AGENT_SESSION_DIR", str(tmp_path / "none"))
    assert health() == 2
    assert "no such folder; name a session file or folder" in capsys.readouterr().err
    write(tmp_path, chain(answer(("1", "edit", edit())), result("1", "edit", NO_MATCH, failed=True)))
    monkeypatch.setenv("PI_CODING_AGENT_SESSION_DIR", str(tmp_path))
    assert health() == 0
    assert "edit calls" in capsys.readouterr().out


@pytest.fixture
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Where a page may be written."""
    folder = tmp_path / "pages"
    folder.mkdir()
    with contextlib.suppress(pytest.FixtureLookupError):
        request.getfixturevalue("may_write")(folder)
    return folder / "page.html"


class Page(HTMLParser):
    """What a page would load, run or say."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.tags: list[str] = []
        self.labels: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href", "data", "action")]
        self.labels += [value or "" for name, value in attrs if name == "aria-label"]


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    """A session whose every text is a secret."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    prompt = {"role": "user", "content": [{"type": "text", "text": "SECRET prompt"}]}
    path = "SECRET/\u202ea.py"
    failed = [answer(("1", "edit", edit("SECRET <b>old", path=path))), result("1", "edit", NO_MATCH, failed=True)]
    write(folder, chain(prompt, *failed))
    return folder


@pytest.mark.parametrize("compare", [[], ["--compare", "..2026-11-12", "2026-11-13.."]])
def test_the_page_is_self_contained(compare: list[str], target: Path) -> None:
    pytest.importorskip("vl_convert", reason="the extra `report` is not installed")
    assert health(str(SESSIONS), *compare, "--html", str(target)) == 0
    text = target.read_text("utf-8")
    page = Page(text)
    assert page.loads == []
    assert not {"script", "link", "iframe", "object", "img"} & set(page.tags)
    assert "default-src 'none'" in text and "url(" not in text and "@import" not in text
    assert page.tags.count("svg") == (2 if compare else 3)
    assert "Edit calls that landed, by model" in page.labels
    assert "prefers-color-scheme: dark" in text
    assert len(text) < 200_000
    assert [path.name for path in target.parent.iterdir()] == ["page.html"]


def test_the_page_holds_texts_only_where_asked(secrets: Path, target: Path) -> None:
    pytest.importorskip("vl_convert", reason="the extra `report` is not installed")
    assert health(str(secrets), "--html", str(target)) == 0
    assert "SECRET" not in target.read_text("utf-8")
    assert health(str(secrets), "--html", str(target), "--with-text") == 0
    text = target.read_text("utf-8")
    assert "SECRET &lt;b&gt;old" in text
    assert "SECRET prompt" not in text
    assert "\u202e" not in text and "\\u202ea.py" in text


def test_a_page_without_calls(tmp_path: Path, target: Path) -> None:
    pytest.importorskip("vl_convert", reason="the extra `report` is not installed")
    write(tmp_path, chain(answer(stop="stop")))
    assert health(str(tmp_path), "--html", str(target)) == 0
    assert "No edit calls in these days." in target.read_text("utf-8")


def test_the_text_escapes_what_models_and_files_are_called(secrets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert health(str(secrets), "--with-text") == 0
    out = capsys.readouterr().out
    assert "\u202e" not in out and "SECRET/\\u202ea.py" in out


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("library", "sign"), [(True, "%|"), (False, "] 100 %")])
def test_progress_on_a_terminal(library: bool, sign: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if library:
        pytest.importorskip("tqdm", reason="the extra `report` is not installed")
    else:
        monkeypatch.setitem(sys.modules, "tqdm", None)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert health(str(SESSIONS)) == 0
    assert sign in terminal.getvalue()
    assert terminal.getvalue().endswith("\r")


def test_no_progress_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    assert health(str(SESSIONS)) == 0
    assert capsys.readouterr().err == ""
