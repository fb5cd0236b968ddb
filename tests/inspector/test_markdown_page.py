"""Markdown as a page."""

from __future__ import annotations

import pytest

pytest.importorskip("markdown_it", reason="markdown-it-py, of the extra web, is not installed")

from ncfilters.inspector.markdown_page import markdown_page


def test_markdown_is_rendered() -> None:
    page = markdown_page("# Rain\n\nIt *rained*.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", "p { color: red }")
    assert "<h1>Rain</h1>" in page and "<em>rained</em>" in page and "<td>1</td>" in page
    assert "<style>p { color: red }</style>" in page


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "[a](javascript:alert(1))", "<img src=x onerror=alert(1)>"]
)
def test_nothing_in_it_is_active(text: str) -> None:
    page = markdown_page(text, "")
    assert "<script" not in page and "<img" not in page and 'href="javascript' not in page


def test_images_are_their_alternative_text() -> None:
    assert "A boat" in markdown_page("![A boat](http://a.example/boat.png)", "")
    assert "boat.png" not in markdown_page("![A boat](http://a.example/boat.png)", "")
