"""`edit-assist-ls check`: what would become of an edit call on a file."""

import argparse
import io
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from edit_assist_ls import cli_check_strict, cli_input, cli_text
from edit_assist_ls.cli_input import Call, UnusableError
from edit_assist_ls.cli_text import Style, escape, escape_line
from edit_assist_ls.engine import guard_words, guards, messages
from edit_assist_ls.engine.builtin import Applied, Edit, Refused, apply
from edit_assist_ls.engine.correction import Corrected, Correction, Mode, correct
from edit_assist_ls.engine.diagnosis import Diagnosis, diagnose
from edit_assist_ls.engine.guard_names import GUARDS
from edit_assist_ls.engine.strict import Edited
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from edit_assist_ls.hosts import pi

LANDS, REFUSED, UNUSABLE = 0, 1, 2
UNSEARCHED = "The search was given up at its work limit: nothing is known of this call, and it goes on as it is."


@dataclass(frozen=True, slots=True)
class Verdict:
    """What would become of `call` on `text`.

    `stock` is what the agent reads without edit assist, `said` what it reads with it.
    """

    call: Call
    text: Text
    corrected: Corrected
    diagnoses: tuple[Diagnosis, ...]
    stock: str
    said: str
    blocked: bool = False

    @property
    def lands(self) -> bool:
        return isinstance(self.corrected.outcome, Applied) and not self.blocked

    @property
    def outcome(self) -> str:
        if self.blocked:
            return "blocked"
        if not self.lands:
            return "refused"
        return "corrected" if self.corrected.corrections else "exact"

    @property
    def folded(self) -> bool:
        """Whether the call lands by the built-in's fuzzy step: not every oldText stands in the file literally."""
        return self.lands and not all(Text(edit.old_text).lf in self.text.lf for edit in self.corrected.edits)


