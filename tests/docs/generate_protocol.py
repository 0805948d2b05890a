"""`python -m tests.docs.generate_protocol`: rewrites the generated sections of `docs/protocol.md`."""

from tests.docs import example_session, wire_shapes
from tests.docs.marked import CHECKOUT, rewritten

DOCUMENT = CHECKOUT / "docs" / "protocol.md"


def sections() -> dict[str, str]:
    """The generated sections by name; plays the worked example for it."""
    return {
        "types": f"```typescript\n{wire_shapes.typescript()}\n```",
        "schema": f"```json\n{wire_shapes.schema_text()}\n```",
        "session": example_session.markdown(example_session.play()),
    }


def main() -> None:
    """Writes the document where it changes."""
    before = DOCUMENT.read_text("utf-8")
    after = rewritten(before, sections())
    if after != before:
        DOCUMENT.write_text(after, "utf-8")
    print(f"{DOCUMENT.relative_to(CHECKOUT)}: {'rewritten' if after != before else 'up to date'}")


if __name__ == "__main__":
    main()
