"""What models read of a guard: why a call was not run and what to do, or what to look at after one that landed."""

from collections.abc import Sequence

from edit_assist_ls.engine.guards import Alarm
from edit_assist_ls.engine.messages import lines_named, short_path

QUOTED_CHARS = 80


def _edit(alarm: Alarm) -> str:
    return f"edits[{alarm.edit_index}]"


def _quoted(text: str) -> str:
    return text if len(text) <= QUOTED_CHARS else text[: QUOTED_CHARS - 1] + "…"


def reason(path: str, alarm: Alarm) -> str:
    """Why a call was not run."""
    name = short_path(path)
    match alarm.guard:
        case "utf8" if alarm.encoding is not None:
            return (
                f"Not run: {name} is {alarm.encoding}, not UTF-8. The edit tool reads and writes UTF-8 alone and would "
                "damage it. Change it with a script that reads and writes that encoding, or convert it to UTF-8 first."
            )
        case "utf8":
            return (
                f"Not run: {name} is no valid UTF-8 (byte {alarm.byte:02X} at offset {alarm.byte_offset}, line "
                f"{alarm.start_line}). The edit tool would replace such bytes by U+FFFD. Change it with a script that "
                "reads and writes the file's own encoding, or convert it to UTF-8 first."
            )
        case "twins":
            places = ", ".join(f"line {line}" for line in alarm.lines)
            return (
                f"Not run: {_edit(alarm)} stands at several places that overlap ({places}) in {name}, and the edit "
                "tool would take the first. Add the text beside it to both its texts, so that it names one place."
            )
        case _ if alarm.field == "oldText":
            return (
                f"Not run: {_edit(alarm)}.oldText is null, and the edit tool would look for the word null in {name}. "
                "Send oldText as a string: the text that is to be replaced."
            )
        case _:
            return (
                f"Not run: {_edit(alarm)}.newText is null, and the edit tool would write the word null into {name}. "
                'Send newText as a string; "" deletes oldText.'
            )


def again(times: int) -> str:
    """Why the same call is not run, where that was said before."""
    return f"Not run: the same call, {times} times now, and the same reason as before. Do what that one says instead."


def warning(path: str, alarms: Sequence[Alarm]) -> str:
    """What is said after a call that landed."""
    return "\n".join(f"edit-assist, {short_path(path)}: {_warned(alarm)}" for alarm in alarms)


def _warned(alarm: Alarm) -> str:
    where = lines_named(alarm.start_line or 1, alarm.end_line)
    match alarm.guard:
        case "placeholder":
            return (
                f'{_edit(alarm)} put a placeholder into the file, near {where}: "{_quoted(alarm.quoted)}". '
                "If text was to stay there, it is gone: write it out."
            )
        case "gluedLines":
            return (
                f"{_edit(alarm)} took a line break away: near {where}, two lines are one now "
                f'("{_quoted(alarm.quoted)}"). If that was not meant, put the line break back.'
            )
        case "indentation":
            return (
                f"{_edit(alarm)} began inside the indentation of {lines_named(alarm.start_line or 1)}, which its "
                f'further lines lack ("{_quoted(alarm.quoted)}"). Check the indentation of {where}.'
            )
        case "repeated" if not alarm.adds:
            return f"{_edit(alarm)} changed nothing: its newText is its oldText, {where}. Leave such edits out."
        case "repeated":
            return f"what {_edit(alarm)} adds stood in {where} already, and is there twice now. Take one away."
        case _:
            return (
                f"the file mixes line endings, and the lines that {_edit(alarm)} wrote ({where}) end in "
                f"{alarm.quoted}, as the line does at which it begins. Check that this is the one that they need."
            )
