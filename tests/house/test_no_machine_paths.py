"""No text of the project holds a path of the machine that it was written on."""

import re
import subprocess
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
BEFORE = r"(?<![\w.$}~-])"  # a path begins here, and is not the tail of another
# Somebody's home folder that is not an example's; an environment in the folder of temporary files.
SOMEWHERE = re.compile(BEFORE + r"/(?:home/(?!dev\b|user\b|you\b)\w+|Users/\w+|root)/|/tmp/\w*venv")


def texts() -> list[Path]:
    """The files that git knows or would add, without pictures and other binaries."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT,
        capture_output=True,
        check=False,
    )
    names = [name for name in listed.stdout.decode().split("\0") if name]
    if not names:
        pytest.skip("this is no git checkout: there is no list of the project's files")
    files = [CHECKOUT / name for name in names if (CHECKOUT / name).is_file()]
    return [file for file in files if b"\0" not in file.read_bytes()[:8_000]]


def paths_in(text: str) -> list[str]:
    """The paths of this machine, or of some one machine, that stand in `text`."""
    here = [CHECKOUT, CHECKOUT.with_name("shared"), *([Path.home()] if Path.home() != Path("/") else [])]
    return [str(path) for path in here if re.search(rf"{BEFORE}{re.escape(str(path))}\b", text)] + SOMEWHERE.findall(
        text
    )


def test_no_text_holds_one() -> None:
    files = texts()
    assert CHECKOUT / "pyproject.toml" in files
    found = {
        str(file.relative_to(CHECKOUT)): paths
        for file in files
        if (paths := paths_in(file.read_text("utf-8", "replace")))
    }
    assert not found


@pytest.mark.parametrize("parts", [("home", "alice", "x"), ("root", "x"), ("Users", "bob", "x"), CHECKOUT.parts[1:]])
def test_one_is_found(parts: tuple[str, ...]) -> None:
    assert paths_in("cd " + "/".join(["", *parts]))


@pytest.mark.parametrize("text", ["/home/dev/project", "src/root/x", "https://example.com/home/page", "~/.pi/agent"])
def test_an_example_is_none(text: str) -> None:
    assert not paths_in(text)
