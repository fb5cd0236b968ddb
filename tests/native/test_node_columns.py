from selectolax.lexbor import LexborHTMLParser

from ncfilters.native.node_columns import columns_of_nodes


def test_parents_and_ends() -> None:
    root = LexborHTMLParser("<p>One<p>Two").body
    assert root is not None
    columns = columns_of_nodes(list(root.traverse(include_text=True)))
    assert columns[1:4] == ([-1, 0, 1, 0, 3], [-1, -1, -1, 1, -1], [5, 3, 3, 5, 5])
