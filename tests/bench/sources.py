"""The files that the bench edits: this Python's own library, and large ones made from a seed."""

import random
import sysconfig
from dataclasses import dataclass
from pathlib import Path

SMALLEST, LARGEST = 2_000, 300_000  # bytes
MOST_LINES = 20_000
LARGE = 100_000
MADE = "made from the seed: "
SKIPPED = {"__pycache__", "test", "tests", "site-packages", "lib2to3"}
_WORDS = """
account batch buffer cache channel client column cursor draft entry event field filter frame gauge
group handle index item journal key label layer ledger limit marker message node offset order packet
page parser patch path point policy queue range record region report row rule sample scope series
session shard signal slot source stage state stream table target task token total trace unit value
view window worker zone
"""
WORDS = _WORDS.split()


@dataclass(frozen=True, slots=True)
class Source:
    """One file's text: LF line endings, a final newline. The name begins with MADE if no person wrote it."""

    name: str
    text: str


def real_files(count: int, rng: random.Random) -> list[Source]:
    """`count` files of the standard library, a quarter of them large ones."""
    root = Path(sysconfig.get_paths()["stdlib"])
    paths = [path for path in sorted(root.rglob("*.py")) if not SKIPPED & set(path.relative_to(root).parts)]
    found = [(size, path) for path in paths if SMALLEST <= (size := path.stat().st_size) <= LARGEST]
    rng.shuffle(found)
    large = [path for size, path in found if size >= LARGE][: count // 4]
    chosen = large + [path for _, path in found if path not in large]
    sources: list[Source] = []
    for path in chosen:
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        if text.endswith("\n") and not set(text) & set("\r\0\f") and 60 <= text.count("\n") <= MOST_LINES:
            sources.append(Source(str(path.relative_to(root)), text))
        if len(sources) == count:
            break
    return sources


def generated_files(rng: random.Random) -> list[Source]:
    """Large texts of several builds: the most lines, the most bytes, tabs, and rows that hardly differ."""
    return [
        Source(f"{MADE}most-lines", _code(rng, lines=MOST_LINES - 10, indent="  ", words=1)),
        Source(f"{MADE}most-bytes", _code(rng, lines=6_500, indent="    ", words=4)),
        Source(f"{MADE}tabs", _code(rng, lines=10_000, indent="\t", words=2)),
        Source(f"{MADE}rows", _rows(rng, lines=9_000)),
    ]


def largest(rng: random.Random) -> str:
    """Code of as nearly 300 KB as whole lines allow."""
    text = _code(rng, lines=12_000, indent="    ", words=4)[: LARGEST - 1]
    return text[: text.rindex("\n") + 1]


def _code(rng: random.Random, lines: int, indent: str, words: int) -> str:
    """Nested blocks of statements; `words` says how long these are. At most LARGEST bytes."""
    out: list[str] = []
    depth = size = 0
    while len(out) < lines and size < LARGEST - 400:
        name = "_".join(rng.choice(WORDS) for _ in range(words))
        kind = rng.random()
        if kind < 0.08:
            line = ""
        elif kind < 0.2 and depth < 5:
            line, depth = f"{indent * depth}if {name}:", depth + 1
        elif kind < 0.24:
            depth = 0
            line, depth = f"def {name}({rng.choice(WORDS)}):", 1
        elif kind < 0.45:
            line = f"{indent * depth}{name}()"
        elif words == 1:
            line = f"{indent * depth}{name}+={rng.randrange(10)}"
        else:
            line = f"{indent * depth}{name} = {rng.choice(WORDS)}({rng.choice(WORDS)}, {rng.randrange(1_000)})"
        if kind > 0.9:
            depth = max(0, depth - rng.randrange(1, 3))
        out.append(line)
        size += len(line) + 1
    return "\n".join(out) + "\n"


def _rows(rng: random.Random, lines: int) -> str:
    rows = [f'    ("{rng.choice(WORDS)}-{number:05}", {rng.randrange(100)}),' for number in range(lines)]
    return "\n".join(["TABLE = (", *rows, ")"]) + "\n"
