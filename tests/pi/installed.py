"""The real pi and the Node it runs on, from npm, in a cache outside the checkout."""

import fcntl
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PI_VERSION = "1.6.0"
NODE_VERSION = "22.23.5"
TYPESCRIPT_VERSION = "5.9.3"
_PLATFORMS = {"linux": "linux", "darwin": "darwin"}
_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


@dataclass(frozen=True, slots=True)
class Installed:
    """Where they are: `node` and `npm` the programs, `modules` the folder that holds pi and TypeScript."""

    node: Path
    npm: Path
    modules: Path

    @property
    def package(self) -> Path:
        """pi's own package folder."""
        return self.modules / "@earendil-works" / "pi-coding-agent"

    @property
    def command(self) -> list[str]:
        """What starts pi."""
        return [str(self.node), str(self.package / "dist" / "bundle" / "cli.js")]


def missing() -> str | None:
    """Why pi cannot be installed here; None where it can."""
    if shutil.which("npm") is None:
        return "npm is not on PATH, which the real pi is installed with"
    return None if _node_package() else f"no Node from npm for {sys.platform} on {platform.machine()}"


def install() -> Installed:
    """pi, installed into the cache unless it is there. Needs npm and, the first time, the registry."""
    npm, node_package = shutil.which("npm"), _node_package()
    assert npm
    assert node_package
    folder = _cache() / f"pi-{PI_VERSION}-node-{NODE_VERSION}-ts-{TYPESCRIPT_VERSION}"
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / "installed"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            wanted = [
                f"{node_package}@{NODE_VERSION}",
                f"@earendil-works/pi-coding-agent@{PI_VERSION}",
                f"typescript@{TYPESCRIPT_VERSION}",
            ]
            options = ["--prefix", str(folder), "--no-audit", "--no-fund", "--no-save", "--loglevel=error"]
            subprocess.run([npm, "install", *options, *wanted], check=True, stdin=subprocess.DEVNULL)
            done.touch()
    modules = folder / "node_modules"
    return Installed(modules / ".bin" / "node", Path(npm), modules)


def _node_package() -> str | None:
    system, machine = _PLATFORMS.get(sys.platform), _MACHINES.get(platform.machine().lower())
    return f"node-{system}-{machine}" if system and machine else None


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "edit-assist-ls"
