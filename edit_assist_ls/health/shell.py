"""The shell habit: bash commands that pass a heredoc to python, and which of these scripts patch a file.

A patch script reads a file, replaces text in what it read, and writes it back: an edit that went around the edit
tool.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_PYTHON = re.compile(r"(?:\S*/)?python(?:3(?:\.\d+)?)?")
_LAUNCHER = re.compile(
    r"(?:\S*/)?(?:sudo|env|time|nice|exec|command|uv|uvx|poetry|pipenv|pdm|hatch|rye|conda)|run|--|!|if|then|elif|else|while|until|do"
)
_ASSIGNMENT = re.compile(r"\w+=.*", re.DOTALL)
_PRINTS_INPUT = re.compile(r"(?:\S*/)?(?:cat|tee)")
_DELIMITER = re.compile(r"(-?)[ \t]*(?:'([^'\n]*)'|\"([^\"\n]*)\"|\\?([^\s;&|<>()'\"\\]+))")
_PLAIN = re.compile(r"[^'\"\\#<>&;|(){}`$\s]+")
_BREAK = re.compile(r"&&|\|\||[;&(){}`\n]|\$\(")

_NOT_CODE = re.compile(r"\"\"\".*?\"\"\"|'''.*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|#[^\n]*", re.DOTALL)
_READS = re.compile(r"\.read(?:lines|_text|_bytes)?\(")
_REPLACES = re.compile(r"(?<!\bos)(?<!\bshutil)\.replace\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*,|\.subn?\(")
_WRITES = re.compile(r"(?<!stdout)(?<!stderr)\.write(?:lines|_text|_bytes)?\(")


@dataclass(slots=True)
class _Heredoc:
    stage: int
    delimiter: str
    strip_tabs: bool


def python_scripts(command: str) -> list[str]:
    """The bodies of the heredocs that reach a python's standard input: `python3 - <<'EOF'`, `cat <<EOF | python3`."""
    if "<<" not in command or "python" not in command:
        return []
    scripts: list[str] = []
    lines = command.split("\n")
    at = 0
    while at < len(lines):
        text, at = _logical_line(lines, at)
        for stages, heredocs in _pipelines(text):
            for heredoc in heredocs:
                to_python = _reaches_python(stages, heredoc.stage)
                body, after, ended = _body(lines, at, heredoc)
                if ended or to_python:
                    at = after
                if to_python:
                    scripts.append(body)
    return scripts


def is_patch_script(script: str) -> bool:
    """Whether a python script reads, replaces and writes, by the calls in its code (strings and comments aside)."""
    code = _NOT_CODE.sub("''", script)
    return all(deed.search(code) for deed in (_READS, _REPLACES, _WRITES))


def _logical_line(lines: list[str], at: int) -> tuple[str, int]:
    """One command line with the lines that its open quotes and backslashes carry on to, and where the next starts."""
    text = lines[at]
    at += 1
    while at < len(lines) and _is_open(text):
        text += "\n" + lines[at]
        at += 1
    return text, at


def _is_open(text: str) -> bool:
    quote, position = "", 0
    while position < len(text):
        plain = _PLAIN.match(text, position)
        if plain:
            position = plain.end()
            continue
        character = text[position]
        if character == "\\" and quote != "'":
            if position + 1 >= len(text):
                return True
            position += 2
            continue
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character == "#" and (position == 0 or text[position - 1] in " \t\n;"):
            end = text.find("\n", position)
            position = len(text) if end < 0 else end
            continue
        position += 1
    return bool(quote)


def _pipelines(text: str) -> Iterator[tuple[list[list[str]], list[_Heredoc]]]:
    """The pipelines of a logical line: the words of each stage, and the heredocs in order with their stage."""
    stages: list[list[str]] = [[]]
    heredocs: list[_Heredoc] = []
    word, position = "", 0

    def end_word() -> None:
        nonlocal word
        if word:
            stages[-1].append(word)
            word = ""

    while position < len(text):
        plain = _PLAIN.match(text, position)
        if plain:
            word += plain.group()
            position = plain.end()
            continue
        character = text[position]
        if character in "'\"":
            position, inner = _quoted(text, position)
            word += inner or " "
        elif character == "\\":
            word += text[position + 1 : position + 2].strip("\n")
            position += 2
        elif character == "#" and not word:
            end = text.find("\n", position)
            position = len(text) if end < 0 else end
        elif text.startswith("<<<", position):
            end_word()
            position += 3
        elif text.startswith("<<", position) and (found := _DELIMITER.match(text, position + 2)):
            end_word()
            delimiter = next((part for part in found.groups()[1:] if part is not None), "")
            heredocs.append(_Heredoc(len(stages) - 1, delimiter, bool(found.group(1))))
            position = found.end()
        elif text.startswith((">&", "<&", "&>"), position):
            end_word()
            position += 2
        elif broken := _BREAK.match(text, position):
            end_word()
            yield stages, heredocs
            stages, heredocs = [[]], []
            position = broken.end()
        elif character == "|":
            end_word()
            stages.append([])
            position += 2 if text.startswith("|&", position) else 1
        elif character in " \t<>":
            end_word()
            position += 1
        else:
            word += character
            position += 1
    end_word()
    yield stages, heredocs


def _quoted(text: str, start: int) -> tuple[int, str]:
    """Where the quoted part that begins at `start` ends (exclusive), and what it quotes."""
    quote, position = text[start], start + 1
    while position < len(text) and text[position] != quote:
        position += 2 if text[position] == "\\" and quote == '"' else 1
    return position + 1, text[start + 1 : position]


def _body(lines: list[str], at: int, heredoc: _Heredoc) -> tuple[str, int, bool]:
    """The lines from `at` to the heredoc's delimiter (or the end), where the next line starts, whether it ended.

    What never ends was no heredoc (a shift in `$((1<<2))`) unless a program that we look for reads it.
    """
    body: list[str] = []
    while at < len(lines):
        line = lines[at].lstrip("\t") if heredoc.strip_tabs else lines[at]
        at += 1
        if line == heredoc.delimiter:
            return "\n".join(body), at, True
        body.append(line)
    return "\n".join(body), at, False


def _reaches_python(stages: list[list[str]], stage: int) -> bool:
    if _program(stages[stage], _PYTHON):
        return True
    later = stages[stage + 1 : stage + 2]
    return bool(later) and _program(stages[stage], _PRINTS_INPUT) and _program(later[0], _PYTHON)


def _program(words: list[str], wanted: re.Pattern[str]) -> bool:
    """Whether the words of a simple command run the `wanted` program, past assignments and launchers."""
    for word in words:
        if wanted.fullmatch(word):
            return True
        if not (_ASSIGNMENT.fullmatch(word) or _LAUNCHER.fullmatch(word) or word.startswith("-")):
            return False
    return False
