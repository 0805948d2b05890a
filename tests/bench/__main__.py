"""`python -m tests.bench`: how fast the server is and how often it is right, beside the bars for both."""

import argparse
import json
import os
import platform
import random
import statistics
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from edit_assist_ls import __version__
from tests.bench import drift, figures, guarding, play, sources
from tests.house.package import engine_import_cpu_ms


def main() -> int:
    """Measures, prints, and gives 1 where a bar is missed."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the files chosen and the drifts made (default: 1)")
    parser.add_argument(
        "--files", type=int, default=40, help="how many real files, beside the generated ones (default: 40)"
    )
    parser.add_argument("--exact", type=int, default=60, help="how many exact calls on 300 KB (default: 60)")
    parser.add_argument("--starts", type=int, default=15, help="how many starts of each server (default: 15)")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    args = parser.parse_args()

    rng = random.Random(args.seed)
    files = [*sources.real_files(args.files, rng), *sources.generated_files(rng)]
    largest = sources.largest(rng)
    calls = [*drift.cases(files, rng), *drift.exact_cases(largest, args.exact, rng)]
    with tempfile.TemporaryDirectory(prefix="edit-assist-bench-") as folder:
        rows, echo_ms = play.play(calls, Path(folder))
        host_ms, editor_ms, bare_ms = play.starts_ms(args.starts, Path(folder))
    echo = statistics.median(echo_ms)
    groups = {
        "over stdio, each file met cold": figures.speed(rows, echo),
        "what came out": figures.outcomes(rows),
        "guards, in this process": figures.guards(guarding.judge(calls), guarding.hostile(), echo),
        "starting": figures.starting([engine_import_cpu_ms() for _ in range(args.starts)], host_ms, editor_ms, bare_ms),
    }
    lines = [file.text.count("\n") for file in files]
    facts = {
        "version": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "seed": args.seed,
        "files": len(files),
        "lines": [min(lines), max(lines)],
        "calls": len(rows),
        "echo_median_ms": echo,
    }
    if args.json:
        found = {title: [{**asdict(figure), "met": figure.met} for figure in group] for title, group in groups.items()}
        print(json.dumps({**facts, "figures": found}, indent=2))
    else:
        print(f"edit-assist-ls {__version__}, Python {facts['python']}, {facts['system']}; seed {args.seed}")
        print(f"{len(rows):,} calls on {len(files)} files of {min(lines):,} to {max(lines):,} lines")
        print(f"x = multiples of a bare stdio echo beside it: median {echo:.3f} ms of {len(echo_ms):,}\n")
        print("\n\n".join(figures.table(title, group) for title, group in groups.items()))
    missed = [figure.name.strip() for group in groups.values() for figure in group if figure.met is False]
    if missed and not args.json:
        print(f"\nmissed: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
