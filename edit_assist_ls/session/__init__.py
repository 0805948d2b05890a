"""One agent session's memory, and what each hook answers.

Every function here takes what a hook was asked and gives a value; "unchanged" is None, or no corrections.
Nothing raises because of what a model sent. All memory is bounded; what is forgotten is answered "unchanged".
"""

from edit_assist_ls.session.beginning import Prompt, before_agent_start, session_shutdown, session_start
from edit_assist_ls.session.calls import Verdict, tool_call
from edit_assist_ls.session.editing import Outcome, edit_strictly
from edit_assist_ls.session.memory import Call, Memory, Origin
from edit_assist_ls.session.preparing import prepare_arguments
from edit_assist_ls.session.results import message_end, tool_result

__all__ = [
    "Call",
    "Memory",
    "Origin",
    "Outcome",
    "Prompt",
    "Verdict",
    "before_agent_start",
    "edit_strictly",
    "message_end",
    "prepare_arguments",
    "session_shutdown",
    "session_start",
    "tool_call",
    "tool_result",
]
