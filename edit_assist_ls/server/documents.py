"""The client's open documents, as it sent them: our own store, whole texts, found by URI or by real path.

Documents that are no files are not kept.
"""

import os
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes, urlsplit

from edit_assist_ls.engine.text import Text


@dataclass(frozen=True, slots=True)
class Document:
    """An open document: its URI as the client spells it, its version, its text, the real path of its file."""

    uri: str
    version: int
    text: Text
    real_path: str


class Documents:
    """The open documents of one client."""

    def __init__(self) -> None:
        self._by_uri: dict[str, Document] = {}
        self._uri_by_path: dict[str, str] = {}

    def put(self, uri: str, version: int, text: str) -> Document | None:
        """Open a document, or give it its next text; None for one that is no file."""
        known = self._by_uri.get(uri)
        real_path = known.real_path if known is not None else real_path_of(uri)
        if real_path is None:
            return None
        document = Document(uri, version, Text.of(text), real_path)
        self._by_uri[uri] = document
        self._uri_by_path[real_path] = uri
        return document

    def close(self, uri: str) -> Document | None:
        """Forget a document."""
        document = self._by_uri.pop(uri, None)
        if document is not None and self._uri_by_path.get(document.real_path) == uri:
            del self._uri_by_path[document.real_path]
            for other in self._by_uri.values():
                if other.real_path == document.real_path:
                    self._uri_by_path[other.real_path] = other.uri
        return document

    def of_uri(self, uri: str) -> Document | None:
        """The open document of a URI."""
        return self._by_uri.get(uri)

    def of_path(self, real_path: str) -> Document | None:
        """The open document of a file, whatever the client calls it."""
        uri = self._uri_by_path.get(real_path)
        return None if uri is None else self._by_uri[uri]

    def paths(self) -> set[str]:
        """The real paths of the files that are open."""
        return set(self._uri_by_path)


def path_of_uri(uri: str) -> str | None:
    """The absolute path of a `file:` URI of this machine; None for any other URI."""
    try:
        parts = urlsplit(uri)
        if parts.scheme.lower() != "file" or parts.netloc.lower() not in ("", "localhost"):
            return None
        path = os.fsdecode(unquote_to_bytes(parts.path))
    except ValueError:
        return None
    return path if path.startswith("/") and "\0" not in path else None


def real_path_of(uri: str) -> str | None:
    """The real path of the file that a `file:` URI names; None for any other URI."""
    path = path_of_uri(uri)
    try:
        return None if path is None else os.path.realpath(path)
    except (OSError, ValueError):
        return None
