"""Golden texts: what a model reads for each cause, to the letter; and the sentences that stand alone."""

from typing import get_args

import pytest

from edit_assist_ls.engine import messages
from edit_assist_ls.engine.correction import Correction
from edit_assist_ls.engine.diagnosis import COUNT_LIMIT, Cause, Diagnosis, Place
from edit_assist_ls.engine.diff import Diff, Difference

DIFF = Diff(("@@ -1,1 +4,1 @@", "-old", "+new"), 0, False, ())
SHOWN = Diff(("@@ -1,1 +4,1 @@", "-··go()", "+→go()"), 2, True, (Difference(4, " ", "\u00a0"),))
DIFF_TEXT = "--- edits[1].oldText\n+++ a.py\n@@ -1,1 +4,1 @@\n-old\n+new\n"
SHOWN_TEXT = (
    "--- edits[1].oldText\n+++ a.py\n@@ -1,1 +4,1 @@\n-··go()\n+→go()\n... (diff truncated, 2 more lines)\n"
    "Line 4 of the file has U+00A0 (No-Break Space) where oldText has U+0020 (Space).\n"
    "(In the diff, · is a space and → a tab where they differ.)\n"
)
TWO = (Place(4, 5, "  go()", 3, "if a:"), Place(9, 9, "\tgo()  "))
TWO_TEXT = "lines 4-5 and 9\n  4-5:   go()   (below line 3: if a:)\n  9: \tgo()\n"

