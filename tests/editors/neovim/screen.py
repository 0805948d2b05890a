"""Neovim's screen, from the events by which it tells a user interface what to draw."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Cell:
    """A character on the screen (empty: the second half of a wide one) and the number of its look."""

    text: str = " "
    look: int = 0


@dataclass(slots=True)
class Screen:
    """`rows` of cells; `looks` by number, `colors` the default foreground, background and special colour."""

    rows: list[list[Cell]] = field(default_factory=list)
    looks: dict[int, dict[str, Any]] = field(default_factory=dict)
    colors: tuple[int, int, int] = (0, 0xFFFFFF, 0xFF0000)
    cursor: tuple[int, int] = (0, 0)

    def lines(self) -> list[str]:
        """What stands there, line by line, without the spaces at the ends."""
        return ["".join(cell.text for cell in row).rstrip() for row in self.rows]

    def draw(self, events: Sequence[Sequence[Any]]) -> None:
        """Takes the events of one batch."""
        for name, *calls in events:
            for arguments in calls:
                self._event(name, arguments)

    def _event(self, name: str, arguments: Sequence[Any]) -> None:
        match name, arguments:
            case "grid_resize", [_, width, height]:
                self.rows = [[Cell() for _ in range(width)] for _ in range(height)]
            case "grid_clear", [_]:
                self.rows = [[Cell() for _ in row] for row in self.rows]
            case "grid_line", [_, row, column, cells, *_]:
                for at, cell in enumerate(_spread(cells), column):
                    self.rows[row][at] = cell
            case "grid_scroll", [_, top, bottom, left, right, by, _]:
                self._scroll(top, bottom, left, right, by)
            case "grid_cursor_goto", [_, row, column]:
                self.cursor = (row, column)
            case "hl_attr_define", [number, look, *_]:
                self.looks[number] = look
            case "default_colors_set", [foreground, background, special, *_]:
                self.colors = (foreground, background, special)

    def _scroll(self, top: int, bottom: int, left: int, right: int, by: int) -> None:
        order = range(top, bottom - by) if by > 0 else range(bottom - 1, top - by - 1, -1)
        for row in order:
            self.rows[row][left:right] = self.rows[row + by][left:right]


def _spread(cells: Sequence[Sequence[Any]]) -> Iterator[Cell]:
    """Cells one by one: a look that is left out is that of the cell before, and a cell may say how often it comes."""
    look = 0
    for text, *rest in cells:
        look = rest[0] if rest else look
        for _ in range(rest[1] if len(rest) > 1 else 1):
            yield Cell(text, look)
