"""`edit-assist-ls demo`: four edit calls on copies of real source files, played through the server.

The server is a real one, over stdio; the built-in is our model of pi's edit tool, and the files that it
writes are the copies.
"""

import argparse
import io
import json
import os
import shutil
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edit_assist_ls import cli_check, cli_text
from edit_assist_ls.cli_client import Client
from edit_assist_ls.cli_text import Style, escape
from edit_assist_ls.engine.builtin import Applied, Edit, apply
from edit_assist_ls.engine.correction import Correction
from edit_assist_ls.engine.text import Text, decode
from edit_assist_ls.engine.work import Work

STDLIB = Path(sysconfig.get_paths()["stdlib"])
PACKAGE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Scene:
    """One edit call on a copy of `source`. `edit` is None for a call whose arguments are malformed."""

    title: str
    story: str
    source: Path
    edit: Edit | None
    arguments: dict[str, Any]


def scenes() -> tuple[Scene, ...]:
    """One call is corrected, one matches nowhere, one matches twice, and one is malformed."""
    return (
        _scene(
            "Corrected",
            "The agent left out the class's level of indentation.",
            STDLIB / "textwrap.py",
            Edit(
                "    chunks = self._split_chunks(text)\n"
                "    if self.fix_sentence_endings:\n"
                "        self._fix_sentence_endings(chunks)\n"
                "    return self._wrap_chunks(chunks)",
                "    chunks = self._split_chunks(text)\n"
                "    if not chunks:\n"
                "        return []\n"
                "    if self.fix_sentence_endings:\n"
                "        self._fix_sentence_endings(chunks)\n"
                "    return self._wrap_chunks(chunks)",
            ),
        ),
        _scene(
            "No match",
            "The agent remembers this function of edit-assist-ls itself as it never was.",
            PACKAGE / "cli_text.py",
            Edit(
                "    if environ.get('NO_COLOR'):\n"
                "        return False\n"
                "    if environ.get('FORCE_COLOR'):\n"
                "        return True\n"
                "    return stream.isatty()",
                "    return stream.isatty()",
            ),
        ),
        _scene(
            "Ambiguous",
            "The line stands in two functions.",
            STDLIB / "textwrap.py",
            Edit(
                "    w = TextWrapper(width=width, **kwargs)",
                "    w = TextWrapper(width=width, tabsize=4, **kwargs)",
            ),
        ),
        Scene(
            "Malformed",
            "The agent meant to read the file and called the edit tool.",
            STDLIB / "textwrap.py",
            None,
            {"path": "textwrap.py", "offset": 120, "limit": 40},
        ),
    )


def _scene(title: str, story: str, source: Path, edit: Edit) -> Scene:
    edits = [{"oldText": edit.old_text, "newText": edit.new_text}]
    return Scene(title, story, source, edit, {"path": source.name, "edits": edits})