GOLDEN: dict[Cause, tuple[Diagnosis, str]] = {
    "region": (
        Diagnosis(1, "no-match", "region", 4, 6, likeness=0.999, diff=DIFF),
        "edits[1] is not in a.py. Nearest region: lines 4-6 (99 % alike).\n"
        + DIFF_TEXT
        + "Re-read lines 4-6 and send the edit with the text that stands there.",
    ),
    "blank-lines": (
        Diagnosis(1, "no-match", "blank-lines", 4, 6, likeness=0.8, diff=DIFF),
        "edits[1] is not in a.py as written. Nearest region: lines 4-6, the same but for blank lines.\n"
        + DIFF_TEXT
        + "Send the edit with the blank lines of lines 4-6.",
    ),
    "unsaved": (
        Diagnosis(1, "no-match", "unsaved"),
        (
            "edits[1] is not in a.py on disk: its oldText is only in an unsaved editor buffer of that file. Have the "
            "person save the file and send the edit again, or re-read the file and edit what is on disk."
        ),
    ),
    "no-region": (
        Diagnosis(1, "no-match", "no-region"),
        (
            "edits[1] is not in a.py. No candidate region: nothing there is even half like its oldText. Re-read the "
            "file (or check that it is the right one) before the next edit."
        ),
    ),
    "not-searched": (
        Diagnosis(1, "no-match", "not-searched"),
        (
            "edits[1] is not in a.py, or not as written. It was not searched for further: the call is too large for "
            "that. Send fewer or shorter edits in one call."
        ),
    ),
    "moot": (
        Diagnosis(1, "no-match", "moot", other_index=0),
        (
            "edits[1] is not in a.py: its oldText exists only in the newText of edits[0]. All edits of a call are "
            "matched against the file as it was before the call. Merge the two into one edit, or send edits[1] in a "
            "call of its own afterwards."
        ),
    ),
    "whitespace": (
        Diagnosis(1, "whitespace-only", "whitespace", 4, 4, diff=SHOWN),
        "edits[1] is not in a.py as written: a Whitespace-only difference from line 4, in leading whitespace alone.\n"
        + SHOWN_TEXT
        + "Send the edit with the leading whitespace of line 4.",
    ),
    "misread-depth": (
        Diagnosis(1, "whitespace-only", "misread-depth", 4, 6, diff=DIFF),
        "edits[1] is not in a.py as written: a Whitespace-only difference from lines 4-6, but the lines stand at other "
        "depths relative to each other than in oldText, so the block was misread.\n"
        + DIFF_TEXT
        + "Re-read lines 4-6: what belongs to which block differs from what oldText says.",
    ),
    "not-unique-in-file": (
        Diagnosis(1, "whitespace-only", "not-unique-in-file", 4, 4, diff=DIFF),
        "edits[1] is not in a.py as written: a Whitespace-only difference from line 4, whose text stands in other "
        "places too.\n" + DIFF_TEXT + "Send line 4 with a neighbouring line, so that the text is unique.",
    ),
    "final-newline": (
        Diagnosis(1, "no-match", "final-newline", 4, 6, diff=DIFF),
        (
            "edits[1] is not in a.py as written: oldText ends with a line feed, but the file ends with lines 4-6, "
            "without one. Send oldText without the final line feed."
        ),
    ),
    "characters": (
        Diagnosis(1, "no-match", "characters", 4, 4, diff=SHOWN),
        "edits[1] is not in a.py as written: line 4 has other characters, which look alike, and other whitespace.\n"
        + SHOWN_TEXT
        + "Copy the text of line 4, character by character.",
    ),
    "spacing": (
        Diagnosis(1, "no-match", "spacing", 4, 4, diff=DIFF),
        "edits[1] is not in a.py as written: it differs from line 4 in blanks alone, also inside the line.\n"
        + DIFF_TEXT
        + "Send the edit with the blanks of line 4.",
    ),
    "several-whitespace": (
        Diagnosis(1, "whitespace-only", "several-whitespace", 4, 5, TWO, 2),
        "edits[1] is not in a.py as written: a Whitespace-only difference (leading or trailing) from 2 places: "
        + TWO_TEXT
        + "Send the whitespace of the place you mean, with a neighbouring line.",
    ),
    "several-folded": (
        Diagnosis(1, "no-match", "several-folded", 4, 5, TWO, 12),
        "edits[1] is not in a.py as written: but for whitespace and characters that look alike it is at 12 places: "
        + TWO_TEXT.replace("and 9\n", "and 9 (and 10 more)\n")
        + "Copy the text of the place you mean, with a neighbouring line.",
    ),
    "several-spacing": (
        Diagnosis(1, "no-match", "several-spacing", 4, 5, TWO, COUNT_LIMIT),
        f"edits[1] is not in a.py as written: but for blanks it is at {COUNT_LIMIT} places or more: "
        + TWO_TEXT.replace("and 9\n", f"and 9 (and {COUNT_LIMIT - 2} more)\n")
        + "Copy the text of the place you mean.",
    ),
    "part-of-line": (
        Diagnosis(1, "no-match", "part-of-line", 9, 9, TWO[1:], 1),
        (
            "edits[1] is not in a.py as written: without the blanks around it, it is a part of 1 line: line 9\n"
            "  9: \tgo()\nSend the whole line as it stands there, or only that part of it."
        ),
    ),
    "ambiguous": (
        Diagnosis(1, "ambiguous", "ambiguous", 4, 5, TWO, 2, literal_count=2),
        "edits[1] is at 2 places in a.py: "
        + TWO_TEXT
        + "Add a neighbouring line to oldText, and to newText, so that it names one place.",
    ),
    "blank": (
        Diagnosis(1, "ambiguous", "blank", 4, 4, place_count=70),
        (
            "edits[1] has an oldText of blanks alone, which the edit tool cannot place in a.py; it stands in line 4. "
            "Add the text of a line next to it to oldText, and to newText."
        ),
    ),
    "overlap": (
        Diagnosis(1, "overlap", "overlap", 5, 5, (Place(4, 5, "a"), Place(5, 8, "b")), 2, other_index=2),
        "edits[1] (lines 4-5) and edits[2] (lines 5-8) both claim line 5 of a.py. Send one edit that covers lines 4-8.",
    ),
    "identical": (
        Diagnosis(1, "no-change", "identical", 4, 4),
        "edits[1] changes nothing: its oldText and newText are the same (line 4 of a.py).",
    ),
    "line-endings": (
        Diagnosis(1, "no-change", "line-endings", 4, 6),
        (
            "edits[1] changes nothing: its oldText and newText differ in line endings alone (lines 4-6 of a.py), and "
            "the edit tool keeps the line endings of the file. Use another tool to convert them."
        ),
    ),
    "already-applied": (
        Diagnosis(1, "already-applied", "already-applied", 4, 6),
        (
            "edits[1] is not in a.py: it seems already applied, for its newText stands in lines 4-6. Leave it out, or "
            "re-read lines 4-6 if something else was meant."
        ),
    ),
    "truncation-mark": (
        Diagnosis(1, "no-match", "truncation-mark", 4, 4, quoted="[truncated]"),
        (
            'edits[1] is not in a.py: its oldText holds "[truncated]", by which a reader says that it left text out, '
            "and which is no text of the file. The text before it stands in line 4: send a short, unique piece of that."
        ),
    ),
    "placeholder": (
        Diagnosis(1, "no-match", "placeholder", quoted="# ... rest of code ..."),
        (
            'edits[1] is not in a.py: its oldText holds "# ... rest of code ...", which stands for text that was left '
            "out and is no text of the file. Send the lines whole, or a shorter oldText without it."
        ),
    ),
    "line-numbers": (
        Diagnosis(1, "no-match", "line-numbers", 4, 4, quoted="4| x"),
        (
            'edits[1] is not in a.py: its lines bear a reader\'s line numbers ("4| x"), which are no text of the file. '
            "The text stands at line 4. Send both texts without them."
        ),
    ),
    "diff-marks": (
        Diagnosis(1, "no-match", "diff-marks", 4, 4, quoted="-x"),
        (
            'edits[1] is not in a.py: its lines bear a diff\'s marks, - and + ("-x"), which are no text of the file. '
            "The text stands at line 4. Send both texts without them."
        ),
    ),
    "code-fence": (
        Diagnosis(1, "no-match", "code-fence", 4, 4, quoted="```py"),
        (
            'edits[1] is not in a.py: its lines stand in a code fence ("```py"), which is no text of the file. The '
            "text stands at line 4. Send both texts without the fence, as the file has them."
        ),
    ),
    "conflict-marks": (
        Diagnosis(1, "no-match", "conflict-marks", quoted="======="),
        (
            'edits[1] is not in a.py: its oldText holds "=======", a mark of a merge or of a search-and-replace block, '
            "which is no text of the file. Send what is to go as oldText and what is to come as newText, without such "
            "marks."
        ),
    ),
    "escaped": (
        Diagnosis(1, "no-match", "escaped", 4, 5, quoted="\\n"),
        (
            'edits[1] is not in a.py as written: its oldText has "\\n" where the file, in lines 4-5, has the character '
            "that this stands for. Send both texts as they are to stand in the file, not escaped once more."
        ),
    ),
    "unescaped": (
        Diagnosis(1, "no-match", "unescaped", 4, 4, quoted="&lt;"),
        (
            'edits[1] is not in a.py as written: the file has "&lt;" in line 4, where oldText has the character that '
            "this stands for. Send oldText with what stands in line 4."
        ),
    ),
    "markup": (
        Diagnosis(1, "no-match", "markup", 4, 4, quoted="</oldText>"),
        (
            'edits[1] is not in a.py: its oldText holds "</oldText>", markup of a tool call, so the parameter texts '
            "ran into each other. The text before it stands in line 4. Send oldText and newText apart."
        ),
    ),
    "empty": (
        Diagnosis(1, "empty-old-text", "empty", 12, 12),
        (
            "edits[1] has an empty oldText, which names no place in a.py. To insert text, send a line next to the "
            "place as oldText, and the same line with the new text as newText; the last line of the file is line 12."
        ),
    ),
}


