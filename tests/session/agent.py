"""An agent in a folder, for tests of the session: builds hooks and asks the session's functions."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from edit_assist_ls import session
from edit_assist_ls.engine.builtin import Edit, Refused
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from edit_assist_ls.hosts import pi
from edit_assist_ls.session import Call, Memory, Origin, Verdict

NOT_FOUND = (
    "Could not find the exact text in a.py. The old text must match exactly including all whitespace and newlines."
)


def edit_input(path: str, *pairs: tuple[str, str], **more: Any) -> dict[str, Any]:
    """The arguments of an edit call."""
    return {"path": path, "edits": [{"oldText": old, "newText": new} for old, new in pairs], **more}


def text_blocks(text: str) -> list[Any]:
    """The content of a result that says `text`."""
    return [{"type": "text", "text": text}]


@dataclass
class Agent:
    """One session of pi in `cwd`; `message` None: its calls have no siblings."""

    cwd: Path
    memory: Memory = field(default_factory=Memory)
    session_id: str | None = "s1"
    message: str | None = "m1"
    host: str = "pi"

    @property
    def origin(self) -> Origin:
        return Origin(self.host, self.session_id, str(self.cwd))

    def write_file(self, name: str, text: str | bytes) -> Path:
        path = self.cwd / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def call(self, tool_call_id: str, arguments: dict[str, Any], tool: str = "edit") -> Verdict:
        return session.tool_call(self.memory, Call(self.origin, tool_call_id, tool, arguments, self.message))

    def edit(self, tool_call_id: str, *pairs: tuple[str, str], path: str = "a.py") -> list[tuple[str, str]] | None:
        """The edits as corrected; None where the call is left as it is."""
        verdict = self.call(tool_call_id, edit_input(path, *pairs))
        if verdict.arguments is None:
            assert verdict.corrections == ()
            return None
        return [(edit["oldText"], edit["newText"]) for edit in verdict.arguments["edits"]]

    def write(self, tool_call_id: str, content: object, path: str = "a.py") -> None:
        verdict = self.call(tool_call_id, {"path": path, "content": content}, "write")
        assert verdict == Verdict()

    def result(
        self,
        tool_call_id: str,
        arguments: dict[str, Any],
        content: list[Any] | str,
        *,
        error: bool,
        tool: str = "edit",
    ) -> list[Any] | None:
        blocks = text_blocks(content) if isinstance(content, str) else content
        call = Call(self.origin, tool_call_id, tool, arguments, None)
        return session.tool_result(self.memory, call, blocks, is_error=error)

    def message_of(self, tool_call_id: str, text: str) -> str | None:
        """The text of the message of an edit call that failed with `text`; None: unchanged."""
        message = {"role": "toolResult", "toolCallId": tool_call_id, "toolName": "edit", "isError": True}
        changed = session.message_end(self.memory, self.origin, {**message, "content": text_blocks(text)})
        return None if changed is None else str(changed["content"][0]["text"])


Apply = Callable[[Text, tuple[Edit, ...]], Text | Refused]


def built_in(data: bytes, arguments: dict[str, Any]) -> Text | Refused:
    """What pi makes of a call on a file's bytes."""
    from edit_assist_ls.engine.builtin import Applied, apply
    from edit_assist_ls.engine.text import decode

    text, edits = decode(data), pi.edits_of(arguments)
    assert isinstance(text, Text) and edits is not None
    outcome = apply(text, edits, Work())
    return outcome.text if isinstance(outcome, Applied) else outcome
