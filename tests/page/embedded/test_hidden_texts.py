"""Texts outside of the visible tree: which there are, and where they come from."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.page.blocks.visual_blocks import block_table
from ncfilters.page.embedded import hidden_texts
from ncfilters.page.tree.html_parser import page_table

ARTICLE = '<script type="application/ld+json">{"@type": "Article", "articleBody": "It rained."}</script>'
PROSE = "It had rained all day in the town, and nobody went out. Then the sun came, and the children."


def texts(html: str, sparse: bool = True) -> list[hidden_texts.HiddenText]:
    table = page_table(html)
    holders: list[Any] = []
    return hidden_texts.hidden_texts(table, holders, len(block_table(table, holders)), sparse)


def test_a_text_has_its_origin_and_path() -> None:
    assert texts(ARTICLE) == [
        hidden_texts.HiddenText(0, 0, "json-ld:articleBody", "json-ld/Article/articleBody", "It rained.")
    ]


def test_texts_of_elements_stand_where_these_are() -> None:
    html = f"<p>a<iframe srcdoc='<p>b'></iframe></p><p>c</p><template><p>{PROSE}</p></template>{ARTICLE}"
    assert [(text.position, text.origin) for text in texts(html)] == [
        (1, "srcdoc"),
        (2, "template"),
        (2, "json-ld:articleBody"),
    ]


def test_templates_of_programs_are_no_prose() -> None:
    assert texts(f"<p>a<template><p>{PROSE} {{{{ name }}}}</p></template>") == []


def test_only_pages_with_little_prose_have_descriptions_and_hydration_data(monkeypatch: pytest.MonkeyPatch) -> None:
    html = f'<meta name=description content=Rain><script type=application/json>{{"body": "{PROSE}"}}</script><p>a'
    assert [text.origin for text in texts(html)] == ["hydration", "meta"]
    assert texts(html, sparse=False) == []
    monkeypatch.setattr(hidden_texts, "MAX_HYDRATED_BLOCKS", 0)
    assert [text.origin for text in texts(html)] == ["meta"]


def test_links_and_short_blocks_are_no_prose() -> None:
    assert not hidden_texts.has_little_prose([PROSE * 12], [0])
    assert hidden_texts.has_little_prose([PROSE * 12], [len(PROSE) * 12])
    assert hidden_texts.has_little_prose(["It rained."] * 500, [0] * 500)


def test_scripts_and_descriptions_are_found_where_they_stand() -> None:
    description = "<meta name=Description content='Rain.'><meta property=og:description content='Sun.'>"
    page = f"<html><!-- a --><head>{ARTICLE}</head><body>{description}<svg>{ARTICLE}</svg>"
    assert [text.source for text in texts(page)] == ["It rained.", "Rain.", "Sun."]
    assert len(texts(f"<head>{ARTICLE}<frameset><frame>")) == 1  # all of a page without a body is read for blocks
