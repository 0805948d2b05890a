"""`make corpus`: failing calls of real sessions, played through each profile, and what became of them.

    python -m tests.corpus [FOLDER]

FOLDER holds `session-failures.json` and `live-failures.json`; it is no part of this project and may be absent.
"""

import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from edit_assist_ls import session
from edit_assist_ls.engine.builtin import Applied, apply
from edit_assist_ls.engine.text import Text, decode
from edit_assist_ls.engine.work import Work
from edit_assist_ls.hosts import pi
from edit_assist_ls.session import Call, Memory, Origin
from edit_assist_ls.settings import layer_of

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "corpus"
FILES = ("session-failures.json", "live-failures.json")
PROFILES = ("built-in", "assist", "strict")


@dataclass(frozen=True, slots=True)
class Played:
    """What became of one call: the text after it (None: refused), and what the model was told beside the stock text.

    `edits` are those of the call in the host's shape, before anything was corrected.
    """

    after: str | None
    told: str
    edits: Sequence[Mapping[str, str]] = ()


def main(folder: Path = FOLDER) -> int:
    """Prints a table for each file of the corpus; the exit status is 1 where an edit went to another place."""
    if not folder.is_dir():
        print(f"not played: there is no corpus at {folder} (it is no part of this project)")
        return 0
    strays = 0
    for name in FILES:
        entries = json.loads((folder / name).read_text("utf-8"))
        print(f"{name}: {len(entries)} calls")
        print(
            f"  {'profile':10} {'applied':>8} {'refused':>8} {'with the right Diagnosis':>25} {'at another place':>17}"
        )
        for profile in PROFILES:
            results = [(entry, play(entry, profile)) for entry in entries]
            applied = [(entry, one) for entry, one in results if one.after is not None]
            refused = [(entry, one) for entry, one in results if one.after is None]
            right = sum(is_right(entry, one, profile) for entry, one in refused)
            stray = [entry["name"] for entry, one in applied if is_elsewhere(entry["fileContent"] or "", one)]
            strays += len(stray)
            shown = "-" if profile == "built-in" else f"{right} of {len(refused)}"
            print(f"  {profile:10} {len(applied):8} {len(refused):8} {shown:>25} {len(stray):17}")
            for stray_name in stray:
                print(f"      elsewhere: {stray_name}")
    return 1 if strays else 0


def play(entry: dict[str, Any], profile: str) -> Played:
    """One call of the corpus under a profile: prepared, judged, run by the model of the built-in, answered."""
    with tempfile.TemporaryDirectory(prefix="edit-assist-corpus-") as name:
        cwd = Path(name).resolve()
        path = entry["path"]
        file = cwd / path
        if not file.resolve().is_relative_to(cwd):
            path, file = Path(path).name, cwd / Path(path).name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes((entry["fileContent"] or "").encode("utf-8", "surrogatepass"))
        memory = Memory()
        memory.settings.initialization = layer_of({"profile": "strict" if profile == "strict" else "assist"}, "corpus")
        origin = Origin("pi", "corpus", str(cwd))
        sent: Any = {"path": path, "edits": entry.get("rawEditsString") or entry["edits"]}
        if profile == "built-in":
            return _built_in(file, sent, "")
        call = Call(origin, "c1", "edit", {}, "m1")
        prepared = session.prepare_arguments(memory, call, sent)
        arguments = prepared.arguments or sent
        call = Call(origin, "c1", "edit", arguments, "m1")
        verdict = session.tool_call(memory, call)
        if verdict.block is not None:
            return Played(None, verdict.block)
        if profile == "strict":
            outcome = session.edit_strictly(memory, call)
            return Played(outcome.content, outcome.text if outcome.code else "", arguments.get("edits", ()))
        arguments = verdict.arguments or arguments
        played = _built_in(file, arguments, prepared.refusal or "")
        if played.after is not None:
            return replace(played, edits=prepared.arguments["edits"] if prepared.arguments else sent["edits"])
        stock = played.told
        content = session.tool_result(
            memory,
            Call(origin, "c1", "edit", arguments, "m1"),
            [{"type": "text", "text": stock}],
            is_error=True,
        )
        return Played(None, content[0]["text"].removeprefix(stock) if content else prepared.refusal or "")


def _built_in(file: Path, arguments: Any, refusal: str) -> Played:
    text, edits = decode(file.read_bytes()), pi.edits_of(arguments) if isinstance(arguments, dict) else None
    if edits is None or not isinstance(text, Text):
        return Played(None, refusal)
    outcome = apply(text, edits, Work(1_000_000_000))
    if isinstance(outcome, Applied):
        return Played(outcome.text.raw, "", arguments["edits"])
    return Played(None, pi.stock_text(outcome, file.name, len(edits)) or "")


def is_right(entry: dict[str, Any], played: Played, profile: str) -> bool:
    """Whether a refused call's text names each edit that the file does not bear, by a count made here, or its shape."""
    edits = entry.get("edits") or []
    shaped = isinstance(edits, list) and all(
        isinstance(edit, dict) and isinstance(edit.get("oldText"), str) and isinstance(edit.get("newText"), str)
        for edit in edits
    )
    if not shaped or entry.get("rawEditsString"):
        return bool(played.told)
    text = entry["fileContent"] or ""
    at_fault = {
        index
        for index, edit in enumerate(edits)
        if _lf(text).count(_lf(edit["oldText"])) != 1 or edit["oldText"] == edit["newText"]
    }
    if profile == "strict":
        return bool(played.told) and (not at_fault or any(f"Edit {index + 1}" in played.told for index in at_fault))
    at_fault = {index for index in at_fault if edits[index]["oldText"] != edits[index]["newText"]}
    return bool(played.told) and all(f"edits[{index}]" in played.told for index in at_fault)


def is_elsewhere(before: str, played: Played) -> bool:
    """Whether an applied call changed anything but what its oldText names: whitespace and look-alikes left aside.

    Made here, on texts without any whitespace: each edit is replaced where it stands once, and the rest must be as it
    was. An edit that stands several times that way is replaced where it stands literally.
    """
    expected, exact = _bare(before), _lf(before)
    for edit in played.edits:
        old, new = _bare(edit["oldText"]), _bare(edit["newText"])
        if expected.count(old) == 1:
            expected = expected.replace(old, new)
            exact = exact.replace(_lf(edit["oldText"]), _lf(edit["newText"]), 1)
        elif exact.count(_lf(edit["oldText"])) == 1:
            head = _bare(exact[: exact.index(_lf(edit["oldText"]))])
            if not expected.startswith(head):
                return True
            expected = head + new + expected[len(head) + len(old) :]
            exact = exact.replace(_lf(edit["oldText"]), _lf(edit["newText"]), 1)
        else:
            return True
    return _bare(played.after or "") != expected


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


_ALIKE = str.maketrans({**dict.fromkeys("‘’‚‛", "'"), **dict.fromkeys("“”„‟", '"'), **dict.fromkeys("‐‑‒–—―−", "-")})


def _bare(text: str) -> str:
    return "".join(text.translate(_ALIKE).replace("\ufeff", "").split())


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:2])))
