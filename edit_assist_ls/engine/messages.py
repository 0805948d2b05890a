"""Every sentence that a model or a person reads.

Texts for models name what is wrong, where (`line 7`, `lines 4-6`), and the next step; they are bounded, and one
true cause is said, not several likely ones. The host's own text is never repeated here: it stays in front.
"""

import unicodedata
from collections.abc import Sequence
from itertools import groupby

from edit_assist_ls.engine.correction import Correction
from edit_assist_ls.engine.diagnosis import COUNT_LIMIT, Diagnosis, Place
from edit_assist_ls.engine.diff import CUT, Diff, Difference

RULE = (
    "When an edit fails, re-read the exact file region and retry the edit. Prefer the edit tool for single-file text "
    "changes. Use a shell script patch only for bulk multi-file changes the edit tool cannot express."
)
PATH_WIDTH = 100
PLACE_WIDTH = 80
ABOVE_WIDTH = 50
SUMMARY_WIDTH = 160
HONESTY_LIMIT = 2
REPORT_LIMIT = 20_000
"""Characters of one report; a call of many failing edits has its later blocks cut to their first line."""

_WITHOUT_DIFF_AFTER = 8


def lines_named(start_line: int, end_line: int | None = None) -> str:
    """`line 7` or `lines 4-6`."""
    return f"line {start_line}" if end_line in (None, start_line) else f"lines {start_line}-{end_line}"


def short_path(path: str) -> str:
    """The path as it is named in texts: long ones by their end."""
    return path if len(path) <= PATH_WIDTH else CUT + path[-PATH_WIDTH:]


def report(path: str, diagnoses: Sequence[Diagnosis]) -> str:
    """What is appended to the stock text of a failed call: a block for each failing edit."""
    blocks: list[str] = []
    used = 0
    for at, diagnosis in enumerate(diagnoses):
        text = block(path, diagnosis)
        if at >= _WITHOUT_DIFF_AFTER or used + len(text) > REPORT_LIMIT:
            text = text.partition("\n")[0]
        blocks.append(text)
        used += len(text)
    further = diagnoses[-1].further if diagnoses else 0
    if further:
        blocks.append(f"{further} more edits of this call were not looked at: send fewer edits in one call.")
    return "\n\n".join(blocks)


def again(path: str, diagnoses: Sequence[Diagnosis], times: int) -> str:
    """What is appended instead where the same call fails for the same reason `times` times in a row: it is shorter."""
    first = diagnoses[0]
    where = f"{lines_named(first.start_line, first.end_line)} of " if first.start_line else ""
    if first.cause in ("identical", "line-endings"):
        return f"The same call, {times} times now: it still changes nothing."
    return (
        f"The same call, {times} times now: it fails the same way. Do not repeat it: re-read {where}{short_path(path)}."
    )


