"""A screen of Neovim as SVG: each cell where it stands, in the colours and looks that Neovim gave it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Any

from tests.editors.neovim.screen import Cell, Screen

CELL_WIDTH, CELL_HEIGHT, FONT_SIZE = 8.4, 19, 14
BAR_HEIGHT, GAP, MARGIN = 30, 26, 14
FONTS = "ui-monospace, 'DejaVu Sans Mono', 'SF Mono', Menlo, Consolas, monospace"
NO_BREAK = "\u00a0"  # spaces in a row are drawn as one, unless they are these
LIGHTS = ("#ec6a5e", "#f4bf4f", "#61c554")


@dataclass(frozen=True, slots=True)
class Shot:
    """A screen at one moment; `title` stands above it."""

    title: str
    rows: tuple[tuple[Cell, ...], ...]
    looks: dict[int, dict[str, Any]]
    colors: tuple[int, int, int]


def shot(title: str, screen: Screen) -> Shot:
    """The screen as it is now."""
    return Shot(title, tuple(map(tuple, screen.rows)), dict(screen.looks), screen.colors)


def picture(shots: Sequence[Shot], label: str) -> str:
    """The screens one above the other; `label` says what they show to those who do not see them."""
    parts: list[str] = []
    top = float(MARGIN)
    for each in shots:
        parts += _window(each, top)
        top += _height(each) + GAP
    width = max(len(each.rows[0]) for each in shots) * CELL_WIDTH + 4 * MARGIN
    height = top - GAP + MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" font-family="{FONTS}" font-size="{FONT_SIZE}">'
    )
    return "\n".join([head, f"<title>{escape(label)}</title>", *parts, "</svg>", ""])


def _height(each: Shot) -> float:
    return BAR_HEIGHT + len(each.rows) * CELL_HEIGHT + MARGIN


def _window(each: Shot, top: float) -> Iterator[str]:
    """The frame with its title, and the screen in it."""
    width, height = len(each.rows[0]) * CELL_WIDTH + 2 * MARGIN, _height(each)
    background = _hex(each.colors[1])
    yield f'<g transform="translate({MARGIN} {top:g})">'
    yield f'<rect width="{width:g}" height="{height:g}" rx="9" fill="{background}" stroke="#8884"/>'
    for at, color in enumerate(LIGHTS):
        yield f'<circle cx="{20 + 18 * at}" cy="{BAR_HEIGHT / 2:g}" r="5.5" fill="{color}"/>'
    yield (
        f'<text x="{width / 2:g}" y="{BAR_HEIGHT / 2 + 5:g}" text-anchor="middle" fill="#9b9ea4" '
        f'font-family="system-ui, sans-serif" font-size="13">{escape(each.title)}</text>'
    )
    yield f'<g transform="translate({MARGIN} {BAR_HEIGHT})">'
    for line0, row in enumerate(each.rows):
        yield from _row(row, line0 * CELL_HEIGHT, each)
    yield "</g>"
    yield "</g>"


def _row(row: Sequence[Cell], y: float, each: Shot) -> Iterator[str]:
    column = 0
    for number, cells in groupby(row, key=lambda cell: cell.look):
        run = list(cells)
        yield from _run("".join(cell.text for cell in run), column, len(run), y, each.looks.get(number, {}), each)
        column += len(run)


def _run(text: str, column: int, columns: int, y: float, look: dict[str, Any], each: Shot) -> Iterator[str]:
    """Cells of one look: their background, their text stretched to the cells that it has, the line below it."""
    foreground, background = look.get("foreground", each.colors[0]), look.get("background", each.colors[1])
    if look.get("reverse"):
        foreground, background = background, foreground
    x, width = column * CELL_WIDTH, columns * CELL_WIDTH
    if background != each.colors[1]:
        yield f'<rect x="{x:.1f}" y="{y:g}" width="{width:.1f}" height="{CELL_HEIGHT}" fill="{_hex(background)}"/>'
    underlined = any(look.get(kind) for kind in ("underline", "undercurl", "underdouble", "underdotted", "underdashed"))
    if underlined and text.strip():
        color, below = _hex(look.get("special", foreground)), y + CELL_HEIGHT - 2.5
        yield f'<path d="M{x:.1f} {below:g}h{width:.1f}" stroke="{color}" stroke-width="1.2"/>'
    stripped = text.strip()
    if not stripped:
        return
    before = len(text) - len(text.lstrip())
    style = ' font-weight="bold"' * bool(look.get("bold")) + ' font-style="italic"' * bool(look.get("italic"))
    at, room = x + before * CELL_WIDTH, (columns - (len(text) - len(stripped))) * CELL_WIDTH
    yield (
        f'<text x="{at:.1f}" y="{y + FONT_SIZE:g}" fill="{_hex(foreground)}"{style} textLength="{room:.1f}" '
        f'lengthAdjust="spacingAndGlyphs">{escape(stripped).replace(" ", NO_BREAK)}</text>'
    )


def _hex(color: int) -> str:
    return f"#{color:06x}"
