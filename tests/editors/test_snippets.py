"""The snippets of `docs/editors.md`: each is read by a parser of its language, and says what the server understands."""

import json
import re
import tomllib
from dataclasses import fields
from typing import Any

import pytest

from edit_assist_ls.settings import Settings
from tests.docs.marked import CHECKOUT

DOCUMENT = (CHECKOUT / "docs" / "editors.md").read_text("utf-8")
SETTINGS = {field.name for field in fields(Settings)}
COMMAND = ["edit-assist-ls", "--stdio"]
READ_HERE = {"toml", "jsonc", "elisp"}
READ_IN_NEOVIM = {"lua", "vim"}
Sexp = Any  # an atom as it is written (strings with their quotes), or a list of these


def snippets(language: str) -> list[str]:
    """The blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)


def read_lisp(text: str) -> list[Sexp]:
    """The forms of a text of Emacs Lisp: lists, symbols, strings, comments. ValueError where one is not whole."""
    tokens = re.findall(r';[^\n]*|"(?:[^"\\]|\\.)*"|[()\']|[^\s()\'";]+|"', text)
    open_lists: list[list[Sexp]] = [[]]
    for token in tokens:
        if token.startswith(";") or token == "'":
            continue
        if token == "(":
            open_lists.append([])
        elif token == ")":
            if len(open_lists) == 1:
                raise ValueError("a list is closed that was not opened")
            done = open_lists.pop()
            open_lists[-1].append(done)
        elif token == '"':
            raise ValueError("a string is not closed")
        else:
            open_lists[-1].append(token)
    if len(open_lists) > 1:
        raise ValueError("a list is not closed")
    return open_lists[0]


def atoms(form: Sexp) -> list[str]:
    """The atoms of a form, in order."""
    return [form] if isinstance(form, str) else [atom for part in form for atom in atoms(part)]


def without_comments(text: str) -> str:
    """JSONC as JSON: comments to the end of a line taken out, where they stand in no string."""
    return re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*', lambda found: found[1] or "", text)


def test_every_block_is_read_by_a_test() -> None:
    assert set(re.findall(r"^```(\w+)$", DOCUMENT, re.MULTILINE)) == READ_HERE | READ_IN_NEOVIM


def test_helix_and_zed_toml() -> None:
    helix, zed = map(tomllib.loads, snippets("toml"))
    server = helix["language-server"]["edit-assist"]
    assert [server["command"], *server["args"]] == COMMAND
    assert server["config"].keys() <= SETTINGS
    assert all(language["language-servers"][-1] == "edit-assist" for language in helix["language"])
    assert zed["id"] in zed["language_servers"]


def test_zed_settings() -> None:
    (settings,) = (json.loads(without_comments(snippet)) for snippet in snippets("jsonc"))
    assert settings["lsp"]["edit-assist"]["initialization_options"].keys() <= SETTINGS
    assert "edit-assist" in settings["languages"]["Python"]["language_servers"]


def test_emacs() -> None:
    eglot, lsp_mode = (read_lisp(snippet) for snippet in snippets("elisp"))
    for forms in (eglot, lsp_mode):
        assert [form[0] for form in forms] == ["with-eval-after-load"]
        words = atoms(forms)
        at = words.index('"edit-assist-ls"')
        assert words[at : at + 2] == [f'"{word}"' for word in COMMAND]
    options = atoms(eglot)[atoms(eglot).index(":initializationOptions") + 1 :]
    assert {option.removeprefix(":") for option in options[::2]} <= SETTINGS


@pytest.mark.parametrize("text", ["(a", "a)", '(a "b)', "(a (b)"])
def test_the_reader_of_lisp_refuses_what_is_not_whole(text: str) -> None:
    with pytest.raises(ValueError):
        read_lisp(text)


def test_the_reader_of_lisp() -> None:
    assert read_lisp('(a \'(b . "c ) \\" d")) ; e )\n:f') == [["a", ["b", ".", '"c ) \\" d"']], ":f"]
