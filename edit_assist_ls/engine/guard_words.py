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
                f"Not run: {name} is {alarm.encoding}, not UTF-8. The edit tool would replace what it "
                "cannot read by U+FFFD. Change it with a script that reads and writes that encoding, or convert it to "
                "UTF-8 first."
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
                "tool would take the first. Add a neighbouring line to both its texts, so that it names one place."
            )
        case _:
            return (
                f"Not run: {_edit(alarm)}.newText is null, and the edit tool would write the word null into {name}. "
                'Send newText as a string; "" deletes oldText.'
            )


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
                f"{_edit(alarm)} began behind the indentation of {lines_named(alarm.start_line or 1)}, and its further "
                f'lines have less of it ("{_quoted(alarm.quoted)}"). Check the indentation of {where}.'
            )
        case "repeated":
            return f"what {_edit(alarm)} adds stood in {where} already, and is there twice now. Take one away."
        case _:
            return f"all lines of the file ended in {alarm.quoted}, and some end otherwise now. Check that."
