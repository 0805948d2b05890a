"""What a model reads of an edit call under the profile `strict`: that it landed and how, or the one reason why not."""

from collections.abc import Sequence
from dataclasses import replace

from edit_assist_ls.engine import messages
from edit_assist_ls.engine.builtin import Edit, Refused
from edit_assist_ls.engine.diagnosis import diagnose
from edit_assist_ls.engine.strict import MAX_CHARS, MAX_EDITS, MAX_LINES, MIN_CHARS, Failed, Matched, StrictEdit
from edit_assist_ls.engine.strict_spans import MOST
from edit_assist_ls.engine.text import NotUtf8
from edit_assist_ls.engine.work import Work

NOTHING_CHANGED = "Nothing was changed."
_HOW = {
    "line-trimmed": "but for whitespace at the ends of lines",
    "unicode": "but for quotes, dashes, spaces and other signs that look alike",
    "whitespace": "but for the length of blank runs",
    "escape": "with one level of escapes undone",
    "exact": "literally",
}
LISTED = 10


def landed(path: str, edits: Sequence[StrictEdit], matched: Sequence[Matched]) -> str:
    """The success of a call; each edit that did not stand literally is named."""
    count = len(matched)
    first = f"Applied {count} edit{'' if count == 1 else 's'} to {messages.short_path(path)}."
    loose = [(at, one) for at, one in enumerate(matched) if one.matched_via != "exact"]
    named = [
        f"Edit {at + 1} was found in {messages.lines_named(one.start_line, one.end_line)} {_HOW[one.matched_via]}."
        for at, one in loose[:LISTED]
    ]
    if len(loose) > LISTED:
        named.append(f"So were {len(loose) - LISTED} more, each in some such way.")
    if any(one.matched_via == "escape" and "\\" in edit.new_text for edit, one in zip(edits, matched, strict=True)):
        named.append("newText went in as it was sent: no escape in it was undone.")
    return " ".join([first, *named])


def failure(path: str, edits: Sequence[StrictEdit], failed: Failed, work: Work) -> str:
    """Why a call changed nothing, which edit it is about (counted from 1), and what to do."""
    name = messages.short_path(path)
    index = failed.edit_index
    which = "The call" if index is None else f"Edit {index + 1}" + (f" of {len(edits)}" if len(edits) > 1 else "")
    where = _listed(failed)
    by_earlier = failed.by_earlier
    match failed.code:
        case "no-edits":
            said = (
                "The call has no list of edits, or an empty one. "
                'Send "edits": [{"oldText": "...", "newText": "..."}], one at least.'
            )
        case "invalid-edit":
            what = f"has no text as {failed.field}" if failed.field else "is no object"
            said = f'{which} {what}. Send {{"oldText": "...", "newText": "..."}} with both as strings.'
        case "duplicate-edit":
            said = f"{which} repeats edit {(failed.other_index or 0) + 1}. Send each edit once."
        case "empty-old-text":
            said = f"{which} has an empty oldText, which names no place. Send a line beside the place as oldText."
        case "no-op-edit":
            said = f"{which} changes nothing: its oldText and newText are the same. Leave it out."
        case "too-short":
            said = (
                f"{which} does not stand literally in {name}, and its oldText is too short (under {MIN_CHARS} "
                "characters that are no blanks) to be looked for otherwise. Send the whole line as it stands there."
            )
        case "binary":
            said = (
                f"{which} does not stand literally in {name}, which holds NUL bytes: only literal text is looked for "
                "there. Send the text exactly as it stands."
            )
        case "too-large" if index is None:
            said = f"The call has {failed.count} edits, at most {MAX_EDITS} are taken. Send several calls."
        case "too-large" if failed.out_of_work:
            said = (
                f"{which} was not looked for: the edits before it, and the size of {name}, took all the work that one "
                "call may. Send fewer edits in a call, each oldText exactly as the text stands."
            )
        case "too-large":
            said = (
                f"{which} does not stand literally in {name}, and the file is too large ({MAX_CHARS:,} characters, "
                f"{MAX_LINES:,} lines) for anything else to be looked for. Send the text exactly as it stands there."
            )
        case "not-unique" if by_earlier:
            said = (
                f"{which} is at {_counted(failed)} places once an earlier edit of this call is made: {where}. "
                "Add a neighbouring line to its oldText and newText, or send it before that edit."
            )
        case "not-unique":
            said = (
                f"{which} is at {_counted(failed)} places in {name}: {where}. "
                "Add a neighbouring line to both its texts."
            )
        case "ambiguous":
            said = (
                f"{which} stands nowhere literally in {name}; {_HOW[failed.strategy or 'exact']} it stands at "
                f"{_counted(failed)} places: {where}. Copy the text of the one that you mean, with a neighbouring line."
            )
        case "disproportionate":
            said = (
                f"{which} was found {_HOW[failed.strategy or 'exact']}, at {where}, but what stands there is out of "
                "proportion to its oldText. Re-read it and send the text as it stands there."
            )
        case "not-found" if by_earlier:
            said = (
                f"{which} is not in {name} any more: an earlier edit of this call rewrote its target. Edits apply in "
                "order, each to the text that the earlier ones left. Write its oldText as that text, or merge the two."
            )
        case "not-found":
            said = _nearest(path, edits, failed, which, work) or f"{which} was not found in {name}. Re-read the file."
        case "no-changes" if len(edits) == 1:
            said = f"{which} leaves {name} as it is: its newText stands there already. Leave it out."
        case "no-changes":
            said = f"The edits leave {name} as it is: what stands there already, or what one edit does another undoes."
        case "unreadable":
            said = f"{name} cannot be edited: it is missing, no regular file, or no UTF-8 text."
    return f"{said} {NOTHING_CHANGED}"


def no_utf8(found: NotUtf8) -> str:
    """Why a file that is no UTF-8 cannot be edited."""
    if found.encoding is not None:
        return f"it is {found.encoding}, not UTF-8"
    return f"it is no valid UTF-8 (byte {found.byte:02X} at offset {found.byte_offset}, line {found.line})"


def unreadable(path: str, why: str) -> str:
    """A file that no edit can be made in, and why."""
    return f"{messages.short_path(path)} cannot be edited: {why}. {NOTHING_CHANGED}"


def _nearest(path: str, edits: Sequence[StrictEdit], failed: Failed, which: str, work: Work) -> str:
    """The Diagnosis of an edit that was not found, in the text that it met; `which` is what the edit is called."""
    if failed.met is None or failed.edit_index is None:
        return ""
    edit = edits[failed.edit_index]
    found = diagnose(failed.met, [Edit(edit.old_text, edit.new_text)], Refused("not-found", 0), work)
    return "\n".join(messages.block(path, replace(one, edit_index=failed.edit_index), which) for one in found)


def _listed(failed: Failed) -> str:
    named = ", ".join(dict.fromkeys(messages.lines_named(*place) for place in failed.places))
    more = failed.count - len(failed.places)
    return named + (f" and {more} more" if more > 0 and failed.count < MOST else " and more" if more > 0 else "")


def _counted(failed: Failed) -> str:
    """How many places: no more than so many are counted."""
    return f"{failed.count} or more" if failed.count >= MOST else str(failed.count)
