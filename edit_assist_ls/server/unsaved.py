"""What other processes are told of this client's unsaved buffers: digests of their lines, no text."""

import asyncio
from typing import TYPE_CHECKING

from edit_assist_ls.engine.text import Text
from edit_assist_ls.files import TextCache
from edit_assist_ls.server.documents import Documents
from edit_assist_ls.unsaved import line_digests

if TYPE_CHECKING:
    from collections.abc import Callable

    from edit_assist_ls.ledger import Ledger

PAUSE_SECONDS = 0.3
"""How long a document that is typed in is left alone."""


class Unsaved:
    """The open documents that differ from the disk, told of when their people pause."""

    def __init__(self, open_ledger: "Callable[[], Ledger | None]", documents: Documents) -> None:
        self._open_ledger, self._documents = open_ledger, documents
        self._texts = TextCache(max_entries=2)
        self._due: dict[str, asyncio.TimerHandle] = {}

    def changed(self, real_path: str) -> None:
        """A document was opened, or has another text."""
        self._cancel(real_path)
        self._due[real_path] = asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._tell, real_path)

    def saved(self, real_path: str) -> None:
        """A document was saved or closed: what was told of it no longer holds."""
        self._cancel(real_path)
        ledger = self._open_ledger()
        if ledger is not None:
            ledger.set_buffer(real_path, None)

    def differing(self, real_path: str) -> Text | None:
        """The text of an open document that differs from the disk; None for any other file."""
        document = self._documents.of_path(real_path)
        if document is None:
            return None
        on_disk = self._texts.read(real_path)
        return None if isinstance(on_disk, Text) and on_disk.lf == document.text.lf else document.text

    def _tell(self, real_path: str) -> None:
        self._due.pop(real_path, None)
        ledger = self._open_ledger()
        if ledger is None:
            return
        text = self.differing(real_path)
        ledger.set_buffer(real_path, None if text is None else line_digests(text, ledger.line_digest))

    def _cancel(self, real_path: str) -> None:
        if (due := self._due.pop(real_path, None)) is not None:
            due.cancel()
