"""The report as text for a terminal."""

from collections.abc import Iterator, Mapping, Sequence

from edit_assist_ls.health.summary import Figures, Reading, Report, WindowReport
from edit_assist_ls.health.words import CLASS_NAMES, NONE, Shown, number, percent, plural, rows, window_name

Table = Sequence[Sequence[str]]
TABLE_CLASSES = ("no-match", "ambiguous", "malformed-arguments")


def text_of(report: Report, shown: Shown) -> str:
    """The whole report, lines without a trailing blank; two windows stand side by side."""
    lines = [f"Edit health of {plural(report.reading.files, 'session file')} (days in UTC)", ""]
    if len(report.windows) == 2:
        lines += _compared(report.windows[0], report.windows[1])
    else:
        window = report.windows[0]
        lines += _columns([list(row) for row in rows(window.total)])
        lines += ["", *_columns(_table(window.models, "model", shown))]
        lines += [
            "",
            *_columns(_table(window.periods, f"{window.period} of" if window.period == "week" else "day", shown)),
        ]
    for example in report.examples:
        lines += ["", shown(f"{example.at}  {example.model}  {example.failure_class}  {example.path}")]
        lines += [f"  {line}" for line in shown(example.old_text).splitlines()]
        lines += [f"  | {line}" for line in shown(example.result).splitlines()]
    notes = list(notes_on(report.reading))
    return "\n".join(line.rstrip() for line in lines + ([""] if notes else []) + notes)


def notes_on(reading: Reading) -> Iterator[str]:
    """What a reader should know of the reading: what was passed over."""
    if reading.torn or reading.foreign:
        yield f"Passed over: {plural(reading.torn, 'torn line')}, {plural(reading.foreign, 'foreign line')}."
    if reading.unreadable:
        yield f"Could not be read: {plural(reading.unreadable, 'file')}."
    if reading.copied:
        yield f"Not counted twice: {plural(reading.copied, 'model answer')} with calls that a fork copied."
    if reading.nested_incomplete:
        yield f"Not all nested calls were recorded by the host in {plural(reading.nested_incomplete, 'call')}."


def _table(parts: Mapping[str, Figures], title: str, shown: Shown) -> list[list[str]]:
    head = [title, "edit calls", "landed", "corrected", *(CLASS_NAMES[name] for name in TABLE_CLASSES), "given up"]
    return [head, *([shown(name), *_cells(figures)] for name, figures in parts.items() if figures.edit_calls)]


def _cells(figures: Figures) -> list[str]:
    failures = [number(figures.failures[name]) for name in TABLE_CLASSES]
    return [
        number(figures.edit_calls),
        percent(figures.landed_share),
        number(figures.corrected),
        *failures,
        number(figures.cost.given_up),
    ]


def _compared(one: WindowReport, other: WindowReport) -> list[str]:
    table = [["", window_name(one.window), window_name(other.window), "change"]]
    for (name, before, _), (_, after, _) in zip(rows(one.total), rows(other.total), strict=True):
        table.append([name, before, after, ""])
    for name, before_share, after_share in shares(one.total, other.total):
        change = NONE if before_share is None or after_share is None else f"{100 * (after_share - before_share):+.1f}"
        table.append([name, percent(before_share), percent(after_share), change])
    return _columns(table)


def shares(one: Figures, other: Figures) -> list[tuple[str, float | None, float | None]]:
    """The shares that tell two windows apart: (name, in one, in the other), 0 to 1."""
    return [
        ("landed, of calls with a result", one.landed_share, other.landed_share),
        *(
            (f"{CLASS_NAMES[name]}, of calls with a result", one.share_of(name), other.share_of(name))
            for name in CLASS_NAMES
            if one.failures[name] or other.failures[name]
        ),
        ("given up, of runs of failures", _given_up(one), _given_up(other)),
        ("patch scripts, of bash calls", _patches(one), _patches(other)),
    ]


def _given_up(figures: Figures) -> float | None:
    return figures.cost.given_up / figures.cost.runs if figures.cost.runs else None


def _patches(figures: Figures) -> float | None:
    return figures.shell.patch_scripts / figures.shell.calls if figures.shell.calls else None


def _columns(table: Table) -> list[str]:
    """The rows as lines: the first column and remarks to the left, numbers to the right."""
    count = max(len(row) for row in table)
    widths = [max((len(row[column]) for row in table if column < len(row)), default=0) for column in range(count)]
    lines = []
    for row in table:
        cells = [row[0].ljust(widths[0])]
        remarks = len(row) == 3
        for column in range(1, len(row)):
            last = remarks and column == 2
            cells.append(row[column] if last else row[column].rjust(widths[column]))
        lines.append("  ".join(cells))
    return lines
