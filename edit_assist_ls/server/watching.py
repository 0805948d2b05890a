"""The files that something is shown for, watched: by the client where it can, else by a look at them now and then."""

import asyncio
import re
from collections.abc import Callable, Iterable, Set
from pathlib import PurePath
from typing import Any

from lsprotocol import types

from edit_assist_ls.files import Stamp, stamp_of
from edit_assist_ls.server.documents import path_of_uri, real_path_of

REGISTRATION = "edit-assist-files"
LOOK_SECONDS = 1.0
SETTLING_SECONDS = 0.2
"""How long the set of files rests before the client is told of it."""

_SPECIAL = re.compile(r"[\[\]{}*?,!]")

Changed = Callable[[Iterable[str]], None]
SendRequest = Callable[[str, Any], Any]


class Watching:
    """Which files are watched for one client, who calls them as `uri_of` says; `changed` hears of those that change.

    `registers`: the client takes registrations for file events; `relative`: by a folder and a pattern in it.
    """

    def __init__(
        self,
        send_request: SendRequest,
        uri_of: Callable[[str], str],
        changed: Changed,
        *,
        registers: bool,
        relative: bool,
    ) -> None:
        self._send_request, self._uri_of, self._changed = send_request, uri_of, changed
        self._registers, self._relative = registers, relative
        self._stamps: dict[str, Stamp] = {}
        self._told: frozenset[str] = frozenset()
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, real_paths: Set[str]) -> None:
        """Watch these files and no others."""
        if self._stamps.keys() == real_paths:
            return
        self._stamps = {path: self._stamps.get(path) or stamp_of(path) for path in real_paths}
        if self._timer is None and (self._registers or self._stamps):
            self._timer = asyncio.get_running_loop().call_later(
                SETTLING_SECONDS if self._registers else LOOK_SECONDS, self._tell if self._registers else self._look
            )

    def _tell(self) -> None:
        """Tell the client which files to watch, where it watches others."""
        self._timer = None
        wanted = frozenset(self._stamps)
        if wanted == self._told:
            return
        if self._told:
            gone = types.Unregistration(id=REGISTRATION, method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
            self._send_request(types.CLIENT_UNREGISTER_CAPABILITY, types.UnregistrationParams(unregisterations=[gone]))
        if wanted:
            watchers = [types.FileSystemWatcher(glob_pattern=self._glob(path)) for path in sorted(wanted)]
            registration = types.Registration(
                id=REGISTRATION,
                method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                register_options=types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers),
            )
            self._send_request(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams(registrations=[registration]))
        self._told = wanted

    def _glob(self, real_path: str) -> str | types.RelativePattern:
        """What names a file to the client: what would be special in a glob stands for any one character."""
        uri = self._uri_of(real_path)
        if self._relative:
            return types.RelativePattern(uri.rpartition("/")[0], _SPECIAL.sub("?", PurePath(real_path).name))
        return _SPECIAL.sub("?", path_of_uri(uri) or real_path)

    def _look(self) -> None:
        """Look at the files, and again after a while."""
        self._timer = None
        changed = [path for path, stamp in self._stamps.items() if stamp_of(path) != stamp]
        self._stamps = {path: stamp_of(path) for path in self._stamps}
        if self._stamps:
            self._timer = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look)
        if changed:
            self._changed(changed)

    def heard(self, uris: Iterable[str]) -> None:
        """The client says that files have changed."""
        paths = {path for uri in uris if (path := real_path_of(uri)) is not None}
        self._changed([path for path in paths if path in self._stamps])
