"""How a client that can do nothing is greeted: an agent host, which sends hooks and no other LSP."""

from typing import Any

from edit_assist_ls import __version__

PROTOCOL_VERSION = 1
EXPERIMENTAL = {"editAssist": {"protocol": PROTOCOL_VERSION}}

DISMISS, APPLIED, DIFFERENCE = "editAssist.dismiss", "editAssist.applied", "editAssist.difference"
"""The commands that quick fixes carry."""

GREETING: dict[str, Any] = {
    "capabilities": {
        "positionEncoding": "utf-16",
        "textDocumentSync": {"openClose": True, "change": 1, "save": True},
        "codeActionProvider": {"codeActionKinds": ["quickfix"], "resolveProvider": True},
        "executeCommandProvider": {"commands": [DISMISS, APPLIED, DIFFERENCE]},
        "workspace": {
            "workspaceFolders": {"supported": True, "changeNotifications": True},
            "fileOperations": {},
        },
        "experimental": EXPERIMENTAL,
    },
    "serverInfo": {"name": "edit-assist-ls", "version": __version__},
}
"""What `initialize` answers a client that can do nothing: a test holds it to what pygls would answer."""

_PLAIN: dict[str, tuple[type, ...]] = {
    "processId": (int, type(None)),
    "clientInfo": (dict, type(None)),
    "locale": (str, type(None)),
    "rootPath": (str, type(None)),
    "rootUri": (str, type(None)),
    "workspaceFolders": (list, type(None)),
    "capabilities": (dict,),
    "initializationOptions": (object,),
}


def can_do_nothing(params: object) -> bool:
    """Whether the params of `initialize` are well-formed, and those of a client with no capabilities at all."""
    return (
        isinstance(params, dict)
        and params.get("capabilities") == {}
        and all(isinstance(value, _PLAIN.get(name, ())) for name, value in params.items())
        and all(isinstance(folder, dict) for folder in params.get("workspaceFolders") or ())
        and not isinstance(params.get("processId"), bool)
    )
