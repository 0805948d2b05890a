"""What people see of a call in the ledger: where its failing edits stand in a text now, and what they would make of it.

Functions of a `CallRecord` and a `Text`; the server brings both, and makes LSP of the answers.
"""
