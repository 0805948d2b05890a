"""The reader of MessagePack against an encoder that others wrote."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.editors.neovim.messagepack import iter_take, read

ATOMS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=300)
    | st.binary(max_size=300)
)
VALUES = st.recursive(ATOMS, lambda some: st.lists(some, max_size=20) | st.dictionaries(st.text(), some, max_size=20))


@given(st.lists(VALUES, min_size=1, max_size=3))
def test_values_come_back_one_after_another(values: list[Any]) -> None:
    take = iter_take(b"".join(map(msgspec.msgpack.encode, values)))
    assert [read(take) for _ in values] == values
    with pytest.raises(EOFError):
        read(take)


@pytest.mark.parametrize("size", [31, 32, 255, 256, 65_535, 65_536])
def test_every_form_of_length(size: int) -> None:
    for value in ("x" * size, b"x" * size, [1] * size, dict.fromkeys(range(size), 1)):
        assert read(iter_take(msgspec.msgpack.encode(value))) == value


@pytest.mark.parametrize("handle", [1, 127, 128, 70_000])
def test_a_handle_is_its_number(handle: int) -> None:
    data = msgspec.msgpack.encode(handle)
    assert read(iter_take(msgspec.msgpack.encode(msgspec.msgpack.Ext(1, data)))) == handle


def test_what_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="0xc1"):
        read(iter_take(b"\xc1"))
