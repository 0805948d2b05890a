"""The guards by name: what the settings switch on and off."""

from typing import Literal, get_args

Guard = Literal["utf8", "twins", "null", "placeholder", "gluedLines", "mixedEndings", "indentation", "repeated"]
GUARDS: tuple[Guard, ...] = get_args(Guard)
"""Every guard; the first three refuse a call, the others remark on one that landed."""
