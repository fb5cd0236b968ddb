"""Values of fields: days, prices, addresses, and what was not chosen."""

from __future__ import annotations

from datetime import date
from html import escape
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from page_rows import page_of

from ncfilters.head import FIELDS
from ncfilters.page.metadata.dates import day_in_url, day_spans, iso_day, short_day, unix_day
from ncfilters.page.metadata.declarations import Statements, absolute_address
from ncfilters.page.metadata.page_metadata import MAX_ALTERNATIVES, alternative, with_metadata, without_chosen
from ncfilters.page.metadata.structured_data import MAX_OFFERS, linked_metadata, offered_price, price_with_currency
from ncfilters.page.tree.survey import survey

SLOW_MACHINES = settings(suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("text, day", [
    ("2025-09-04T10:30:00-07:00", "2025-09-04"), ("2025-09-04T23:59:59.123Z", "2025-09-04"), ("20120113", "2012-01-13"),
    ("20120113121500", "2012-01-13"), ("2025/4/29", "2025-04-29"), ("Published: 2025.12.17 | create", "2025-12-17"),
    ("Sept. 4th, 2025 at 10:30 am", "2025-09-04"), ("Nov 25, 2025 5:00 am PST", "2025-11-25"),
    ("Fri Dec 19 2025 19:33:40 GMT+0000 (UTC)", "2025-12-19"), ("Fri Dec 19 19:33:40 UTC 2025", "2025-12-19"),
    ("Thu, 05 Jan 2012 08:00:00 GMT", "2012-01-05"), ("4 de septiembre de 2025", "2025-09-04"),
    ("Paris, le 1er août 2019", "2019-08-01"), ("4. März 2020", "2020-03-04"),
    ("среда, 6 января 2012 г.", "2012-01-06"), ("Παρασκευή 6 Ιανουαρίου 2012, 10:00", "2012-01-06"),
    ("12 stycznia 2012", "2012-01-12"), ("发布时间：2012年01月12日08:15", "2012-01-12"),
    ("23.07.2025 · 6 min read", "2025-07-23"), ("8/29/2023", "2023-08-29"), ("2024 Jun 30", "2024-06-30"),
    ("2024. május 3.", "2024-05-03"), ("2024 m. gegužės 3 d.", "2024-05-03"), ("Παρασκευή 6 Γενάρη 2012", "2012-01-06"),
    ("15 ΜΑΡΤΙΟΥ 2013", "2013-03-15"), ("3 בינואר 2024", "2024-01-03"), ("3 يناير، 2024", "2024-01-03"),
    ("3 d’abril del 2024", "2024-04-03"), ("Thứ Sáu, 3 tháng 5, 2024", "2024-05-03"), ("2024. 5. 3.", "2024-05-03"),
    ("28.11.201118:56", "2011-11-28"), ("03/May/2024:10:30:00 +0000", "2024-05-03"),
    ("PublishedMay 3, 2024", "2024-05-03"), ("DayMay Day 3, 2024", ""), ("3 Pühapäev 2024, 2024年5月3日", "2024-05-03"),
    ("Updated May 3, 2024, first on 2 May 2024", "2024-05-03"),
])  # fmt: skip
def test_days(text: str, day: str) -> None:
    assert iso_day(text) == day


def test_no_days() -> None:
    texts = "|today|3 hours ago|© 2019 The Gazette|2019|31/02/2020|Psalm 12:13, 2020|1789-07-14|Nov 1|call 2025-0904"
    for text in f"{texts}|9999-12-31|13 Rabbits 2020".split("|"):
        assert iso_day(text) == "", text


@pytest.mark.parametrize("text, day", [
    ("Gazette 03/11/11-16:49", "2011-11-03"), ("06.01.12 08:49", "2012-01-06"), ("26.11.11 Редакция", "2011-11-26"),
    ("3.5.99", "1999-05-03"), ("20 gru 11, 11:08", "2011-12-20"), ("Published: 12 Jan '12 08:32 CET", "2012-01-12"),
    ("5 января, 12:34", ""), ("8 декабря 10:32", ""), ("12 May 10 people came", ""), ("192.16.10.12", ""),
    ("v 1.10.12", ""), ("3/5/45", ""), ("12-May-12", "2012-05-12"), ("on 20 GRU 11, 11:08", "2011-12-20"),
    ("Step 1: 3 things", ""), ("3 maybe '12", ""), ("3/5/24", "2024-05-03"), ("3.5.24", "2024-05-03"),
])  # fmt: skip
def test_years_of_two_digits(text: str, day: str) -> None:
    assert short_day(text) == day


def test_the_order_of_day_and_month() -> None:
    assert short_day("01/02/24", month_first=True) == "2024-01-02"
    assert short_day("01.02.24", month_first=True) == "2024-02-01"
    assert iso_day("03/04/2025") == "2025-04-03"
    assert iso_day("03/04/2025", month_first=True) == "2025-03-04"
    assert iso_day("03.04.2025", month_first=True) == "2025-04-03"


@pytest.mark.parametrize("url, day", [
    ("https://a.org/2012/05/03/rain.html", "2012-05-03"), ("https://a.org/news/2012-05-03-rain", "2012-05-03"),
    ("https://a.org/n/20120503/rain", "2012-05-03"), ("https://a.org/2012/05/rain", ""),
    ("https://a.org/books/2025/dec/05/rain", "2025-12-05"), ("https://a.org/2025/rain/05/", ""),
    ("https://a.org/item/20129999/", ""), ("https://a.org/?from=/2012/05/03/", ""), ("", ""),
])  # fmt: skip
def test_days_in_addresses(url: str, day: str) -> None:
    assert day_in_url(url) == day


@SLOW_MACHINES
@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    assert len(iso_day(text)) in (0, 10)


@SLOW_MACHINES
@given(st.dates(min_value=date(1991, 1, 1), max_value=date(2099, 12, 31)))
def test_each_day_is_read_back(day: date) -> None:
    assert iso_day(f"Posted {day:%B %d, %Y}") == iso_day(f"{day:%d %b %Y}") == iso_day(str(day)) == str(day)


def test_days_beside_words_and_their_places() -> None:
    text = "3 May 2024 – May 4th, 2024, 5 May 2024"
    assert [text[start:end] for start, end in day_spans(text)] == ["3 May 2024", "May 4th, 2024"]
    assert day_spans("May rain") == []


@pytest.mark.parametrize("text, day", [
    ("1714694400", "2024-05-03"), ("1714694400000", "2024-05-03"), ("0014694400", ""), ("9999999999", ""),
    ("1714694400.5", ""), ("١٧١٤٦٩٤٤٠٠", ""), ("", ""),
])  # fmt: skip
def test_unix_times(text: str, day: str) -> None:
    assert unix_day(text) == day


@pytest.mark.parametrize(
    "offers, expected",
    (
        ({"price": "60.00", "priceCurrency": "USD"}, "60.00 USD"),
        ({"price": 60, "priceCurrency": "eur"}, "60 EUR"),
        ({"@type": "AggregateOffer", "lowPrice": "9.5", "highPrice": "1,200.00"}, "9.50–1200.00"),
        ([{"price": "1099.0"}, {"price": "3418.98"}, {"price": "1099.0"}], "1099.00–3418.98"),
        ({"priceSpecification": [{"price": "5", "priceCurrency": "GBP"}]}, "5 GBP"),
        ([{"price": "5", "priceCurrency": "GBP"}, {"price": "6", "priceCurrency": "USD"}], ""),
        ({"price": "0.00", "priceCurrency": "USD"}, ""),
        ({"price": None}, ""),
        ("free", ""),
        (None, ""),
    ),
)
def test_the_price_of_offers(offers: Any, expected: str) -> None:
    assert offered_price({"@type": "Product", "offers": offers}) == expected


def test_offers_within_each_other_end_and_many_have_no_price() -> None:
    assert offered_price({"offers": [{"price": number} for number in range(1, MAX_OFFERS + 2)]}) == ""
    offers: dict[str, Any] = {}
    offers["offers"] = [offers, offers]
    assert offered_price(offers) == ""


@pytest.mark.parametrize("text, code, expected", (
    ("$60.00", "usd", "60.00 USD"), ("59,99€", "EUR", "59.99 EUR"), ("1.060,5", "EUR", "1060.50 EUR"),
    ("1'299.50", "CHF", "1299.50 CHF"), ("1.299", "EUR", "1299 EUR"), ("5700.000", "USD", "5700.00 USD"),
    ("12", "dollars", "12"), ("on demand", "USD", ""), ("-60", "USD", ""), ("1e309", "USD", ""),
))  # fmt: skip
def test_a_price_with_its_currency(text: str, code: str, expected: str) -> None:
    assert price_with_currency(text, code) == expected


def test_statements_of_a_field() -> None:
    said, pair = Statements(), ("Ann", "x")
    said.by_source = {
        "byline": {"author": [pair]},
        "json-ld": {"author": [("Bob", "y")] * 2, "title": []},
        "rel-author": {"author": [pair] * 4, "license": [pair]},
        "unknown": {"author": [pair]},
        "meta": {"date": [(str(number), "z") for number in range(1500)], "author": [pair]},
        "time": {"date": [pair]},
    }
    assert said.of("author") == [("json-ld", "Bob", "y")] * 2 + [("meta", *pair), ("byline", *pair)]
    assert len(said.of("date")) == 1000 and said.of("license") == [("rel-author", *pair)] and said.of("x") == []


@pytest.mark.parametrize("text, address", [
    ("../snow?a=b", "https://www.puddle.org/snow?a=b"), ("https://a.org/b", "https://a.org/b"),
    ("javascript:alert(1)", ""), ("https://[", ""), ("https://a.org/a b", ""),
])  # fmt: skip
def test_addresses(text: str, address: str) -> None:
    assert absolute_address(text, "https://www.puddle.org/2012/rain") == address


def test_items_in_lists_and_places() -> None:
    named = [{"@type": "WebSite", "name": name} for name in "abc"]
    values = [{"@graph": [named[0], [named[1]]]}, {"other": named[2]}, "text"]
    assert linked_metadata(values) == {"site": [("a", "json-ld WebSite"), ("b", "json-ld WebSite")]}


URL = "https://www.puddle.org/2012/05/03/rain"


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("date", "2024-05-03T10:00:00Z", "2024-05-03"),
        ("date", "2024-02-30", "2012-05-03"),  # of the address
        ("date", "1714694400", "2024-05-03"), ("modified", "3 May 2024", "2024-05-03"),
        ("modified", "2024-13-01", None), ("language", "en_us", "en-US"), ("language", "zh-hant", "zh-hant"),
        ("language", "en us", None), ("canonical", "https://a.org/b#c", "https://a.org/b#c"),
        ("canonical", "/b", "https://www.puddle.org/b"), ("canonical", "https://a.org/a b", None),
        ("canonical", "ftp://a.org/b", None), ("canonical", "javascript:alert(1)", None), ("license", "CC BY", "CC BY"),
        ("license", "none", None), ("image", "https://a.org/#primaryimage", None),
        ("image", "x.png", "https://www.puddle.org/2012/05/03/x.png"),
        ("image", "https:////pictures.puddle.org/x.png", "https://pictures.puddle.org/x.png"),
        ("image", "https://puddle.org", None), ("image", "/data/avatars/l/7.jpg", None),
        ("image", "/favicon-32x32.png", None), ("image", "/i/blank.gif", None),
        ("image", "/avatars-of-ducks.png", "https://www.puddle.org/avatars-of-ducks.png"),
        ("categories", "purpose:feed", None), ("categories", "WXYZ:RAIN,SNOW,AB1", None),
        ("categories", "Weather:Rain", ["Weather:Rain"]),
        ("categories", "rain;snow ;; rain, a & b", ["rain", "snow", "a & b"]), ("categories", "y" * 81, None),
    ],
)  # fmt: skip
def test_fields(field: str, text: str, value: object) -> None:
    tag = next(tags.split()[0] for one in FIELDS if one.name == field for tags in reversed(one.tags.values()))
    assert head_of({tag: text}).get(field) == value


