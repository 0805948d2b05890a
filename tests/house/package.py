"""The package as the house tests look at it: its modules and the imports that stand in their source."""

import ast
import subprocess
import sys
import sysconfig
from pathlib import Path

import edit_assist_ls

NAME = "edit_assist_ls"
FOLDER = Path(edit_assist_ls.__file__).parent


def module_files(folder: Path = FOLDER, name: str = NAME) -> dict[str, Path]:
    """The file of every module under `folder`, by the module's full name."""
    out: dict[str, Path] = {}
    for file in sorted(folder.rglob("*.py")):
        parts = file.relative_to(folder).with_suffix("").parts
        out[".".join([name, *(parts[:-1] if parts[-1] == "__init__" else parts)])] = file
    return out


def imports(module: str, file: Path, modules: dict[str, Path]) -> set[str]:
    """The modules that `module` imports, wherever in its source: those of `modules` by their full names.

    `from package import name` is an import of `package.name` where that is a module, else of `package`.
    """
    is_package = file.name == "__init__.py"
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, module, is_package)
            for alias in node.names:
                full = f"{base}.{alias.name}"
                found.add(full if full in modules else base)
        elif isinstance(node, ast.Call):
            found |= _imported_by_name(node)
    return found


def _base(node: ast.ImportFrom, module: str, is_package: bool) -> str:
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    kept = parts[: len(parts) - node.level + is_package]
    return ".".join([*kept, *([node.module] if node.module else [])])


def _imported_by_name(node: ast.Call) -> set[str]:
    """What `importlib.import_module("name")` and `__import__("name")` import."""
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if called not in ("import_module", "__import__") or not node.args:
        return set()
    first = node.args[0]
    return {first.value} if isinstance(first, ast.Constant) and isinstance(first.value, str) else set()


ENGINE = {name: file for name, file in module_files().items() if name.startswith(f"{NAME}.engine")}


def in_a_bare_process(source: str) -> str:
    """What `source` prints in an interpreter that has loaded nothing of its own accord."""
    paths = [str(FOLDER.parent), sysconfig.get_paths()["purelib"], sysconfig.get_paths()["platlib"]]
    head = f"import sys; sys.path += {paths!r}\n"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", head + source], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def engine_import_cpu_ms() -> float:
    """The CPU time, in milliseconds, of importing every module of the engine in a process of its own."""
    source = f"import time\nbegan = time.process_time()\nimport {', '.join(ENGINE)}\nprint(time.process_time() - began)"
    return float(in_a_bare_process(source)) * 1000
