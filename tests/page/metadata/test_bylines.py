"""The title, bylines, days and biographies among segments, and what they say in a head."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.page.metadata.complete_head import complete_head, other_day
from ncfilters.page.metadata.segment_bylines import biography_author, is_day, shows_author, statements_of_segments
from ncfilters.page.metadata.titles import (
    exact_place,
    may_be_section,
    place_of_title,
    short_around,
    site_beside,
    title_on_page,
)


def authors_of(title: str, text: str, spans: Any = (), **options: Any) -> list[str]:
    """The authors in a segment below the title."""
    segments = [{"text": title}, {"text": text, "spans": spans}]
    authors: list[str] = statements_of_segments(segments, title, wanted=["author"], **options).get("author", [])
    return authors


@pytest.mark.parametrize("text, names", [
    ("Dec. 19, 2025 · Ann Lee on behalf of the club", ["Ann Lee"]), ("Dec 17, 2025 Julian K. Lee", ["Julian K. Lee"]),
    ("Ann Lee | Senior Writer | July 2, 2025", ["Ann Lee"]), ("Friday, May 3, 2024 at 10:30 · Ann Lee", ["Ann Lee"]),
    ("03/01/2017 by Ann Lee, Head of the Duck Committee", ["Ann Lee"]),
    ("by Ann · Dec 20, 2025 at 3:00 am · One comment", ["Ann"]),
    ("March 15, 2022 · 3 min read · By Puddle Online", ["Puddle Online"]),
    ("May 3, 2017 By Ann Lee 4 Comments", ["Ann Lee"]), ("May 3, 2017 by admin", []),
    ("Last Modified: May 3, 2017", []), ("Special Ducks – Ends May 3, 2017", []), ("Ann Lee", []),
    ("3 May 2024\nAnn Lee", []), ("Ann Lee and the ducks of the valley " * 3 + "3 May 2024", []),
])  # fmt: skip
def test_authors_beside_a_day(text: str, names: list[str]) -> None:
    assert authors_of("Rain", text) == names


@pytest.mark.parametrize("text, names", [
    ("作者：王小明", ["王小明"]), ("2024年05月03日 10:20 来源：雨报 作者: 王小明", ["王小明"]),
    ("2024-05-03 作者： 实习记者 王小明 字号", ["王小明"]), ("文／王小明", ["王小明"]), ("文・山田太郎", ["山田太郎"]),
    ("记者：春雨初始，南方下雨", []), ("作者: 佚名", []), ("文化新闻", []),
])  # fmt: skip
def test_authors_after_labels(text: str, names: list[str]) -> None:
    assert authors_of("雨", text) == names


def test_links_are_categories() -> None:
    for text, link, sites, names in (
        ("3 May 2024 · Machine Ducks", (0, 0), [], ["Machine Ducks"]),
        ("3 May 2024 · Machine Ducks", (13, 26), [], []),
        ("3 May 2024 · Ann Lee in Ducks", (24, 29), [], ["Ann Lee"]),
        ("3 May 2024 · By Ann Lee", (16, 23), ["Puddle"], ["Ann Lee"]),
    ):
        assert authors_of("Rain", text, [[*link, "link", "https://a.org/ducks"]], sites=sites) == names


@pytest.mark.parametrize("text, expected", [
    ("3 May 2024", True), ("· May 3, 2024, 10:30", True), ("May 3, 2024 By The Duck Team", True),
    ("May 3, 2024 in Ducks", False), ("3 May 2024 – 4 May 2024", False), ("Ducks", False),
])  # fmt: skip
def test_days(text: str, expected: bool) -> None:
    assert is_day(text) is expected


def said(*texts: str, title: str = "Rain", **options: Any) -> dict[str, Any]:
    return statements_of_segments([{"text": text} for text in texts], title, **options)


@pytest.mark.parametrize(
    "texts, expected",
    [
        (("Home", "Rain", "By Ann Lee | May 3, 2024"), {"author": ["Ann Lee"], "date": "2024-05-03"}),
        (("3 May 2024", "RAIN!", "Text."), {"date": "2024-05-03"}),
        (("Rain", "Updated 4 May 2024", "First on 3 May 2024"), {"modified": "2024-05-04", "date": "2024-05-03"}),
        (("Rain", "3 May 2024 · Updated: 4 May 2024"), {"date": "2024-05-03", "modified": "2024-05-04"}),
        (("10 April 2025", "Rain", "3 May 2024"), {"date": "2024-05-03"}),
        (("Rain", "Ann Lee", "Table of Contents"), {}),
        (("Rain", "Written by", "Ann Lee", "Ode"), {"author": ["Ann Lee"]}),
        (("Rain", "2024年5月3日 来源：雨报 作者：王小明"), {"author": ["王小明"], "date": "2024-05-03"}),
        (("Rain", "di Mario Rossi"), {"author": ["Mario Rossi"]}),
        (("Rain", "3 May 2024 · Puddle Duck"), {"author": ["Puddle Duck"], "date": "2024-05-03"}),
        (("Rain", "By", "the river"), {}),
        (("Rain", "By the river"), {}),
        (("Rain", "by radio, not by mail"), {}),
        (("Rain", "BY ANN LEE"), {"author": ["Ann Lee"]}),
        (("Snow", "Contributors: Ann Lee"), {"author": ["Ann Lee"]}),
        (("Snow", "Posted by Ann Lee in ducks"), {}),
        (("Snow", "By Ann Lee"), {}),
        (("Snow", "Wet.", "Written by Ann Lee"), {"author": ["Ann Lee"]}),
        (("Snow", "Wet.", "Author", "Ann Lee"), {"author": ["Ann Lee"]}),
        (("Snow", "Wet.", "Written by Ann Lee", "Written by Bob Ray"), {}),
        (
            ("Snow", "Wet.", "Published on 3 May 2024", "Last updated: 4 May 2024"),
            {"date": "2024-05-03", "modified": "2024-05-04"},
        ),
        (("Snow", "Wet.", "Published", "3 May 2024"), {"date": "2024-05-03"}),
        (("Snow", "Wet.", "Last updated", "4 May 2024"), {"modified": "2024-05-04"}),
        (("Snow", "Wet.", "written by the sea", "Published by us"), {}),
        (("Snow", "Posted 3 May 2024", "Posted 4 May 2024"), {}),
        (("Rain", "Ann Lee | Senior Writer | May 3, 2024"), {"author": ["Ann Lee"], "date": "2024-05-03"}),
        (
            ("Rain", "Essay | Published: 2025.12.17 | intelligence | create | programming | ducks"),
            {"date": "2025-12-17"},
        ),
        (("Rain", "On 3 May 2024 it rained. " * 20), {}),
    ],
)
def test_statements(texts: tuple[str, ...], expected: dict[str, Any]) -> None:
    assert said(*texts) == expected


def test_sites_order_of_numbers_and_first_headings() -> None:
    assert said("Rain", "By Puddle Post", sites=["Puddle Post"]) == {}
    assert said("Rain", "03/04/2025", month_first=True) == {"date": "2025-03-04"}
    segments = [{"text": "Wet", "tag": "h1"}, {"text": "By Ann Lee"}]
    assert statements_of_segments(segments, "Rain") == {"author": ["Ann Lee"]}


def test_where_names_without_by_are_authors() -> None:
    # names without by need a role and a date
    byline = {"text": "Ann Lee", "role": "byline", "role_probability": 0.9}
    title, day = {"text": "Rain"}, {"text": "3 May 2024"}
    assert statements_of_segments([title, byline, day], "Rain")["author"] == ["Ann Lee"]
    assert "author" not in statements_of_segments([title, byline], "Rain")
    assert "author" not in statements_of_segments([title, {**byline, "role_probability": 0.5}, day], "Rain")
    assert "author" not in statements_of_segments([title, {**byline, "origin": "json-ld:text"}, day], "Rain")
    # links to pages of authors and elements of authors
    title, day = {"text": "Rain", "tag": "h1"}, {"text": "3 May 2024"}
    link = {"text": "Ann Lee, Rome", "spans": [[0, 7, "link", "https://a.org/authors/ann-lee"]]}
    assert statements_of_segments([title, link, day], "Rain")["author"] == ["Ann Lee"]
    assert "author" not in statements_of_segments([title, link], "Rain")
    assert statements_of_segments([title, {"text": "Ann Lee", "path": "body/p.post-author"}, day], "Rain")["author"]
    assert "author" not in statements_of_segments(
        [title, {"text": "Ann Lee", "path": "body/p.author-bio"}, day], "Rain"
    )
    # a name in an address near the title is the author
    segments = [{"text": "Rain"}, {"text": "Ann Lee", "path": "body/main/address/div.x"}, {"text": "3 May 2024"}]
    assert statements_of_segments(segments, "Rain")["author"] == ["Ann Lee"]
    # editors in charge below an article
    assert said("雨", "雨。", "(责编：王明、李小红)", title="雨")["author"] == ["王明", "李小红"]
    assert said("雨", "作者：王明", "雨。", "责任编辑：李小红", title="雨")["author"] == ["王明"]
    assert said("雨", "责任编辑：编辑部", title="雨") == {}


@pytest.mark.parametrize("texts, expected", [
    (("Rain", "Podium Staff"), True), (("Rain", "Podium Staff · 3 May 2024"), True),
    (("Rain", *["Wet."] * 20, "By Podium Staff"), True), (("Rain", *["Wet."] * 20, "Podium Staff"), False),
    (("Rain", "Nobody of the Podium Staff was there when it rained."), False),
])  # fmt: skip
def test_whether_an_author_is_shown(texts: tuple[str, ...], expected: bool) -> None:
    assert shows_author([{"text": text} for text in texts], "Rain", "Podium Staff") is expected


LONG = "It rained all day, and the river rose up to the old bridge, and the people of the town went up the hill."


@pytest.mark.parametrize("name, before, author", [
    ("Ann Lee", "Wet.", ["Ann Lee"]), ("Ann Lee/Bob Ray", "Wet.", ["Ann Lee", "Bob Ray"]), ("Ann Lee", LONG, None),
    ("The old Bridge", "Wet.", None),
])  # fmt: skip
def test_names_in_bold_type_above_the_text(name: str, before: str, author: list[str] | None) -> None:
    segments: list[dict[str, Any]] = [
        {"text": "Rain"},
        {"text": before, "path": "body/p"},
        {"text": name, "path": "body/p", "spans": [[0, len(name), "strong"]]},
        {"text": LONG, "path": "body/p"},
    ]
    assert statements_of_segments(segments, "Rain").get("author") == author
    del segments[2]["spans"]
    assert "author" not in statements_of_segments(segments, "Rain")


LONG_TEXT = "It rained on the puddles of the parish until the ducks moved out of the pond. " * 2


def day_of(*texts: str, **options: Any) -> str:
    return other_day([{"text": text} for text in texts], **options)


@pytest.mark.parametrize(
    "texts, day",
    [
        (("Rain", "Source: Gazette 03/05/24-10:30", LONG_TEXT), "2024-05-03"),
        (("Rain 03.05.24 08:49", LONG_TEXT), "2024-05-03"),
        (("Rain", "Printer", "Опубликовано 3 мая 24 (14:41)", LONG_TEXT), "2024-05-03"),
        (("3 maj 24, 11:08", "Rain", LONG_TEXT), "2024-05-03"),
        (("Rain", LONG_TEXT, LONG_TEXT, LONG_TEXT, LONG_TEXT, "03.05.24 08:49"), ""),
        (("Rain", "Version 1.10.12.4", LONG_TEXT), ""),
    ],
)
def test_years_of_two_digits(texts: tuple[str, ...], day: str) -> None:
    assert day_of(*texts, place=0 if "Rain" in texts[0] else 1) == day


def test_days_elsewhere_on_a_page() -> None:
    assert day_of("Rain", "05/03/24", place=0, month_first=True) == "2024-05-03"
    # elements named after the day
    segments = [
        {"text": "Rain", "path": "body/h1"},
        {"text": LONG_TEXT, "path": "body/p"},
        {"text": "3 May 2024", "path": "body/div.pubdate"},
        {"text": "9 May 2024", "path": "body/div.clock/span.date"},
    ]
    assert other_day(segments, 0) == "2024-05-03"
    assert other_day([*segments, {"text": "4 May 2024", "path": "body/div.pubdate"}], 0) == ""
    assert other_day([*segments[:2], {"text": "3 May 2024", "path": "body/div.author-details"}], 0) == "2024-05-03"
    # before the text if there is no title
    texts = ("News", "Gazette 2024-05-03 10:30 Source: Ann Lee", LONG_TEXT, "2024-05-04")
    assert day_of(*texts, place=None) == "2024-05-03"
    assert day_of(*texts, place=0) == "2024-05-04"  # which is alone
    assert day_of("2024-05-03", "a", "b", "c", "d", "e", "f", LONG_TEXT, place=None) == "2024-05-03"  # far, but alone
    header = [{"text": "3 May 2024", "path": "body/div#header-time"}, {"text": LONG_TEXT, "path": "body/p"}]
    assert other_day(header, None) == ""
    # days that are read are bounded
    short = [{"text": "Duck pond", "path": "body/p"}] * 500
    day = {"text": "3 May 2024", "path": "body/div.pubdate"}
    assert other_day([{"text": "Rain"}, *short, day], 0) == "2024-05-03"
    assert other_day([{"text": "Rain"}, *[{"text": "In 2023", "path": "body/p"}] * 500, day], 0) == ""
    # the day above the page is that of the reading
    above = {"text": "Monday, 10/4/2013", "path": "body/div.header/div.date"}
    own = {"text": "15:10 6/1/2012", "path": "body/div.left/div.date"}
    far = [{"text": "It rains."}] * 9
    assert other_day([above, *far, {"text": "Rain"}, *far, own], 10) == "2012-01-06"
    assert other_day([above, *far, {"text": "Rain"}], 10) == "2013-04-10"
    assert other_day([above, own, *far, own | {"text": "7/1/2012"}, *far, {"text": "Rain"}], 20) == ""
    # the only day that stands alone
    assert day_of("Rain", *["It rained."] * 30, "3 May 2024, 10:30", place=0) == "2024-05-03"
    assert day_of("Rain", *["It rained."] * 30, "3 May 2024", "4 May 2024", place=0) == ""
    assert day_of("Rain", *["It rained."] * 30, "By Ann Lee, 3 May 2024", place=0) == ""


BIOGRAPHY = "Ann Lee is a writer. She lives by the sea with two ducks."


@pytest.mark.parametrize(
    "below, names",
    [
        (("About Ann Lee", BIOGRAPHY), ["Ann Lee"]),
        (("Ann Lee", "Head of Ducks", BIOGRAPHY.replace("Ann Lee", "Ann")), ["Ann Lee"]),
        (("Ann Lee", BIOGRAPHY, "Bob Ray", BIOGRAPHY.replace("Ann Lee", "Bob Ray")), []),
        (("Ann Lee", BIOGRAPHY, "Ann Lee", BIOGRAPHY), ["Ann Lee"]),
        (("Bob Ray", BIOGRAPHY), []),
        (("Duck Press", "Duck Press is the best press of the valley, and was for fifty years."), []),
        (("Duck Press", "Duck Press is a writer of the valley, and was for fifty years."), []),
        ((BIOGRAPHY,), []),
    ],
)
def test_authors(below: tuple[str, ...], names: list[str]) -> None:
    segments = [{"text": text} for text in ("Rain", *["It rained."] * 8, *below)]
    assert biography_author(segments, None, ["Duck Press"]) == names


def test_the_beginning_of_a_page_is_no_biography() -> None:
    segments = [{"text": text} for text in ("Ann Lee", BIOGRAPHY, *["It rained."] * 8)]
    assert biography_author(segments, None) == []
    hidden = [{"text": "Rain"}, {"text": "Ann Lee", "origin": "hidden"}, {"text": BIOGRAPHY}]
    assert biography_author(hidden, None) == []


@pytest.mark.parametrize(
    "texts, names",
    [
        (("Rain", "Ann Lee", "Text.", "Ann Lee is a writer. She lives in a shed by the sea."), ["Ann Lee"]),
        (("Rain", "ANN LEE", "Text.", "Ann Lee is a writer. She lives in a shed by the sea."), ["Ann Lee"]),
        (("Rain", "Ann Lee", "Text.", "Ann Lee Limited is a company. It makes sheds for editors."), []),
        (("Rain", "Puddle Coffee", "Text.", "Puddle Coffee is a drink that is made of puddles and beans."), []),
        (("Rain", "Ann Lee", "Text."), []),
        (("Ann Lee is a writer. She lives in a shed by the sea.", "Rain", "Ann Lee"), []),
    ],
)
def test_name_at_the_title_and_biography_below(texts: tuple[str, ...], names: list[str]) -> None:
    segments = [{"text": text} for text in (*["It rained."] * 9, *texts, *["It rained."] * 20)]
    assert biography_author(segments, segments.index({"text": "Rain"})) == names


SEGMENTS = [{"text": "Rain"}, {"text": "By Ann Lee, 3 May 2024"}]


def completed(head: dict[str, Any], **fields: Any) -> dict[str, Any]:
    record = {"head": {"title": "Rain", "evidence": {"title": "h1"}, **head}, "segments": SEGMENTS, **fields}
    done: dict[str, Any] = complete_head(record)["head"]
    return done


def test_heads_get_author_and_date_of_segments() -> None:
    head = completed({})
    assert (head["author"], head["date"]) == (["Ann Lee"], "2024-05-03")
    assert head["evidence"] == {"title": "h1", "author": "segment", "date": "segment"}
    assert completed({"author": ["Bob"], "date": "2023-01-01"})["date"] == "2023-01-01"
    assert completed({"date": "2023-01-01", "evidence": {"date": "time"}})["date"] == "2024-05-03"
    for record in (
        {"segments": SEGMENTS},
        {"head": {"title": "Rain"}, "segments": SEGMENTS},
        {"head": 7, "segments": []},
    ):
        assert complete_head(record) is record


def test_a_head_without_title_gets_that_of_a_segment() -> None:
    head = complete_head({"head": {"site": "P", "evidence": {"site": "url"}}, "segments": SEGMENTS}, "Rain")["head"]
    assert (head["title"], head["author"], head["declared_title"]) == ("Rain", ["Ann Lee"], "")
    assert head["evidence"] == {"site": "url", "title": "segment", "author": "segment", "date": "segment"}


@pytest.mark.parametrize("declared, identified, probability, expected", [
    ("en-US", "en", 0.99, "en-US"), ("en", "pl", 0.99, "pl"), ("en", "pl", 0.5, "en"), (None, "pl", 0.5, "pl"),
    ("de", "und", 0.0, "de"),
])  # fmt: skip
def test_languages(declared: str | None, identified: str, probability: float, expected: str) -> None:
    head = {"language": declared, "evidence": {"language": "html lang"}} if declared else {}
    assert completed(head, lang=identified, lang_probability=probability)["language"] == expected


def test_dates_that_segments_correct() -> None:
    # no date after the reading of the page
    head = completed({"modified": "2030-01-01", "evidence": {"modified": "time"}}, crawl_date="2024-05-02T10:00:00Z")
    assert "date" not in head and "modified" not in head and head["evidence"] == {"author": "segment"}
    # the day of a change is the date if there is no other
    head = {"title": "Rain", "modified": "2024-05-03", "evidence": {"title": "h1", "modified": "meta revised"}}
    out = complete_head({"head": head, "segments": [{"text": "Rain"}]})["head"]
    assert out["date"] == "2024-05-03" and out["evidence"]["date"] == "meta revised"
    out = complete_head({"head": head, "segments": [{"text": "Rain"}, {"text": "2 May 2024"}]})["head"]
    assert out["date"] == "2024-05-02"
    # labelled days count more than those of machines
    head = {
        "title": "Rain",
        "date": "2024-05-03",
        "modified": "2024-05-03",
        "evidence": {"date": "json-ld", "title": "h1"},
    }
    segments = [{"text": "Rain"}, *[{"text": "It rained."}] * 30, {"text": "Published 2 May 2023"}]
    assert complete_head({"head": head, "segments": segments})["head"]["date"] == "2023-05-02"
    segments[-1] = {"text": "Post time: 4 May 2024"}
    assert complete_head({"head": head, "segments": segments})["head"]["date"] == "2024-05-03"


def test_organizations_are_authors_where_the_page_shows_or_declares_them() -> None:
    # organizations count only where the page shows them
    staff = {"author": ["Puddle Staff"], "evidence": {"author": "meta author"}}
    assert completed(staff)["author"] == ["Ann Lee"]
    shown = {"head": {"title": "Rain", **staff}, "segments": [{"text": "Rain"}, {"text": "Puddle Staff"}]}
    assert complete_head(shown)["head"]["author"] == ["Puddle Staff"]
    assert complete_head(complete_head(shown)) == complete_head(shown)
    hidden = complete_head({**shown, "segments": [{"text": "Rain"}]})["head"]
    assert "author" not in hidden and hidden["evidence"] == {}
    # organizations count where the item of the page declares them
    segments = [{"text": "Rain"}, {"text": "It rained."}]
    for evidence, expected in (
        ("json-ld author", ["Gazette"]),
        ("json-ld WebPage author", None),
        ("meta author", None),
    ):
        head = {"title": "Rain", "author": ["Gazette"], "site": "Gazette", "evidence": {"author": evidence}}
        assert complete_head({"head": head, "segments": segments})["head"].get("author") == expected
        shown = complete_head({"head": head, "segments": [segments[0], {"text": "By Ann Lee"}]})["head"]
        assert shown["author"] == ["Ann Lee"]
    # sites may be named after their author
    segments = [{"text": "Rain"}, {"text": "It rained."}]
    for site, expected in (("Ann Lee", ["Ann Lee"]), ("Lee Inc", None), ("Gazette", None)):
        head = {"title": "Rain", "author": [site], "site": site, "evidence": {"author": "meta author"}}
        assert complete_head({"head": head, "segments": segments})["head"].get("author") == expected
    # organizations of microdata are the site or its team
    for author, site, expected in (
        ("The Puddle Team", "Puddle", ["The Puddle Team"]),
        ("Snow Press", "Puddle", None),
        ("Snow Press", "", None),
    ):
        head = {"author": [author], "site": site, "title": "Rain", "evidence": {"author": "itemprop"}}
        assert completed(head, segments=[{"text": "Rain"}]).get("author") == expected


@pytest.mark.parametrize("date, modified, expected", [
    ("2025-06-24", "2025-06-24", "2024-05-03"), ("2025-06-24", "2025-06-23", "2024-05-03"),
    ("2025-06-24", "2025-06-25", "2025-06-24"), ("2024-05-01", "2024-05-01", "2024-05-01"),
])  # fmt: skip
def test_days_of_machines(date: str, modified: str, expected: str) -> None:
    evidence = {"date": "json-ld datePublished", "modified": "json-ld dateModified"}
    assert completed({"date": date, "modified": modified, "evidence": evidence})["date"] == expected


def test_titles_that_segments_correct() -> None:
    # the title is what of it stands on the page
    declared = "It rained all day_Weather_Gazette"
    head = completed(
        {"title": declared, "evidence": {"title": "title", "site": "url"}, "site": "a.org"},
        segments=[{"text": "News"}, {"text": "It rained all day"}, {"text": "03/05/24 10:30"}],
    )
    assert (head["title"], head["declared_title"], head["site"]) == ("It rained all day", declared, "Gazette")
    assert (head["date"], head["evidence"]["site"]) == ("2024-05-03", "title")
    assert completed({"title": declared})["title"] == declared
    # names of sections are no titles
    head = {"title": "Sports", "declared_title": "It rained again - The Gazette", "evidence": {"title": "h1"}}
    segments = [{"text": "Sports", "tag": "h1"}, {"text": "It rained again", "tag": "h2"}]
    assert complete_head({"head": head, "segments": segments})["head"]["title"] == "It rained again"
    assert complete_head({"head": head, "segments": segments[:1]})["head"]["title"] == "Sports"
    # whom a page is about has not written it
    text = "Ada Marsh is a journalist and author who lives in London and writes about the rain and the rivers."
    for title, author in (("Ada Marsh (writer)", None), ("Rain in the north", ["Ada Marsh"])):
        head = {"title": title, "evidence": {"title": "h1"}}
        texts = ({"text": "Ada Marsh"}, {"text": "It rained. " * 30}, {"text": text})
        record = {"head": head, "segments": [{"text": title, "tag": "h1"}, *texts]}
        assert complete_head(record)["head"].get("author") == author


@pytest.mark.parametrize(
    "head, url, expected",
    (
        ({}, "https://a.org/rain", "2026-01-06"),
        ({}, "https://a.co.uk/rain", "2026-06-01"),
        ({"language": "de"}, "https://a.org/rain", "2026-06-01"),
    ),
)
def test_the_language_and_the_country_say_whether_the_month_is_first(
    head: dict[str, Any], url: str, expected: str
) -> None:
    head = {"language": "en", **head, "evidence": dict.fromkeys(head, "x")}
    segments = [{"text": "Rain"}, {"text": "01/06/2026"}]
    assert completed({"title": "Rain", **head}, segments=segments, url=url)["date"] == expected


# ---- titles ----
PLACES = [
    {"text": text, "tag": tag}
    for text, tag in (
        ("Snow", "p"), ("It rained.", "p"), ("It rained", "h2"), ("ÉTÉ", "h1"), ("The rain in É, which is long", "p"),
        ("ﬁnd", "h3"), ("Posted today", "h1"),
    )
]  # fmt: skip


@pytest.mark.parametrize("title, place", [
    ("It rained!", 2), ("snow", 0), ("été", 3), ("find", 5), ("the rain in é which is long", 4), ("rain", None),
    ("", None), ("…", None),
])  # fmt: skip
def test_a_heading_is_the_title_and_not_what_is_before_it(title: str, place: int | None) -> None:
    assert exact_place(PLACES, title) == place


def test_which_segments_are_the_title_and_around_it() -> None:
    assert exact_place([{"text": "Rain" + " ! " * 20}], "Rain") is None
    assert exact_place([{"text": "Rain" + " ! " * 20}], "Rain" + " " * 40) == 0
    assert short_around(PLACES, 2, 2, 3, 99) == [3, 4, 5, 1, 0]
    assert short_around(PLACES, 6, 1, 9, 99) == [5]
    assert short_around(PLACES, 2, 2, 3, 9, least=4) == [0]


@pytest.mark.parametrize(
    "texts, title, place",
    [
        (("News", "It rained", "All day."), "It rained", 1),
        (("News", "It rained", "All day."), "It rained | Weather_The Gazette", 1),
        (("News", "It rained", "All day."), "GAZETTE : It rained", 1),
        (("News", "It rained", "It rained - again"), "It rained - again - The Gazette", 2),
        (("新闻", "连日大雨致道路中断", "大雨。"), "连日大雨致道路中断_要闻_水洼新闻网", 1),
        (("新闻", "连日大雨致道路中断", "大雨。"), "连日大雨致道路中断-要闻-水洼新闻网", 1),
        (("News", "Rain", "All day."), "Rain | The Gazette", None),  # too short a part
        (("a", "It rained", "b"), "It rained" + " | b" * 6, None),  # too many parts
        (("News", "Snow"), "It rained", None),
    ],
)
def test_part_of_title(texts: tuple[str, ...], title: str, place: int | None) -> None:
    assert place_of_title([{"text": text} for text in texts], title) == place


def test_names_of_sections_and_headings_that_are_titles() -> None:
    title = "It rained all day - Weather - The Gazette"
    assert may_be_section("Sports", title) and may_be_section("Weather", title)
    assert not may_be_section("It rained all day", title) and not may_be_section("The Gazette", title)
    assert not may_be_section("Rain and gazette", title)
    segments = [{"text": "It rained", "tag": "li"}, {"text": "It rained", "tag": "h1"}, {"text": "Snow", "tag": "h1"}]
    assert place_of_title(segments, "It rained") == 1
    assert place_of_title(segments, "Hail") == 1
    assert exact_place(segments, "It rained | The Gazette") is None
    assert site_beside("连日大雨致道路中断_要闻_水洼新闻网", "连日大雨致道路中断") == "水洼新闻网"
    assert site_beside("GAZETTE : It rained all day", "It rained all day") == "GAZETTE"
    assert site_beside("It rained all day", "It rained all day") == ""


@pytest.mark.parametrize(
    "texts, title, part",
    [
        (("连日大雨致道路中断", "大雨。"), "连日大雨致道路中断_要闻_水洼新闻网", "连日大雨致道路中断"),
        (("It rained all day", "Wet."), "GAZETTE : It rained all day", "It rained all day"),
        (("It rained all day / Weather / Gazette", "It rained all day"), "It rained all day / Weather / Gazette", None),
        (("Ducks of the parish", "Wet."), "Rain | Puddles and ponds | Ducks of the parish", "Ducks of the parish"),
        (("Gazette", "Wet."), "Gazette - read, write and learn about any puddle", None),  # a site and its motto
        (("Snow",), "It rained all day | Gazette", None),
    ],
)
def test_title_on_page(texts: tuple[str, ...], title: str, part: str | None) -> None:
    assert title_on_page([{"text": text} for text in texts], title) == (part or title)


# ---- labels ----
def test_labels_of_the_page_and_of_others() -> None:
    assert statements_of_segments([{"text": "Written by Ann Lee", "origin": "json-ld"}], "Snow") == {}
    assert statements_of_segments([{"text": "Author: Ann Lee"}], "Snow", ["Ann Lee"]) == {"author": ["Ann Lee"]}
