"""Pages to blocks or dumps, by profile."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.page.profiles import PageOptions, blocks_of_html, dump_record, head_and_blocks, render_record

PAGE = "<title>T</title><h1>A</h1><p>b<br>c<iframe srcdoc='<p>d'></iframe>"


def texts(options: PageOptions) -> list[str]:
    return [block["text"] for block in blocks_of_html(PAGE, options)]


def test_profiles_make_different_blocks() -> None:
    assert texts(PageOptions()) == ["A", "b", "c", "d"]
    assert texts(PageOptions(profile="justext")) == ["A", "b c"]
    assert texts(PageOptions(embedded=False)) == ["A", "b", "c"]


@pytest.mark.parametrize("profile", ["visual", "justext"])
def test_unknown_parser_is_an_error(profile: str) -> None:
    with pytest.raises(ValueError, match="parser: expected lexbor or html5lib, got 'x'"):
        blocks_of_html(PAGE, PageOptions("x", profile))


def test_only_the_visual_profile_has_a_head() -> None:
    assert head_and_blocks(PAGE)[0] == {"title": "T"}
    assert head_and_blocks(PAGE, PageOptions(profile="justext"))[0] == {}


def test_blocks_replace_html() -> None:
    record = {"id": 1, "html": PAGE}
    assert list(render_record(record)) == ["id", "head", "blocks"]
    assert list(render_record(record, keep=True)) == ["id", "html", "head", "blocks"]
    assert record == {"id": 1, "html": PAGE}


def test_text_replaces_html() -> None:
    record = dump_record({"id": 1, "html": "<p>one two three four</p>".replace(" ", "  ")}, width=20)
    assert record == {"id": 1, "text": "   one two three\n   four"}
    assert dump_record({"html": "<p>x"}, keep=True) == {"html": "<p>x", "text": "   x"}


@pytest.mark.parametrize("stage", [render_record, dump_record])
def test_records_need_html(stage: Any) -> None:
    with pytest.raises(RecordError, match="html: missing"):
        stage({"text": "x"})
