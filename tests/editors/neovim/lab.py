"""A workspace, a state folder of its own, and what runs on them: agents, and people's Neovims."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.editors.neovim.agent import SERVER, Agent
from tests.editors.neovim.embedded import Neovim

HERE = Path(__file__).resolve().parent
PLUGIN = HERE.parents[2] / "clients" / "neovim"
LOAD_GO = """\
package main

func load(path string) ([]byte, error) {
\tfile, err := os.Open(path)
\tif err != nil {
\t\treturn nil, err
\t}
\tdefer file.Close()
\treturn io.ReadAll(file)
}
"""
OLD = "\tif err == nil {\n\t\treturn nil, err\n\t}"
NEW = "\tif err != nil {\n\t\treturn nil, wrap(err)\n\t}"


@dataclass(frozen=True, slots=True)
class Lab:
    """`folder` is the workspace, a repository; each Neovim has configuration folders of its own under `home`."""

    program: Path
    folder: Path
    home: Path
    state: Path

    @classmethod
    def make(cls, program: Path, base: Path) -> "Lab":
        lab = cls(program, base / "work", base / "home", base / "state")
        for folder in (lab.folder / ".git", lab.home, lab.state):
            folder.mkdir(parents=True)
        return lab

    def write(self, name: str, text: str) -> Path:
        """A file of the workspace, its text as it stands, line endings included."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def env(self, name: str = "one", **more: str) -> dict[str, str]:
        """The environment of a Neovim; the state folder is the one that all share."""
        kept = {
            key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "NVIM", "EDIT_ASSIST_LS"))
        }
        own = {f"XDG_{kind}_HOME": str(self.home / name / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE")}
        return {
            **kept,
            **own,
            "XDG_STATE_HOME": str(self.state),
            "HOME": str(self.home),
            "NVIM_LOG_FILE": str(self.home / f"{name}.log"),
            "EDIT_ASSIST_LS": " ".join(SERVER),
            "EDIT_ASSIST_TEST_PLUGIN": str(PLUGIN),
            **more,
        }

    @property
    def command(self) -> list[str]:
        """Neovim with nothing of the user's and the plugin."""
        return [str(self.program), "--clean", "-i", "NONE", "-u", str(HERE / "init.lua")]

    @contextmanager
    def neovim(self, file: Path | None = None, *, name: str = "one", **options: object) -> Iterator[Neovim]:
        """A person's Neovim, with options of the plugin; `file` is opened and the server attached to it."""
        env = self.env(name, EDIT_ASSIST_TEST_OPTIONS=json.dumps(options)) if options else self.env(name)
        with Neovim(self.command, self.folder, env) as neovim:
            if file is not None:
                neovim.edit(file)
                attached(neovim)
            yield neovim

    @contextmanager
    def agent(self, cwd: Path | None = None) -> Iterator[Agent]:
        """An agent at work in a folder; the workspace where none is named."""
        with Agent(cwd or self.folder, self.env("agent")) as agent:
            yield agent


def attached(neovim: Neovim) -> None:
    """Waits until the server is attached to the current buffer."""
    neovim.until_lua("""
        local client = vim.lsp.get_clients({ bufnr = 0, name = 'edit_assist_ls' })[1]
        return client ~= nil and client.initialized == true""")


def has_diagnostics(neovim: Neovim, count: int) -> None:
    """Waits until the current buffer has so many."""
    neovim.until_lua("return #vim.diagnostic.get(0) == ...", count)
