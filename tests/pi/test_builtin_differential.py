"""Our model of the built-in beside pi's own shipped edit tool: same outcome, same bytes, same message."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pi.generated_calls import Call, call
from tests.pi.installed import Installed
from tests.pi.shipped_builtin import ShippedBuiltin, disagreements, model_outcome, shrunk

CALLS = 20_000
SEED = 20_000_000
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "builtin"


@pytest.fixture(scope="module")
def shipped(pi: Installed) -> Iterator[ShippedBuiltin]:
    """One Node process with pi's edit tool."""
    with ShippedBuiltin(pi.node, pi.package) as process:
        yield process


def test_generated_calls_end_alike(shipped: ShippedBuiltin) -> None:
    outcomes = [model_outcome(call(SEED + number)) for number in range(2_000)]
    assert sum(isinstance(outcome, bytes) for outcome in outcomes) > 200
    found = next(disagreements(shipped, (call(SEED + number) for number in range(CALLS))), None)
    if found is not None:
        text, edits = smallest = shrunk(shipped, found)
        theirs, ours = shipped.outcomes([smallest])[0], model_outcome(smallest)
        pytest.fail(f"the file {text!a}, the edits {edits!a}: pi {theirs!a}, our model {ours!a}")


@pytest.mark.parametrize("file", sorted(FIXTURES.glob("*.json")), ids=lambda file: file.stem)
def test_calls_worth_keeping_end_alike(shipped: ShippedBuiltin, file: Path) -> None:
    fixture = json.loads(file.read_text("utf-8"))
    once: Call = (fixture["text"], [(edit["oldText"], edit["newText"]) for edit in fixture["edits"]])
    assert shipped.outcomes([once])[0] == model_outcome(once)
