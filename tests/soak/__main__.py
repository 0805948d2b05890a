"""`make soak`: 20,000 calls from 4 agents with 3 editors attached on one ledger, and what it cost.

python -m tests.soak [CALLS]
"""

import sys
import tempfile
from pathlib import Path

from tests.soak.play import Soak, play

CALLS = 20_000
MEMORY_BAR = 1.2
TIME_BAR = 3.0


def percentile(times: list[float], share: float) -> float:
    """The time that so large a share of the calls stays under."""
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def main(calls: int = CALLS) -> int:
    """Prints the figures; the exit status is 1 where a call was lost or a bar missed."""
    with tempfile.TemporaryDirectory(prefix="edit-assist-soak-") as name:
        folder = Path(name).resolve()
        (folder / "workspace").mkdir()
        soak = play(folder / "workspace", folder / "state", calls=calls)
    return told(soak)


def told(soak: Soak) -> int:
    """The figures as a table, and the exit status."""
    growth = {name: last / first for name, (first, last) in soak.memory_kb.items()}
    with_p99, without_p99 = percentile(soak.with_ledger, 0.99), percentile(soak.without, 0.99)
    ratio = with_p99 / without_p99
    print(f"{soak.sent:,} calls in {soak.seconds:.0f} s; kept {soak.kept:,}, lost {soak.sent - soak.kept:,}")
    print(f"editors that showed the last failing call of every agent in time: {soak.seen_by_editors} of {soak.editors}")
    print(f"{'a call and its result':24} {'median':>9} {'99th percentile':>16}")
    for label, times in (("with the ledger", soak.with_ledger), ("without", soak.without)):
        print(f"{label:24} {percentile(times, 0.5):6.2f} ms {percentile(times, 0.99):13.2f} ms")
    print(f"99th percentile with the ledger: {ratio:.2f} x without (bar {TIME_BAR:g})")
    print(f"{'memory':24} {'at a quarter':>14} {'at the end':>12}")
    for name, (first, last) in soak.memory_kb.items():
        print(f"{name:24} {first / 1024:11.1f} MB {last / 1024:9.1f} MB")
    print(f"largest growth: {max(growth.values()):.2f} x (bar {MEMORY_BAR:g})")
    fits = soak.kept == soak.sent and soak.seen_by_editors == soak.editors
    return 0 if fits and ratio <= TIME_BAR and max(growth.values()) <= MEMORY_BAR else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
