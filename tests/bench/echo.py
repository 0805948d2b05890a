"""A bare echo over the LSP's framing on standard input and output: what a round trip is measured in."""

import json
import sys


def main() -> None:
    """Answers each request with its own params until the input ends."""
    read, write = sys.stdin.buffer, sys.stdout.buffer
    while True:
        size = 0
        while (line := read.readline()) != b"\r\n":
            if not line:
                return
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                size = int(value)
        message = json.loads(read.read(size))
        if "id" in message:
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": message["params"]}
            body = json.dumps(answer).encode()
            write.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            write.flush()


if __name__ == "__main__":
    main()
