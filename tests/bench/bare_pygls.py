"""The least that pygls does: a server with one request. What our server's start is measured against."""

from pygls.lsp.server import LanguageServer


def main() -> None:
    """Serves on standard input and output until the client ends it."""
    server = LanguageServer("bare", "1")

    @server.feature("editAssist/toolCall")
    def tool_call(params: object) -> object:
        return params

    server.start_io()


if __name__ == "__main__":
    main()