def block(path: str, diagnosis: Diagnosis, called: str | None = None) -> str:
    """The text about one failing edit: what the model reads and what an editor shows. `called`: what the edit is."""
    name = short_path(path)
    edit = called or f"edits[{diagnosis.edit_index}]"
    sides = f"{edit}.oldText" if called is None else f"oldText of {called[0].lower()}{called[1:]}", name
    other = f"edits[{diagnosis.other_index}]"
    where = lines_named(diagnosis.start_line, diagnosis.end_line) if diagnosis.start_line else "an unknown line"
    known = diagnosis.start_line is not None
    have = "has" if diagnosis.start_line == diagnosis.end_line else "have"
    missing, as_written = f"{edit} is not in {name}", f"{edit} is not in {name} as written:"
    match diagnosis.cause:
        case "region":
            percent = min(99, int((diagnosis.likeness or 0) * 100))
            first = f"{missing}. Nearest region: {where} ({percent} % alike)."
            step = f"Re-read {where} and send the edit with the text that stands there."
            return _with_diff(first, sides, diagnosis, step)
        case "blank-lines":
            first = f"{missing} as written. Nearest region: {where}, the same but for blank lines."
            return _with_diff(first, sides, diagnosis, f"Send the edit with the blank lines of {where}.")
        case "no-region":
            return (
                f"{missing}. No candidate region: nothing there is even half like its oldText. "
                f"Re-read the file (or check that it is the right one) before the next edit."
            )
        case "not-searched":
            return (
                f"{missing}, or not as written. It was not searched for further: the call is too large for that. "
                f"Send fewer or shorter edits in one call."
            )
        case "moot":
            return (
                f"{missing}: its oldText exists only in the newText of {other}. All edits of a call are matched "
                f"against the file as it was before the call. Merge the two into one edit, or send {edit} in a call "
                f"of its own afterwards."
            )
        case "whitespace":
            first = f"{as_written} a Whitespace-only difference from {where}, in leading whitespace alone."
            return _with_diff(first, sides, diagnosis, f"Send the edit with the leading whitespace of {where}.")
        case "misread-depth":
            first = (
                f"{as_written} a Whitespace-only difference from {where}, but the lines stand at other depths relative "
                f"to each other than in oldText, so the block was misread."
            )
            step = f"Re-read {where}: what belongs to which block differs from what oldText says."
            return _with_diff(first, sides, diagnosis, step)
        case "not-unique-in-file":
            first = f"{as_written} a Whitespace-only difference from {where}, whose text stands in other places too."
            step = f"Send {where} with a neighbouring line, so that the text is unique."
            return _with_diff(first, sides, diagnosis, step)
        case "final-newline":
            return (
                f"{as_written} oldText ends with a line feed, but the file ends with {where}, without one. "
                f"Send oldText without the final line feed."
            )
        case "characters":
            first = f"{as_written} {where} {have} other characters, which look alike, and other whitespace."
            return _with_diff(first, sides, diagnosis, f"Copy the text of {where}, character by character.")
        case "spacing":
            first = f"{as_written} it differs from {where} in blanks alone, also inside the line."
            return _with_diff(first, sides, diagnosis, f"Send the edit with the blanks of {where}.")
        case "several-whitespace":
            first = f"{as_written} a Whitespace-only difference (leading or trailing) from {_count(diagnosis)}:"
            step = "Send the whitespace of the place you mean, with a neighbouring line."
            return _with_places(first, diagnosis, step)
        case "several-folded":
            first = f"{as_written} but for whitespace and characters that look alike it is at {_count(diagnosis)}:"
            return _with_places(first, diagnosis, "Copy the text of the place you mean, with a neighbouring line.")
        case "several-spacing":
            first = f"{as_written} but for blanks it is at {_count(diagnosis)}:"
            return _with_places(first, diagnosis, "Copy the text of the place you mean.")
        case "part-of-line":
            first = f"{as_written} without the blanks around it, it is a part of {_count(diagnosis, 'line')}:"
            return _with_places(first, diagnosis, "Send the whole line as it stands there, or only that part of it.")
        case "ambiguous":
            literal = diagnosis.literal_count == diagnosis.place_count
            counted = "" if literal else " (quotes, dashes and line ends folded, as the tool counts)"
            first = f"{edit} is at {_count(diagnosis)} in {name}{counted}:"
            step = "Add a neighbouring line to oldText, and to newText, so that it names one place."
            return _with_places(first, diagnosis, step)
        case "blank":
            there = f"; it stands in {where}" if diagnosis.start_line else ""
            return (
                f"{edit} has an oldText of blanks alone, which the edit tool cannot place in {name}{there}. "
                f"Add the text of a line next to it to oldText, and to newText."
            )
        case "overlap":
            one, two = diagnosis.places
            covered = lines_named(min(one.start_line, two.start_line), max(one.end_line, two.end_line))
            return (
                f"{edit} ({lines_named(one.start_line, one.end_line)}) and {other} "
                f"({lines_named(two.start_line, two.end_line)}) both claim {where} of {name}. "
                f"Send one edit that covers {covered}."
            )
        case "identical":
            return f"{edit} changes nothing: its oldText and newText are the same ({where} of {name})."
        case "line-endings":
            return (
                f"{edit} changes nothing: its oldText and newText differ in line endings alone ({where} of {name}), "
                f"and the edit tool keeps the line endings of the file. Use another tool to convert them."
            )
        case "already-applied":
            return (
                f"{missing}: it seems already applied, for its newText stands in {where}. Leave it out, or re-read "
                f"{where} if something else was meant."
            )
        case "truncation-mark":
            near = f" The text before it stands in {where}: send a short, unique piece of that." if known else ""
            return (
                f'{missing}: its oldText holds "{_cut(diagnosis.quoted, PLACE_WIDTH)}", by which a reader says that it '
                f"left text out, and which is no text of the file.{near or ' Re-read the lines whole before the edit.'}"
            )
        case "placeholder":
            near = f" What it stands for follows {where}." if known else ""
            return (
                f'{missing}: its oldText holds "{_cut(diagnosis.quoted, PLACE_WIDTH)}", which stands for text that was '
                f"left out and is no text of the file.{near} Send the lines whole, or a shorter oldText without it."
            )
        case "line-numbers":
            at = f" The text stands at {where}." if known else ""
            return (
                f'{missing}: its lines bear a reader\'s line numbers ("{_cut(diagnosis.quoted, PLACE_WIDTH)}"), which '
                f"are no text of the file.{at} Send both texts without them."
            )
        case "diff-marks":
            at = f" The text stands at {where}." if known else ""
            return (
                f'{missing}: its lines bear a diff\'s marks, - and + ("{_cut(diagnosis.quoted, PLACE_WIDTH)}"), which '
                f"are no text of the file.{at} Send both texts without them."
            )
        case "code-fence":
            at = f" The text stands at {where}." if known else ""
            return (
                f'{missing}: its lines stand in a code fence ("{_cut(diagnosis.quoted, PLACE_WIDTH)}"), which is no '
                f"text of the file.{at} Send both texts without the fence, as the file has them."
            )
        case "conflict-marks":
            return (
                f'{missing}: its oldText holds "{_cut(diagnosis.quoted, PLACE_WIDTH)}", a mark of a merge or of a '
                f"search-and-replace block, which is no text of the file. Send what is to go as oldText and what is to "
                f"come as newText, without such marks."
            )
        case "escaped":
            return (
                f'{as_written} its oldText has "{diagnosis.quoted}" where the file, in {where}, has the character that '
                f"this stands for. Send both texts as they are to stand in the file, not escaped once more."
            )
        case "unescaped":
            return (
                f'{as_written} the file has "{diagnosis.quoted}" in {where}, where oldText has the character that this '
                f"stands for. "
                f"Send oldText with what stands in {where}."
            )
        case "markup":
            near = f" The text before it stands in {where}." if known else ""
            return (
                f'{missing}: its oldText holds "{_cut(diagnosis.quoted, PLACE_WIDTH)}", markup of a tool call, so the '
                f"parameter texts ran into each other.{near} Send oldText and newText apart."
            )
        case "unsaved":
            return (
                f"{missing} on disk: its oldText is only in an unsaved editor buffer of that file. "
                f"Have the person save the file and send the edit again, or re-read the file and edit what is on disk."
            )
        case "empty":
            quoted = _cut(diagnosis.quoted.strip(), PLACE_WIDTH)
            end = f": {quoted}" if quoted else "."
            last = f"; the last line of the file is line {diagnosis.end_line}{end}" if known else "."
            return (
                f"{edit} has an empty oldText, which names no place in {name}. To insert text, send a line next to the "
                f"place as oldText, and the same line with the new text as newText{last}"
            )


