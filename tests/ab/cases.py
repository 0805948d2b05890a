"""Calls on which the built-in and the profile `strict` are laid side by side."""

from dataclasses import dataclass

HEAD = "canary head “q”  \t"
TAIL = "canary tail — end \u00a0"
"""Lines around every file that no edit is about: trailing blanks, quotes, a dash, a no-break space."""


@dataclass(frozen=True, slots=True)
class Case:
    """A file's middle, and the edits of one call."""

    name: str
    middle: str
    edits: tuple[tuple[str, str], ...]


CASES = (
    Case("agreement: one literal match", "a = 1\nb = 2\n", (("a = 1", "a = 10"),)),
    Case("agreement: several edits apart", "a = 1\nb = 2\nc = 3\n", (("a = 1", "a = 9"), ("c = 3", "c = 7"))),
    Case("ambiguity: the same line twice", "go()\nstop()\ngo()\n", (("go()", "run()"),)),
    Case("ambiguity: alike but for indentation", "if a:\n    x = 1\nelse:\n  x = 1\n", (("\tx = 1", "y = 1"),)),
    Case("quotes and dashes elsewhere in the file", "say('x')\nb = “two”\n", (("say('x')", "say('y')"),)),
    Case("a folded match that rewrites its line", "x = “one” – two  \nrest\n", (('x = "one"', "x = 'one'"),)),
    Case("whitespace drift: trailing blanks", "a = 1   \nb = 2\n", (("a = 1\nb = 2", "a = 3\nb = 2"),)),
    Case("whitespace drift: indentation", "\tif a:\n\t\tgo()\n", (("  if a:\n    go()", "\tif b:\n\t\tgo()"),)),
    Case("whitespace drift: blank runs", "width   = 4\n", (("width = 4", "width = 5"),)),
    Case("binary: NUL in the file", "head\0\nb = 2\n", (("b = 2", "b = 3"),)),
    Case("overlap: twins", "xaaax\n", (("aa", "b"),)),
    Case("overlap: two edits of one line", "f(a, b)\n", (("f(a,", "g(a,"), ("a, b)", "a, c)"))),
    Case("CRLF", "a = 1\r\nb = 2\r\n", (("a = 1\nb = 2", "a = 1\nc = 3\nb = 2"),)),
    Case("CRLF with indentation drift", "f() {\r\n    go();\r\n}\r\n", (("f() {\n  go();\n}", "f() {\n    ok();\n}"),)),
    Case("mixed endings", "a = 1\r\nb = 2\nc = 3\r\n", (("b = 2", "b = 3"),)),
    Case("punctuation drift", "Title “Q” — sub\n", (('Title "Q" - sub', "Title"),)),
    Case("dependent edits", "n = 1\n", (("n = 1", "m = 2"), ("m = 2", "m = 3"))),
    Case("a no-op beside an edit", "a = 1\nb = 2\n", (("a = 1", "a = 1"), ("b = 2", "b = 3"))),
    Case("the replacement is literal", "price\n", (("price", "$& $1 \\1 \\g<0>"),)),
    Case("an escape too many", "one\ntwo\n", (("one\\ntwo", "three"),)),
)


def whole(case: Case) -> str:
    """The file: its middle between the canary lines."""
    head, tail = canaries(case)
    return head + case.middle + tail


def canaries(case: Case) -> tuple[str, str]:
    """The lines around a file, with the file's line ending."""
    ending = "\r\n" if "\r\n" in case.middle else "\n"
    return HEAD + ending, TAIL + ending


def canaries_live(case: Case, after: bytes) -> bool:
    """Whether the lines that no edit is about are there as they were."""
    head, tail = canaries(case)
    return after.startswith(head.encode()) and after.endswith(tail.encode())
