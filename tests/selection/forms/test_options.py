"""Links, images and tables that are not wanted."""

from __future__ import annotations

import pytest
from made_segments import p, row

from ncfilters.selection.forms.options import DEFAULTS, MarkupOptions, with_options

IMAGE = [1, 1, "image", {"src": "i"}]
PAGE = [p("ab", spans=[[0, 1, "link", "u"], IMAGE], figure=[{"src": "f"}]), row("c", "d"), p("e", table=1, cells=[])]


def test_by_default_all_is_kept() -> None:
    assert with_options(PAGE, DEFAULTS) is PAGE


def test_links() -> None:
    assert with_options(PAGE, MarkupOptions(links="drop"))[0]["spans"] == [[0, 1, "text", "u"], IMAGE]
    assert with_options(PAGE, MarkupOptions(links="reference"))[0]["spans"] == [[0, 1, "reference", "u"], IMAGE]


def test_links_of_images() -> None:
    image = {"src": "i", "link": "u"}
    page = [p("a", spans=[[1, 1, "image", image]], figure=[image])]
    dropped, references = (with_options(page, MarkupOptions(links=links))[0] for links in ("drop", "reference"))
    assert dropped["spans"] == [[1, 1, "image", {"src": "i"}]] and dropped["figure"] == [{"src": "i"}]
    assert references["spans"][0][3] == references["figure"][0] == {"src": "i", "reference": "u"}


def test_images() -> None:
    first = with_options(PAGE, MarkupOptions(images="drop"))[0]
    assert first == p("ab", spans=[[0, 1, "link", "u"]])


def test_tables() -> None:
    assert with_options(PAGE, MarkupOptions(tables="drop")) == PAGE[:1]
    texts = with_options(PAGE, MarkupOptions(tables="text"))
    assert [(s["text"], s["type"], "cells" in s) for s in texts[1:]] == [("c\td", "p", False), ("e", "p", False)]


@pytest.mark.parametrize(("name", "value"), [("links", "no"), ("images", "reference"), ("tables", "")])
def test_wrong_values_are_errors(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"{name}: expected keep.* or "):
        MarkupOptions(**{name: value})
