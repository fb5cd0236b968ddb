"""Fields of the head that need the text."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.segmentation.head_fields import complete_head

SEGMENTS = [{"text": "Rain"}, {"text": "By Ann Lee, 3 May 2024"}]


def completed(head: dict[str, Any], **fields: Any) -> dict[str, Any]:
    record = {"head": {"title": "Rain", "evidence": {"title": "h1"}, **head}, "segments": SEGMENTS, **fields}
    done: dict[str, Any] = complete_head(record)["head"]
    return done


def test_author_and_date_of_segments() -> None:
    head = completed({})
    assert (head["author"], head["date"]) == (["Ann Lee"], "2024-05-03")
    assert head["evidence"] == {"title": "h1", "author": "segment", "date": "segment"}
    assert completed({"author": ["Bob"], "date": "2023-01-01"})["date"] == "2023-01-01"
    assert completed({"date": "2023-01-01", "evidence": {"date": "time"}})["date"] == "2024-05-03"


@pytest.mark.parametrize(
    "declared, identified, probability, expected",
    [
        ("en-US", "en", 0.99, "en-US"),
        ("en", "pl", 0.99, "pl"),
        ("en", "pl", 0.5, "en"),
        (None, "pl", 0.5, "pl"),
        ("de", "und", 0.0, "de"),
    ],
)
def test_languages(declared: str | None, identified: str, probability: float, expected: str) -> None:
    head = {"language": declared, "evidence": {"language": "html lang"}} if declared else {}
    assert completed(head, lang=identified, lang_probability=probability)["language"] == expected


def test_no_date_after_the_reading_of_the_page() -> None:
    head = completed({"modified": "2030-01-01", "evidence": {"modified": "time"}}, crawl_date="2024-05-02T10:00:00Z")
    assert "date" not in head and "modified" not in head and head["evidence"] == {"author": "segment"}


def test_heads_without_metadata_stay() -> None:
    for record in (
        {"segments": SEGMENTS},
        {"head": {"title": "Rain"}, "segments": SEGMENTS},
        {"head": 7, "segments": []},
    ):
        assert complete_head(record) is record


def test_organizations_count_only_where_the_page_shows_them() -> None:
    staff = {"author": ["Puddle Staff"], "evidence": {"author": "meta author"}}
    assert completed(staff)["author"] == ["Ann Lee"]
    shown = {"head": {"title": "Rain", **staff}, "segments": [{"text": "Rain"}, {"text": "Puddle Staff"}]}
    assert complete_head(shown)["head"]["author"] == ["Puddle Staff"]
    assert complete_head(complete_head(shown)) == complete_head(shown)
    hidden = complete_head({**shown, "segments": [{"text": "Rain"}]})["head"]
    assert "author" not in hidden and hidden["evidence"] == {}


def test_organizations_count_where_the_item_of_the_page_declares_them() -> None:
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


def test_sites_may_be_named_after_their_author() -> None:
    segments = [{"text": "Rain"}, {"text": "It rained."}]
    for site, expected in (("Ann Lee", ["Ann Lee"]), ("Lee Inc", None), ("Gazette", None)):
        head = {"title": "Rain", "author": [site], "site": site, "evidence": {"author": "meta author"}}
        assert complete_head({"head": head, "segments": segments})["head"].get("author") == expected


def test_organizations_of_microdata_are_the_site_or_its_team() -> None:
    for author, site, expected in (
        ("The Puddle Team", "Puddle", ["The Puddle Team"]),
        ("Snow Press", "Puddle", None),
        ("Snow Press", "", None),
    ):
        head = {"author": [author], "site": site, "title": "Rain", "evidence": {"author": "itemprop"}}
        assert completed(head, segments=[{"text": "Rain"}]).get("author") == expected


@pytest.mark.parametrize(
    "date, modified, expected",
    [
        ("2025-06-24", "2025-06-24", "2024-05-03"),
        ("2025-06-24", "2025-06-23", "2024-05-03"),
        ("2025-06-24", "2025-06-25", "2025-06-24"),
        ("2024-05-01", "2024-05-01", "2024-05-01"),
    ],
)
def test_days_of_machines(date: str, modified: str, expected: str) -> None:
    evidence = {"date": "json-ld datePublished", "modified": "json-ld dateModified"}
    assert completed({"date": date, "modified": modified, "evidence": evidence})["date"] == expected


def test_the_title_is_what_of_it_stands_on_the_page() -> None:
    declared = "It rained all day_Weather_Gazette"
    head = completed(
        {"title": declared, "evidence": {"title": "title", "site": "url"}, "site": "a.org"},
        segments=[{"text": "News"}, {"text": "It rained all day"}, {"text": "03/05/24 10:30"}],
    )
    assert (head["title"], head["declared_title"], head["site"]) == ("It rained all day", declared, "Gazette")
    assert (head["date"], head["evidence"]["site"]) == ("2024-05-03", "title")
    assert completed({"title": declared})["title"] == declared


def test_days_without_a_year_are_before_the_reading() -> None:
    segments = [{"text": "Rain"}, {"text": "Tuesday, Nov 28"}]
    assert completed({}, segments=segments, crawl_date="2024-01-02T10:00:00Z")["date"] == "2023-11-28"
    assert "date" not in completed({}, segments=segments)


def test_names_of_sections_are_no_titles() -> None:
    head = {"title": "Sports", "declared_title": "It rained again - The Gazette", "evidence": {"title": "h1"}}
    segments = [{"text": "Sports", "tag": "h1"}, {"text": "It rained again", "tag": "h2"}]
    assert complete_head({"head": head, "segments": segments})["head"]["title"] == "It rained again"
    assert complete_head({"head": head, "segments": segments[:1]})["head"]["title"] == "Sports"


def test_whom_a_page_is_about_has_not_written_it() -> None:
    text = "Ada Marsh is a journalist and author who lives in London and writes about the rain and the rivers."
    for title, author in (("Ada Marsh (writer)", None), ("Rain in the north", ["Ada Marsh"])):
        head = {"title": title, "evidence": {"title": "h1"}}
        texts = ({"text": "Ada Marsh"}, {"text": "It rained. " * 30}, {"text": text})
        record = {"head": head, "segments": [{"text": title, "tag": "h1"}, *texts]}
        assert complete_head(record)["head"].get("author") == author


def test_infoboxes_and_references_tell_of_others() -> None:
    box = [{"text": "Written by\tCarl Dee", "path": "body/table.infobox/tr"}]
    works = [{"text": "By Ann Lee, 4 May 2013", "path": "body/ol.references/li"}]
    made = [
        {"text": "Generated on 3 May 2024 by yard"},
        {"text": "This page was last edited on 5 June 2024, at 10:00."},
    ]
    head = {"title": "Rain", "evidence": {"title": "h1"}}
    segments = [{"text": "Rain", "tag": "h1"}, *box, {"text": "It rained. " * 30}, *works]
    assert complete_head({"head": head, "segments": segments})["head"].keys() == {"title", "evidence"}
    found = complete_head({"head": head, "segments": [*segments, made[0]]})["head"]
    assert "author" not in found and found["date"] == "2024-05-03"
    assert complete_head({"head": head, "segments": [*segments, made[1]]})["head"]["modified"] == "2024-06-05"


def test_the_day_of_a_change_is_the_date_if_there_is_no_other() -> None:
    head = {"title": "Rain", "modified": "2024-05-03", "evidence": {"title": "h1", "modified": "meta revised"}}
    out = complete_head({"head": head, "segments": [{"text": "Rain"}]})["head"]
    assert out["date"] == "2024-05-03" and out["evidence"]["date"] == "meta revised"
    out = complete_head({"head": head, "segments": [{"text": "Rain"}, {"text": "2 May 2024"}]})["head"]
    assert out["date"] == "2024-05-02"


def test_labelled_days_count_more_than_those_of_machines() -> None:
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
