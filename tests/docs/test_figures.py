"""The figures in the README are those of the bench, misses included."""

from dataclasses import asdict
from typing import Any

from tests.bench.figures import Figure
from tests.docs.marked import names
from tests.docs.write_figures import README, section

FACTS = {"version": "1", "python": "3", "system": "a machine", "files": 2, "lines": [3, 4_000], "calls": 5_000}


def _measured(*figures: Figure) -> dict[str, Any]:
    group = [{**asdict(figure), "met": figure.met} for figure in figures]
    return {**FACTS, "echo_median_ms": 0.02, "figures": {"a group": group}}


def test_a_figure_stands_beside_its_bar_and_a_miss_is_said() -> None:
    slow = Figure("slow", 1_234, 312.4, "x p99", 250, median_ms=1, p95_ms=2, p99_ms=7.116)
    right = Figure("right", 10, 99.96, "%", 99, at_most=False)
    start = Figure("start", 3, 1.049, "x median", 1.15)
    rows = section(_measured(slow, right, start, Figure("  a part", 1, 1, "calls"))).split("\n")[-3:]
    assert rows == [
        "| slow | 1,234 | 1.00 ms | 7.12 ms | 312 × (99th percentile) | ≤ 250, missed |",
        "| right | 10 |  |  | 99.9 % | ≥ 99 |",
        "| start | 3 |  |  | 1.05 × (median) | ≤ 1.15 |",
    ]


def test_the_readme_holds_the_section() -> None:
    readme = README.read_text("utf-8")
    assert names(readme) == ["figures"]
    assert "| exact call, 300 KB |" in readme
