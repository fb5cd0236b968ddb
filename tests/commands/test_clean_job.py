"""Items through the whole job: compiled, where a page is UTF-8, and through the stages; the outcomes are the same."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.commands import clean, options, segment
from ncfilters.commands.clean_job import WholeJob, at_death
from ncfilters.errors import RecordError
from ncfilters.streams.archived_page import ArchivedPage
from ncfilters.streams.crawl_source import ARCHIVE_TOOL, PAGE_TOOL, Item
from ncfilters.streams.json_lines import parse_line
from ncfilters.streams.runner import per_record
from ncfilters.streams.stages import Stage

PAGE = (
    "<title>It rained</title><article><h1>It rained</h1><p>It rained all day in the town – and nobody went out before "
    "the evening, in which the clouds left.</p><pre>10:00  ferry</pre></article>"
)
HTML = {"content-type": "text/html; charset=utf-8"}


def job(*arguments: str) -> WholeJob:
    args = clean.option_parser().parse_args(["-f", "jsonl", *arguments])
    return clean.whole_job(args, options.stream_options(clean.TOOL, args))[0]


def reference(*arguments: str) -> WholeJob:
    """The same job through the stages alone."""
    whole = job(*arguments)
    args = clean.option_parser().parse_args(arguments)
    first = Stage(PAGE_TOOL, per_record(segment.processing(args)))
    return WholeJob((first, *whole.stages[1:]), whole.fields, whole.max_record)


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
def test_outcomes_are_those_of_the_stages(arguments: tuple[str, ...]) -> None:
    whole, stages = job(*arguments), reference(*arguments)
    for item in ITEMS:
        (record, error, tool), (expected, why, where) = whole([item])[0], stages([item])[0]
        assert (record, str(error), tool) == (expected, str(why), where)
        assert record is None or [*record] == [*(expected or {})]
    assert [(o.record, str(o.error), o.tool) for o in whole(ITEMS)] == [
        (o.record, str(o.error), o.tool) for o in stages(ITEMS)
    ]


def test_fields_of_other_names() -> None:
    [outcome] = job("--html-field", "body")([line('{"id":1,"body":"<p>It rained all day in the town.","html":"x"}')])
    assert outcome.record and outcome.record["text"] == "It rained all day in the town."


def test_options_of_the_compiled_path() -> None:
    for option in (["--markup"], ["--sentences"], ["--language", "en"], ["--keep"], ["-m", "en", "-m", "xx"]):
        assert job(*option).compiled is None


def test_the_outcome_at_death() -> None:
    for item, fields in ((ITEMS[0], parse_line(bytes(ITEMS[0].content))), (ITEMS[12], ITEMS[12].content)):  # type: ignore[arg-type]
        outcome = at_death(item, "was ended")
        assert outcome.record == fields
        assert (str(outcome.error), outcome.tool) == ("the process that worked on it was ended", "nc-clean")
