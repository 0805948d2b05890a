"""The guards in a session: what is blocked, what is said after a success, and what is said when a call fails again."""

from dataclasses import replace
from pathlib import Path

import pytest

from edit_assist_ls import session
from edit_assist_ls.engine.guard_names import GUARDS
from edit_assist_ls.session import Verdict
from tests.session.agent import NOT_FOUND, Agent, edit_input, text_blocks

TWINS = ("aa", "b")
PLACEHOLDER = ("b = 1", "# ... rest of the code ...")
NULLS = {"path": "a.py", "edits": [{"oldText": "b = 1", "newText": None}]}


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    agent = Agent(tmp_path)
    agent.write_file("a.py", "a = 1\nb = 1\nxaaax\n")
    return agent


def block(agent: Agent, call_id: str, *pairs: tuple[str, str], path: str = "a.py") -> str:
    verdict = agent.call(call_id, edit_input(path, *pairs))
    assert verdict.arguments is None and verdict.corrections == ()
    return verdict.block or ""


def after_success(agent: Agent, call_id: str, *pairs: tuple[str, str]) -> str:
    arguments = edit_input("a.py", *pairs)
    agent.call(call_id, arguments)
    content = agent.result(call_id, arguments, "Successfully replaced 1 block(s) in a.py.", error=False)
    return "" if content is None else content[0]["text"]


def with_null(agent: Agent, call_id: str, path: str = "a.py") -> Verdict:
    """A call whose newText was null: the host asks twice, the second time with the word."""
    arguments = {**NULLS, "path": path}
    call = session.Call(agent.origin, call_id, "edit", arguments, agent.message)
    session.prepare_arguments(agent.memory, call, arguments)
    return agent.call(call_id, edit_input(path, ("b = 1", "null")))


def test_a_call_that_would_do_harm_is_blocked_and_leaves_no_trace(agent: Agent) -> None:
    assert block(agent, "c1", TWINS).startswith("Not run: edits[0] stands at several places (line 3) in a.py")
    assert agent.memory.session(agent.origin).predicted == {}
    assert agent.edit("c2", ("  b = 1", "  b = 2")) == [("b = 1", "b = 2")]


def test_a_warning_comes_after_the_hosts_own_text_once(agent: Agent) -> None:
    said = after_success(agent, "c1", PLACEHOLDER)
    assert said.startswith("Successfully replaced 1 block(s) in a.py.\n\nedit-assist, a.py: edits[0] put a placeholder")
    assert agent.result("c1", edit_input("a.py", PLACEHOLDER), "Successfully", error=False) is None


def test_a_warning_follows_the_honesty_line(agent: Agent) -> None:
    said = after_success(agent, "c1", ("  b = 1", "  # ... rest of the code ..."))
    honesty, warning = said.split("\n\n")[1:]
    assert "differed from line 2 in whitespace" in honesty and "put a placeholder" in warning


def test_a_failed_call_is_told_nothing_of_what_it_would_have_done(agent: Agent) -> None:
    arguments = edit_input("a.py", PLACEHOLDER)
    agent.call("c1", arguments)
    assert agent.result("c1", arguments, "Operation aborted", error=True) is None


@pytest.mark.parametrize("times", [2, 3, 7])
def test_a_blocked_call_that_comes_again_gets_a_shorter_answer(agent: Agent, times: int) -> None:
    first = block(agent, "c0", TWINS)
    said = [block(agent, f"c{at}", TWINS) for at in range(1, times)]
    assert said[-1].startswith(f"Not run: the same call, {times} times now") and len(said[-1]) < len(first)
    assert block(agent, "other", ("aa", "c")) == first, "another call is told all"


def test_a_call_that_fails_again_gets_a_shorter_answer_until_it_fails_otherwise(agent: Agent) -> None:
    arguments = edit_input("a.py", ("b = 2", "b = 3"))

    def said(call_id: str) -> str:
        agent.call(call_id, arguments)
        content = agent.result(call_id, arguments, NOT_FOUND, error=True)
        assert content is not None
        return str(content[0]["text"]).removeprefix(NOT_FOUND)

    first, second, third = said("c1"), said("c2"), said("c3")
    assert "Nearest region" in first and "2 times now" in second and "3 times now" in third
    assert len(second) < len(first)
    agent.write_file("a.py", "a = 1\nb = 4\n")
    assert "Nearest region" in said("c4") and "2 times now" in said("c5")
    other = replace(agent, session_id="s2")
    other.call("c6", arguments)
    content = other.result("c6", arguments, NOT_FOUND, error=True)
    assert content is not None and "times now" not in content[0]["text"]


