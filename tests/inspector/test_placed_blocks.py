"""Segments with their places on the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ncfilters.inspector.placed_blocks import nodes_of, placed_segments
from ncfilters.page.tree.html_parser import parse_html
from ncfilters.segmentation.segmenter import segment_html

DATA = Path(__file__).resolve().parent.parent / "data"
PAGES = [json.loads(line)["html"] for line in (DATA / "crawl.jsonl").read_text(encoding="utf-8").splitlines()]


def texts_of_nodes(html: str) -> list[tuple[str, list[str]]]:
    """Each segment and the texts of its nodes."""
    tree = parse_html(html)
    texts = {node.mem_id: node.text(deep=True) for node in tree.root.traverse(include_text=True)}
    segments, nodes = placed_segments(tree)
    return [(segment["text"], [texts[node] for node in own]) for segment, own in zip(segments, nodes)]


@pytest.mark.parametrize("html", PAGES)
def test_segments_are_those_of_the_stream(html: str) -> None:
    assert placed_segments(parse_html(html))[0] == segment_html(html)


@pytest.mark.parametrize("html", PAGES)
def test_each_visible_segment_has_a_place_with_its_text(html: str) -> None:
    tree = parse_html(html)
    texts = {node.mem_id: node.text(deep=True) for node in tree.root.traverse(include_text=True)}
    for segment, nodes in zip(*placed_segments(tree)):
        if segment.get("rule") == "embedded":
            assert not nodes
        else:
            first = segment["text"].split()[0].strip("*•·-|…")
            assert first in "".join("".join(texts[node] for node in nodes).split())


def test_a_text_has_the_nodes_of_its_parts() -> None:
    assert texts_of_nodes("<p>One <b>two</b> three<p>four") == [
        ("One two three", ["One ", "two", " three"]),
        ("four", ["four"]),
    ]


def test_lines_that_are_joined_have_the_nodes_of_all() -> None:
    html = "<p>It rained all day in the valley,<br>and nobody went out of the house."
    assert [len(parts) for _, parts in texts_of_nodes(html)] == [2]


def test_a_row_has_the_nodes_of_its_cells() -> None:
    html = "<table><tr><td>Monday<td>3 mm<tr><td>Tuesday<td>4 mm</table>"
    assert texts_of_nodes(html) == [("Monday\t3 mm", ["Monday", "3 mm"]), ("Tuesday\t4 mm", ["Tuesday", "4 mm"])]


def test_a_superscript_has_its_node() -> None:
    assert texts_of_nodes("<p>10 km<sup>2</sup> of land") == [("10 km² of land", ["10 km", "2", " of land"])]


def test_hidden_text_within_a_sentence_is_a_segment_with_a_place() -> None:
    found = dict(texts_of_nodes("<p>Before <span style='display:none'>hidden</span> after it"))
    assert found["hidden"] == ["hidden"]


def test_an_empty_page_has_no_segments() -> None:
    assert placed_segments(parse_html("")) == ([], [])


def test_other_segments_of_the_page_get_the_nodes_of_equal_texts() -> None:
    placed = [{"text": "a"}, {"text": "b"}, {"text": "c"}]
    assert nodes_of(["a", "c", "d"], placed, [[1], [2], [3]]) == [[1], [3], []]
    assert nodes_of(["a", "b", "c"], placed, [[1], [2], [3]]) == [[1], [2], [3]]
