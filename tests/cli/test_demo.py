"""The demo shows what it says: one call corrected, one without a match, one ambiguous, one malformed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from edit_assist_ls.cli_demo import PACKAGE, STDLIB, scenes


@pytest.fixture(scope="module")
def shown() -> list[str]:
    """What the demo prints of each scene."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "edit_assist_ls", "demo"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return re.split(r"(?m)^\d\. ", done.stdout)[1:]


def test_the_scenes_are_the_four_and_on_real_files(shown: list[str]) -> None:
    assert [scene.split("  ")[0] for scene in shown] == ["Corrected", "No match", "Ambiguous", "Malformed"]
    sources = {scene.source for scene in scenes()}
    assert all(source.is_file() for source in sources)
    assert {source.parent for source in sources} == {STDLIB, PACKAGE}


def test_the_corrected_call(shown: list[str]) -> None:
    assert re.findall(r"(?m)^   (\w.*?)(?: \(.*)?$", shown[0])[1:] == [
        "The agent sent",
        "The built-in alone would say",
        "Edit assist rewrote the call before it ran",
        "The built-in then did to the file",
        "The agent reads",
    ]
    assert "     +        if not chunks:\n     +            return []\n" in shown[0]
    assert "Successfully replaced 1 block(s) in textwrap.py." in shown[0]


def test_the_refused_calls(shown: list[str]) -> None:
    assert re.search(r"Nearest region: lines \d+-\d+", shown[1])
    assert "Found 2 occurrences of the text in textwrap.py." in shown[2]
    assert len(re.findall(r"(?m)^ +\d+: ", shown[2])) == 2
    assert "The built-in then did" not in shown[1] + shown[2]


def test_the_malformed_call(shown: list[str]) -> None:
    assert shown[3].count("Validation failed for tool") == 2
    assert "read tool" in shown[3]


def test_the_sources_are_untouched(shown: list[str]) -> None:
    assert shown
    text = (Path(STDLIB) / "textwrap.py").read_text()
    assert "if not chunks:\n            return []\n        if self.fix_sentence" not in text