def run(_args: argparse.Namespace) -> int:
    """Plays the scenes and prints them; the exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    style = Style(cli_text.wants_colour(sys.stdout))
    with tempfile.TemporaryDirectory(prefix="edit-assist-demo-") as folder:
        work, state = Path(folder, "work"), Path(folder, "state")
        work.mkdir()
        env = {**os.environ, "PI_CODING_AGENT_DIR": str(state), "XDG_STATE_HOME": str(state)}
        with Client([sys.executable, "-P", "-m", "edit_assist_ls", "--stdio"], work, env) as client:
            for number, scene in enumerate(scenes(), 1):
                shutil.copyfile(scene.source, work / scene.source.name)
                for piece in play(client, work, scene, number, style):
                    print(piece)
    print("Your own files and calls: edit-assist-ls check FILE CALL.json")
    return 0


def play(client: Client, work: Path, scene: Scene, number: int, style: Style) -> Iterator[str]:
    """Plays one scene against the copy in the folder `work`, and tells it piece by piece."""
    file = work / scene.source.name
    lines = file.read_bytes().count(b"\n")
    yield style.bold(style.place(f"{number}. {scene.title}")) + f"  {file.name}, {lines:,} lines"
    yield f"   {scene.story}"
    yield ""
    common = {
        "host": "pi",
        "sessionId": "demo",
        "messageId": f"message-{number}",
        "toolCallId": f"call-{number}",
        "toolName": "edit",
        "cwd": str(work),
    }
    if scene.edit is None:
        yield from _play_malformed(client, scene, common, style)
    else:
        yield from _play_edit(client, file, scene, scene.edit, common, style)
    yield ""
    yield ""


def _play_edit(
    client: Client, file: Path, scene: Scene, edit: Edit, common: dict[str, Any], style: Style
) -> Iterator[str]:
    old_lines, new_lines = edit.old_text.split("\n"), edit.new_text.split("\n")
    change = cli_text.unified(old_lines, new_lines, context=len(old_lines))
    yield _part("The agent sent", cli_text.shown_diff(change[1:], style), style)
    text = decode(file.read_bytes())
    assert isinstance(text, Text)
    stock = cli_check.built_in_text(apply(text, [edit], Work()), file.name, 1)
    yield _part("The built-in alone would say", [style.bad(escape(stock))], style)

    began = time.perf_counter()
    answer = client.ask("editAssist/toolCall", {**common, "input": scene.arguments})
    spent = time.perf_counter() - began
    sent = answer.get("input", scene.arguments)
    as_sent = Edit(sent["edits"][0]["oldText"], sent["edits"][0]["newText"])
    if answer["corrections"]:
        shown = _shown_correction(edit, as_sent, answer["corrections"][0], style)
        yield _part("Edit assist rewrote the call before it ran", shown, style)
    outcome = apply(text, [as_sent], Work())
    if isinstance(outcome, Applied):
        file.write_bytes(outcome.text.encode())
        diff = cli_text.shown_diff(cli_check.file_diff(text, outcome.text), style)
        yield _part("The built-in then did to the file", diff, style)

    told = cli_check.built_in_text(outcome, file.name, 1)
    content = [{"type": "text", "text": told}]
    is_error = not isinstance(outcome, Applied)
    began = time.perf_counter()
    result = client.ask("editAssist/toolResult", {**common, "input": sent, "content": content, "isError": is_error})
    spent += time.perf_counter() - began
    said = _shown_said(result.get("content", content), told, style)
    yield _part(f"The agent reads (edit assist took {spent * 1000:.1f} ms in all)", said, style)


def _play_malformed(client: Client, scene: Scene, common: dict[str, Any], style: Style) -> Iterator[str]:
    received = json.dumps(scene.arguments, indent=2)
    told = f'Validation failed for tool "edit":\n  - edits: missing\n\nReceived arguments:\n{received}'
    yield _part("The agent sent", [json.dumps(scene.arguments)], style)
    yield _part("The built-in alone would say", map(style.bad, told.split("\n")), style)
    message = {
        "role": "toolResult",
        "toolCallId": common["toolCallId"],
        "toolName": "edit",
        "isError": True,
        "content": [{"type": "text", "text": told}],
    }
    answer = client.ask("editAssist/messageEnd", {**common, "message": message})
    yield _part("The agent reads", _shown_said(answer.get("message", message)["content"], told, style), style)


def _part(title: str, lines: Iterable[str], style: Style) -> str:
    """One part of a scene under its title."""
    return f"   {style.bold(title)}\n{cli_text.indented(lines, by='     ')}\n"


def _shown_correction(as_written: Edit, as_sent: Edit, wire: dict[str, Any], style: Style) -> list[str]:
    correction = Correction(wire["editIndex"], wire["kind"], wire["startLine"], wire["endLine"], wire["newText"])
    return "\n".join(cli_check.shown_correction(as_written, as_sent, correction, style)).split("\n")


def _shown_said(content: list[dict[str, Any]], told: str, style: Style) -> list[str]:
    """What the agent reads: the built-in's own text dim, what edit assist adds behind it in full."""
    said = "\n".join(block.get("text", "") for block in content)
    own, added = said[: len(told)], said[len(told) :]
    lines = [style.dim(line) for line in escape(own).split("\n")]
    for line in escape(added).split("\n")[1:]:
        colour = {"-": style.bad, "+": style.good, "@": style.place}.get(line[:1], str)
        lines.append(colour(line))
    return lines
