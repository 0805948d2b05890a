"""One module a request or notification."""
