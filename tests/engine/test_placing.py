"""Where blocks of lines stand now: against a slow reference, and what must hold whatever the file became."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from edit_assist_ls.engine import placing
from edit_assist_ls.engine.builtin import Applied, Edit, apply
from edit_assist_ls.engine.placing import Block, block_of, follow, landing_lines, stands_at
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from tests.engine import texts

lines = st.lists(st.sampled_from(["a", "b", "", " a", "\x0c", "a\u2028b", "😀"]), max_size=9)
endings = st.sampled_from(["\n", "\r\n", "\r"])


@st.composite
def files(draw: st.DrawFn) -> Text:
    text = "".join(line + draw(endings) for line in draw(lines))
    return Text.of(text + draw(st.sampled_from(["", "a", "b"])))


@st.composite
def seen(draw: st.DrawFn, file: Text) -> list[Block]:
    """Blocks of a file, none inside another, as places of one edit are."""
    blocks: list[Block] = []
    line0 = 0
    while line0 < len(file.lines) and len(blocks) < 4:
        line0 += draw(st.integers(0, 2))
        height = draw(st.integers(1, 2))
        if line0 + height <= len(file.lines):
            blocks.append(block_of(file, line0, line0 + height - 1))
        line0 += height
    return blocks


@given(files(), lines.filter(bool))
def test_stands_at_is_every_slice_that_is_equal(file: Text, wanted: list[str]) -> None:
    slow = [at for at in range(len(file.lines)) if file.lines[at : at + len(wanted)] == wanted]
    assert stands_at(file, wanted) == slow


def reference_follow(file: Text, blocks: Sequence[Block]) -> list[int | None]:
    """The rule, block by block: as many places as blocks are theirs in order; else who knows both neighbours goes
    first, then who knows one (the only such place, or the old one), then who has not moved."""
    found: list[int | None] = [None] * len(blocks)
    for group in {block.lines for block in blocks}:
        mine = [index for index, block in enumerate(blocks) if block.lines == group]
        free = [at for at in range(len(file.lines)) if tuple(file.lines[at : at + len(group)]) == group]
        if len(free) == len(mine):
            for index, at in zip(sorted(mine, key=lambda index: blocks[index].line0), free, strict=True):
                found[index] = at
            continue
        for round_number in range(3):
            for index in mine:
                if found[index] is not None:
                    continue
                block = blocks[index]
                alike = {at: _alike(file, block, at) for at in free}
                both = [at for at in free if alike[at] == 2]
                one = [at for at in free if alike[at] == 1]
                if round_number == 0 and both:
                    found[index] = sorted(both, key=lambda at: (abs(at - block.line0), at))[0]
                elif round_number == 1 and (len(one) == 1 or block.line0 in one):
                    found[index] = one[0] if len(one) == 1 else block.line0
                elif round_number == 2 and block.line0 in free:
                    found[index] = block.line0
                if found[index] is not None:
                    free.remove(found[index])  # type: ignore[arg-type]
    return found


def _alike(file: Text, block: Block, at: int) -> int:
    framed = [None, *file.lines, None]
    return (framed[at] == block.above) + (framed[at + len(block.lines) + 1] == block.below)


@given(st.data())
def test_follow_is_the_rule_as_written(data: st.DataObject) -> None:
    before, after = data.draw(files()), data.draw(files())
    blocks = data.draw(seen(before))
    assert list(follow(after, blocks)) == reference_follow(after, blocks)


@given(st.data())
def test_a_place_is_one_blocks_and_reads_as_the_block_did(data: st.DataObject) -> None:
    before, after = data.draw(files()), data.draw(files())
    blocks = data.draw(seen(before))
    found = follow(after, blocks)
    for block, at in zip(blocks, found, strict=True):
        assert at is None or tuple(after.lines[at : at + len(block.lines)]) == block.lines
        assert at is not None or not blocks or len(stands_at(after, block.lines)) != 1 or len(blocks) > 1
    taken = [(block.lines, at) for block, at in zip(blocks, found, strict=True) if at is not None]
    assert len(taken) == len(set(taken))


@given(st.data())
def test_blocks_stay_where_they_are_in_a_file_that_stays(data: st.DataObject) -> None:
    file = data.draw(files())
    blocks = data.draw(seen(file))
    assert list(follow(file, blocks)) == [block.line0 for block in blocks]


@given(st.data(), lines)
def test_blocks_move_with_what_comes_before_them(data: st.DataObject, above: list[str]) -> None:
    file = data.draw(files())
    blocks = [block for block in data.draw(seen(file)) if stands_at(file, block.lines) == [block.line0]]
    moved = Text("".join(f"{line}\n" for line in above) + file.lf)
    for block, at in zip(blocks, follow(moved, blocks), strict=True):
        if len(stands_at(moved, block.lines)) == 1:
            assert at == block.line0 + len(above)


def test_a_block_that_was_changed_is_gone_though_its_like_stands_elsewhere() -> None:
    before = Text("a\nx\nb\nx\nc\nx\nd\n")
    blocks = [block_of(before, line0, line0) for line0 in (1, 3, 5)]
    assert follow(Text("a\nx\nb\ny\nc\nx\nd\n"), blocks) == (1, None, 5)
    assert follow(Text("new\na\nx\nb\ny\nc\nx\nd\n"), blocks) == (2, None, 6)
    assert follow(Text("a\ny\nb\nx\nc\ny\nd\n"), blocks) == (None, 3, None)


def test_many_places_are_bounded() -> None:
    file = Text("x\n" * (placing.MOST_PLACES * 3))
    assert stands_at(file, ["x"]) == list(range(placing.MOST_PLACES))
    assert follow(file, [Block(5, ("x",), "x", "x")]) == (5,)


@given(texts.code_calls(4))
def test_landing_lines_hold_the_new_texts(call: tuple[str, tuple[Edit, ...]]) -> None:
    file, edits = call
    before = Text.of(file)
    outcome = apply(before, edits, Work())
    if not isinstance(outcome, Applied):
        return
    after = outcome.text.lines
    for edit, at in zip(edits, landing_lines(before, edits), strict=True):
        if at is None:
            continue
        new = edit.new_text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
        assert new in "\n".join(after[at[0] - 1 : at[1]])
