"""The charts of the page, as SVG without a script: Vega-Lite drawn by the optional library `vl-convert-python`.

Colours are CSS variables of the page, so that one drawing serves light and dark. Vega names every mark for screen
readers itself.
"""

import html
from collections.abc import Mapping, Sequence
from typing import Any

from edit_assist_ls.health.summary import Figures
from edit_assist_ls.health.words import CLASS_NAMES, Shown

OUTCOMES = ("landed as written", "corrected", *CLASS_NAMES.values())
"""What an edit call came to, in the order in which the bars are stacked."""

COLOURS = (
    "--landed",
    "--corrected",
    "--no-match",
    "--ambiguous",
    "--malformed",
    "--overlap",
    "--no-change",
    "--file-error",
    "--other",
)
WIDTH = 820
LABEL_LIMIT = 260

_INK, _FAINT = "var(--ink)", "var(--line)"
_CONFIG: dict[str, Any] = {
    "background": "transparent",
    "padding": {
        "left": 16,
        "right": 44,
        "top": 5,
        "bottom": 5,
    },  # the reader's font may be wider than what was measured
    "font": "system-ui, sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": _INK,
        "titleColor": _INK,
        "titleFontWeight": "normal",
        "gridColor": _FAINT,
        "domainColor": _FAINT,
        "tickColor": _FAINT,
        "labelLimit": LABEL_LIMIT,
    },
    "legend": {"labelColor": _INK, "titleColor": _INK, "symbolType": "square"}
    | {
        "columns": 5,
        "columnPadding": 32,
        "orient": "top",
    },
    "text": {"color": _INK},
}

Rows = Sequence[Mapping[str, str | float]]


def outcomes_of(figures: Figures) -> list[int]:
    """The number of calls of each of `OUTCOMES`."""
    return [figures.landed - figures.corrected, figures.corrected, *(figures.failures[name] for name in CLASS_NAMES)]


def course(periods: Mapping[str, Figures], period: str) -> str:
    """What edit calls came to, by day or week: one stacked bar each."""
    rows: list[dict[str, str | float]] = [
        {period: start, "outcome": outcome, "calls": count, "place": place}
        for start, figures in periods.items()
        for place, (outcome, count) in enumerate(zip(OUTCOMES, outcomes_of(figures), strict=True))
    ]
    used = {row["outcome"] for row in rows if row["calls"]}
    pairs = [(name, f"var({colour})") for name, colour in zip(OUTCOMES, COLOURS, strict=True) if name in used]
    scale = {"domain": [name for name, _ in pairs], "range": [colour for _, colour in pairs]}
    return _drawn(
        f"Edit calls by {period} and by what they came to",
        [row for row in rows if row["calls"]],
        {
            "width": WIDTH,
            "height": 220,
            "mark": "bar",
            "encoding": {
                "x": {
                    "field": period,
                    "type": "ordinal",
                    "title": None if period == "day" else "week from",
                    "scale": {"domain": list(periods)},
                    "axis": {"labelAngle": -45, "labelOverlap": True},
                },
                "y": {"field": "calls", "type": "quantitative", "title": "edit calls", "axis": {"tickMinStep": 1}},
                "color": {"field": "outcome", "type": "nominal", "title": None, "scale": scale},
                "order": {"field": "place", "type": "quantitative"},
            },
        },
    )


def classes(windows: Mapping[str, Figures]) -> str:
    """The failures of each class as a share of the calls with a result; two windows as two bars."""
    rows: list[dict[str, str | float]] = [
        {"class": label, "window": window, "share": figures.share_of(name) or 0.0}
        for window, figures in windows.items()
        for name, label in CLASS_NAMES.items()
    ]
    return _bars(
        "Failures by class, of the calls with a result",
        rows,
        "class",
        list(CLASS_NAMES.values()),
        list(windows),
        "--no-match",
    )


def models(windows: Mapping[str, Mapping[str, Figures]], shown: Shown) -> str:
    """The share of calls that landed, by model; two windows as two bars."""
    rows: list[dict[str, str | float]] = [
        {"model": shown(model), "window": window, "share": share}
        for window, figures_of in windows.items()
        for model, figures in figures_of.items()
        if (share := figures.landed_share) is not None
    ]
    names = list(dict.fromkeys(str(row["model"]) for row in rows))
    return _bars("Edit calls that landed, by model", rows, "model", names, list(windows), "--corrected", whole=True)


def _bars(
    title: str, rows: Rows, field: str, order: list[str], windows: list[str], colour: str, *, whole: bool = False
) -> str:
    """Bars of shares, the newer window in `colour`; with `whole`, on a scale that ends at 100 %."""
    several = len(windows) > 1
    x: dict[str, Any] = {"field": "share", "type": "quantitative", "title": None, "axis": {"format": "%"}}
    if whole:
        x["scale"] = {"domain": [0, 1]}
    y: dict[str, Any] = {"field": field, "type": "nominal", "title": None, "sort": order}
    bar: dict[str, Any] = {
        "mark": {"type": "bar", "color": f"var({colour})"},
        "encoding": {"x": x},
    }
    label: dict[str, Any] = {
        "mark": {"type": "text", "align": "left", "dx": 4, "aria": False},
        "encoding": {
            "x": {"field": "share", "type": "quantitative"},
            "text": {"field": "share", "type": "quantitative", "format": ".1%"},
        },
    }
    encoding: dict[str, Any] = {"y": y}
    if several:
        encoding["yOffset"] = {"field": "window", "type": "nominal", "sort": windows}
        bar["encoding"]["color"] = {
            "field": "window",
            "type": "nominal",
            "title": None,
            "scale": {"domain": windows, "range": ["var(--other)", f"var({colour})"]},
        }
    height = {"step": 16 if several else 24}
    return _drawn(
        title, rows, {"width": WIDTH - LABEL_LIMIT // 2, "height": height, "encoding": encoding, "layer": [bar, label]}
    )


def _drawn(title: str, rows: Rows, drawing: Mapping[str, Any]) -> str:
    import vl_convert

    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "config": _CONFIG,
        "data": {"values": list(rows)},
        **drawing,
    }
    svg: str = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    named = f'<svg role="graphics-document" aria-label="{html.escape(title)}" '
    return named + svg[svg.index("<svg ") + len("<svg ") :]
