"""What is fuzzed: functions of bytes that fail if the program breaks a promise about them.

    TARGETS["html"](b"\\0<p>One<p>Two")    # returns None, or raises

A promise: input that is wrong gives a RecordError or a ModelError and no other exception; both
parsers end; what is written can be read back.
"""

from __future__ import annotations

import html
import io
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from fuzz import small_models
from ncfilters import record as schema
from ncfilters.errors import ModelError, RecordError
from ncfilters.page.embedded import script_data
from ncfilters.page.metadata import complete_head
from ncfilters.page.profiles import PageOptions
from ncfilters.segmentation import segmenter
from ncfilters.selection.formats import OUTPUT_FORMS
from ncfilters.streams.crawl_source import CrawlSource
from ncfilters.streams.html_pages import PageSelection
from ncfilters.streams.readers import RecordReader
from ncfilters.streams.writers import json_line

Target = Callable[[bytes], None]

# Bytes of a record, and how often the output may be as large as the page: more is a page that eats memory.
LIMIT, MAX_GROWTH = 1 << 16, 100


class _Raw(io.RawIOBase):
    """An input without a file."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._data.readinto(buffer)


def _items(source: Any) -> list[Any]:
    items = list(source)
    for item in items:
        assert isinstance(item, (dict, RecordError)), type(item)
        if isinstance(item, RecordError):
            assert str(item) and "\n" not in str(item), str(item)
    return items


def records(data: bytes) -> None:
    """JSON lines, MessagePack, compressed streams, HTML; what is read is written as JSON and read back the same. The
    first byte chooses what an input that is no stream of records is."""
    fallback: Any = ("error", "lines", "page")[data[0] % 3] if data else "error"
    for item in _items(RecordReader([("input", _Raw(data[1:]))], LIMIT, fallback)):
        if isinstance(item, dict):
            try:
                line = json_line(item)
            except RecordError:
                continue
            (again,) = RecordReader([("input", _Raw(line))], 1 << 24)
            assert again == item or b"$base64" in line, (item, again)


def warc(data: bytes) -> None:
    """WARC files, compressed or not; the first byte chooses the content types."""
    types = None if data[:1] and data[0] & 2 else ("*",)
    source = CrawlSource(None, PageSelection(LIMIT, types), archives_alone=True)
    for item in _items(item.record(LIMIT) for item, _ in source.items_of("archive", _Raw(data[1:]))):
        assert not isinstance(item, dict) or len(item.get("html") or item.get("text") or "") <= LIMIT


def page(data: bytes) -> None:
    """A page to segments; the first byte chooses the profile, the parser and the markup."""
    options = data[0] if data else 0
    text = data[1:].decode("utf-8", "replace")
    chosen = PageOptions(
        "html5lib" if options & 24 == 24 else "lexbor",
        "justext" if options & 3 == 3 else "visual",
        embedded=not options & 32,
        markup=bool(options & 4),
    )
    document = segmenter.segment_record({"html": text, "url": "http://a.example/b/"}, chosen)
    if chosen.markup:
        document = complete_head.complete_head(document)
    segments = document["segments"]
    schema.check_types(segments, "segments")
    schema.check_markup(segments, "segments")
    assert len(json_line(document)) <= MAX_GROWTH * len(data) + 4096, "the record is much larger than the page"


def structured(data: bytes) -> None:
    """JSON-LD and hydration data, alone and in a page."""
    text = data.decode("utf-8", "replace")
    value = script_data.load_json(text)
    for everything in (True, False):
        for kind, field, found in script_data.linked_texts(value, everything):
            assert isinstance(kind, str) and isinstance(field, str) and found.encode() is not None
    for kind in ("application/json", ""):
        for path, found in script_data.prose_texts([(kind, text)]):
            assert isinstance(path, str) and isinstance(found, str)
    escaped = html.escape(text, quote=True)
    page(
        b"\4<title>x</title><p>Text.</p><script type=application/ld+json>"
        + text.encode()
        + b"</script><script>x = "
        + text.encode()
        + f"</script><div data-props='{escaped}'></div>".encode()
    )


def models(data: bytes) -> None:
    """Model files. An even first byte is followed by a whole file, of a kind that the byte chooses; an odd one by
    changes of a good file, whose checksum is made right again."""
    if not data:
        return
    kind, rest = data[0], data[1:]
    if kind % 2 == 0:
        suffix = (".model", ".st", ".txt")[kind // 2 % 3]
        _load(rest, suffix)
        return
    files = small_models.model_parts()
    _load(small_models.changed_file(*files[kind // 2 % len(files)], rest), ".model")


def _load(content: bytes, suffix: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file{suffix}"
        path.write_bytes(content)
        try:
            small_models.use_model(path)
        except ModelError as error:
            assert str(path) in str(error) and "\n" not in str(error).replace(str(path), ""), str(error)


def forms(data: bytes) -> None:
    """Output forms of segments with any markup: what parsers read back is the text of the segments."""
    _read_back()(data)


@cache
def _read_back() -> Target:
    """A function that makes a document of bytes, by the strategies of the tests, and reads its forms back."""
    from hypothesis import HealthCheck, given, settings
    from markup_segments import documents
    from read_back import html_words, markdown_words, segment_words, xml_words

    @settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(documents())
    def check(segments: list[dict[str, Any]]) -> None:
        text = segment_words(segments)
        document = {"id": 'a"><script>', "url": "http://x/", "head": {"title": "]]>", "author": ["&", "<b>"]}}
        for name, read in (("markdown", markdown_words), ("html", html_words), ("xml", xml_words)):
            written = OUTPUT_FORMS[name].text(segments, document)
            found = read(written)
            assert found == text, (name, found, text)
        OUTPUT_FORMS["vertical"].text(segments, document)

    run: Target = check.hypothesis.fuzz_one_input
    return run


TARGETS: dict[str, Target] = {
    "records": records,
    "warc": warc,
    "html": page,
    "structured": structured,
    "models": models,
    "forms": forms,
}
