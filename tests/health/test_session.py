"""One session at a time: torn and foreign lines, branches, runs of failures, evidence of whitespace."""

import json
from pathlib import Path

from edit_assist_ls.health.survey import survey
from tests.health.sessions_by_hand import (
    LANDED,
    NO_MATCH,
    answer,
    chain,
    counted,
    edit,
    entry,
    header,
    measured,
    result,
    write,
)

PAIR = [entry("a", None, answer(("1", "edit", edit()))), entry("b", "a", result("1", "edit", LANDED))]


def test_torn_and_foreign_lines_are_counted_and_skipped(tmp_path: Path) -> None:
    torn = json.dumps(entry("c", "b", answer(("2", "edit", edit())))).encode()[:-9]
    foreign = [b'{"some": "log"}\n', b"[1, 2]\n", b'"text"\n', b"\n", b"\xff\xfe\x00\n", b"not json\n"]
    write(tmp_path, [header(), *foreign, *PAIR, torn])
    found = survey([str(tmp_path)], jobs=1)
    assert measured(found.counts, "edit") == {"exact": 1}
    assert (found.reading["foreign"], found.reading["torn"]) == (3, 3)


def test_a_torn_line_in_the_host_s_own_form_is_counted(tmp_path: Path) -> None:
    torn = json.dumps(PAIR[1], separators=(",", ":")).encode()[:-9] + b"\n"
    write(tmp_path, [header(), PAIR[0], torn, entry("c", "b", answer(stop="stop"))])
    found = survey([str(tmp_path)], jobs=1)
    assert (measured(found.counts, "edit"), found.reading["torn"]) == ({"no-result": 1}, 1)


def test_files_of_another_kind_are_foreign(tmp_path: Path) -> None:
    (tmp_path / "other.jsonl").write_text('{"type": "log", "text": "toolCall"}\n' * 3)
    (tmp_path / "notes.txt").write_text("not read")
    found = survey([str(tmp_path)], jobs=1)
    assert (found.reading["files"], found.reading["foreign"], found.counts.total()) == (1, 3, 0)


def test_the_first_format_has_no_ids(tmp_path: Path) -> None:
    lines = [{key: value for key, value in line.items() if key not in ("id", "parentId")} for line in PAIR]
    assert counted(tmp_path, [header(), *lines], "edit") == {"exact": 1}


def test_other_key_order_and_lone_surrogates(tmp_path: Path) -> None:
    broken = entry("a", None, answer(("1", "edit", edit("\ud800"))))
    lines = [json.dumps(dict(reversed(line.items()))).encode() + b"\n" for line in (broken, PAIR[1])]
    assert counted(tmp_path, [header(), *lines], "edit") == {"exact": 1}


def test_a_text_that_quotes_a_call_is_no_call(tmp_path: Path) -> None:
    quoted = {"role": "user", "content": [{"type": "text", "text": json.dumps(PAIR[0])}]}
    details = {"messages": [answer(("9", "edit", edit()))]}
    lines = chain(quoted, answer(("1", "task", {})), result("1", "task", "done", details=details))
    assert counted(tmp_path, lines, "edit") == {}


def test_reused_call_ids_pair_with_the_nearest_call(tmp_path: Path) -> None:
    again = [answer(("1", "edit", edit())), result("1", "edit", LANDED)]
    assert counted(tmp_path, chain(*again, *again, *again[:1]), "edit") == {"exact": 2, "no-result": 1}


def test_a_landing_on_another_branch_does_not_land_the_failure(tmp_path: Path) -> None:
    failed = [
        entry("b", "a", answer(("1", "edit", edit()))),
        entry("c", "b", result("1", "edit", NO_MATCH, failed=True)),
    ]
    landed = [entry("d", "a", answer(("2", "edit", edit()))), entry("e", "d", result("2", "edit", LANDED))]
    start = [header(), entry("a", None, {"role": "user", "content": "go"})]
    assert counted(tmp_path, [*start, *failed, *landed], "streak") == {"stopped": 1}
    assert counted(tmp_path, [*start, *failed, *landed], "abandoned") == {"": 1}


def test_a_landing_on_any_branch_below_the_failure_lands_it(tmp_path: Path) -> None:
    lines = [
        header(),
        entry("a", None, answer(("1", "edit", edit()))),
        entry("b", "a", result("1", "edit", NO_MATCH, failed=True)),
        entry("c", "b", answer(stop="stop")),
        entry("d", "b", answer(("2", "edit", edit()), tokens=500)),
        entry("e", "d", result("2", "edit", LANDED)),
    ]
    assert counted(tmp_path, lines, "streak") == {"landed": 1}
    assert counted(tmp_path, lines, "tokens") == {500: 1}


def test_a_call_beside_the_failed_one_does_not_land_it(tmp_path: Path) -> None:
    lines = chain(
        answer(("1", "edit", edit()), ("2", "edit", edit("z"))),
        result("1", "edit", NO_MATCH, failed=True),
        result("2", "edit", LANDED),
    )
    assert counted(tmp_path, lines, "streak") == {"stopped": 1}


