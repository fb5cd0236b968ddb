"""What a fuzzer starts from: files of the tests, and words of the formats."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from ncfilters.native.element_names import TAG_NUMBERS
from ncfilters.page.tree import elements

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DATA = Path(__file__).resolve().parent.parent / "tests"
# Bytes of a page that is a seed.
MAX_PAGE = 6_000

_ATTRIBUTES = (
    "hidden style='display:none' aria-hidden=true class=katex class=footnote class=highlight class=language-c id=fn1 "
    "href=#fn1 src=a.png alt=x srcset='a 1x, b 2x' rowspan=3 colspan=99 start=5 value=7 type=math/tex role=heading "
    "aria-level=2 itemprop=author property=og:title name=author content=x srcdoc='<p>' shadowrootmode=open "
    "datetime=2020-01-01 rel=author data-props={} data-lang=py encoding=application/x-tex alttext=x"
).split(" ")
_TEXTS = (
    "\\(x\\) $$a$$ {\\frac{a}{b}} &nbsp; &#8203; [1] ↩ © 2024 | » <br><br> <!-- --> <![CDATA[ ]]> &#0; \\u200b".split()
)

WORDS: dict[str, list[str]] = {
    "html": [
        *(f"<{name}>" for name in sorted({*TAG_NUMBERS, *elements.INVISIBLE, "math", "mrow", "msup", "mi"})),
        *(f"</{name}>" for name in ("p", "table", "tr", "td", "div", "li", "ul", "a", "b", "math", "svg", "template")),
        *(f"<div {attribute}>" for attribute in _ATTRIBUTES),
        *(f" {attribute} " for attribute in _ATTRIBUTES),
        *_TEXTS,
    ],
    "structured": [
        *(
            '{"@type":"',
            '"@graph":[',
            '"articleBody":"',
            '"price":1',
            '"@value":"',
            '"description":"',
            "\\ud800",
            ". And ",
        ),
        *("self.__next_f.push([1,", '0:{"', "T1f,", "JSON.parse(", "window.x = ", "undefined", "<!--", "]]>", "&quot;"),
    ],
    "warc": [
        *("WARC/1.0\r\n", "WARC-Type: response\r\n", "Content-Length: 10\r\n", "WARC-Record-ID: <urn:1>\r\n"),
        *("Content-Type: application/http\r\n", "HTTP/1.1 200 OK\r\n", "Transfer-Encoding: chunked\r\n", "\r\n\r\n"),
        *("Content-Encoding: gzip\r\n", "Content-Encoding: br\r\n", "WARC-Block-Digest: sha1:", "charset=utf-16"),
        *("WARC-Target-URI: http://a/\r\n", "WARC-Type: resource\r\n", "WARC-Type: conversion\r\n", "WARC-Date: "),
    ],
    "records": [
        '{"id":"a"}',
        '{"html":"',
        '"segments":[',
        '"$base64":"',
        "\\ud800",
        "<html>",
        "WARC/1.0",
        "\n",
        "null",
    ],
    "models": ["ncfilters model 1\n", "pst0"],
}


def seeds(name: str) -> Iterator[bytes]:
    """The first inputs of a target."""
    yield from SEEDS[name]()


def _inputs(verb: str) -> Iterator[bytes]:
    """The standard inputs of the golden cases of a command."""
    for table in sorted(DATA.glob(f"cases/{verb}.toml")):
        for case in tomllib.loads(table.read_text(encoding="utf-8")).values():
            if isinstance(text := case.get("input"), str):
                yield text.encode()[:MAX_PAGE]


def _pages() -> Iterator[bytes]:
    for path in sorted(DATA.rglob("*.html")):
        text = path.read_bytes()[:MAX_PAGE]
        yield from (bytes([options]) + text for options in (0, 3, 4))
    for data in _inputs("*"):
        for line in data.splitlines():
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict) and isinstance(record.get("html"), str):
                yield b"\4" + record["html"].encode("utf-8", "replace")


def _records() -> Iterator[bytes]:
    for data in (*_inputs("segment"), *_inputs("score")):
        yield b"\0" + data
        yield b"\1" + gzip.compress(data, mtime=0)


def _archives() -> Iterator[bytes]:
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Text."
    head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:1>\r\nWARC-Target-URI: http://a/\r\n"
    head += b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n" % len(page)
    record = head + page + b"\r\n\r\n"
    for pack in (bytes, lambda data: gzip.compress(data, mtime=0)):
        yield b"\0" + pack(record) * 2
        yield b"\1" + pack(record + record)
    chunked = page.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n") + b"\r\n0\r\n\r\n"
    yield b"\0" + head.replace(b"%d" % len(page), b"%d" % len(chunked)) + chunked + b"\r\n\r\n" + record


def _structured() -> Iterator[bytes]:
    for data in _inputs("segment"):
        if b"ld+json" in data or b"__next" in data:
            yield data
    yield b'{"@context":"https://schema.org","@type":"Product","name":"A lamp","description":"It shines. It does."}'
    yield b'{"@graph":[{"@type":"Article","articleBody":"One sentence here. And another one, which is longer."}]}'
    yield b'self.__next_f.push([1,"0:{\\"a\\":\\"It rained all day, and nobody went out. Then it stopped.\\"}\\n"])'


def _models() -> Iterator[bytes]:
    for number in range(7):
        yield bytes([2 * number + 1]) + b"\0\0\0\0"
        yield bytes([2 * number + 1]) + b"\3\1\0\2\5\0\0\1"
    for path in sorted((DATA / "data" / "storable").iterdir()):
        yield b"\2" + path.read_bytes()[:MAX_PAGE]
    yield b"\4the\nof\n"


def _forms() -> Iterator[bytes]:
    yield bytes(64)
    yield bytes(range(256))


SEEDS = {
    "html": _pages,
    "records": _records,
    "warc": _archives,
    "structured": _structured,
    "models": _models,
    "forms": _forms,
}
