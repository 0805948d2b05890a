"""Cases as tables: a JSON file is a list of `{why, given, becomes}`; what must come out is written by an update flag.

`pytest --update-fixtures` writes what comes out into `becomes`; the diff is then read, each line of it.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"

Case = dict[str, Any]


def cases(folder: str) -> list[Any]:
    """Every case under a folder of the fixtures as a parameter of a test: (file, its number in it)."""
    found = []
    for file in sorted((FIXTURES / folder).glob("*.json")):
        for number, case in enumerate(json.loads(file.read_text("utf-8"))):
            found.append(pytest.param(file, number, id=f"{file.stem}: {case['why'][:70]}"))
    assert found
    return found


def check(file: Path, number: int, play: Callable[[Any], Any], *, update: bool) -> None:
    """What a case becomes when it is played is what the file says, or is written there."""
    table: list[Case] = json.loads(file.read_text("utf-8"))
    case = table[number]
    becomes = json.loads(json.dumps(play(case["given"])))
    if update:
        case["becomes"] = becomes
        rows = ",\n".join(json.dumps(one, indent=1, ensure_ascii=False) for one in table)
        file.write_text(f"[\n{rows}\n]\n", "utf-8")
    else:
        assert becomes == case.get("becomes"), case["why"]
