"""Segments that are searched: in C the same, or more, as one by one."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Iterable, Sequence
from typing import Any

import orjson
import pytest

from ncfilters.page.metadata.site_name import title_key
from ncfilters.page.page_options import PageOptions
from ncfilters.record import Segment
from ncfilters.segmentation import segmenter
from ncfilters.segmentation.author_biography import author_of_biography, author_with_biography
from ncfilters.segmentation.byline_segments import (
    BESIDE,
    SAID,
    byline_below_title,
    day_at_title,
    shows_author,
    statements_of_segments,
)
from ncfilters.segmentation.byline_text import authors_beside_day
from ncfilters.segmentation.day_segments import other_day
from ncfilters.segmentation.json_segments import marked_segments
from ncfilters.segmentation.page_segments import (
    Around,
    Authors,
    Biographies,
    Bylines,
    Labels,
    PageSegments,
    biographies,
    bylines,
    digits_around,
    first_heading,
    first_long,
    first_part,
    have_roles,
    headings,
    names_around,
    places_of_title,
    statements_around,
    with_day,
    with_label,
    with_name,
)
from ncfilters.segmentation.title_segment import place_of_title, title_on_page
from tests.page.test_walks import needs_core

HTML = (
    "<p>Rain<h1>The Rain in É</h1><p>By <a href=/authors/lee>Ann Lee</a><p>posted today<p>ÉTÉ<p>\u200bPo\u200bsted<br>x"
    "<p>Author<p>ﬁnd<p>a<pre>By  code</pre><p>cost \\(x\\) by"
    '<script type="application/ld+json">{"@type":"Article","articleBody":"By somebody else, of rain."}</script>'
)
OPTIONS = PageOptions(markup=True)


def both() -> tuple[list[Segment], PageSegments]:
    """The segments of the page, and the same in the core."""
    found = marked_segments(HTML, OPTIONS, "http://site.example/")
    assert found is not None
    return segmenter.head_and_segments(HTML, OPTIONS, "http://site.example/")[1], found.segments


@needs_core
def test_segments_are_read_as_dicts() -> None:
    expected, found = both()
    assert len(found) == len(expected) > 8
    for own, other in zip(found, expected):
        assert own["text"] == other["text"] and own["tag"] == other["tag"] and own["path"] == other["path"]
        links = [span for span in other.get("spans", ()) if span[2] == "link"]
        assert own.get("origin") == other.get("origin")
        assert [span for span in own.get("spans", ()) if span[2] == "link"] == links
    assert found[-1] is found[len(found) - 1] and found[1:3] == [found[1], found[2]]
    with pytest.raises(IndexError):
        found[len(found)]


@needs_core
@pytest.mark.parametrize(
    "text", ["by ann LEE", "rain!", "ÉTÉ", "the rain in é", "find", "cost (x by", "rain.", "snow", "x"]
)
def test_titles_are_found(text: str) -> None:
    expected, found = both()
    for title in (text, f"{text} {'.' * 40}", text.upper(), ""):
        assert places_of_title(found, title) == places_of_title(expected, title)


@needs_core
def test_a_heading_is_the_title_and_not_what_is_before_it() -> None:
    html = "<p>Snow<p>It rained.<p>It rained<h2>It rained!</h2><h1>It rained</h1>"
    page = marked_segments(html, PageOptions(markup=True, dense=True), None)
    assert page is not None and places_of_title(page.segments, "It rained") == (3, 1)
    assert places_of_title(list(page.segments), "It rained") == (3, 1)
    assert places_of_title(page.segments, "Snow") == places_of_title(list(page.segments), "Snow") == (0, None)


@needs_core
def test_keys_of_all_characters() -> None:
    letters = [chr(c) for c in range(0xA0, 0x20000) if chr(c).isprintable() and chr(c) != "\xa0"]
    texts = ["".join(letters[at : at + 40]) for at in range(0, len(letters), 40)]
    texts += [f"x {letter}1" for letter in letters if letter.casefold() != letter.lower() or letter.lower() != letter]
    html = "".join(f"<p>{text}</p>" for text in texts)
    page = marked_segments(html, PageOptions(markup=True, dense=True), None)
    assert page is not None and len(page.segments) > 1000
    cleaned = [segment["text"] for segment in page.segments]
    first = {title_key(text): number for number, text in reversed([*enumerate(cleaned)])}
    keys = [*first, *(key[:-1] for key in first), *(text.lower() for text in cleaned)]
    titles = [f"{key}{' ' * 400}" for key in keys if title_key(key)]
    assert [title for title in titles if places_of_title(page.segments, title)[0] != first.get(title_key(title))] == []


@needs_core
def test_the_first_heading_and_the_first_text() -> None:
    expected, found = both()
    assert first_heading(found) == first_heading(expected) == 1
    for least in (0, 7, 15, 400):
        assert first_long(found, least) == first_long(expected, least)
    none = marked_segments("<p>a", OPTIONS, None)
    assert none is not None and first_heading(none.segments) is None and first_long(none.segments, 2) is None


@needs_core
def test_segments_of_the_core_have_no_roles() -> None:
    expected, found = both()
    assert have_roles(expected) and not have_roles(found)
    assert not any("role" in orjson.loads(orjson.dumps(segment)) for segment in found)


def segments_of(texts: Iterable[str]) -> PageSegments:
    """The segments of these texts in the core."""
    page = marked_segments("".join(f"<p>{html.escape(text)}</p>" for text in texts), OPTIONS, "http://site.example/")
    assert page is not None and [segment["text"] for segment in page.segments] == [*texts]
    return page.segments


BYLINE = Bylines("by|a|po|te|wr|au", "аσ文", "by|von", "author|posted|text|written")
BYLINES = (
    "By Ann", "— BY Ann", "by: x", "BY", "A story by Ann", "Posted: Ann", "Posted by Ann", "Text von Ann", "Author",
    "Authors:", "автор: А", "文 / 王", "Text 文：王", "¾ by Ann", "Poſted by Ann", "ſ by Ann", "Written B\u0131 x",
    "“By” Ann", "Posted \u0131 by", "Aé by \u0130", "Aé by Ann",
)  # fmt: skip
OTHERS = (
    "Standby", "Bypass", "Posted in rain", "Texture of", "Author Ann Lee of the sea", "Été by Ann", "Ab by Ann",
    "(…)", "王 von by", "3 by 4", "Postedbyx", "Posted baby",
)  # fmt: skip


@needs_core
def test_bylines() -> None:
    texts = [*BYLINES, *OTHERS]
    found = segments_of(texts)
    assert [texts[n] for n in bylines(found, 0, 100, 60, BYLINE)] == [*BYLINES]
    assert bylines(found, 1, 2, 60, BYLINE) == [1, 2] and bylines(found, 1, 2, 6, BYLINE) == [2]
    expected = [{"text": text} for text in texts]
    assert bylines(expected, 1, 100, 9, BYLINE) == [n for n in range(1, len(texts)) if len(texts[n]) <= 9]


DAYS = ("3 May 2024", "2024-5-3", "20240503", "١ May 20٢٤", "1 9 1999", "on 12.1.2024")
NO_DAYS = ("2024", "in 2024 or so", "12 May 24", "200 of 2034", "3 May 1884", "20 and 19 and 24", "12345678")


@needs_core
def test_days() -> None:
    texts = [*DAYS, *NO_DAYS]
    found, expected = segments_of(texts), [{"text": text} for text in texts]
    assert with_day(found, 1, 60, 100)[: len(DAYS)] == list(range(len(DAYS)))
    assert [texts[n] for n in with_day(found, 1, 60, 100)[len(DAYS) :]] == ["200 of 2034"]
    assert with_day(found, 8, 11, 2) == [0, 1] and with_day(found, 1, 60, 0) == []
    assert {*with_day(expected, 1, 60, 7)} >= {*with_day(found, 1, 60, 7)}
    around = Around(2, 3, 12)
    assert digits_around(found, 4, around, 6) == digits_around(expected, 4, around, 6) == [5, 3, 2]
    assert digits_around(segments_of(["snow", "rain 1", "rain ١"]), 0, around, 1) == [1]


@needs_core
def test_what_segments_may_say() -> None:
    expected, found = both()
    where, said = (
        Around(9, 9, 200),
        (Bylines("by|po", "", "by", "posted"), Authors("h1", "/authors"), "may", ("am", 100)),
    )
    both_wanted, day = ("author", "date"), ("date",)
    names = [expected[n]["text"] for n, *_ in statements_around(found, 0, where, said, both_wanted)]
    assert "By Ann Lee" in names and "The Rain in É" not in names and "Author" not in names  # no day is around
    assert statements_around(found, 0, where, said, day) == []
    assert statements_around(expected, 0, where, said, both_wanted) == [(n, *[True] * 5) for n in range(1, 10)]
    with_day = marked_segments("<p>3 May 2024" + HTML, OPTIONS, "http://site.example/")
    assert with_day is not None
    names = [
        with_day.segments[n]["text"] for n, *_ in statements_around(with_day.segments, 1, where, said, both_wanted)
    ]
    assert "By Ann Lee" in names and "The Rain in É" in names and names[-1] == "3 May 2024"
    labels = [with_day.segments[n]["text"] for n, *_ in statements_around(with_day.segments, 1, where, said, day)]
    assert labels[-1] == "3 May 2024" and labels == names[-2:]  # and what stands before it in this order
    *_, last = statements_around(with_day.segments, 1, where, said, both_wanted)
    assert last == (0, True, False, False, True, False)  # a day, which is no byline
    alone = statements_around(with_day.segments, 1, where, said, ("author",))
    assert 0 not in [n for n, *_ in alone] and len(alone) == len(names) - 1
    for place in (-1, len(found), 1 << 62):
        with pytest.raises(ValueError, match="segments"):
            statements_around(found, place, where, said, both_wanted)
    with pytest.raises(ValueError, match="segments"):
        statements_around(found, 0, Around(1, 1 << 62, 200), said, both_wanted)


@needs_core
def test_names_beside_days_are_read_where_there_may_be_one() -> None:
    choose = random.Random(3)
    others = "Ann Lee O'Neill J.R. a.m. GMT x posted: written: author: in by von May june last th Feb".split()
    words, cases = [*BESIDE[0].split("|"), *others], [str.title, str.upper, str]
    signs = [" ", " ", " ", " ", ", ", " | ", " - ", ": ", ". ", "-", ".", "'", "_", "&", ""]
    days, read = ["3 May 2024", "2024-05-03", "3/5/2024", "May 3, 2024", "7", "12:30"], 0
    for _ in range(400):
        texts = []
        for _ in range(10):
            some = [choose.choice(cases)(choose.choice(words)) for _ in range(choose.randint(0, 5))]
            some.insert(choose.randint(0, len(some)), choose.choice(days))
            some.append(choose.choice(["", "3 May 2024", "2024-05-03"]))
            texts.append("".join(word + choose.choice(signs) for word in some))
        page = marked_segments("".join(f"<p>{html.escape(text)}</p>" for text in ("Rain", *texts)), OPTIONS, None)
        assert page is not None
        found = page.segments
        stated = statements_around(found, 0, Around(0, 10, 200), SAID, ("author", "date"))
        may_be_named = {number for number, *_, has_name in stated if has_name}
        for number, segment in enumerate(found):
            if number and number not in may_be_named:
                assert authors_beside_day(segment["text"]) == [], segment
                read += 1
    assert 500 < read < 3500


@needs_core
def test_labels() -> None:
    labels = Labels("by|posted|автор|on", "by|author", "posted|on")
    texts = ("By:Ann", "Posted", "on 3 May 2024", "on", "ON", "Posted: 3/5/2024", "автор", "Автор 3 May 2024", "Author")
    found = segments_of(texts)
    assert list(with_label(found, labels, 60, True, True)) == [0, 1, 2, 4, 5, 6, 7]
    assert list(with_label(found, labels, 6, True, True)) == [0, 1, 4, 6]
    assert list(with_label(found, labels, 60, True, False)) == [0]
    assert list(with_label(found, labels, 60, False, True)) == [1, 2, 4, 5, 6, 7]
    assert list(with_label([{"text": text} for text in texts], labels, 60, True, True)) == list(range(8))
    found = segments_of(("By Ann", "By Ann, by Bob", "© by Ann", "Bay: by Ann", "Böy by Ann"))
    assert list(with_label(found, labels, 60, True, True)) == [1, 4]


@needs_core
def test_names() -> None:
    texts = ("Ann Lee", "By Ann Lee", "By ANN, LEE", "Joann Leech", "By ann", "By Ann é Lee", "Été: ann lee")
    found, expected = segments_of(texts), [{"text": text} for text in texts]
    said = Bylines("by", "", "by", "")
    assert list(with_name(found, "ann lee", range(0), 60, said)) == [1, 2]
    assert list(with_name(found, "ann lee", range(-3, 9), 60, said)) == [0, 1, 2, 3, 6]
    assert list(with_name(found, "ann lee", range(3, 4), 11, said)) == [1, 2, 3]
    assert list(with_name(found, "é", range(9), 60, said)) == [5, 6]
    assert list(with_name(expected, "ann lee", range(0), 60, said)) == list(range(7))


FRAGMENTS = (
    "By", "by Ann Lee", "BY Bob O'Neill", "Written by", "Authors:", "Author", "Ann Lee", "3 May 2024", "on 3/5/2024",
    "03/11/11", "2024-05-03", "May 3, 2024", "27 November, 10:32", "Published", "Last updated:", "Posted by",
    "It rained", "Rain | Gazette", "20", "19", "·", "|", "é", "ſ", "İ", "\u212a", "автор", "文", "опубликовано",
    "发布时间", "2024年5月3日", "¾", "x@y.z", "ß", "Ann Lee is a writer, and she lives by the sea.", "About Ann Lee",
    "minutes read", "Gazette Staff", "ρίσς", "Jan 20٢٤",
)  # fmt: skip
TAGS = (
    "p",
    "h1",
    "h2",
    "li",
    "p class=byline",
    "p class=date",
    "p class=comment",
    "time",
    "pre",
    "a href=/author/x",
    "b",
)


def ugly_page(chance: random.Random) -> str:
    """A page of fragments."""
    out = []
    for _ in range(chance.randint(1, 14)):
        text = " ".join(chance.choices(FRAGMENTS, k=chance.randint(1, 3)))
        tag = chance.choice(TAGS)
        text = f"<a href=/authors/{chance.randint(0, 9)}>{text}</a>" if chance.random() < 0.2 else html.escape(text)
        out.append(f"<div><{tag}>{text * chance.choice((1, 1, 1, 9))}</{tag.split()[0]}></div>")
    if chance.random() < 0.2:
        body = " ".join(chance.choices(FRAGMENTS, k=9))
        data = orjson.dumps({"@type": "Article", "articleBody": body}).decode()
        out.append(f'<script type="application/ld+json">{data}</script>')
    return "".join(out)


def said_of(segments: Sequence[Segment], title: str, chance: random.Random) -> list[Any]:
    """What the functions say that read segments."""
    wanted = chance.choice((["author", "date", "modified"], ["author"], ["date"], ["date", "modified"], ["modified"]))
    name = " ".join(chance.choices(FRAGMENTS, k=1))
    place = place_of_title(segments, title)
    return [
        place,
        title_on_page(segments, title),
        statements_of_segments(segments, title, ["Gazette"], chance.random() < 0.5, wanted),
        byline_below_title(segments, title, ["Gazette"]),
        day_at_title(segments, title),
        shows_author(segments, title, name),
        other_day(segments, place, False, chance.choice(("", "2024-09-09"))),
        other_day(segments, None),
        author_of_biography(segments),
        author_with_biography(segments, place or 0),
    ]


@needs_core
def test_ugly_pages_say_the_same() -> None:
    chance = random.Random(7)
    said = []
    for number in range(1500):
        page = ugly_page(chance)
        title = " ".join(chance.choices(FRAGMENTS, k=chance.randint(1, 2)))
        found = marked_segments(page, OPTIONS, None)
        assert found is not None
        expected = segmenter.head_and_segments(page, OPTIONS, None)[1]
        said.append(said_of(expected, title, random.Random(number)))
        assert said_of(found.segments, title, random.Random(number)) == said[-1], (title, page)
    assert all(len({str(values) for values in column}) > 1 for column in zip(*said))


BEGINNINGS = (
    "Ann Lee is a writer by the sea, with two ducks.",
    "Ann is-not a writer",
    "Ann-Marie O'Neill, (born 1970) was the first editor.",
    "Ann (1970) writes of ducks, and she is well.",
    "Ann () writes of ducks, and she is well.",
    "Ann (a (b)) writes of ducks, and she is well.",
    f"Ann ({'x' * 41}) writes of ducks, and she is well.",
    "A B C D has ducks and a director.",
    "A B C D E has ducks and a director.",
    "Ann, Bob has ducks and a director.",
    "Ann isn't a writer, and issues nothing.",
    "9 Anns is a writer.",
    "Zo\u00eb is a writer.",
    "Ann is \u2013 perhaps",
    "Ann Lee is",
    "Ann Lee has",
    "Ann is old.",
    "Ann is one of the writers \u2013 of the sheriff.",
    "Ann is \u201cwriter\u201d to them.",
    "Ann is a WR\u0131TER.",
    "Ann is old" + " as \u4e2d\u6587" * 14 + " x shelters",
    f"Ann is old{' as it' * 14} x shelters",
    f"Ann is old{' as it' * 14} xy shelters",
    "_Ann is a writer.",
    f"Ann is old{' as the sea' * 20}, she says.",
    f"Ann is old{' as the sea' * 20} \u00e9, she says.",
)
SOUGHT = Biographies(8, 300, "is|has|was|writes", "she|writer|director|editor", 100)


def word_of(text: str) -> str:
    """The first word of a text in ASCII, or nothing."""
    match = re.match(r"([\w.'-]*)(.)", text, re.A)
    return match[1] if match and match[2].isascii() else ""


@needs_core
def test_biographies_are_found() -> None:
    page = marked_segments("".join(f"<p>{text}</p>" for text in BEGINNINGS), OPTIONS, None)
    assert page is not None and len(page.segments) == len(BEGINNINGS)
    pattern = re.compile(
        rf"([^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){{0,3}}?),?(?: \([^()]{{1,40}}\))? (?:{SOUGHT.verbs})\b"
    )
    person = re.compile(rf"\b(?:{SOUGHT.words})\b", re.I)
    texts = [segment["text"] for segment in page.segments]
    wanted = [
        number
        for number, text in enumerate(texts)
        if 8 <= len(text) <= 300 and pattern.match(text) and person.search(text[:100])
    ]
    assert len(wanted) == 10 and list(biographies(page.segments, 0, SOUGHT)) == wanted
    assert list(biographies(page.segments, 3, SOUGHT)) == [number for number in wanted if number >= 3]
    assert list(biographies([{"text": "a"}] * 3, 1, SOUGHT)) == [1, 2]
    for between, above in ((0, 20), (2, 20), (2, 9), (1, 1)):
        below = [
            n
            for n in wanted
            if any(len(text) <= above and word_of(texts[n]) in text for text in texts[max(n - 1 - between, 0) : n])
        ]
        assert list(biographies(page.segments, 0, SOUGHT._replace(between=between, above=above))) == below


@needs_core
def test_names_around_a_title() -> None:
    texts = (
        "Ann Lee",
        "ann lee",
        "A",
        "Rain",
        "Ann van der Lee",
        "\u00c9l\u00e9a lee",
        "Ann B C D Lee",
        "Ann " + "L" * 60,
        "Bo Xi",
    )
    page = marked_segments("".join(f"<p>{text}</p>" for text in texts), OPTIONS, None)
    assert page is not None
    found = names_around(page.segments, 3, Around(before=3, after=4, most=60), 4)
    assert [page.segments[number]["text"] for number in found] == ["Ann van der Lee", "\u00c9l\u00e9a lee", "Ann Lee"]
    assert names_around([{"text": "Ann Lee"}] * 3, 1, Around(1, 1, 60), 4) == [2, 0]


@needs_core
def test_headings_before_the_text_and_parts_of_titles() -> None:
    choose = random.Random(0)
    tags, texts = ["p", "p", "h1", "h2", "h3", "h4", "h5"], ["Rain", "Snow - Rain", "It rained. " * 15, "É", "ÉTÉ", "a"]
    for _ in range(200):
        body = [(choose.choice(tags), choose.choice(texts)) for _ in range(choose.randrange(1, 12))]
        page = marked_segments("".join(f"<{tag}>{text}</{tag}>" for tag, text in body) + HTML, OPTIONS, None)
        assert page is not None
        expected = [*page.segments]
        for most, least, before in ((1000, 150, 20), (6, 150, 2), (1000, 5, 3), (3, 0, 5), (0, 1, 1)):
            assert headings(page.segments, most, least, before) == headings(expected, most, least, before)
        parts = choose.sample(["rain", "été", "snow", "hail", "Snow - Rain", "", "A!"], 4)
        for least in (1, 4):
            assert first_part(page.segments, parts, least) == first_part(expected, parts, least)
        made = " ".join(choose.choices(["rain", "snow", "hail", "Rain", "|", "-", "_", "::", "a"], k=6))
        for title in ("Snow: ÉTÉ - Rain | Gazette", "Snow - Hail", "A story of rain - Gazette", made):
            assert place_of_title(page.segments, title) == place_of_title(expected, title)
            assert title_on_page(page.segments, title) == title_on_page(expected, title)