def _with_diff(first: str, sides: tuple[str, str], diagnosis: Diagnosis, step: str) -> str:
    diff = diagnosis.diff
    parts = [first]
    if diff:
        if diff.hunks or diff.dropped:
            parts.append(diff_text(diff, *sides))
        parts += [difference_text(difference) for difference in diff.differences]
        if diff.whitespace_shown:
            parts.append("(In the diff, · is a space and → a tab where they differ.)")
    return "\n".join([*parts, step])


def diff_text(diff: Diff, old_name: str, file_name: str) -> str:
    """The diff with its header, and a mark at its end where it was cut."""
    lines = [f"--- {old_name}", f"+++ {file_name}", *diff.hunks]
    if diff.dropped:
        lines.append(f"... (diff truncated, {diff.dropped} more lines)")
    return "\n".join(lines)


def difference_text(difference: Difference) -> str:
    """One sentence on characters that look alike or cannot be seen, by their code points."""
    if difference.form:
        other = "NFC" if difference.form == "NFD" else "NFD"
        return (
            f"Line {difference.line} of the file is in Unicode normal form {difference.form}, oldText in {other}: "
            f"they look the same."
        )
    return (
        f"Line {difference.line} of the file has {code_points(difference.in_file)} where oldText has "
        f"{code_points(difference.in_old)}."
    )


def code_points(text: str) -> str:
    """Characters by number and name: `U+00A0 (NO-BREAK SPACE)`."""
    named: list[str] = []
    for character, run in groupby(text):
        times = len(list(run))
        name = unicodedata.name(character, "control character").title()
        named.append((f"{times} times " if times > 1 else "") + f"U+{ord(character):04X} ({name})")
    return ", ".join(named) or "nothing"


