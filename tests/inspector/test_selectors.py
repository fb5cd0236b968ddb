"""The selector that the inspector offers for a segment."""

from __future__ import annotations

import json

import pytest
from examples import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

from ncfilters.inspector.selectors import selector_of
from ncfilters.page.element_rules import element_rules
from ncfilters.page.page_options import PageOptions
from ncfilters.page.profiles import blocks_of_html

CRAWL = [json.loads(line) for line in (ROOT / "tests/data/crawl.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    "path, selector",
    [
        ("body/main#c/div.specs.wide/ul/li", "div.specs.wide ul li"),
        ("body/main#c/p", "main#c p"),
        ("body/dt#a.b.c/p", "body dt p"),
        ("body/p", "body p"),
        ("body/div:dialog#a/p", "div#a p"),
        ("body/aside:tooltip", "body aside"),
        ("body/div.w-1_2.b/p", "div.b p"),
        ("body/div.3col/p", "body div p"),
        (f"body/div.aa.{'b' * 29}", "div.aa"),
        (f"body/.../div.{'b' * 32}/p", "div p"),
        ("", ""),
    ],
)
def test_the_selector_of_a_path(path: str, selector: str) -> None:
    assert selector_of(path) == selector


names = st.text("ab-_1:/[ é", max_size=40)


@settings(max_examples=200)
@given(names, names, names)
def test_a_rule_with_the_selector_is_about_the_segment(identity: str, outer: str, inner: str) -> None:
    html = f"<div id='{identity}' class='{outer}'><ul class='{inner}'><li>Text.</ul></div>"
    (block,) = blocks_of_html(html)
    rules = element_rules(drop=selector_of(block["path"]))
    (marked,) = blocks_of_html(html, PageOptions(elements=rules))
    assert "element_rule" in marked


@pytest.mark.parametrize(
    "page", [page for page in CRAWL if isinstance(page.get("html"), str)], ids=lambda page: page["id"]
)
def test_the_segments_of_pages_have_selectors(page: dict[str, str]) -> None:
    for block in blocks_of_html(page["html"], PageOptions(embedded=False))[:40]:
        rules = element_rules(drop=selector_of(block["path"]))
        marked = blocks_of_html(page["html"], PageOptions(embedded=False, elements=rules))
        same = [own for own in marked if own["text"] == block["text"]]
        assert not same or any("element_rule" in own for own in same)  # cells are left out