def head_of(tags: dict[str, str], html: str = "", url: str = URL) -> dict[str, Any]:
    """The metadata of a page with these tags."""
    table = page_of("".join(f'<meta name="{name}" content="{escape(text)}">' for name, text in tags.items()) + html)
    return with_metadata({}, table, survey(table), url)


def test_the_language_and_the_address_of_elements_come_first() -> None:
    tags = {"language": "de", "date": "03/04/2025"}
    head = head_of(tags, "<link rel=canonical href=/rain><html lang=en_us>")
    assert head["language"] == "en-US" and head["evidence"]["language"] == "html lang"
    assert head["date"] == "2025-03-04" and head["canonical"] == "https://www.puddle.org/rain"
    assert head_of(tags)["date"] == "2025-04-03"


def test_long_texts_and_many_categories() -> None:
    head = head_of({"article:tag": ", ".join(f"c{n}" for n in range(300))})
    assert len(head["categories"]) == 20
    assert absolute_address(f"https://a.org/{'b' * 2000}", "") == ""


def test_what_was_not_chosen_is_read_as_the_head_is() -> None:
    head = head_of(
        {"parsely-author": "By ANN LEE", "author": "Bob Ray", "byl": "Puddle Staff"},
        "<title>Rain all day - Log</title><h1>Rain all day</h1><time datetime=2024-05-02></time>"
        "<time>3 May 2024</time><time>soon</time>",
    )
    assert (head["title"], head["author"], head["date"]) == ("Rain all day", ["Bob Ray"], "2024-05-02")
    found = [(one["field"], one["value"]) for one in head["alternatives"]]
    assert found == [
        ("title", "Rain all day - Log"), ("author", "Ann Lee"), ("author", "Puddle Staff"), ("date", "2024-05-03"),
    ]  # fmt: skip
    head = {"title": "Rain", "author": ["Ann Lee"], "site": 7}
    others = [alternative("title", text, "h1") for text in ("RAIN!", "Snow", "snow", "")]
    assert without_chosen([*others, alternative("author", "Ann Lee", "x")], head) == [others[1]]
    assert len(without_chosen([alternative("title", str(n), "h1") for n in range(99)], {})) == MAX_ALTERNATIVES
