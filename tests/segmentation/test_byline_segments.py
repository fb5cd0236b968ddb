"""Author and date in the segments around the title."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.segmentation.byline_segments import shows_author, statements_of_segments


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
        (("Rain", "Wet.", "by ann"), {"author": ["ann"]}),
        (("Rain", "Posted By: Ann · In: Weather"), {"author": ["Ann"]}),
        (("Rain", "Wet.", "Wet.", "Wet.", "by ann"), {}),
        (("Snow", "Contributors: Ann Lee"), {"author": ["Ann Lee"]}),
        (("Snow", "Posted by Ann Lee on 2025-12-18 in ducks."), {"author": ["Ann Lee"], "date": "2025-12-18"}),
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
        (("Snow", "Posted 3 May 2024", "Posted 4 May 2024"), {}),
        (("Rain", "Ann Lee | Senior Writer | May 3, 2024"), {"author": ["Ann Lee"], "date": "2024-05-03"}),
        (
            ("Rain", "Music post by Ann, Submitted by Ann on May 3, 2024 - 1pm; tagged autumn, fire, ducks, all rain."),
            {"date": "2024-05-03"},
        ),
        (("Rain", "Joined: Mon May 3, 2010", "by ann » 3 May 2024"), {"author": ["ann"], "date": "2024-05-03"}),
        (("Rain", "23 replies, last post by Bob on 3 May 2024"), {}),
        (("Rain", "The sale of ducks ends on 03/31/2026. While supplies last. Use the code SPRING."), {}),
        (
            ("Rain", "Essay | Published: 2025.12.17 | intelligence | create | programming | ducks"),
            {"date": "2025-12-17"},
        ),
        (("Rain", "On 3 May 2024 it rained. " * 20), {}),
    ],
)
def test_statements(texts: tuple[str, ...], expected: dict[str, Any]) -> None:
    assert said(*texts) == expected


def test_sites_and_order_of_numbers() -> None:
    assert said("Rain", "By Puddle Post", sites=["Puddle Post"]) == {}
    assert said("Rain", "03/04/2025", month_first=True) == {"date": "2025-03-04"}


def test_the_first_heading_is_the_title_where_no_segment_is() -> None:
    segments = [{"text": "Wet", "tag": "h1"}, {"text": "By Ann Lee"}]
    assert statements_of_segments(segments, "Rain") == {"author": ["Ann Lee"]}


def test_names_without_by_need_a_role_and_a_date() -> None:
    byline = {"text": "Ann Lee", "role": "byline", "role_probability": 0.9}
    title, day = {"text": "Rain"}, {"text": "3 May 2024"}
    assert statements_of_segments([title, byline, day], "Rain")["author"] == ["Ann Lee"]
    assert "author" not in statements_of_segments([title, byline], "Rain")
    assert "author" not in statements_of_segments([title, {**byline, "role_probability": 0.5}, day], "Rain")
    assert "author" not in statements_of_segments([title, {**byline, "origin": "json-ld:text"}, day], "Rain")


def test_links_to_pages_of_authors_and_elements_of_authors() -> None:
    title, day = {"text": "Rain", "tag": "h1"}, {"text": "3 May 2024"}
    link = {"text": "Ann Lee, Rome", "spans": [[0, 7, "link", "https://a.org/authors/ann-lee"]]}
    assert statements_of_segments([title, link, day], "Rain")["author"] == ["Ann Lee"]
    assert "author" not in statements_of_segments([title, link], "Rain")
    assert statements_of_segments([title, {"text": "Ann Lee", "path": "body/p.post-author"}, day], "Rain")["author"]
    assert "author" not in statements_of_segments(
        [title, {"text": "Ann Lee", "path": "body/p.author-bio"}, day], "Rain"
    )


def test_the_heading_is_the_title_rather_than_the_crumb() -> None:
    crumbs = [{"text": "Rain", "tag": "li"}, {"text": "By Bob Ray"}, *({"text": f"Part {n}"} for n in range(20))]
    segments = [*crumbs, {"text": "Rain", "tag": "h1"}, {"text": "By Ann Lee"}]
    assert statements_of_segments(segments, "Rain") == {"author": ["Ann Lee"]}


@pytest.mark.parametrize(
    "texts, expected",
    [
        (("Rain", "Podium Staff"), True),
        (("Rain", "Podium Staff · 3 May 2024"), True),
        (("Rain", *["Wet."] * 20, "By Podium Staff"), True),
        (("Rain", *["Wet."] * 20, "Podium Staff"), False),
        (("Rain", "Nobody of the Podium Staff was there when it rained."), False),
    ],
)
def test_whether_an_author_is_shown(texts: tuple[str, ...], expected: bool) -> None:
    assert shows_author([{"text": text} for text in texts], "Rain", "Podium Staff") is expected


def test_a_date_at_an_earlier_copy_of_the_title_counts_if_the_heading_has_none() -> None:
    first = [{"text": "Rain", "tag": "p"}, {"text": "3 May 2024"}, *({"text": f"Part {n}"} for n in range(20))]
    assert statements_of_segments([*first, {"text": "Rain", "tag": "h1"}], "Rain") == {"date": "2024-05-03"}


def test_a_label_does_not_count_beside_a_day_that_leads_to_another_page() -> None:
    label, link = {"text": "Published"}, {"text": "4 May 2023", "spans": [[0, 10, "link", "https://a.org/snow"]]}
    assert statements_of_segments([label, {"text": "3 May 2024"}, label, link], "Rain") == {"date": "2024-05-03"}
    assert statements_of_segments([label, link], "Rain") == {}


@pytest.mark.parametrize(
    "text", ["Financing – ends Aug 2, 2026", "Order by 2 August 2026", "Gilt bis zum 2.8.2026", "Hasta 2/8/2026"]
)
def test_the_last_day_of_an_offer_is_no_date(text: str) -> None:
    assert statements_of_segments([{"text": "Raincoat"}, {"text": text}], "Raincoat") == {}


def test_a_day_elsewhere_needs_a_role() -> None:
    day = {"text": "3 May 2024", "role": "date", "role_probability": 0.9}
    segments = [{"text": "Rain", "tag": "h1"}, *[{"text": "It rained."}] * 12, day]
    assert statements_of_segments(segments, "Rain") == {"date": "2024-05-03"}
    assert statements_of_segments([*segments, {**day, "text": "4 May 2024"}], "Rain") == {}
    assert statements_of_segments([*segments[:-1], {"text": "3 May 2024"}], "Rain") == {}


def test_links_beside_one_another_are_names_of_their_own() -> None:
    text = "By Ann Lee Bob Ray, Rain"
    spans = [[3, 10, "link", "/author/ann"], [11, 18, "link", "/author/bob"], [20, 24, "link", "/rain"]]
    segments: list[dict[str, Any]] = [{"text": "Rain"}, {"text": text, "spans": spans}]
    assert statements_of_segments(segments, "Rain") == {"author": ["Ann Lee", "Bob Ray"]}
    spans[1][3] = "/rain#respond"
    assert statements_of_segments(segments, "Rain") == {"author": ["Ann Lee Bob Ray"]}


def test_a_name_in_an_address_near_the_title_is_the_author() -> None:
    segments = [{"text": "Rain"}, {"text": "Ann Lee", "path": "body/main/address/div.x"}, {"text": "3 May 2024"}]
    assert statements_of_segments(segments, "Rain")["author"] == ["Ann Lee"]


LONG = "It rained all day, and the river rose up to the old bridge, and the people of the town went up the hill."


@pytest.mark.parametrize(
    "name, before, author",
    [
        ("Ann Lee", "Wet.", ["Ann Lee"]),
        ("Ann Lee/Bob Ray", "Wet.", ["Ann Lee", "Bob Ray"]),
        ("Ann Lee", LONG, None),
        ("The old Bridge", "Wet.", None),
    ],
)
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


def test_editors_in_charge_below_an_article() -> None:
    assert said("雨", "雨。", "(责编：王明、李小红)", title="雨")["author"] == ["王明", "李小红"]
    assert said("雨", "作者：王明", "雨。", "责任编辑：李小红", title="雨")["author"] == ["王明"]
    assert said("雨", "责任编辑：编辑部", title="雨") == {}


@pytest.mark.parametrize(
    "name, address, author",
    [
        ("Änn", "https://a.org/author/ann/", ["Änn"]),
        ("Puddle Press", "https://a.org/autoren/74149-puddle-press", ["Puddle Press"]),
        ("Ann Lee", "https://a.se/av/ann-lee", ["Ann Lee"]),
        ("More", "https://a.org/author/ann/", None),
        ("Puddle Press", "https://a.org/topic/puddle-press/", None),
    ],
)
def test_the_address_of_an_author_has_the_name(name: str, address: str, author: list[str] | None) -> None:
    segments = [{"text": "Rain"}, {"text": name, "spans": [[0, len(name), "link", address]]}, {"text": "3 May 2024"}]
    assert statements_of_segments(segments, "Rain").get("author") == author


def test_names_before_the_label_of_a_day() -> None:
    assert said("Rain", "Ann Lee | Published 4 months ago")["author"] == ["Ann Lee"]
    assert said("Rain", "Ann Lee | Aktualisiert vor 3 Tagen")["author"] == ["Ann Lee"]
    assert "author" not in said("Rain", "Ann Lee | Weather")
