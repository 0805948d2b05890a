"""README and invariant 10: nothing leaves the machine."""

import ast
from pathlib import Path

import pytest

from edit_assist_ls.server import app
from tests.house.package import FOLDER, module_files

NETWORK = {"aiohttp", "asyncio", "ftplib", "http", "httpx", "requests", "smtplib", "socket", "ssl", "urllib", "urllib3"}
MAY_USE = {
    "arguments/paths.py": {"urllib"},
    "hosts/pi.py": {"urllib"},  # to take file URLs apart
    "ledger/processes.py": {"socket"},  # the machine's name
    "server/board.py": {"asyncio"},
    "server/documents.py": {"urllib"},
    "server/scope.py": {"urllib"},
    "server/unsaved.py": {"asyncio"},
    "server/watching.py": {"asyncio"},
    "server/app.py": {"socket"},
    "server/transport.py": {"asyncio"},
}
CONNECTING = {
    "connect",
    "connect_ex",
    "create_connection",
    "create_datagram_endpoint",
    "create_unix_connection",
    "open_connection",
    "sendto",
    "urlopen",
}


def _network_modules(tree: ast.AST) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names} & NETWORK


def _connections(tree: ast.AST) -> set[str]:
    names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    names -= {"connect"} & {  # a file of SQLite is no connection to anywhere
        call.func.attr
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and ast.unparse(call.func) in ("sqlite3.connect", "store.connect")
    }
    return (names | {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}) & CONNECTING


@pytest.mark.parametrize("file", module_files().values(), ids=lambda file: str(file.relative_to(FOLDER)))
def test_no_module_can_open_a_connection(file: Path) -> None:
    tree = ast.parse(file.read_bytes())
    assert _network_modules(tree) <= MAY_USE.get(str(file.relative_to(FOLDER)), set())
    assert not _connections(tree)


def test_a_connection_would_be_seen() -> None:
    tree = ast.parse("def f():\n    import urllib.request\n    return urllib.request.urlopen('x')")
    assert _network_modules(tree) == {"urllib"}
    assert _connections(tree) == {"urlopen"}


def test_the_server_listens_on_the_loopback_interface_alone() -> None:
    tree = ast.parse(Path(app.__file__).read_bytes())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    listening = [call for call in calls if ast.unparse(call.func) in ("socket.create_server", "socket.socket")]
    assert [ast.unparse(call.args[0]) for call in listening] == ["(LOOPBACK, port)"]
    assert app.LOOPBACK == "127.0.0.1"
