"""The work limit that every search of one call draws on.

Work is counted in characters looked at, so that the same call on the same text always ends the same way: a
clock would make the engine's answers depend on the machine's mood. The limit is set so that a call is answered
well within 250 ms on an ordinary machine.
"""

DEFAULT_LIMIT = 80_000_000


class Work:
    """What is left to spend on one call: the only mutable value of the engine.

    Each search says beforehand what it will cost; `spend` answers whether that is still to be had. A search that
    is refused returns what its own docstring says about giving up. Once refused, a counter stays empty, so that
    one call cannot have its large edits skipped and its small ones searched at random.
    """

    __slots__ = ("left",)

    def __init__(self, limit: int = DEFAULT_LIMIT) -> None:
        self.left = limit

    def spend(self, characters: int) -> bool:
        """True where `characters` more may be looked at; they are then spent."""
        if characters > self.left:
            self.left = 0
            return False
        self.left -= characters
        return True

    @property
    def spent_up(self) -> bool:
        """True once a search has been refused (or the limit was met to the character)."""
        return self.left <= 0
