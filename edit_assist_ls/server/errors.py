"""The error codes of JSON-RPC and LSP that we answer with, and the exception for params of the wrong shape."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
NOT_INITIALIZED = -32002
CANCELLED = -32800
REQUEST_FAILED = -32803


class InvalidParamsError(Exception):
    """Params of the wrong shape; the message names the field."""


class RequestFailedError(Exception):
    """What was asked for can no longer be done; the message says why, and what to do."""
