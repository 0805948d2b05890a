"""`docs/architecture.md` names every module once, every invariant, and tests that exist."""

import ast
import re
from functools import cache

import pytest

from tests.docs.marked import CHECKOUT
from tests.house.package import FOLDER

DOCUMENT = (CHECKOUT / "docs" / "architecture.md").read_text("utf-8")
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def test_every_module_has_its_line_and_every_line_its_module() -> None:
    listed = re.findall(r"^\| `([\w/]+\.py)` \| \S", DOCUMENT, re.MULTILINE)
    there = {str(file.relative_to(FOLDER)) for file in FOLDER.rglob("*.py") if file.stat().st_size}
    assert sorted(listed) == sorted(there)


def test_every_invariant_has_tests() -> None:
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \| ([^|]+) \|$", DOCUMENT, re.MULTILINE)
    assert [int(number) for number, _, _ in rows] == list(range(1, 11))
    assert all(TEST.search(tests) for _, _, tests in rows)


@cache
def _tests_in(file: str) -> set[str]:
    tree = ast.parse((CHECKOUT / file).read_bytes())
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


@pytest.mark.parametrize(("file", "name"), sorted(set(TEST.findall(DOCUMENT))))
def test_a_test_that_is_named_is_there(file: str, name: str) -> None:
    assert (CHECKOUT / file).is_file(), file
    assert name in _tests_in(file)
