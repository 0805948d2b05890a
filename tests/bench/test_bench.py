"""The bench itself: its cases are what they say, its table marks what is missed, and it runs."""

import json
import math
import random
import subprocess
import sys
from dataclasses import replace

import pytest

from tests.bench import figures
from tests.bench.drift import CORRECTABLE, FOREIGN, REFUSED, RESEMBLING, Case, cases, exact_cases
from tests.bench.figures import Figure, quantile, table
from tests.bench.play import Row
from tests.bench.sources import LARGEST, MOST_LINES, generated_files, largest, real_files


def made(seed: int) -> list[Case]:
    rng = random.Random(seed)
    return list(cases([*real_files(5, rng), *generated_files(rng)[1:3]], rng))


@pytest.fixture(scope="module")
def some() -> list[Case]:
    return made(3)


def test_the_same_seed_makes_the_same_cases(some: list[Case]) -> None:
    assert made(3) == some
    assert made(4) != some


def test_every_kind_and_size_is_there(some: list[Case]) -> None:
    assert {case.kind for case in some} == {*CORRECTABLE, *RESEMBLING, *FOREIGN, *REFUSED}
    for kinds in (RESEMBLING, FOREIGN):
        assert {case.size for case in some if case.kind in kinds} == {1, 5, 30, 120, 300}


def test_no_old_text_stands_in_its_file(some: list[Case]) -> None:
    for case in some:
        assert case.old_text not in case.text.replace("\r\n", "\n")
        assert case.old_text != case.new_text


def test_the_true_edit_changes_the_block_and_nothing_else(some: list[Case]) -> None:
    for case in some:
        if case.kind not in CORRECTABLE:
            assert case.want is None
            continue
        assert case.want is not None
        before, after = case.text.split("\n"), case.want.split("\n")
        tail = len(before) - case.end_line
        assert before[: case.start_line - 1] == after[: case.start_line - 1]
        assert before[-tail:] == after[-tail:]
        assert before[case.start_line - 1 : case.end_line] != after[case.start_line - 1 : -tail]


def test_an_exact_call_stands_once() -> None:
    text = largest(random.Random(1))
    assert LARGEST - 500 < len(text.encode()) <= LARGEST
    for case in exact_cases(text, 5, random.Random(1)):
        assert text.count(case.old_text) == 1
        assert case.want == text.replace(case.old_text, case.new_text)


def test_generated_files_are_within_what_the_server_reads() -> None:
    files = generated_files(random.Random(1))
    assert max(file.text.count("\n") for file in files) > MOST_LINES - 100
    for file in files:
        assert len(file.text.encode()) <= LARGEST and file.text.count("\n") <= MOST_LINES


@pytest.mark.parametrize(("share", "value"), [(0.5, 5), (0.95, 10), (0.9, 9), (0.01, 1)])
def test_quantile(share: float, value: float) -> None:
    assert quantile([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], share) == value


def test_a_missed_bar_is_marked() -> None:
    good = Figure("good", 1, 80.0, "x median", 80)
    bad = replace(good, name="bad", value=80.1)
    few = Figure("few", 1, 98.9, "%", 99, at_most=False)
    lines = table("title", [good, bad, few, replace(good, name="free", bar=None)]).splitlines()
    assert lines[1].endswith("<= 80    ok")
    assert lines[2].endswith("<= 80    MISSED")
    assert lines[3].endswith(">= 99    MISSED")
    assert lines[4].endswith("80.0 x median")


def test_a_wrong_apply_misses_its_bar() -> None:
    rows = [Row("shifted", 5, "a.py", "true", 1.0, 1.0, None), Row("twin", 5, "a.py", "wrong", 1.0, 1.0, None)]
    by_name = {figure.name: figure for figure in figures.outcomes(rows)}
    assert by_name["applied wrongly"].met is False
    assert by_name["corrected as the true edit would be"].value == 100
    assert by_name["refused: two places, or misread"].met is False
    assert math.isnan(by_name["region found"].value)


def test_the_bench_runs_and_nothing_is_applied_wrongly() -> None:
    options = ["--files", "2", "--exact", "2", "--starts", "1", "--json"]
    done = subprocess.run([sys.executable, "-m", "tests.bench", *options], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1) and done.stderr == ""
    report = json.loads(done.stdout)
    assert report["calls"] > 100
    outcomes = {figure["name"]: figure for figure in report["figures"]["what came out"]}
    assert outcomes["applied wrongly"]["value"] == 0
    assert outcomes["corrected as the true edit would be"]["met"]
