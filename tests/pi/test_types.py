"""The extension is strict TypeScript against the types of its pi, and imports nothing that may not be there."""

import json
import re
import subprocess
from pathlib import Path

import edit_assist_ls
from tests.pi.installed import Installed
from tests.pi.lab import CLIENT

HOST = ("@earendil-works/pi-coding-agent", "@earendil-works/pi-tui")
SOURCES = sorted((CLIENT / "src").glob("*.ts"))


def check(pi: Installed, folder: Path, *files: Path) -> str:
    """What the TypeScript compiler says of these files under the package's own options."""
    config = {
        "extends": str(CLIENT / "tsconfig.json"),
        "compilerOptions": {
            "typeRoots": [str(pi.modules / "@types")],
            "paths": {name: [str(pi.modules / name / "dist" / "index.d.ts")] for name in HOST},
        },
        "include": [],
        "files": [str(file) for file in files],
    }
    (folder / "tsconfig.json").write_text(json.dumps(config))
    compiler = pi.modules / "typescript" / "bin" / "tsc"
    done = subprocess.run(
        [pi.node, compiler, "-p", folder], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    return done.stdout + done.stderr


def test_the_types_hold(pi: Installed, tmp_path: Path) -> None:
    assert check(pi, tmp_path, *SOURCES) == ""


def test_a_wrong_type_is_found(pi: Installed, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.ts"
    source = 'import { newCalls } from "SOURCE/calls.ts";\nexport const text: string = newCalls().counts;\n'
    wrong.write_text(source.replace("SOURCE", str(CLIENT / "src")))
    assert "not assignable" in check(pi, tmp_path, wrong)


def test_only_types_and_nodes_own_modules_are_imported() -> None:
    assert len(SOURCES) > 5
    for source in SOURCES:
        statements = re.findall(r'^import\s+(type\s)?[^;]*?from\s+"([^"]+)";', source.read_text(), re.MULTILINE)
        for is_type, name in statements:
            assert is_type or name.startswith(("node:", "./")), f"{source.name} needs {name} to load"


def test_one_version() -> None:
    manifest = json.loads((CLIENT / "package.json").read_text())
    assert manifest["version"] == edit_assist_ls.__version__
    assert f'VERSION = "{manifest["version"]}"' in (CLIENT / "src" / "protocol.ts").read_text()
    assert "dependencies" not in manifest
