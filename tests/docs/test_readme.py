"""What the README shows is what the commands print, and what the documents name is there."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from edit_assist_ls import __version__
from tests.docs.consoles import shown, trimmed
from tests.docs.marked import CHECKOUT

README = CHECKOUT / "README.md"
DOCUMENTS = [README, CHECKOUT / "CHANGELOG.md", *sorted((CHECKOUT / "docs").glob("*.md"))]
PROGRAM = "edit-assist-ls"


def test_the_commands_print_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    status, runs = 0, 0
    for each in shown(README.read_text("utf-8")):
        words = shlex.split(each.command)
        if words[0] == "cat":
            (tmp_path / words[1]).write_text("\n".join([*each.output, ""]))
        elif each.command == "echo $?":
            assert [str(status)] == each.output
        elif words[0] == PROGRAM:
            command = [sys.executable, "-P", "-m", "edit_assist_ls", *words[1:]]
            done = subprocess.run(
                command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
            )
            status, runs = done.returncode, runs + 1
            assert trimmed(done.stdout + done.stderr) == each.output, each.command
        else:
            pytest.fail(f"a console block shows a command that is not played: {each.command}")
    assert runs >= 2


def _anchor(heading: str) -> str:
    """The name that a heading is linked by, as the common renderers make it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower().replace("`", "")).replace(" ", "-")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", document.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    for link in links:
        if link.startswith(("https://", "mailto:")):
            continue
        target, _, anchor = link.partition("#")
        file = document.parent / target if target else document
        assert file.exists(), f"{document.name} links to {link}"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE)
            assert anchor in map(_anchor, headings), f"{document.name} links to {link}"


def test_every_make_target_that_is_named_is_there() -> None:
    makefiles = [
        CHECKOUT / "Makefile",
        *CHECKOUT.glob("*.mk"),
        *CHECKOUT.glob("clients/*/*.mk"),
        *CHECKOUT.glob("tests/*/*.mk"),
    ]
    targets = set(re.findall(r"^([a-z-]+):", "\n".join(file.read_text() for file in makefiles), re.MULTILINE))
    named = {
        target
        for document in DOCUMENTS
        for code in re.findall(r"`([^`\n]+)`|^    (make .*)$", document.read_text("utf-8"), re.MULTILINE)
        for target in re.findall(r"^make ([a-z-]+)", "".join(code))
    }
    assert {"demo", "test", "bench"} <= named
    assert named <= targets


def test_the_changelog_tells_of_this_version() -> None:
    headings = re.findall(r"^## \[([^\]]+)\]", (CHECKOUT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert __version__ in headings
