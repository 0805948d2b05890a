"""`make pictures` draws `docs/images/demo.svg`: what `edit-assist-ls demo` prints of its first calls, in colour.

Needs rich, which is no dependency of the project: `make pictures` keeps it in an environment of its own.
"""

import io
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "images" / "demo.svg"
COLUMNS = 124
SCENES = 2
# No web fonts: the picture loads nothing from anywhere.
FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img"
     aria-label="What edit-assist-ls demo prints: one edit call that is corrected, and one that is diagnosed">
  <style>
    .{unique_id}-matrix {{
      font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
      font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width;
    }}
    {styles}
  </style>
  <defs>
    <clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}" /></clipPath>
    {lines}
  </defs>
  <rect width="{width}" height="{height}" rx="8" fill="#16181d" />
  <g transform="translate({terminal_x}, 24)" clip-path="url(#{unique_id}-clip-terminal)">
    {backgrounds}
    <g class="{unique_id}-matrix">
    {matrix}
    </g>
  </g>
</svg>
"""


def main(program: str) -> None:
    """Runs `program demo` and writes the picture."""
    theme = import_module("rich.terminal_theme").TerminalTheme(
        background=(22, 24, 29),
        foreground=(216, 219, 226),
        normal=[
            (22, 24, 29),
            (242, 119, 122),
            (140, 200, 120),
            (229, 192, 104),
            (110, 168, 240),
            (200, 140, 220),
            (98, 190, 200),
            (216, 219, 226),
        ],
    )
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS)}
    done = subprocess.run([program, "demo"], env=environment, capture_output=True, text=True, check=True)
    console = import_module("rich.console").Console(
        record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    scenes = re.split(r"^(?=(?:\x1b\[\d+m)*\d+\. )", done.stdout, flags=re.MULTILINE)[1:]
    assert len(scenes) == 4, "the demo prints four numbered scenes"
    console.print(
        import_module("rich.text").Text.from_ansi("$ edit-assist-ls demo\n\n" + "".join(scenes[:SCENES]).rstrip())
    )
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(console.export_svg(title="", theme=theme, code_format=FRAME, unique_id="demo"), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
