"""Several calls in one assistant message, and calls that another tool makes."""

from tests.pi.lab import Lab, Run
from tests.pi.scripted_model import Call, Turn, edits, says

SUCCESS = "Successfully replaced 1 block(s) in "


def together(lab: Lab, *calls: Call, args: tuple[str, ...] = ()) -> Run:
    """A run whose first message makes all these calls."""
    run = lab.run([Turn(calls=calls), says("all done")], args=args)
    assert (run.status, run.stderr) == (0, "")
    return run


def test_an_edit_that_builds_on_its_sibling_is_left_alone(lab: Lab) -> None:
    """On the disk the second oldText still looks drifted; by the time that it runs it is exact."""
    file = lab.write("a.py", "if x:\n    if y:\n        a = 1\n")
    outdent = edits("a.py", ("    if y:\n        a = 1", "if y:\n    a = 1"))
    then = edits("a.py", ("if y:\n    a = 1", "if y:\n    a = 2"))
    run = together(lab, outdent, then)
    assert file.read_text() == "if x:\nif y:\n    a = 2\n"
    assert run.tool_texts() == [f"{SUCCESS}a.py."] * 2


def test_a_drifted_edit_is_corrected_to_what_its_sibling_leaves(lab: Lab) -> None:
    file = lab.write("a.py", "def f():\n    old()\n    more()\n")
    first = edits("a.py", ("    old()\n    more()", "    if x:\n        new()\n        more()"))
    second = edits("a.py", ("new()\nmore()", "newer()\nmore()"))
    run = together(lab, first, second)
    assert file.read_text() == "def f():\n    if x:\n        newer()\n        more()\n"
    first_text, second_text = run.tool_texts()
    assert first_text == f"{SUCCESS}a.py."
    assert second_text.startswith(f"{SUCCESS}a.py.\n\n")


def test_independent_edits_of_one_file_are_both_corrected(lab: Lab) -> None:
    file = lab.write("a.py", "class A:\n    def f(self):\n        one()\n\n    def g(self):\n        two()\n")
    run = together(
        lab,
        edits("a.py", ("def f(self):\n    one()", "def f(self):\n    uno()")),
        edits("a.py", ("def g(self):\n    two()", "def g(self):\n    due()")),
    )
    assert file.read_text() == "class A:\n    def f(self):\n        uno()\n\n    def g(self):\n        due()\n"
    assert all(text.startswith(f"{SUCCESS}a.py.\n\n") for text in run.tool_texts())


def test_an_edit_after_a_write_of_the_file_is_judged_against_what_is_written(lab: Lab) -> None:
    file = lab.write("a.py", "old\n")
    written = Call("write", {"path": "a.py", "content": "def f():\n    if x:\n        return 1\n"})
    run = together(lab, written, edits("a.py", ("if x:\n    return 1", "if x:\n    return 2")))
    assert file.read_text() == "def f():\n    if x:\n        return 2\n"
    assert run.tool_texts()[1].startswith(f"{SUCCESS}a.py.\n\n")


def test_a_write_of_a_new_file_and_an_edit_of_it(lab: Lab) -> None:
    written = Call("write", {"path": "new.py", "content": "if x:\n        return 1\n"})
    together(lab, written, edits("new.py", ("if x:\n    return 1", "if x:\n    return 2")))
    assert "return 2" in (lab.workspace / "new.py").read_text()


def test_parallel_edits_of_different_files(lab: Lab) -> None:
    names = [f"{letter}.py" for letter in "abcdef"]
    for name in names:
        lab.write(name, f"def f():\n    if x:\n        return '{name}'\n")
    calls = [edits(name, (f"if x:\n    return '{name}'", "if x:\n    return 2")) for name in names]
    run = together(lab, *calls)
    for name, text in zip(names, run.tool_texts(), strict=True):
        assert text.startswith(f"{SUCCESS}{name}.\n\n")
        assert (lab.workspace / name).read_text() == "def f():\n    if x:\n        return 2\n"


def test_a_refused_sibling_changes_nothing_for_the_next(lab: Lab) -> None:
    file = lab.write("a.py", "def f():\n    if x:\n        return 1\n")
    run = together(
        lab,
        edits("a.py", ("completely different words", "here")),
        Call("edit", {"path": "a.py"}),
        edits("a.py", ("if x:\n    return 1", "if x:\n    return 2")),
    )
    assert file.read_text() == "def f():\n    if x:\n        return 2\n"
    assert run.tool_texts()[2].startswith(f"{SUCCESS}a.py.\n\n")


def test_nested_calls_are_corrected_and_explained_to_the_script(lab: Lab) -> None:
    file = lab.write("a.py", "def f():\n    if x:\n        return 1\n")
    script = """
    const show = (result) => console.log(JSON.stringify(result));
    show(await tools.edit({path: "a.py", edits: [{oldText: "if x:\\n    return 1", newText: "if x:\\n    return 2"}]}));
    show(await tools.edit({path: "a.py", edits: [{oldText: "if x:\\n    return 2", newText: "if x:\\n    return 3"}]}));
    try {
      show(await tools.edit({path: "a.py", edits: [{oldText: "if x:\\n    return 1", newText: ""}]}));
    } catch (error) {
      console.log(String(error));
    }
    """
    run = together(lab, Call("codemode", {"code": script}), args=("--tools", "+codemode"))
    assert file.read_text() == "def f():\n    if x:\n        return 3\n"
    text = run.tool_texts()[0]
    assert text.count(f"{SUCCESS}a.py.") == 2
    assert text.count("lines 2-3") >= 3
    assert "Could not find the exact text in a.py." in text
