"""Which files concern a client, and what it calls them: its workspace folders, and the documents that it has open."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from urllib.parse import quote

from edit_assist_ls.server.documents import Documents, path_of_uri


@dataclass(frozen=True, slots=True)
class Folder:
    """A workspace folder: its URI as the client spells it, without a final slash, and its real path."""

    uri: str
    real_path: str


class Scope:
    """The folders of one client, which may change, beside the documents that it has open."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self.folders: tuple[Folder, ...] = ()
        self._by_path: dict[str, Folder] = {}

    def add(self, uris: Iterable[str]) -> None:
        """Folders come in; those that are no folders of this machine are passed over."""
        known = {folder.uri for folder in self.folders}
        for uri in uris:
            path = path_of_uri(uri)
            if path is not None and _bare(uri) not in known:
                self.folders += (Folder(_bare(uri), os.path.realpath(path)),)
                known.add(_bare(uri))
        self._know()

    def remove(self, uris: Iterable[str]) -> None:
        """Folders go out."""
        gone = {_bare(uri) for uri in uris}
        self.folders = tuple(folder for folder in self.folders if folder.uri not in gone)
        self._know()

    def _know(self) -> None:
        """Of two folders that are one, the first counts."""
        self._by_path = {folder.real_path: folder for folder in reversed(self.folders)}

    def real_folders(self) -> list[str]:
        """The real paths of the folders."""
        return [folder.real_path for folder in self.folders]

    def contains(self, real_path: str) -> bool:
        """Whether a file lies under a folder of the client."""
        return self._folder_of(real_path) is not None

    def uri_of(self, real_path: str) -> str:
        """The client's own spelling of a file's URI: the open document's, else that of the folder it lies in."""
        document = self._documents.of_path(real_path)
        if document is not None:
            return document.uri
        folder = self._folder_of(real_path)
        if folder is None:
            return PurePath(real_path).as_uri()
        return f"{folder.uri}/{quote(os.fsencode(os.path.relpath(real_path, folder.real_path)))}"

    def _folder_of(self, real_path: str) -> Folder | None:
        """The innermost folder that a file lies in."""
        holding = (self._by_path.get(path) for path in _upwards(real_path))
        return next((folder for folder in holding if folder is not None), None)


def _bare(uri: str) -> str:
    """A folder's URI without a final slash; that of the root keeps what stands before its path."""
    bare = uri.rstrip("/")
    return f"{bare}//" if bare.endswith(":") else bare


def _upwards(real_path: str) -> Iterator[str]:
    """A path and the folders that it lies in, the innermost first."""
    while True:
        yield real_path
        if real_path in ("", "/"):
            return
        real_path = os.path.dirname(real_path)  # noqa: PTH120  # called for every file at every look