def test_failures_of_one_file_in_a_row_are_one_run(tmp_path: Path) -> None:
    failed = [answer(("1", "edit", edit())), result("1", "edit", NO_MATCH, failed=True)]
    lines = chain(*failed, *failed, answer(("1", "edit", edit())), result("1", "edit", LANDED))
    assert counted(tmp_path, lines, "round-trips") == {2: 1}
    elsewhere = answer(("1", "edit", edit(path="b.py")))
    assert counted(tmp_path, chain(*failed, elsewhere, result("1", "edit", LANDED)), "streak") == {"stopped": 1}


def test_an_answer_without_a_call_while_it_is_open_costs_a_round_trip(tmp_path: Path) -> None:
    lines = chain(
        answer(("1", "edit", edit())),
        result("1", "edit", NO_MATCH, failed=True),
        answer(stop="error", tokens=40),
        answer(("2", "edit", edit()), tokens=50),
        result("2", "edit", LANDED),
    )
    assert counted(tmp_path, lines, "round-trips") == {2: 1}
    assert counted(tmp_path, lines, "tokens") == {92: 1}


def shown(text: str, old: str, *between: tuple[str, str]) -> list[dict[str, object]]:
    """A session that reads a file, edits it, and then fails to find `old`."""
    messages = [answer(("r", "read", {"path": "a.py"})), result("r", "read", text)]
    for before, after in between:
        messages += [answer(("e", "edit", edit(before, after))), result("e", "edit", LANDED)]
    return chain(*messages, answer(("f", "edit", edit(old))), result("f", "edit", NO_MATCH, failed=True))


def test_whitespace_is_judged_by_what_was_read(tmp_path: Path) -> None:
    text = "def f():\n    if x:\n        return 1\n"
    assert counted(tmp_path, shown(text, "  if x:\n    return 1\n"), "no-match") == {"read": 1}
    assert counted(tmp_path, shown(text, "  if y:\n    return 1\n"), "no-match") == {"differs": 1}
    assert counted(tmp_path, shown(text, "if x:\n    return 1\n\n"), "no-match") == {"differs": 1}
    # What would have been found there is not what the call met.
    assert counted(tmp_path, shown(text, "        return 1\n"), "no-match") == {"differs": 1}


def test_what_was_read_is_followed_through_the_edits_since(tmp_path: Path) -> None:
    text, old = "def f():\n    return 1\n", "\treturn 2\n"
    assert counted(tmp_path, shown(text, old), "no-match") == {"differs": 1}
    assert counted(tmp_path, shown(text, old, ("return 1", "return 2")), "no-match") == {"read": 1}


def test_whitespace_is_judged_by_the_retry_and_by_a_later_read(tmp_path: Path) -> None:
    failed = [answer(("f", "edit", edit("if x:\n  y()\n"))), result("f", "edit", NO_MATCH, failed=True)]
    retry = [answer(("g", "edit", edit("  if x:\n    y()\n"))), result("g", "edit", LANDED)]
    read = [answer(("r", "read", {"path": "a.py"})), result("r", "read", "  if x:\n    y()\n")]
    assert counted(tmp_path, chain(*failed), "no-match") == {"unseen": 1}
    assert counted(tmp_path, chain(*failed, *retry), "no-match") == {"retry": 1}
    assert counted(tmp_path, chain(*failed, *read), "no-match") == {"read": 1}


def test_nested_calls_count_with_their_outcome(tmp_path: Path) -> None:
    calls = [
        {"id": "1/1", "name": "edit", "arguments": edit(), "status": "error", "error": NO_MATCH},
        {"id": "1/2", "name": "edit", "arguments": edit(), "status": "ok"},
        {"id": "1/3", "name": "edit", "argumentsBytes": 9000, "status": "unfinished"},
        {"id": "1/4", "name": "bash", "arguments": {"command": "python3 - <<E\n1\nE"}, "status": "ok"},
    ]
    ran = result("1", "codemode", "Script completed", nestedCalls={"calls": calls, "complete": False})
    write(tmp_path, chain(answer(("1", "codemode", {"code": ""})), ran))
    found = survey([str(tmp_path)], jobs=1)
    assert measured(found.counts, "edit") == {"failed": 1, "exact": 1, "no-result": 1}
    assert measured(found.counts, "nested") == {"": 3}
    assert measured(found.counts, "round-trips") == {0: 1}
    assert measured(found.counts, "bash-python") == {"": 1}
    assert found.reading["nested-incomplete"] == 1


def test_text_is_kept_only_where_asked(tmp_path: Path) -> None:
    write(tmp_path, chain(answer(("1", "edit", edit("SECRET"))), result("1", "edit", NO_MATCH, failed=True)))
    assert survey([str(tmp_path)], jobs=1).examples == []
    (example,) = survey([str(tmp_path)], jobs=1, with_text=True).examples
    assert (example.old_text, example.path, example.failure_class) == ("SECRET", "a.py", "no-match")


def test_what_is_kept_open_is_bounded(tmp_path: Path) -> None:
    messages = []
    for number in range(3000):
        made = edit(f"{number}\n  z", path=f"{number % 1500}.py")
        messages += [answer(("1", "edit", made)), result("1", "edit", NO_MATCH, failed=True)]
    assert counted(tmp_path, chain(*messages), "streak") == {"stopped": 3000}
    same = [answer(("1", "edit", edit())), result("1", "edit", NO_MATCH, failed=True)] * 3000
    landed = [answer(("1", "edit", edit())), result("1", "edit", LANDED)]
    assert counted(tmp_path, chain(*same, *landed), "round-trips") == {3000: 1}
