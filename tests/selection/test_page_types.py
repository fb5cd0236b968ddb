"""What a page may be."""

from __future__ import annotations

import pytest

from ncfilters.selection.page_types import is_list, may_be_article


@pytest.mark.parametrize(
    ("types", "article", "listed"),
    [
        ({"article": 0.7, "listing": 0.2, "forum": 0.1}, True, False),
        ({"article": 0.5, "listing": 0.2, "collection": 0.2, "forum": 0.1}, True, True),
        ({"article": 0.4, "forum": 0.6}, False, False),
        ({}, True, False),
    ],
)
def test_types(types: dict[str, float], article: bool, listed: bool) -> None:
    page = {"odds": 5.0, "types": types}
    assert (may_be_article(page), is_list(page)) == (article, listed)


def test_a_page_without_types() -> None:
    assert may_be_article({"odds": 5.0}) and not is_list({"odds": 5.0})
