"""How a session begins and ends, and the rule that its agent is given."""

from collections.abc import Sequence
from dataclasses import dataclass

from edit_assist_ls.engine import messages
from edit_assist_ls.hosts import HOSTS
from edit_assist_ls.session import recording
from edit_assist_ls.session.memory import Memory, Origin
from edit_assist_ls.settings import Problems, Settings


@dataclass(frozen=True, slots=True)
class Prompt:
    """The system prompt with the rule appended, and the rule alone."""

    system_prompt: str
    rule: str


def session_start(
    memory: Memory, origin: Origin, *, project_trusted: bool, process_id: int | None = None
) -> tuple[Settings, Problems]:
    """A session begins, or begins anew: its effective settings and each problem with them in one sentence.

    `process_id` is the host's: with that process the session ends, where nobody says so before.
    """
    host = HOSTS.get(origin.host)
    if host is None:
        return memory.settings.resolve((), "")
    memory.sessions.pop((origin.host, origin.session_id), None)
    memory.session(origin).trusted = project_trusted
    settings, problems = memory.settings_for(host, origin)
    recording.begin(memory, origin, settings, process_id)
    return settings, problems


def session_shutdown(memory: Memory, host: str, session_id: str | None) -> None:
    """Forget the session's state, and let people know that it has ended."""
    if (host, session_id) in memory.sessions:
        recording.end(memory, Origin(host, session_id, cwd=""))
    memory.sessions.pop((host, session_id), None)


def before_agent_start(
    memory: Memory, origin: Origin, system_prompt: str, active_tools: Sequence[str]
) -> Prompt | None:
    """The prompt with the rule, once, while the edit tool is active."""
    host = HOSTS.get(origin.host)
    if host is None or host.edit_tool not in active_tools or messages.RULE in system_prompt:
        return None
    if not memory.settings_for(host, origin)[0].enabled:
        return None
    prompt = f"{system_prompt}\n\n{messages.RULE}" if system_prompt else messages.RULE
    return Prompt(prompt, messages.RULE)
