"""For every test: no settings but its own, and no write in a workspace by our code, ever."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

import edit_assist_ls
from tests.house.audit import sitecustomize as write_audit

CHECKOUT = Path(__file__).resolve().parents[1]
PACKAGE = str(Path(edit_assist_ls.__file__).parent) + os.sep


def _is_ours(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith(PACKAGE):
            return True
        frame = frame.f_back
    return False


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-fixtures",
        action="store_true",
        default=False,
        help="write what the engine says into fixtures; then read the diff, each line of it",
    )


@pytest.fixture
def update_fixtures(request: pytest.FixtureRequest) -> bool:
    """Whether what comes out is to be written where what must come out stands."""
    return bool(request.config.getoption("--update-fixtures"))


def pytest_configure() -> None:
    record, name = tempfile.mkstemp(prefix="edit-assist-audit-")
    os.close(record)
    os.environ[write_audit.RECORD] = name
    os.environ[write_audit.ROOTS] = str(CHECKOUT)
    folders = [str(Path(write_audit.__file__).parent), str(CHECKOUT), os.environ.get("PYTHONPATH")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, folders))
    # One state folder for the run, in no workspace: threads of a ledger may outlive the test that opened it.
    os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="edit-assist-state-")
    write_audit.install(counts=_is_ours, ends=False)


def pytest_unconfigure() -> None:
    Path(os.environ[write_audit.RECORD]).unlink(missing_ok=True)
    shutil.rmtree(os.environ["XDG_STATE_HOME"], ignore_errors=True)


@pytest.fixture(autouse=True)
def _house(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Settings and state of nobody but the test, and the workspace rule; a test that breaks it fails."""
    base = tmp_path_factory.getbasetemp().resolve()
    monkeypatch.setenv(write_audit.ROOTS, os.pathsep.join([str(CHECKOUT), str(base)]))
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(base / "no-agent-folder"))
    before = len(write_audit.recorded())
    yield
    broken = write_audit.recorded()[before:]
    assert not broken, f"edit-assist-ls wrote in a workspace: {broken}"


@pytest.fixture
def may_write(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """`may_write(folder)`: our code may write there in this test (a log, a report that was asked for)."""

    def allow(folder: Path) -> None:
        allowed = [*filter(None, [os.environ.get(write_audit.ALLOWED)]), str(folder.resolve())]
        monkeypatch.setenv(write_audit.ALLOWED, os.pathsep.join(allowed))

    return allow
