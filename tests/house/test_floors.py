"""The floors of the house: each imports only from floors below it, and inside one there are no circles."""

import re
from pathlib import Path

import pytest

from tests.house.package import FOLDER, NAME, imports, module_files

# From the top down: a floor's name, and which modules (without the package's name) stand on it.
FLOORS: tuple[tuple[str, str], ...] = (
    ("cli", r"cli|cli_\w+|__main__"),
    ("server", r"server(\..+)?"),
    ("clients of the engine", r"session(\..+)?|health(\..+)?|showing(\..+)?"),
    ("arguments", r"arguments(\..+)?"),
    ("hosts", r"hosts(\..+)?"),
    ("ground", r"settings|ledger(\..+)?|files|unsaved"),
    ("engine", r"engine(\..+)?"),
    ("the package itself", r""),
)


def floor_of(module: str) -> int | None:
    """The floor that a module stands on, counted from the top; None for one that the table lacks."""
    name = module.removeprefix(NAME).removeprefix(".")
    return next((number for number, (_, modules) in enumerate(FLOORS) if re.fullmatch(modules, name)), None)


def arrows(modules: dict[str, Path]) -> dict[str, set[str]]:
    """Which modules of the package each module imports."""
    return {name: {to for to in imports(name, file, modules) if to in modules} for name, file in modules.items()}


def faults(drawn: dict[str, set[str]]) -> list[str]:
    """A sentence for each module without a floor, each arrow that goes up, and each circle inside a floor."""
    out = [f"{module} stands on no floor of the table" for module in drawn if floor_of(module) is None]
    known = {module: floor for module in drawn if (floor := floor_of(module)) is not None}
    out += [
        f"{module} ({FLOORS[floor][0]}) imports {to} ({FLOORS[known[to]][0]}), which is above it"
        for module, floor in known.items()
        for to in drawn[module]
        if known.get(to, floor) < floor
    ]
    level = {module: {to for to in drawn[module] if known.get(to) == floor} for module, floor in known.items()}
    return out + [f"a circle: {' -> '.join(circle)}" for circle in circles(level)]


def circles(drawn: dict[str, set[str]]) -> list[list[str]]:
    """A circle for each arrow that closes one, as the modules on the way round."""
    out: list[list[str]] = []
    done: set[str] = set()

    def walk(module: str, way: list[str]) -> None:
        if module in way:
            out.append([*way[way.index(module) :], module])
        elif module not in done:
            for to in sorted(drawn.get(module, ())):
                walk(to, [*way, module])
            done.add(module)

    for module in sorted(drawn):
        walk(module, [])
    return out


def test_every_import_goes_down() -> None:
    drawn = arrows(module_files())
    assert len(drawn) > 10 and any(drawn.values()), "the package was not found"
    assert faults(drawn) == []


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"engine/a.py": "import edit_assist_ls.files", "files.py": ""}, "which is above it"),
        (
            {"engine/a.py": "def f():\n    from edit_assist_ls import session", "session.py": ""},
            "which is above it",
        ),
        ({"hosts/a.py": "from ..server import app", "server/app.py": ""}, "which is above it"),
        (
            {"files.py": "import importlib\nimportlib.import_module('edit_assist_ls.cli')", "cli.py": ""},
            "which is above it",
        ),
        (
            {
                "engine/a.py": "from . import b",
                "engine/b.py": "from .c import x",
                "engine/c.py": "from . import a",
            },
            "a circle",
        ),
        ({"invented.py": ""}, "stands on no floor"),
    ],
)
def test_a_wrong_arrow_is_found(files: dict[str, str], said: str, tmp_path: Path) -> None:
    for name, source in {"__init__.py": "", **files}.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(source)
        (file.parent / "__init__.py").touch()
    found = faults(arrows(module_files(tmp_path)))
    assert len(found) == 1 and said in found[0], found


def test_what_the_command_imports_by_name_is_there() -> None:
    """The command line imports `cli_<command>` by a name that stands nowhere: each must have its module."""
    from edit_assist_ls.cli import parser

    (commands,) = (action.choices for action in parser()._actions if action.dest == "command" and action.choices)
    for command in set(commands) - {"serve"}:
        assert (FOLDER / f"cli_{command}.py").is_file(), command
