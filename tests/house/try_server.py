"""Is what is installed a working server? `python -P try_server.py COMMAND…` with the interpreter of that installation.

Plays a start, one corrected edit call and an orderly end over stdio, in a folder of its own; exits with 0 if all of it
was as it should be.
"""

import os
import sys
import tempfile
from pathlib import Path

import edit_assist_ls
from edit_assist_ls.cli_client import Client

FILE = "def area(side):\n    if side < 0:\n        raise ValueError(side)\n    return side * side\n"
AS_WRITTEN = {
    "oldText": "\tif side < 0:\n\t\traise ValueError(side)",
    "newText": "\tif side <= 0:\n\t\traise ValueError(side)",
}
AS_SENT = {
    "oldText": "    if side < 0:\n        raise ValueError(side)",
    "newText": "    if side <= 0:\n        raise ValueError(side)",
}


def main(command: list[str]) -> int:
    """Plays the call; the exit status."""
    package = Path(edit_assist_ls.__file__).resolve().parent
    assert package.is_relative_to(Path(sys.prefix).resolve()), f"{package} is not in {sys.prefix}"
    assert (package / "py.typed").is_file(), "the package carries no py.typed"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "area.py").write_text(FILE)
        environment = {**os.environ, "PI_CODING_AGENT_DIR": folder, "XDG_STATE_HOME": folder}
        client = Client(command, Path(folder), environment)
        assert client.server["serverInfo"]["version"] == edit_assist_ls.__version__, client.server
        call = {"host": "pi", "sessionId": "s", "toolCallId": "c", "toolName": "edit", "cwd": folder}
        answer = client.ask("editAssist/toolCall", {**call, "input": {"path": "area.py", "edits": [AS_WRITTEN]}})
        assert answer["input"]["edits"] == [AS_SENT], answer
        status = client.stop()
        assert status == 0, f"exit status {status}"
    print(f"{' '.join(command)}: a working server, version {edit_assist_ls.__version__}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