def _count(diagnosis: Diagnosis, noun: str = "place") -> str:
    more = " or more" if diagnosis.cause != "ambiguous" and diagnosis.place_count >= COUNT_LIMIT else ""
    return f"{diagnosis.place_count} {noun}" + ("" if diagnosis.place_count == 1 else "s") + more


def _listed(places: Sequence[Place]) -> str:
    """`line 7`, or `lines 2, 5-6 and 8`."""
    if len(places) == 1:
        return lines_named(places[0].start_line, places[0].end_line)
    names = list(dict.fromkeys(_gutter(place) for place in places))
    return f"lines {', '.join(names[:-1])} and {names[-1]}" if names[1:] else lines_named(int(names[0]))


def _gutter(place: Place) -> str:
    return f"{place.start_line}" if place.start_line == place.end_line else f"{place.start_line}-{place.end_line}"


def _with_places(first: str, diagnosis: Diagnosis, step: str) -> str:
    rows = [_place_row(place, len(list(same))) for place, same in groupby(diagnosis.places)]
    more = diagnosis.place_count - len(diagnosis.places)
    listed = f" {_listed(diagnosis.places)}" + (f" (and {more} more)" if more > 0 else "") if rows else ""
    return "\n".join([first + listed, *rows, step])


def _place_row(place: Place, times: int) -> str:
    row = f"  {_gutter(place)}: {_cut(place.line.rstrip(), PLACE_WIDTH)}"
    if place.above_line is not None:
        row += f"   (below line {place.above_line}: {_cut(place.above, ABOVE_WIDTH)})"
    return f"{row}   ({times} times)" if times > 1 else row


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + CUT


def honesty(path: str, corrections: Sequence[Correction], edit_count: int) -> str:
    """The honesty line of a corrected call's success: what the tool really ran, and where."""
    sentences = [_honest(correction, edit_count) for correction in corrections[:HONESTY_LIMIT]]
    further = corrections[HONESTY_LIMIT:]
    if further:
        named = ", ".join(f"edits[{c.edit_index}] ({lines_named(c.start_line, c.end_line)})" for c in further[:6])
        more = f" and {len(further) - 6} more" if len(further) > 6 else ""
        sentences.append(f"Likewise {named}{more}.")
    return f"edit-assist, {short_path(path)}: " + " ".join(sentences)


def _honest(correction: Correction, edit_count: int) -> str:
    edit = f"edits[{correction.edit_index}].oldText" if edit_count > 1 else "oldText"
    where = lines_named(correction.start_line, correction.end_line)
    if correction.kind == "widened":
        return f"{edit} was extended to {where}, so that the edit tool finds it once; the extra text is unchanged."
    text = f"{edit} differed from {where} in whitespace; the file's text was used instead"
    if correction.new_text == "carried":
        return text + ", and newText was given the file's whitespace."
    return text + ", newText as it was sent."


def landed_summary(lines: Sequence[tuple[int, int]], corrected_count: int, edit_count: int) -> str:
    """A line on a call that landed, for a list of calls; `lines` are those of its edits that are known."""
    what = "edit landed" if edit_count == 1 else f"{edit_count} edits landed"
    where = f" at {_listed_lines(lines)}" if lines else ""
    corrected = "" if not corrected_count else f", {corrected_count} of them" if edit_count > 1 else ", its whitespace"
    return f"{what}{where}{corrected and f'{corrected} corrected'}"


def _listed_lines(lines: Sequence[tuple[int, int]]) -> str:
    named = [lines_named(*span) for span in lines[:3]]
    return ", ".join(named) + (f" and {len(lines) - 3} more" if len(lines) > 3 else "")


def failed_summary(told: str) -> str:
    """A line on a call that failed: the first of what the model was told."""
    return _cut(told.strip().partition("\n")[0], SUMMARY_WIDTH)


def read_tool_hint() -> str:
    """For a call of the edit tool that has the arguments of a read."""
    return (
        "These are arguments of the read tool: use read to see a part of a file; edit takes a path and a list of edits."
    )


def edits_string_hint() -> str:
    """For a call whose `edits` is a string that is no JSON list."""
    return (
        "edits was sent as a string. Send it as a JSON array of objects, not as text: "
        '"edits": [{"oldText": "...", "newText": "..."}].'
    )
