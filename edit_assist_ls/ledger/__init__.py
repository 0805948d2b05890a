"""The ledger: what calls came to, shared by all server processes of a user, and where its file lies."""

import os
from pathlib import Path

from edit_assist_ls.ledger.ledger import Ledger
from edit_assist_ls.ledger.records import CallRecord, EditRecord, PlaceRecord, State

__all__ = ["CallRecord", "EditRecord", "Ledger", "PlaceRecord", "State", "default_folder"]


def default_folder() -> Path | None:
    """The folder of the user's state where the ledger lies; None where the system has none."""
    from platformdirs import user_state_dir

    folder = Path(user_state_dir("edit-assist-ls", appauthor=False))
    return folder if folder.is_absolute() and os.name == "posix" else None
