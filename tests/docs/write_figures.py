"""`make figures`: writes what `make bench` measured into README.md, from its JSON on standard input."""

import json
import math
import sys
from typing import Any

from tests.docs.marked import CHECKOUT, rewritten

README = CHECKOUT / "README.md"


def section(measured: dict[str, Any]) -> str:
    """The section of the README: on what machine, and a table of the figures that are no part of another."""
    fewest, most = measured["lines"]
    said = (
        f"{measured['calls']:,} calls on {measured['files']} files of {fewest:,} to {most:,} lines, each file met "
        f"cold, over stdio; {measured['system']}, Python {measured['python']}, version {measured['version']}. × is "
        f"multiples of a bare stdio echo beside it, whose median round trip was {measured['echo_median_ms']:.3f} ms."
    )
    rows = ["| what | how often | median | 99th percentile | figure | bar |", "| --- | --- | --- | --- | --- | --- |"]
    for group in measured["figures"].values():
        rows += [_row(figure) for figure in group if not figure["name"].startswith(" ")]
    return f"{said}\n\n" + "\n".join(rows)


def _row(figure: dict[str, Any]) -> str:
    unit = figure["unit"].replace("x median", "× (median)").replace("x p99", "× (99th percentile)")
    value = _share(figure["value"]) if unit == "%" else f"{_number(figure['value'])} {unit}"
    bar = ""
    if figure["bar"] is not None:
        sign = "≤" if figure["at_most"] else "≥"
        bar = f"{sign} {figure['bar']:g}" + ("" if figure["met"] else ", missed")
    times = [f"{ms:.2f} ms" if ms is not None else "" for ms in (figure["median_ms"], figure["p99_ms"])]
    return f"| {figure['name']} | {figure['count']:,} | {times[0]} | {times[1]} | {value} | {bar} |"


def _share(per_cent: float) -> str:
    """Cut, not rounded: what is not all of it does not read as 100 %."""
    return f"{math.floor(per_cent * 10) / 10:g} %"


def _number(value: float) -> str:
    return f"{value:.0f}" if value == int(value) or value >= 100 else f"{value:.3g}"


def main() -> None:
    """Rewrites the section."""
    document = README.read_text("utf-8")
    README.write_text(rewritten(document, {"figures": section(json.load(sys.stdin))}), "utf-8")


if __name__ == "__main__":
    main()
