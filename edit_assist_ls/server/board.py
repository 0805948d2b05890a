"""What one client is shown: the failing edits of the calls that concern it, published and kept in step.

The board is looked at again when the ledger changes, when a document does, and when a file with something to show
does. Everything here runs on the loop's thread.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from edit_assist_ls.engine.text import NotUtf8, Text, well_formed
from edit_assist_ls.files import Stamp, TextCache, Unreadable, stamp_of
from edit_assist_ls.server.capabilities import Client
from edit_assist_ls.server.documents import Documents
from edit_assist_ls.server.positions import Encoding, whole_lines
from edit_assist_ls.server.scope import Scope
from edit_assist_ls.server.watching import SendRequest, Watching
from edit_assist_ls.showing.findings import Finding, Lines, findings

if TYPE_CHECKING:
    from edit_assist_ls.ledger import CallRecord, Ledger

SOURCE = "edit-assist"
CALLS_SHOWN = 300
CALLS_OF_A_FILE = 50
"""How many failing calls of one file are shown, the newest ones."""
RELATED_LIMIT = 10
REST_SECONDS = 0.2
REST_TIMES = 8
"""How long the ledger is let rest between two looks at it: at least so long, and so many times what a look took."""
TYPING_SECONDS = 0.1
"""How long a document that is typed in is left alone."""

log = logging.getLogger(__name__)
Notify = Callable[[str, Any], None]


class Board:
    """The state of what is shown. `open_ledger` gives the ledger, None where nothing is to be shown."""

    def __init__(
        self,
        open_ledger: "Callable[[], Ledger | None]",
        client: Client,
        encoding: Encoding,
        notify: Notify,
        send_request: SendRequest,
    ) -> None:
        self._open_ledger, self._client, self.encoding, self._notify = open_ledger, client, encoding, notify
        self.documents = Documents()
        self.scope = Scope(self.documents)
        self.tells_of_calls = False
        self._watching = Watching(
            send_request,
            self.scope.uri_of,
            self.files_changed,
            registers=client.registers_files,
            relative=client.relative_patterns,
        )
        self._texts = TextCache()
        self._calls: dict[str, list[CallRecord]] = {}
        self._shown: dict[str, list[Finding]] = {}
        self._published: dict[str, tuple[str, list[types.Diagnostic]]] = {}
        self._stamps: dict[str, Stamp] = {}
        self._due: dict[str, asyncio.TimerHandle] = {}
        self._refreshing = False
        self._rests_until = 0.0
        self._ledger: Ledger | None = None

    @property
    def shows_anything(self) -> bool:
        """Whether the client can show diagnostics, or wants to hear of calls."""
        return self._client.shows_diagnostics or self.tells_of_calls

    def ledger(self) -> "Ledger | None":
        """The ledger that this client looks at; watched from when it is first asked for."""
        ledger = self._open_ledger()
        if ledger is not None and ledger is not self._ledger:
            self._ledger = ledger
            if not self.shows_anything:
                return ledger
            loop = asyncio.get_running_loop()
            ledger.watch(lambda: _soon(loop, self.calls_changed))
        return ledger

    def calls_changed(self) -> None:
        """Something in the ledger, or in what concerns the client, is new: looked at once for what comes together."""
        if not self._refreshing and self.shows_anything:
            self._refreshing = True
            loop = asyncio.get_running_loop()
            loop.call_at(max(loop.time(), self._rests_until), self._refresh)

    def _refresh(self) -> None:
        began = time.monotonic()
        self._refreshing = False
        before = self._calls
        self._calls = {}
        ledger = self.ledger()
        if ledger is not None:
            found = self.calls_here(ledger, failing=True, limit=CALLS_SHOWN)
            ended = {key for key in {call.session_key for call in found} if ledger.ended(key)}
            for call in found:
                if call.real_path is not None and call.session_key not in ended:
                    self._calls.setdefault(call.real_path, []).append(call)
        for real_path in {*before, *self._calls, *self._published}:
            self._calls[real_path] = self._calls.get(real_path, [])[:CALLS_OF_A_FILE]
            if before.get(real_path) != self._calls[real_path] or self._stamps.get(real_path) != stamp_of(real_path):
                self.look_at(real_path)
            if not self._calls[real_path]:
                del self._calls[real_path]
                self._stamps.pop(real_path, None)
        if self.tells_of_calls:
            self._notify("editAssist/didChangeCalls", {})
        took = time.monotonic() - began
        self._rests_until = asyncio.get_running_loop().time() + max(REST_SECONDS, REST_TIMES * took)

    def calls_here(self, ledger: "Ledger", *, failing: bool, limit: int) -> "list[CallRecord]":
        """The calls that concern the client, newest first."""
        return ledger.calls(
            folders=self.scope.real_folders(), paths=self.documents.paths(), failing=failing, limit=limit
        )

    def opened_or_closed(self, real_path: str) -> None:
        """A document has come or gone: its file may concern the client from now on, or no longer."""
        if self.scope.contains(real_path) or real_path in self._calls:
            self.look_at(real_path)
        if not self.scope.contains(real_path):
            self.calls_changed()

    def text_changed(self, real_path: str) -> None:
        """A document has another text: looked at when its person pauses."""
        if real_path not in self._calls:
            return
        if (due := self._due.pop(real_path, None)) is not None:
            due.cancel()
        self._due[real_path] = asyncio.get_running_loop().call_later(TYPING_SECONDS, self.look_at, real_path)

    def files_changed(self, real_paths: Iterable[str]) -> None:
        """Files have changed on the disk."""
        for real_path in real_paths:
            if real_path in self._calls:
                self.look_at(real_path)

    def files_heard_of(self, uris: Iterable[str]) -> None:
        """The client says that files have changed."""
        self._watching.heard(uris)

    def look_at(self, real_path: str) -> None:
        """Find what is to be shown of a file now, and publish it where that is news."""
        if (due := self._due.pop(real_path, None)) is not None:
            due.cancel()
        calls = self._calls.get(real_path, ())
        text = None
        found: list[Finding] = []
        if calls:
            self._stamps[real_path] = stamp_of(real_path)
            text = self.text_of(real_path)
        ledger = self._ledger
        if ledger is not None and not isinstance(text, Unreadable):
            for call in calls:
                found += findings(call, text, ledger.text_digest)
        found.sort(key=lambda finding: (finding.shown.line0, -finding.call.at_ms, finding.edit_index))
        if found:
            self._shown[real_path] = found
        else:
            self._shown.pop(real_path, None)
        self._publish(real_path, text if isinstance(text, Text) else None, found)
        self._watching.watch(set(self._shown))

    def text_of(self, real_path: str) -> Text | Unreadable | None:
        """What the client's people see in a file: its open buffer, else the disk; None for what is no text.

        A byte order mark is a character of theirs only where the client sends it with a document.
        """
        document = self.documents.of_path(real_path)
        if document is not None:
            return document.text
        text = self._texts.read(real_path)
        if isinstance(text, NotUtf8):
            return None
        return Text(text.raw) if isinstance(text, Text) and text.bom else text

    def shown(self, real_path: str) -> list[Finding]:
        """What is shown of a file now, looked at anew."""
        self.look_at(real_path)
        return self._shown.get(real_path, [])

    def diagnostic(self, finding: Finding, text: Text | None, uri: str) -> types.Diagnostic:
        """A finding as LSP has it: what the model was told, as text."""
        edit = finding.edit
        return types.Diagnostic(
            range=whole_lines(text, finding.shown, self.encoding),
            message=well_formed(edit.message or finding.call.summary),
            severity=types.DiagnosticSeverity.Warning,
            code=edit.code,
            source=SOURCE,
            related_information=self._related(finding, text, uri),
            data={"id": finding.call.id, "editIndex": finding.edit_index},
        )

    def _related(
        self, finding: Finding, text: Text | None, uri: str
    ) -> list[types.DiagnosticRelatedInformation] | None:
        if not self._client.related_information or not finding.related:
            return None
        return [
            types.DiagnosticRelatedInformation(
                location=types.Location(uri, whole_lines(text, lines, self.encoding)), message=_named(text, lines)
            )
            for lines in finding.related[:RELATED_LIMIT]
        ]

    def _publish(self, real_path: str, text: Text | None, found: list[Finding]) -> None:
        if not self._client.shows_diagnostics:
            return
        document = self.documents.of_path(real_path)
        uri = self.scope.uri_of(real_path)
        diagnostics = [self.diagnostic(finding, text, uri) for finding in found]
        before = self._published.get(real_path)
        if before == (uri, diagnostics) or (before is None and not diagnostics):
            return
        if before is not None and before[0] != uri:
            self._send(before[0], [], None)
        self._send(uri, diagnostics, document.version if document is not None else None)
        if diagnostics:
            self._published[real_path] = (uri, diagnostics)
        else:
            del self._published[real_path]

    def _send(self, uri: str, diagnostics: list[types.Diagnostic], version: int | None) -> None:
        self._notify(
            types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS,
            types.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics, version=version),
        )


def _named(text: Text | None, lines: Lines) -> str:
    """The text of the first of some lines, as what a place is known by."""
    known = text.lines if text is not None else []
    line = known[lines.line0].strip() if lines.line0 < len(known) else ""
    return line[:100] or f"line {lines.line0 + 1}"


def _soon(loop: asyncio.AbstractEventLoop, do: Callable[[], None]) -> None:
    try:
        loop.call_soon_threadsafe(do)
    except RuntimeError:
        log.debug("the ledger changed after the end")
