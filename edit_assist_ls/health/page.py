"""The report as one self-contained page: no script, no network, light and dark, readable without its charts."""

import html
from collections.abc import Iterator, Mapping, Sequence

from edit_assist_ls.health import charts
from edit_assist_ls.health.counts import Example
from edit_assist_ls.health.plain import notes_on, shares
from edit_assist_ls.health.summary import Figures, Report, WindowReport
from edit_assist_ls.health.words import CLASS_NAMES, NONE, Shown, number, percent, plural, rows, window_name

STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2024; --soft: #5b6470; --line: #d8dde3; --card: #f5f7f9;
  --landed: #8fb7a5; --corrected: #0a7d5c; --no-match: #c8442f; --ambiguous: #e0912f; --malformed: #8a4fbf;
  --overlap: #3b78c2; --no-change: #b9a23a; --file-error: #8b5e4a; --other: #8d96a1; }
@media (prefers-color-scheme: dark) { :root { --paper: #15181c; --ink: #e6e9ec; --soft: #a3adb8; --line: #39414a;
  --card: #1e2328; --landed: #4d7a68; --corrected: #3fc79a; --no-match: #f0705a; --ambiguous: #f2b05e;
  --malformed: #b98ae6; --overlap: #6fa8ec; --no-change: #d6c25e; --file-error: #bf8f78; --other: #87919c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 60rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; }
p { margin: .25rem 0; } .soft, caption, figcaption { color: var(--soft); }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .75rem; margin: 1.5rem 0; }
dl > div { background: var(--card); border-radius: .5rem; padding: .75rem 1rem; }
dt { color: var(--soft); font-size: .85rem; } dd { margin: 0; }
dd b { display: block; font-size: 1.5rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
dd span { color: var(--soft); font-size: .85rem; }
figure { margin: 1rem 0; } svg { max-width: 100%; height: auto; margin-left: -8px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .85rem; }
caption { text-align: left; padding-bottom: .25rem; }
th, td { text-align: right; padding: .25rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th:first-child, td.text { text-align: left; }
thead th { font-weight: 600; } tbody th { font-weight: normal; white-space: nowrap; }
td.text { color: var(--soft); }
.in1 { padding-left: 1.6rem; } .in2 { padding-left: 2.6rem; } .in3 { padding-left: 3.6rem; }
pre { background: var(--card); padding: .6rem .8rem; border-radius: .4rem; overflow-x: auto; white-space: pre-wrap; }
details { margin: .5rem 0; } summary { cursor: pointer; color: var(--soft); }
.wide { overflow-x: auto; }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page_of(report: Report, shown: Shown) -> str:
    """The page as HTML. It holds texts of calls only where the report has examples."""
    compared = len(report.windows) == 2
    body = [*_head(report), *(_comparison(report, shown) if compared else _single(report.windows[0], shown))]
    if report.examples:
        body += [
            "<h2>The newest failed calls</h2>",
            *(_example(example, shown) for example in reversed(report.examples)),
        ]
    body += [f'<p class="soft">{html.escape(note)}</p>' for note in notes_on(report.reading)]
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8"><title>Edit health</title>',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<style>{STYLE}</style></head><body><main>",
            *body,
            "</main></body></html>",
            "",
        ]
    )


def _head(report: Report) -> Iterator[str]:
    yield "<header><h1>Edit health</h1>"
    spans = " against ".join(window_name(window.window) for window in report.windows)
    files = plural(report.reading.files, "session file")
    yield f'<p class="soft">{html.escape(spans)} · {files} · days in UTC</p></header>'


def _single(window: WindowReport, shown: Shown) -> Iterator[str]:
    total = window.total
    yield from _cards(total)
    if not total.edit_calls:
        yield "<p>No edit calls in these days.</p>"
    else:
        yield f"<h2>By {window.period}</h2>"
        yield _figure(charts.course(window.periods, window.period), "What the edit calls came to.")
        yield _details(_parts_table(window.periods, window.period, shown))
        yield "<h2>Failures by class</h2>"
        yield _figure(charts.classes({"": total}), "Share of the calls with a result.")
        yield "<h2>By model</h2>"
        yield _figure(charts.models({"": window.models}, shown), "Share of the calls with a result that landed.")
        yield _parts_table(window.models, "model", shown)
    yield "<h2>All figures</h2>"
    yield _rows_table(["", "number", ""], [[name, count, remark] for name, count, remark in rows(total)])


def _cards(total: Figures) -> Iterator[str]:
    cost, shell = total.cost, total.shell
    cards = [
        (
            "edit calls landed",
            percent(total.landed_share),
            f"{number(total.landed)} of {number(total.landed + total.failed)}",
        ),
        ("corrected calls", number(total.corrected), "would have failed"),
        (
            "no match, Whitespace-only diff",
            number(total.no_match.whitespace_only),
            f"of {number(total.failures['no-match'])} no-match failures",
        ),
        (
            "round trips until it landed",
            number(cost.round_trips.median) if cost.landed else NONE,
            f"median; {number(cost.tokens.median)} tokens" if cost.landed else "",
        ),
        ("given up", number(cost.given_up), f"of {plural(cost.runs, 'run')} of failures"),
        ("shell patch scripts", number(shell.patch_scripts), f"of {plural(shell.calls, 'bash call')}"),
    ]
    yield "<dl>"
    for name, value, remark in cards:
        yield f"<div><dt>{name}</dt><dd><b>{value}</b><span>{remark}</span></dd></div>"
    yield "</dl>"


def _comparison(report: Report, shown: Shown) -> Iterator[str]:
    one, other = report.windows
    names = [window_name(one.window), window_name(other.window)]
    if names[0] == names[1]:
        names[1] += " (again)"
    shared = [
        [
            name,
            percent(before),
            percent(after),
            NONE if before is None or after is None else f"{100 * (after - before):+.1f}",
        ]
        for name, before, after in shares(one.total, other.total)
    ]
    yield "<h2>What changed</h2>"
    yield _rows_table(["share", *names, "points"], shared)
    if one.total.edit_calls or other.total.edit_calls:
        yield "<h2>Failures by class</h2>"
        drawing = charts.classes(dict(zip(names, (one.total, other.total), strict=True)))
        yield _figure(drawing, "Share of the calls with a result.")
        yield "<h2>By model</h2>"
        drawing = charts.models(dict(zip(names, (one.models, other.models), strict=True)), shown)
        yield _figure(drawing, "Share of the calls with a result that landed.")
    yield "<h2>All figures</h2>"
    pairs = zip(rows(one.total), rows(other.total), strict=True)
    yield _rows_table(
        ["", *names], [[name, before, after] for (name, before, _), (_, after, _) in pairs], remarks=False
    )


def _figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{html.escape(caption)}</figcaption></figure>"


def _details(table: str) -> str:
    return f"<details><summary>The same as a table</summary>{table}</details>"


def _parts_table(parts: Mapping[str, Figures], title: str, shown: Shown) -> str:
    head = [title, "edit calls", "landed", "corrected", *CLASS_NAMES.values(), "given up", "patch scripts"]
    body = [
        [
            shown(name),
            number(figures.edit_calls),
            percent(figures.landed_share),
            number(figures.corrected),
            *(number(figures.failures[key]) for key in CLASS_NAMES),
            number(figures.cost.given_up),
            number(figures.shell.patch_scripts),
        ]
        for name, figures in parts.items()
        if figures.edit_calls or figures.shell.calls
    ]
    return _rows_table(head, body, remarks=False)


def _rows_table(head: Sequence[str], body: Sequence[Sequence[str]], *, remarks: bool = True) -> str:
    """A table whose first column names the rows, indented as its names are; with remarks, a third column is text."""
    remarks = remarks and len(head) == 3
    lines = ["<div class='wide'><table><thead><tr>"]
    lines += [f'<th scope="col">{html.escape(cell)}</th>' for cell in head]
    lines.append("</tr></thead><tbody>")
    for row in body:
        depth = (len(row[0]) - len(row[0].lstrip(" "))) // 2
        lines.append(f'<tr><th scope="row" class="in{depth}">{html.escape(row[0].strip())}</th>')
        for column, cell in enumerate(row[1:], 1):
            text = remarks and column == 2
            lines.append(f"<td{' class=text' if text else ''}>{html.escape(cell)}</td>")
        lines.append("</tr>")
    return "".join([*lines, "</tbody></table></div>"])


def _example(example: Example, shown: Shown) -> str:
    about = f"{example.at} · {example.model} · {CLASS_NAMES[example.failure_class]} · {example.path}"
    parts = [f"<details><summary>{html.escape(shown(about))}</summary>"]
    parts += [f"<pre>{html.escape(shown(text))}</pre>" for text in (example.old_text, example.result) if text]
    return "".join([*parts, "</details>"])
