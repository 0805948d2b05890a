"""What a person sees in pi's own terminal."""

from tests.pi.lab import Lab, processes
from tests.pi.scripted_model import Turn, edits, says

FILE = "def f(x):\n    if x:\n        return 1\n    return 0\n"
CTRL_D = "\x04"


def test_a_person_sees_the_correction_the_diagnosis_and_the_overview(lab: Lab) -> None:
    file = lab.write("a.py", FILE)
    turns = [
        Turn(calls=(edits("a.py", ("if x:\n    return 1", "if x:\n    return 2")),)),
        Turn(calls=(edits("a.py", ("    if x:\n        return 99\n", "")),)),
        says("all is done now"),
    ]
    with lab.terminal(turns) as (terminal, mark):
        terminal.until("all is done now")
        terminal.until("edit-assist: corrected the edit of a.py, lines 2-3")
        terminal.until("oldText differed from lines 2-3 in whitespace")
        terminal.until("Could not find the exact text in a.py.")
        terminal.until("return 99")
        terminal.keys("/edit-assist\r")
        terminal.until("edit calls: 2, of which corrected 1, failed 1 (explained 1)")
        terminal.keys(CTRL_D)
        assert terminal.end() == 0
    assert "return 2" in file.read_text()
    assert not processes(mark)
