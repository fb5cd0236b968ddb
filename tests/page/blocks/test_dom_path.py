"""Paths of blocks."""

from __future__ import annotations

import pytest

from ncfilters.page.blocks import dom_path
from ncfilters.page.blocks.dom_path import dotted_classes, dotted_id, join_path, tag_names


@pytest.mark.parametrize(
    "value, expected",
    [
        ("", ""),
        (" one  two ", ".one.two"),
        (" ", ""),
        ("md:w-1/2 mt-[3px] card", ".card"),
        ("a/b", ".a_b"),
        ("c" * 100, "." + "c" * dom_path.MAX_NAME_CHARS),
    ],
)
def test_classes(value: str, expected: str) -> None:
    assert dotted_classes(value) == dotted_classes(value) == expected


@pytest.mark.parametrize("value, expected", [("", ""), ("a b/c", "#a_b_c"), ("i" * 100, "#" + "i" * 32)])
def test_ids(value: str, expected: str) -> None:
    assert dotted_id(value) == expected


def test_long_paths_keep_first_and_last_elements() -> None:
    path = "body"
    for number in range(1_000):
        path = join_path(path, f"div.level{number}")
        assert len(path) <= dom_path.MAX_PATH_CHARS
    assert path.startswith("body/div.level0/") and "/.../" in path and path.endswith("/div.level998/div.level999")


def test_tag_names_are_without_ids_and_classes() -> None:
    assert tag_names("body#h1/div.h2.li/p") == "body/div/p"
    assert tag_names("body/p") == "body/p"
    assert tag_names("body/div:dialog/li:tooltip.h2") == "body/div/li"


@pytest.mark.parametrize(
    "path, level", [("body/h1", "1"), ("body/h6/a", "6"), ("body/header", None), ("body/h2-x", None), ("body/h7", None)]
)
def test_headings_have_a_level(path: str, level: str | None) -> None:
    heading = dom_path.HEADING.search(path)
    assert (heading[1] if heading else None) == level


def test_lists_and_items() -> None:
    path = "body/ul.a/li/ol/li#b/menu-x/listing"
    assert (len(dom_path.LIST.findall(path)), len(dom_path.ITEM.findall(path))) == (2, 2)
