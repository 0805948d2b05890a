"""Paths as models write them, and the one existing file that they can only mean."""

import os
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from rapidfuzz import process
from rapidfuzz.distance import Indel

Resolve = Callable[[str], str | None]
"""A path as written → the absolute path that the host opens; None where the host would fail."""

ENTRIES_LOOKED_AT = 2_000
NEAR_NAMES = 5
MAX_FORMS = 64
MAX_PATH_CHARS = 4_096
LEAST_LIKE = 0.75
MUCH_LESS_LIKE = 0.15
_QUOTES = (("'", "'"), ('"', '"'), ("`", "`"), ("<", ">"), ("\u201c", "\u201d"), ("\u2018", "\u2019"))
_LINK = re.compile(r"\[[^\[\]]*\]\(<?([^()<>]+)>?\)")
_PLACE = re.compile(r"(?<=[^/]):[0-9]+(?:[:-][0-9]+)?\Z")
"""Line and column behind a path."""
_PASSED_OVER = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".mypy_cache"})


@dataclass(frozen=True, slots=True)
class Meant:
    """The path that was meant instead of the one that was written."""

    path: str


@dataclass(frozen=True, slots=True)
class NoFile:
    """There is no such file; `near` are paths under the working folder whose names are like it, at most a few."""

    near: tuple[str, ...]


def meant(path: str, cwd: str, resolve: Resolve) -> Meant | NoFile | None:
    """What a path can only mean; None where it is a file as it is written, or nothing better is known of it.

    A form counts where it is an existing file whose real path lies under the real `cwd`, unless the path was written
    as an absolute one or from the home folder; and only where all forms that count are one file.
    """
    as_written = resolve(path)
    if as_written is not None and os.path.lexists(as_written):
        return None
    if len(path) > MAX_PATH_CHARS:
        return None
    anywhere = path.strip("\"'`<>\u201c\u201d\u2018\u2019 \t\r\n").lower().startswith(("/", "~/", "file:/"))
    root = os.path.realpath(cwd)
    found: dict[str, str] = {}
    for form in _forms(path):
        absolute = resolve(form)
        if absolute is None or not os.path.isfile(absolute):  # noqa: PTH113  # Path.is_file() raises for long names
            continue
        real = os.path.realpath(absolute)
        if anywhere or _is_under(real, root):
            found.setdefault(real, form)
    if len(found) == 1:
        return Meant(next(iter(found.values())))
    return None if found else NoFile(_near(path, root))


def _is_under(real_path: str, root: str) -> bool:
    return real_path.startswith(root.rstrip("/") + "/")


def _forms(path: str) -> Iterator[str]:
    """The path's other forms, the least changed first: each step once, and steps after one another.

    A host decodes URIs itself, so one that was decoded here is none of them.
    """
    seen = {path: frozenset[str]()}
    waiting = [path]
    while waiting and len(seen) < MAX_FORMS:
        form = waiting.pop(0)
        for name, step in _STEPS:
            if name in seen[form]:
                continue
            changed = step(form)
            if changed and changed not in seen:
                seen[changed] = steps = seen[form] | {name}
                waiting.append(changed)
                if not (_is_uri(changed) and "decoded" in steps):
                    yield changed


def _unquoted(path: str) -> str:
    bare = path.strip()
    for opening, closing in _QUOTES:
        if len(bare) > 2 and bare.startswith(opening) and bare.endswith(closing):
            return bare[1:-1]
    return bare


def _unlinked(path: str) -> str:
    link = _LINK.fullmatch(path.strip())
    return link[1].strip() if link else path


def _is_uri(path: str) -> bool:
    return path.lower().startswith("file:")


def _without_scheme(path: str) -> str:
    if not _is_uri(path):
        return path
    rest = path[5:]
    return "/" + rest.lstrip("/") if rest.startswith("/") else rest


def _decoded(path: str) -> str:
    try:
        return unquote(path, errors="strict") if "%" in path else path
    except UnicodeDecodeError:
        return path


_STEPS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("unquoted", _unquoted),
    ("unlinked", _unlinked),
    ("scheme", _without_scheme),
    ("decoded", _decoded),
    ("slashes", lambda path: path.replace("\\", "/")),
    ("composed", lambda path: unicodedata.normalize("NFC", path)),
    ("decomposed", lambda path: unicodedata.normalize("NFD", path)),
)


def _near(path: str, root: str) -> tuple[str, ...]:
    """Paths under a folder whose names are like that of a path, the likest first."""
    wanted = _PLACE.sub("", unquote(unquote(_unlinked(_unquoted(path)))).replace("\\", "/").rstrip("/"))
    name = wanted.rpartition("/")[2].casefold()
    by_name: dict[str, list[str]] = {}
    for found in _files(root):
        by_name.setdefault(found.rpartition("/")[2].casefold(), []).append(found)
    if not name:
        return ()
    like = Indel.normalized_similarity
    near = process.extract(name, list(by_name), scorer=like, limit=NEAR_NAMES, score_cutoff=LEAST_LIKE)
    likest = max((score for _, score, _ in near), default=0.0)
    near = [one for one in near if one[1] >= likest - MUCH_LESS_LIKE]
    paths = [(-score, -like(wanted, found), found) for close, score, _ in near for found in by_name[close]]
    return tuple(found for _, _, found in sorted(paths)[:NEAR_NAMES])


def _files(root: str) -> Iterator[str]:
    """Files under a folder by their relative paths, folder by folder downwards, `ENTRIES_LOOKED_AT` entries in all."""
    left = ENTRIES_LOOKED_AT
    folders = [""]
    while folders and left > 0:
        folder = folders.pop(0)
        try:
            with os.scandir(f"{root}/{folder}") as entries:
                for entry in entries:
                    left -= 1
                    if left < 0:
                        return
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name not in _PASSED_OVER:
                            folders.append(f"{folder}{entry.name}/")
                    elif entry.name.isprintable():
                        yield folder + entry.name
        except OSError:
            continue
