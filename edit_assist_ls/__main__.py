"""`python -m edit_assist_ls`: the same as the command `edit-assist-ls`."""

import sys

from edit_assist_ls.cli import main

if __name__ == "__main__":
    sys.exit(main())