def test_a_call_that_fails_again_gets_a_shorter_answer() -> None:
    found = (Diagnosis(0, "no-match", "region", 4, 6, likeness=0.9, diff=DIFF),)
    assert messages.again("a.py", found, 3) == (
        "The same call, 3 times now: it fails the same way. Do not repeat it: re-read lines 4-6 of a.py."
    )
    found = (Diagnosis(0, "no-change", "identical", 4, 4),)
    assert messages.again("a.py", found, 2) == "The same call, 2 times now: it still changes nothing."


@pytest.mark.parametrize("cause", GOLDEN)
def test_the_answer_to_a_call_that_fails_again_is_shorter_whatever_the_cause(cause: Cause) -> None:
    diagnosis, said = GOLDEN[cause]
    assert len(messages.again("a.py", (diagnosis,), 1_000)) < len(said)


def test_every_cause_has_its_golden_text() -> None:
    assert set(GOLDEN) == set(get_args(Cause))


@pytest.mark.parametrize("cause", GOLDEN)
def test_block(cause: Cause) -> None:
    diagnosis, text = GOLDEN[cause]
    assert diagnosis.cause == cause
    assert messages.block("a.py", diagnosis) == text
    assert messages.report("a.py", [diagnosis]) == text


def test_folded_count_is_said() -> None:
    diagnosis = Diagnosis(0, "ambiguous", "ambiguous", 4, 5, TWO, 2, literal_count=1)
    first = messages.block("a.py", diagnosis).partition("\n")[0]
    assert first == (
        "edits[0] is at 2 places in a.py (quotes, dashes and line ends folded, as the tool counts): lines 4-5 and 9"
    )


def test_blank_without_a_place() -> None:
    text = messages.block("a.py", Diagnosis(0, "ambiguous", "blank", place_count=3))
    assert text.startswith("edits[0] has an oldText of blanks alone, which the edit tool cannot place in a.py. Add ")


