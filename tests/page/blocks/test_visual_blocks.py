"""Visual blocks of a page, as records and as a table."""

from __future__ import annotations

import pytest

from ncfilters.native.page_table import table_of
from ncfilters.page.blocks.open_elements import Holder
from ncfilters.page.blocks.visual_blocks import block_table, blocks
from ncfilters.page.tree.html_parser import parse_html

PAGE = "<p>One <b>two</b><p>three<script>4</script><template>5</template>"


def test_blocks_of_a_tree_and_of_a_table() -> None:
    tree = parse_html(PAGE)
    assert tree.root is not None
    assert [block["text"] for block in blocks(tree)] == block_table(table_of(tree.root)).text == ["One two", "three"]


def test_elements_that_may_hold_content_are_found() -> None:
    holders: list[Holder] = []
    block_table(parse_html(PAGE), holders)
    assert [(position, path, node.tag, node.text()) for position, path, node in holders] == [
        (2, "", "script", "4"),
        (2, "body/p", "template", ""),
    ]
    assert holders[1].node.html == "<template>5</template>"


def test_there_are_at_most_so_many_blocks() -> None:
    assert len(blocks(parse_html(PAGE), None, 2)) == 2
    with pytest.raises(OverflowError, match="blocks"):
        blocks(parse_html(PAGE), None, 1)


def test_pages_whose_body_a_frameset_replaces_are_empty() -> None:
    assert blocks(parse_html("<section><frameset><frame></frameset>")) == []
