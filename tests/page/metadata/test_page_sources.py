"""The sources of metadata, read in one call."""

from __future__ import annotations

import json
import random

import pytest

from ncfilters.page.html_parser import parse_html
from ncfilters.page.metadata.page_sources import (
    MAX_SCRIPTS,
    line,
    lines,
    page_sources,
    page_sources_in_python,
    statements_by_field,
    statements_by_field_in_python,
)
from ncfilters.page.metadata.structured_data import Statements
from ncfilters.page.page_search import search_page
from ncfilters.page.present_selectors import Search
from tests.page.metadata.test_structured_data import random_value


def test_statements_by_field() -> None:
    pair = ("Ann", "x")
    sources: dict[str, Statements] = {
        "byline": {"author": [pair]},
        "json-ld": {"author": [("Bob", "y")] * 2, "title": []},
        "rel-author": {"author": [pair] * 4, "license": [pair]},
        "unknown": {"author": [pair]},
        "meta": {"date": [(str(number), "z") for number in range(1500)], "author": [pair]},
        "time": {"date": [pair]},
    }
    out = statements_by_field(sources)
    assert out == statements_by_field_in_python(sources)
    assert out["author"] == [("json-ld", ("Bob", "y"))] * 2 + [("meta", pair), ("byline", pair)]
    assert len(out["date"]) == 1000 and out["license"] == [("rel-author", pair)]


def test_lines() -> None:
    rng = random.Random(7)
    signs, parts = " \t\x1c\u00a0\u00e9&;#<\ud800", ("a", "  ", "&amp", "& ", "&#x41;")
    assert lines(()) == []
    for _ in range(3000):
        text = "".join(rng.choices((*signs, *parts), k=rng.randint(0, 6)))
        assert lines([("meta", (text, "x"))]) == [line(text)], text


# What texts of JSON-LD may have that readers see differently.
BREAKS = (
    *(
        "\\ud83d\\ude00",
        "\\ud800",
        "\\u0000",
        "\\/",
        "\\x",
        "\n",
        "\t",
        ",",
        ",}",
        "]",
        "}",
        "{",
        "[",
        '"',
        ":",
        "\\",
        "//",
        ";",
    ),
    *(
        "-0",
        "01",
        "1e5",
        "1.0",
        "1" * 16,
        "NaN",
        "true",
        "nul",
        "/* x */",
        "<!--",
        "&quot;",
        '"$base64":"eA==",',
        '"name":"No",',
    ),
)


@pytest.mark.parametrize("seed", range(4))
def test_texts_of_json_are_read_as_python_reads_them(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(600):
        value = json.dumps(
            random_value(rng, rng.randrange(1, 5)), ensure_ascii=rng.random() < 0.5, indent=rng.choice((None, 1))
        )
        for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
            place = rng.randrange(len(value) + 1)
            value = value[:place] + rng.choice(BREAKS) + value[place + rng.randrange(2) :]
        kind = rng.choice(("application/ld+json", "APPLICATION/LD+JSON", "ld+json; x"))
        texts = [
            value.replace("</", "<\\/").replace("\ud800", "x"),
            rng.choice(("", " ", '{"@type": "Article", "name": "Rain"}')),
        ]
        page = "".join(f"<script type='{kind}'>{text}</script>" for text in texts)
        tree = parse_html(
            f"<title>It  rained &amp;amp; snowed</title>{page}<svg><script type=ld+json>[]<b></b>[]</script></svg>"
        )
        assert page_sources(search_page(tree)) == page_sources_in_python(Search(tree))


def test_long_and_deep_json() -> None:
    long = json.dumps({"@type": "Article", "articleBody": "\u00e9" * 700_000, "name": "Rain"}, ensure_ascii=False)
    deep = "[" * 100 + '{"@type": "Article", "name": "Snow"}' + "]" * 100
    for texts in ([long, long, deep], [deep, long], [deep.replace("]", "", 1)]):
        tree = parse_html("".join(f"<script type=application/ld+json>{text}</script>" for text in texts))
        assert page_sources(search_page(tree)) == page_sources_in_python(Search(tree))


def test_the_number_of_scripts_is_bounded() -> None:
    other, empty = (f"<script type=application/ld+json>{text}</script>" for text in ('{"a": 1}', ""))
    article = '<script type=application/ld+json>{"@type": "Article", "author": {"name": "Ann Lee"}}</script>'
    for before, expected in ((MAX_SCRIPTS - 1, True), (MAX_SCRIPTS, False)):
        search = search_page(parse_html(empty + other * before + article))
        for read in (page_sources, page_sources_in_python):
            assert ("author" in read(search).statements) is expected