def test_empty_in_an_empty_file() -> None:
    assert messages.block("a.py", Diagnosis(0, "empty-old-text", "empty")).endswith("new text as newText.")


def test_places_on_one_line_are_named_once() -> None:
    same = Place(3, 3, "a = a", 2, "x")
    diagnosis = Diagnosis(0, "ambiguous", "ambiguous", 3, 3, (same, same), 2, literal_count=2)
    assert messages.block("a.py", diagnosis).split("\n")[:2] == [
        "edits[0] is at 2 places in a.py: line 3",
        "  3: a = a   (below line 2: x)   (2 times)",
    ]


def test_a_report_has_a_block_for_each_edit() -> None:
    diagnoses = [GOLDEN["moot"][0], GOLDEN["identical"][0], GOLDEN["region"][0]]
    blocks = [GOLDEN[one.cause][1] for one in diagnoses]
    assert messages.report("a.py", diagnoses) == "\n\n".join(blocks)
    assert messages.report("a.py", []) == ""


def test_later_blocks_of_a_long_report_are_their_first_line() -> None:
    report = messages.report("a.py", [GOLDEN["region"][0]] * 10)
    blocks = report.split("\n\n")
    whole, first = GOLDEN["region"][1], GOLDEN["region"][1].partition("\n")[0]
    assert blocks == [whole] * 8 + [first] * 2


def test_what_was_not_looked_at_is_counted() -> None:
    diagnosis = Diagnosis(0, "no-match", "no-region", further=7)
    assert messages.report("a.py", [diagnosis]).endswith(
        "\n\n7 more edits of this call were not looked at: send fewer edits in one call."
    )


def test_long_paths_are_named_by_their_end() -> None:
    path = "a/" * 200 + "end.py"
    first = messages.block(path, Diagnosis(0, "no-match", "no-region"))
    assert first.startswith(("edits[0] is not in …/a/a/a/", "edits[0] is not in …a/a/a/"))
    assert len(messages.short_path(path)) == messages.PATH_WIDTH + 1
    assert messages.short_path("b.py") == "b.py"


@pytest.mark.parametrize(
    ("difference", "text"),
    [
        (Difference(2, "", "\u200b"), "Line 2 of the file has U+200B (Zero Width Space) where oldText has nothing."),
        (
            Difference(2, "", "", "NFD"),
            "Line 2 of the file is in Unicode normal form NFD, oldText in NFC: they look the same.",
        ),
        (
            Difference(2, "", "", "NFC"),
            "Line 2 of the file is in Unicode normal form NFC, oldText in NFD: they look the same.",
        ),
    ],
)
def test_differences(difference: Difference, text: str) -> None:
    assert messages.difference_text(difference) == text


@pytest.mark.parametrize(
    ("corrections", "edit_count", "text"),
    [
        (
            [Correction(0, "whitespace", 4, 6, "carried")],
            1,
            (
                "edit-assist, a.py: oldText differed from lines 4-6 in whitespace; the file's text was used instead, "
                "and newText was given the file's whitespace."
            ),
        ),
        (
            [Correction(1, "whitespace", 4, 4, "verbatim")],
            2,
            (
                "edit-assist, a.py: edits[1].oldText differed from line 4 in whitespace; the file's text was used "
                "instead, newText as it was sent."
            ),
        ),
        (
            [Correction(0, "widened", 4, 5, "carried")],
            1,
            (
                "edit-assist, a.py: oldText was extended to lines 4-5, so that the edit tool finds it once; the "
                "extra text is unchanged."
            ),
        ),
    ],
)
def test_honesty(corrections: list[Correction], edit_count: int, text: str) -> None:
    assert messages.honesty("a.py", corrections, edit_count) == text


def test_honesty_is_short_for_many() -> None:
    many = [Correction(n, "whitespace", n + 1, n + 1, "carried") for n in range(40)]
    text = messages.honesty("a.py", many, 40)
    assert text.endswith(
        " Likewise edits[2] (line 3), edits[3] (line 4), edits[4] (line 5), edits[5] (line 6), edits[6] (line 7), "
        "edits[7] (line 8) and 32 more."
    )
    assert "\n" not in text and len(text) < 600


def test_hints() -> None:
    assert messages.read_tool_hint() == (
        "These are arguments of the read tool: use read to see a part of a file; edit takes a path and a list of edits."
    )
    assert messages.edits_string_hint() == (
        "edits was sent as a string. Send it as a JSON array of objects, not as text: "
        '"edits": [{"oldText": "...", "newText": "..."}].'
    )
    assert messages.RULE.startswith("When an edit fails, re-read the exact file region and retry the edit.")
