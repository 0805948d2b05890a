"""`edit-assist-ls check --profile strict`: what would become of an edit call under our own edit semantics."""

import json
from collections.abc import Iterator
from typing import Any

from edit_assist_ls import cli_text
from edit_assist_ls.cli_input import Call
from edit_assist_ls.cli_text import Style, escape, escape_line
from edit_assist_ls.engine import messages, strict_words
from edit_assist_ls.engine.strict import Edited, Failed, StrictEdit, apply_strictly
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from edit_assist_ls.hosts import pi_details


def judge(text: Text, call: Call) -> tuple[Edited | Failed, str]:
    """What a call comes to, and what the agent reads."""
    edits = [StrictEdit(edit.old_text, edit.new_text) for edit in call.edits]
    done = apply_strictly(text, edits)
    if isinstance(done, Edited):
        return done, strict_words.landed(call.path, edits, done.matched)
    return done, strict_words.failure(call.path, edits, done, Work())


def as_json(text: Text, call: Call, done: Edited | Failed, said: str) -> str:
    """The verdict for programs; field names as on the wire."""
    out: dict[str, Any] = {"outcome": "lands", "path": call.path, "lands": isinstance(done, Edited), "text": said}
    out["notes"] = list(call.notes)
    if isinstance(done, Edited):
        out["edits"] = [
            {"matchedVia": one.matched_via, "startLine": one.start_line, "endLine": one.end_line}
            for one in done.matched
        ]
        out |= pi_details.edit_details(call.path, text, done.text, done.changes)
    else:
        out |= {"outcome": "refused", "code": done.code}
    return json.dumps(out, indent=2).replace("\x7f", "\\u007f")


def as_text(text: Text, call: Call, done: Edited | Failed, said: str, style: Style) -> Iterator[str]:
    """The verdict for a person."""
    path = escape_line(call.path)
    if isinstance(done, Failed):
        yield style.bold(style.bad("refused")) + f"  ({done.code}) strict would not apply this call to {path}"
    else:
        yield style.bold(style.good("lands")) + f"  strict would apply this call to {path}"
        for at, one in enumerate(done.matched):
            yield f"  edits[{at}]  {messages.lines_named(one.start_line, one.end_line)}, {one.matched_via}"
    yield from (f"  {escape_line(note)}" for note in call.notes)
    yield ""
    yield style.bold("What the agent reads:")
    yield cli_text.indented(escape(said).split("\n"))
    if isinstance(done, Edited):
        yield ""
        yield style.bold("What it does to the file:")
        diff = cli_text.unified(cli_text.lines_to_show(text.lf), cli_text.lines_to_show(done.text.lf))
        yield cli_text.indented(cli_text.shown_diff(diff, style))
