"""How the report names what it counts, in the terminal and on the page alike."""

from collections.abc import Callable

from edit_assist_ls.health.summary import Figures, Spread, Window

Shown = Callable[[str], str]
"""Makes a text from a session file fit to be shown, whatever is in it."""

CLASS_NAMES = {
    "no-match": "no match",
    "ambiguous": "ambiguous",
    "malformed-arguments": "malformed",
    "overlap": "overlap",
    "no-change": "no change",
    "file-error": "file error",
    "other": "other",
}
NONE = "–"


def percent(share: float | None) -> str:
    """A share (0 to 1) as a percentage with one decimal."""
    return NONE if share is None else f"{100 * share:.1f} %"


def number(value: float) -> str:
    """A number as a person reads it: groups of three, no decimals where there are none."""
    return f"{value:,.0f}" if value >= 100 or float(value).is_integer() else f"{value:,.1f}"


def plural(count: int, noun: str) -> str:
    """`1 run`, `2 runs`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def window_name(window: Window) -> str:
    """A window in words."""
    if window.since and window.until:
        return window.since if window.since == window.until else f"{window.since} to {window.until}"
    if window.since:
        return f"from {window.since}"
    return f"until {window.until}" if window.until else "all days"


def spread(value: Spread) -> str:
    """A spread in words."""
    if not value.count:
        return NONE
    return f"median {number(value.median)}, mean {number(value.mean)}, largest {number(value.largest)}"


def rows(figures: Figures) -> list[tuple[str, str, str]]:
    """The figures as (name, number, remark); a name with an indentation divides the one above it."""
    cost, seen, shell = figures.cost, figures.no_match, figures.shell
    ended = figures.landed + figures.failed
    out = [
        ("sessions with edit calls", number(figures.sessions), ""),
        ("edit calls", number(figures.edit_calls), _kinds(figures)),
        ("  landed", number(figures.landed), percent(figures.landed_share)),
        ("    corrected", number(figures.corrected), percent(figures.corrected / ended if ended else None)),
        ("  failed", number(figures.failed), percent(figures.failed / ended if ended else None)),
    ]
    for name, count in figures.failures.items():
        remark = percent(figures.share_of(name))
        if name == "other" and figures.other:
            remark += " (" + ", ".join(f"{reason} {often:,}" for reason, often in figures.other.items()) + ")"
        out.append((f"    {CLASS_NAMES[name]}", number(count), remark))
        if name == "no-match":
            judged = seen.whitespace_only + seen.differs
            remark = (
                f"of {judged:,} that the session can judge; {seen.by_read:,} by a read, {seen.by_retry:,} by the retry"
            )
            out.append(("      Whitespace-only diff", number(seen.whitespace_only), remark))
    out += [
        ("  without a result", number(figures.no_result), ""),
        ("runs of failures", number(cost.runs), "failed calls of one file until an edit of it lands"),
        ("  landed", number(cost.landed), percent(cost.landed / cost.runs if cost.runs else None)),
        ("    round trips", number(cost.round_trips.median), spread(cost.round_trips)),
        ("    tokens", number(cost.tokens.median), spread(cost.tokens)),
        ("    output tokens", number(cost.output_tokens.median), spread(cost.output_tokens)),
        ("  given up", number(cost.given_up), _given_up(figures)),
        ("bash calls", number(shell.calls), ""),
        ("  heredoc to python", number(shell.python_heredocs), ""),
        ("    patch script", number(shell.patch_scripts), "reads, replaces and writes a file"),
    ]
    return out


def _kinds(figures: Figures) -> str:
    parts = []
    if figures.nested:
        parts.append(f"{figures.nested:,} nested")
    if figures.abandoned:
        parts.append(f"{figures.abandoned:,} on branches that were left")
    return "of these " + ", ".join(parts) if parts else ""


def _given_up(figures: Figures) -> str:
    cost = figures.cost
    if not cost.given_up:
        return ""
    ways = ((cost.written, "file written whole"), (cost.patched, "patched from the shell"), (cost.stopped, "stopped"))
    share = percent(cost.given_up / cost.runs)
    return f"{share} ({', '.join(f'{name} {count:,}' for count, name in ways if count)})"
