"""`editAssist/beforeAgentStart`: a run begins; the prompt rule while the edit tool is active."""

from edit_assist_ls import session
from edit_assist_ls.server.hooks import Hook, origin_of
from edit_assist_ls.server.wire import BeforeAgentStartParams, BeforeAgentStartResult


def handle(memory: session.Memory, params: BeforeAgentStartParams) -> BeforeAgentStartResult:
    """Both fields or neither."""
    prompt = session.before_agent_start(memory, origin_of(params), params.system_prompt, params.active_tools)
    if prompt is None:
        return BeforeAgentStartResult()
    return BeforeAgentStartResult(system_prompt=prompt.system_prompt, rule=prompt.rule)


HOOK = Hook("editAssist/beforeAgentStart", BeforeAgentStartParams, handle, unchanged=BeforeAgentStartResult())
