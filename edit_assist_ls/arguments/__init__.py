"""Arguments of the edit tool as models send them by mistake, folded onto the host's own shape before it validates.

What can mean one thing alone is folded, and said in a note; what could mean two, or was cut off, is left as it is and
refused in one sentence. Nothing is ever guessed or completed.
"""

from edit_assist_ls.arguments.prepare import Prepared, prepare

__all__ = ["Prepared", "prepare"]
