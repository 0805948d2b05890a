"""The edit health report: what the session files of an agent host say about how its editing goes.

`survey` reads session files into counts, `summary` makes figures of the counts, and `plain` and `page` show them.
Nothing here writes to a session file or to the workspace.
"""