def test_what_is_remembered_of_failed_calls_is_bounded(agent: Agent) -> None:
    for at in range(600):
        block(agent, f"c{at}", TWINS, ("b = 1", str(at)))
    assert len(agent.memory.session(agent.origin).failed) <= 256
    assert "times now" not in block(agent, "again", TWINS, ("b = 1", "0"))


def test_a_null_is_seen_before_the_host_makes_a_word_of_it(agent: Agent) -> None:
    assert (with_null(agent, "c1").block or "").startswith("Not run: edits[0].newText is null")
    assert agent.call("c2", edit_input("a.py", ("b = 1", "null"))).block is None, "the word, sent as text"


def test_a_null_is_refused_where_the_file_is_too_large_to_look_at(agent: Agent) -> None:
    agent.write_file("large.py", "b = 1\n" * 60_000)
    assert (with_null(agent, "c1", "large.py").block or "").startswith("Not run: edits[0].newText is null")


def test_a_null_for_a_file_that_is_not_there_is_the_hosts_to_answer(agent: Agent) -> None:
    assert with_null(agent, "c1", "none.py").block is None


@pytest.mark.parametrize("size", [10, 400_000])
def test_bytes_that_are_no_utf8_are_found_in_files_of_any_size(agent: Agent, size: int) -> None:
    agent.write_file("a.py", b"b = 1\n" + b"# x\n" * (size // 4) + b"# caf\xe9\n")
    assert "is no valid UTF-8 (byte E9 at offset" in block(agent, "c1", ("b = 1", "b = 2"))


def test_utf_16_without_a_mark_is_blocked_whether_the_edit_lands_or_not(agent: Agent) -> None:
    agent.write_file("a.py", "name = 1\nsize = 2\n".encode("utf-16-le"))
    for at, old in enumerate(("name = 1", "z")):
        assert "a.py is UTF-16, little end first" in block(agent, f"c{at}", (old, "x"))
    assert agent.call("c9", edit_input("a.py", ("n\0a\0", "m\0a\0"))).block is None, "it knows of the zeros"


def test_what_siblings_will_have_written_counts_and_not_the_disk(agent: Agent) -> None:
    agent.write_file("a.py", b"caf\xe9\n")
    agent.write("w1", "b = 1\nxaaax\n")
    assert agent.call("c1", edit_input("a.py", ("b = 1", "b = 2"))).block is None
    assert block(agent, "c2", TWINS).startswith("Not run: edits[0] stands at several places (line 2)")


@pytest.mark.parametrize("name", GUARDS)
def test_the_setting_of_each_guard_reaches_it(agent: Agent, name: str) -> None:
    mixed = "d = 1\r\n" if name == "mixedEndings" else ""
    agent.write_file("a.py", f"if a:\n    b = 1\nc = 1\nxaaax\n{mixed}e = 1\n")
    agent.write_file("latin.py", b"b = 1 # \xe9\n")
    edits = {
        "placeholder": ("c = 1", "# ... rest of the code ..."),
        "gluedLines": ("c = 1\n", "c = 2"),
        "mixedEndings": ("e = 1", "e = 2\nf = 3"),
        "indentation": ("b = 1", "b = 2\nb = 3"),
        "repeated": ("c = 1", "c = 1\nxaaax"),
        "twins": TWINS,
    }

    def said() -> str:
        if name == "null":
            return with_null(agent, "n").block or ""
        if name == "utf8":
            return block(agent, "u", ("b = 1", "b = 2"), path="latin.py")
        return block(agent, "t", TWINS) if name == "twins" else after_success(agent, "w", edits[name])

    assert said()
    agent.write_file(".pi/settings.json", f'{{"edit-assist": {{"guards": {{"{name}": false}}}}}}')
    assert not said()


def test_a_result_without_text_gets_the_warning_in_a_block_of_its_own(agent: Agent) -> None:
    arguments = edit_input("a.py", PLACEHOLDER)
    agent.call("c1", arguments)
    content = agent.result("c1", arguments, [{"type": "image", "data": ""}], error=False)
    assert content is not None and content[1]["text"].startswith("edit-assist, a.py: ")
    assert text_blocks(content[1]["text"]) == content[1:]
