"""`python -m tests.bench.bench_health`: how fast session files are read, against `json.loads` alone.

The lines that hold tool calls or results go through `json.loads`, and nothing else is done with them: that is the
rate 1. The report reads the same files from disk, other lines included, and counts. Rounds of both take turns; each
figure is the best of the rounds, since whatever else runs on the machine can only add to a time. Memory is the peak
of a process that reads a quarter of the sessions, and of one that reads all.
"""

import argparse
import json
import random
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from edit_assist_ls.health.survey import survey

BAR_ONE, BAR_TWO = 0.7, 1.4
MARKS = (b'"toolCall"', b'"toolResult"')
NO_MATCH = "Could not find the exact text in {}. The old text must match exactly including all whitespace and newlines."
LANDED = "Successfully replaced 1 block(s) in {}."
PATCH = "python3 - <<'EOF'\np = '{}'\ns = open(p).read()\nopen(p, 'w').write(s.replace('a', 'b'))\nEOF"
PEAK = """
import resource, sys
from edit_assist_ls.health.survey import survey
survey(sys.argv[1:], jobs=1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""

Entry = dict[str, Any]


def main() -> int:
    """Measures, prints, and gives 1 where a bar is missed."""
    parser = argparse.ArgumentParser(prog="make bench-health", description=__doc__)
    parser.add_argument("--sessions", type=int, default=48, help="how many session files (default: 48)")
    parser.add_argument("--rounds", type=int, default=11, help="how often each is timed (default: 11)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    with tempfile.TemporaryDirectory(prefix="edit-assist-bench-") as name:
        folder = Path(name)
        for number in range(args.sessions):
            (folder / f"{number:03d}.jsonl").write_bytes(b"".join(_lines(rng)))
        # First, while this process is small: a process that it starts inherits its peak.
        peaks = [_peak_mb(sorted(map(str, folder.iterdir()))[: args.sessions // 4]), _peak_mb([name])]
        lines = _lines_of_calls(folder)
        size_mb = sum(map(len, lines)) / 1e6
        alone, one, two = _best(
            args.rounds,
            lambda: _loads(lines),
            lambda: survey([name], jobs=1),
            lambda: survey([name], jobs=2),
        )
    print(f"Session files: {args.sessions}, with {len(lines):,} lines of calls or results in {size_mb:.0f} MB\n")
    rows = [
        ("json.loads alone", alone, None),
        ("the report, one process", one, BAR_ONE),
        ("the report, two processes", two, BAR_TWO),
    ]
    missed = 0
    for title, seconds, bar in rows:
        ratio = alone / seconds
        missed += bar is not None and ratio < bar
        beside = "" if bar is None else f"   {ratio:5.2f} x   bar {bar} x   {'MISSED' if ratio < bar else 'ok'}"
        print(f"{title:<28} {size_mb / seconds:7.0f} MB/s{beside}")
    print(f"{'peak memory':<28} {peaks[0]:7.0f} MB     with a quarter of the files; {peaks[1]:.0f} MB with all")
    return int(missed > 0)


def _best(rounds: int, *timed: Callable[[], object]) -> list[float]:
    """The shortest time of each in seconds, one of each in turn."""
    times: list[list[float]] = [[] for _ in timed]
    for _ in range(rounds):
        for place, run in enumerate(timed):
            started = time.perf_counter()
            run()
            times[place].append(time.perf_counter() - started)
    return [min(each) for each in times]


def _loads(lines: list[bytes]) -> None:
    for line in lines:
        json.loads(line)


def _lines_of_calls(folder: Path) -> list[bytes]:
    return [
        line
        for path in sorted(folder.iterdir())
        for line in path.read_bytes().splitlines()
        if any(mark in line for mark in MARKS)
    ]


def _peak_mb(paths: list[str]) -> float:
    done = subprocess.run([sys.executable, "-c", PEAK, *paths], capture_output=True, check=True, text=True)
    return int(done.stdout) / (1024 if sys.platform == "linux" else 1_048_576)


def _lines(rng: random.Random) -> Iterator[bytes]:
    """A session of some 200 tasks on this Python's own sources: 1 call in 12 fails, 1 bash call in 10 is a patch."""
    sources = [path for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")) if path.stat().st_size > 2000]
    yield _dumped({"type": "session", "version": 3, "id": "s", "timestamp": _at(0), "cwd": "/home/dev/project"})
    parent: str | None = None
    for number, message in enumerate(_messages(sources, rng), 1):
        entry: Entry = {
            "type": "message",
            "id": f"{rng.getrandbits(32):08x}",
            "parentId": parent,
            "timestamp": _at(number),
        }
        parent = entry["id"]
        yield _dumped(entry | {"message": message})


def _dumped(value: Entry) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def _at(number: int) -> str:
    return f"2026-11-{1 + number // 100 % 28:02d}T10:{number % 60:02d}:00.000Z"


def _messages(sources: list[Path], rng: random.Random) -> Iterator[Entry]:
    for task in range(200):
        path = rng.choice(sources)
        text = path.read_text("utf-8", "replace")
        lines = text.splitlines(keepends=True)
        start = rng.randrange(max(1, len(lines) - 40))
        shown = "".join(lines[start : start + rng.choice((40, 200, 500))])[:50_000]
        yield {"role": "user", "content": [{"type": "text", "text": text[: rng.randrange(2000)]}]}
        yield _answer(rng, f"r{task}", "read", {"path": path.name, "offset": start + 1, "limit": 500})
        yield _result(f"r{task}", "read", shown)
        command = PATCH.format(path.name) if task % 10 == 0 else f"grep -n import {path.name} | head -50"
        yield _answer(rng, f"b{task}", "bash", {"command": command})
        yield _result(f"b{task}", "bash", text[: rng.randrange(6000)])
        at = start + rng.randrange(30)
        old = "".join(lines[at : at + rng.randrange(1, 15)]) or "x"
        fails = task % 12 == 0
        sent = (
            "".join(line[1:] if line.startswith(" ") else line for line in old.splitlines(keepends=True))
            if fails
            else old
        )
        yield _answer(
            rng, f"e{task}", "edit", {"path": path.name, "edits": [{"oldText": sent, "newText": sent + "#\n"}]}
        )
        if fails:
            yield _result(f"e{task}", "edit", NO_MATCH.format(path.name), failed=True)
            yield _answer(
                rng, f"f{task}", "edit", {"path": path.name, "edits": [{"oldText": old, "newText": old + "#\n"}]}
            )
            yield _result(f"f{task}", "edit", LANDED.format(path.name), details={"diff": old, "patch": old})
        else:
            yield _result(f"e{task}", "edit", LANDED.format(path.name), details={"diff": old, "patch": old})
        done = _answer(rng, "", "", {})
        yield done | {"content": [{"type": "text", "text": text[:300]}], "stopReason": "stop"}


def _answer(rng: random.Random, id_: str, name: str, arguments: Entry) -> Entry:
    cost = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}
    usage = {"input": 900, "output": 80, "cacheRead": 20_000, "cacheWrite": 0, "totalTokens": 20_980, "cost": cost}
    thinking = {
        "type": "thinking",
        "thinking": "so the next step is " * rng.randrange(60),
        "thinkingSignature": "x" * 300,
    }
    call = {"type": "toolCall", "id": id_, "name": name, "arguments": arguments}
    model = rng.choice(("small-coder", "large-coder"))
    return {
        "role": "assistant",
        "content": [thinking, call],
        "api": "openai-completions",
        "provider": "lab",
        "model": model,
        "usage": usage,
        "stopReason": "toolUse",
        "timestamp": 1796072952194,
        "durationMs": 900,
    }


def _result(id_: str, name: str, text: str, *, failed: bool = False, details: Entry | None = None) -> Entry:
    return {
        "role": "toolResult",
        "toolCallId": id_,
        "toolName": name,
        "content": [{"type": "text", "text": text}],
        "details": details or {},
        "isError": failed,
        "durationMs": 3,
        "timestamp": 1796072952205,
    }


if __name__ == "__main__":
    sys.exit(main())