def run(args: argparse.Namespace) -> int:
    """Checks the call of the parsed command line, prints the verdict and gives the exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for the characters that its encoding lacks
    try:
        if args.file == args.call == cli_input.STDIN:
            raise UnusableError("FILE and CALL.json cannot both be standard input")
        text = cli_input.read_text(args.file)
        call = cli_input.read_call(args.call, args.file, text, strict=args.profile == "strict")
    except UnusableError as unusable:
        print(f"edit-assist-ls check: {escape_line(str(unusable))}", file=sys.stderr)
        return UNUSABLE
    if args.profile == "strict":
        done, said = cli_check_strict.judge(text, call)
        if args.json:
            print(cli_check_strict.as_json(text, call, done, said))
        else:
            style = Style(cli_text.wants_colour(sys.stdout))
            print("\n".join(cli_check_strict.as_text(text, call, done, said, style)))
        return LANDS if isinstance(done, Edited) else REFUSED
    verdict = judge(text, call, args.correction)
    if args.json:
        print(json.dumps(as_json(verdict), indent=2).replace("\x7f", "\\u007f"))
    else:
        print("\n".join(as_text(verdict, Style(cli_text.wants_colour(sys.stdout)))))
    return LANDS if verdict.lands else REFUSED


def judge(text: Text, call: Call, mode: Mode) -> Verdict:
    """The verdict on a call, by the engine alone and for the host pi."""
    work = Work()
    corrected = correct(text, call.edits, mode, work)
    diagnoses: tuple[Diagnosis, ...] = ()
    own = built_in_text(corrected.outcome, call.path, len(call.edits))
    added = ""
    if isinstance(corrected.outcome, Refused):
        diagnoses = diagnose(text, corrected.edits, corrected.outcome, work)
        added = messages.report(call.path, diagnoses) if diagnoses else ""
    elif corrected.corrections:
        added = messages.honesty(call.path, corrected.corrections, len(call.edits))
    guarded = guards.guard(text, corrected.edits, corrected.outcome, (), GUARDS, work)
    if guarded.refused is not None:
        reason = guard_words.reason(call.path, guarded.refused)
        return Verdict(call, text, corrected, (), own, reason, blocked=True)
    added = "\n\n".join(filter(None, [added, guard_words.warning(call.path, guarded.warnings)]))
    stock = own
    if corrected.corrections:
        stock = built_in_text(apply(text, call.edits, Work()), call.path, len(call.edits))
    return Verdict(call, text, corrected, diagnoses, stock, f"{own}\n\n{added}" if added else own)


def built_in_text(outcome: Applied | Refused, path: str, edit_count: int) -> str:
    """What the built-in itself says of a call: its success text or its stock error text."""
    if isinstance(outcome, Applied):
        return pi.success_text(path, edit_count)
    return pi.stock_text(outcome, path, edit_count) or UNSEARCHED


def as_json(verdict: Verdict) -> dict[str, Any]:
    """The verdict for programs; field names as on the wire, lines 1-based and inclusive."""
    corrected = verdict.corrected
    out: dict[str, Any] = {
        "outcome": verdict.outcome,
        "path": verdict.call.path,
        "lands": verdict.lands,
        "folded": verdict.folded,
        "notes": list(verdict.call.notes),
        "corrections": [_camel(asdict(correction)) for correction in corrected.corrections],
        "diagnoses": [_camel(asdict(diagnosis)) for diagnosis in verdict.diagnoses],
        "stockText": verdict.stock,
        "text": verdict.said,
    }
    if verdict.blocked:
        return out
    if isinstance(corrected.outcome, Applied):
        out["diff"] = "\n".join(file_diff(verdict.text, corrected.outcome.text))
    else:
        out["refused"] = {key: value for key, value in _camel(asdict(corrected.outcome)).items() if value is not None}
    if verdict.call.notes or corrected.corrections:
        out["edits"] = [{"oldText": edit.old_text, "newText": edit.new_text} for edit in corrected.edits]
    return out


def _camel(value: Any) -> Any:
    """A value as it stands on the wire: names in camel case, what is absent left out."""
    if isinstance(value, dict):
        return {_camel_name(key): _camel(item) for key, item in value.items() if item is not None}
    if isinstance(value, (list, tuple)):
        return [_camel(item) for item in value]
    return value


def _camel_name(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def as_text(verdict: Verdict, style: Style) -> Iterator[str]:
    """The verdict for a person, line by line (a piece may hold several)."""
    path, corrected = escape_line(verdict.call.path), verdict.corrected
    if verdict.blocked:
        yield style.bold(style.bad("blocked")) + f"  this call on {path} would not be run"
    elif not verdict.lands:
        yield style.bold(style.bad("refused")) + f"  the built-in would not apply this call to {path}"
    elif corrected.corrections:
        yield style.bold(style.warn("corrected")) + f"  this call on {path} would be rewritten before it runs"
    elif verdict.folded:
        yield (
            style.bold(style.good("exact")) + f"  this call lands on {path} as it is, by the built-in's fuzzy step, "
            "which rewrites the lines that it touches"
        )
    else:
        yield style.bold(style.good("exact")) + f"  this call lands on {path} as it is"
    yield from (f"  {escape_line(note)}" for note in verdict.call.notes)
    for correction in corrected.corrections if not verdict.blocked else ():
        yield ""
        yield from shown_correction(
            verdict.call.edits[correction.edit_index],
            corrected.edits[correction.edit_index],
            correction,
            style,
        )
    if corrected.corrections:
        yield ""
        yield style.bold("What the agent would read without edit assist:")
        yield cli_text.indented(escape(verdict.stock).split("\n"))
    yield ""
    yield style.bold("What the agent reads:")
    yield cli_text.indented(escape(verdict.said).split("\n"))
    if isinstance(corrected.outcome, Applied) and not verdict.blocked:
        yield ""
        yield style.bold("What the built-in does to the file:")
        diff = file_diff(verdict.text, corrected.outcome.text)
        yield cli_text.indented(cli_text.shown_diff(diff, style))


def shown_correction(as_written: Edit, as_sent: Edit, correction: Correction, style: Style) -> Iterator[str]:
    """One correction: what it is, and how oldText and newText change with it, as diffs."""
    place = messages.lines_named(correction.start_line, correction.end_line)
    what = (
        "its whitespace as the file has it" if correction.kind == "whitespace" else "grown by whole lines until unique"
    )
    yield style.bold(f"edits[{correction.edit_index}]") + f"  {place} of the file; {what}"
    yield from _shown_change("oldText", as_written.old_text, as_sent.old_text, style)
    if as_written.new_text == as_sent.new_text:
        yield "  newText: as the agent wrote it"
    else:
        yield from _shown_change("newText", as_written.new_text, as_sent.new_text, style)


def _shown_change(name: str, as_written: str, as_sent: str, style: Style) -> Iterator[str]:
    yield f"  {name}: " + style.bad("- as the agent wrote it") + ", " + style.good("+ as it is sent")
    before, after = Text(as_written).lf.split("\n"), Text(as_sent).lf.split("\n")
    diff = cli_text.unified(before, after, context=len(before) + len(after))
    yield cli_text.indented(cli_text.shown_diff(diff[1:], style, leading_dots=True), by="    ")


def file_diff(before: Text, after: Text) -> list[str]:
    """What a call does to the file, as the hunks of a unified diff."""
    return cli_text.unified(cli_text.lines_to_show(before.lf), cli_text.lines_to_show(after.lf))
