"""No module makes a server object when it is imported: two servers in one process must share nothing."""

import ast
import importlib
from pathlib import Path

import pytest

from tests.house.package import NAME, module_files

MODULES = {name: file for name, file in module_files().items() if not name.endswith("__main__")}


def made_at_import(file: Path) -> list[str]:
    """The classes and functions with `server` in their name that module-level code of `file` calls."""
    out: list[str] = []
    for statement in ast.parse(file.read_bytes()).body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if "server" in called.lower() and called[:1] != "_":
                    out.append(called)
    return out


@pytest.mark.parametrize("module", MODULES)
def test_no_module_level_code_makes_a_server(module: str) -> None:
    assert made_at_import(MODULES[module]) == []


@pytest.mark.parametrize("module", MODULES)
def test_no_module_holds_a_server(module: str) -> None:
    from pygls.server import JsonRPCServer

    held = vars(importlib.import_module(module)).values()
    assert not [value for value in held if isinstance(value, JsonRPCServer)]
    own = [value for value in held if type(value).__module__.startswith(NAME) and "Server" in type(value).__name__]
    assert not own


def test_a_server_made_at_import_is_found(tmp_path: Path) -> None:
    file = tmp_path / "app.py"
    file.write_text("from pygls.lsp.server import LanguageServer\n\nserver = LanguageServer('x', '1')\n")
    assert made_at_import(file) == ["LanguageServer"]
