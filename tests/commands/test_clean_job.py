"""Items through the whole job, alone and together."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.commands import clean, options
from ncfilters.commands.clean_job import WholeJob, at_death
from ncfilters.errors import RecordError
from ncfilters.streams.archived_page import ArchivedPage
from ncfilters.streams.crawl_source import ARCHIVE_TOOL, PAGE_TOOL, Item
from ncfilters.streams.json_lines import parse_line

PAGE = (
    "<title>It rained</title><article><h1>It rained</h1><p>It rained all day in the town – and nobody went out before "
    "the evening, in which the clouds left.</p><pre>10:00  ferry</pre></article>"
)
HTML = {"content-type": "text/html; charset=utf-8"}


def job(*arguments: str) -> WholeJob:
    args = clean.option_parser().parse_args(["-f", "jsonl", *arguments])
    clean.complete_form(args)
    return clean.whole_job(args, options.stream_options(clean.TOOL, args))[0]


def archived(html: bytes, headers: dict[str, str] = HTML, **more: Any) -> Item:
    return Item(ArchivedPage({"id": "urn:1", "url": "http://example.org/a"}, html, headers, **more), ARCHIVE_TOOL)


def line(text: str) -> Item:
    return Item(text.encode(), PAGE_TOOL)


ITEMS = [
    line('{"id":1,"more":[1.5,{"a":"\\u00e9"}],"html":"<h1>It rained</h1><p>It rained all day in the town."}'),
    line('{ "html" : "<p>It rained all day in the town.", "lang" : "de" , "head" : {"title":"It rained"}, "nc":1}\n'),
    line('{"id":2,"html":"<p>Half a pair: \\ud800 and some words more that somebody wrote."}'),
    line('{"id":3,"html":""}'),
    line('{"id":4,"html":7}'),
    line('{"id":5,"html":"<p>It rained.","nc":9}'),
    line('{"id":6,"html":"<p>It rained.","error":{"stage":"nc-warc","message":"x"}}'),
    line('{"id":7,"html":"<p>It rained.","page":{"odds":"x"}}'),
    line('{"id":8,"text":"The committee agreed to repair the bridge in the spring."}'),
    line('{"id":9,"html":"<p>It rained all day.","segments":[]}'),
    line('{"id":10}'),
    line("not JSON"),
    Item({"id": 11, "html": PAGE}, PAGE_TOOL),
    Item({"id": 12, "html": PAGE.encode()}, PAGE_TOOL),
    Item(RecordError("a broken record", {"id": 13}), ARCHIVE_TOOL),
    archived(PAGE.encode()),
    archived(PAGE.encode(), {}),
    archived(PAGE.encode("cp1252"), {"content-type": "text/html; charset=iso-8859-1"}),
    archived(PAGE.encode(), {"content-type": "text/plain"}, is_conversion=True),
    archived(b"<p>\xff\xfe and more", HTML),
    archived(b"\x1f\x8b no gzip", {**HTML, "content-encoding": "gzip"}, place="a.warc: byte 7: "),
    archived(b""),
]


@pytest.mark.parametrize(
    "arguments", [(), ("-m", "en"), ("-m", "ncleaner-en"), ("--min-quality", "0.5"), ("--as", "markdown")]
)
def test_outcomes_are_the_same_alone_and_together(arguments: tuple[str, ...]) -> None:
    alone, together = [], job(*arguments)(ITEMS)
    for item in ITEMS:
        alone += job(*arguments)([item])
    assert [(o.record, str(o.error), o.tool) for o in alone] == [(o.record, str(o.error), o.tool) for o in together]
    assert [list(o.record or {}) for o in alone] == [list(o.record or {}) for o in together]


def test_fields_of_other_names() -> None:
    [outcome] = job("--field", "html=body")([line('{"id":1,"body":"<p>It rained all day in the town.","html":"x"}')])
    assert outcome.record and outcome.record["text"] == "It rained all day in the town."


def test_the_outcome_at_death() -> None:
    for item, fields in ((ITEMS[0], parse_line(bytes(ITEMS[0].content))), (ITEMS[12], ITEMS[12].content)):  # type: ignore[arg-type]
        outcome = at_death(item, "was ended")
        assert outcome.record == fields
        assert (str(outcome.error), outcome.tool) == ("the process that worked on it was ended", "nc-clean")
