"""Lists and quotes in the paths of segments."""

from __future__ import annotations

import pytest

from ncfilters.page.blocks.dom_path import ELLIPSIS
from ncfilters.selection.forms.list_paths import holders, is_below, item_paths, list_count


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/body/ol/li/p", ("/body/ol/li", "/body/ol")),
        ("/body/ul/li/ol/li/b", ("/body/ul/li/ol/li", "/body/ul/li/ol")),
        ("/body/p", ("", "")),
    ],
)
def test_item_paths(path: str, expected: tuple[str, str]) -> None:
    assert item_paths(path) == expected


@pytest.mark.parametrize(
    ("path", "quotes", "depth", "expected"),
    [
        ("/body/p", None, 0, []),
        ("/body/ul/li/ul/li", None, 2, [1, 2]),
        ("/body/blockquote/ul/li", 1, 1, [None, 1]),
        ("/body/ul/li/blockquote/p", 1, 1, [1, None]),
        ("/body/ul/li/blockquote/p", 0, 1, [1]),
        ("/body/p", 1, 2, [None, 1, 2]),  # the path is shortened
    ],
)
def test_holders(path: str, quotes: int | None, depth: int, expected: list[int | None]) -> None:
    assert list(holders(path, quotes, depth)) == expected


@pytest.mark.parametrize(("path", "count"), [("/body/ul/li/ol/li", 2), ("/body/p", 0), ("", 0)])
def test_list_count(path: str, count: int) -> None:
    assert list_count(path) == count


@pytest.mark.parametrize(
    ("path", "list_path", "expected"),
    [
        ("/body/ul/li", "/body/ul", True),
        ("/body/ul", "/body/ul", True),
        ("/body/ul[2]", "/body/ul", False),
        (f"/a{ELLIPSIS}/div/ul", f"/b{ELLIPSIS}/ul", True),
        (f"/a{ELLIPSIS}/div/ol", f"/b{ELLIPSIS}/ul", False),
    ],
)
def test_is_below(path: str, list_path: str, expected: bool) -> None:
    assert is_below(path, list_path) is expected
