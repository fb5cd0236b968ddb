"""Days as pages write them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ncfilters.page.metadata.dates import day_in_url, day_spans, iso_day, short_day, unix_day, yearless_day

SLOW_MACHINES = settings(suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize(
    "text, day",
    [
        ("2025-09-04T10:30:00-07:00", "2025-09-04"),
        ("2025-09-04T23:59:59.123Z", "2025-09-04"),
        ("20120113", "2012-01-13"),
        ("20120113121500", "2012-01-13"),
        ("2025/4/29", "2025-04-29"),
        ("Published: 2025.12.17 | create", "2025-12-17"),
        ("Sept. 4th, 2025 at 10:30 am", "2025-09-04"),
        ("Nov 25, 2025 5:00 am PST", "2025-11-25"),
        ("Fri Dec 19 2025 19:33:40 GMT+0000 (UTC)", "2025-12-19"),
        ("Fri Dec 19 19:33:40 UTC 2025", "2025-12-19"),
        ("Thu, 05 Jan 2012 08:00:00 GMT", "2012-01-05"),
        ("4 de septiembre de 2025", "2025-09-04"),
        ("Paris, le 1er août 2019", "2019-08-01"),
        ("4. März 2020", "2020-03-04"),
        ("среда, 6 января 2012 г.", "2012-01-06"),
        ("Παρασκευή 6 Ιανουαρίου 2012, 10:00", "2012-01-06"),
        ("12 stycznia 2012", "2012-01-12"),
        ("发布时间：2012年01月12日08:15", "2012-01-12"),
        ("23.07.2025 · 6 min read", "2025-07-23"),
        ("8/29/2023", "2023-08-29"),
        ("2024 Jun 30", "2024-06-30"),
        ("2024. május 3.", "2024-05-03"),
        ("2024 m. gegužės 3 d.", "2024-05-03"),
        ("Παρασκευή 6 Γενάρη 2012", "2012-01-06"),
        ("15 ΜΑΡΤΙΟΥ 2013", "2013-03-15"),
        ("3 בינואר 2024", "2024-01-03"),
        ("3 يناير، 2024", "2024-01-03"),
        ("3 d’abril del 2024", "2024-04-03"),
        ("Thứ Sáu, 3 tháng 5, 2024", "2024-05-03"),
        ("2024. 5. 3.", "2024-05-03"),
        ("28.11.201118:56", "2011-11-28"),
        ("03/May/2024:10:30:00 +0000", "2024-05-03"),
        ("PublishedMay 3, 2024", "2024-05-03"),
        ("DayMay Day 3, 2024", ""),
        ("3 Pühapäev 2024, 2024年5月3日", "2024-05-03"),
        ("Updated May 3, 2024, first on 2 May 2024", "2024-05-03"),
    ],
)
def test_days(text: str, day: str) -> None:
    assert iso_day(text) == day


@pytest.mark.parametrize(
    "text",
    ["", "today", "3 hours ago", "© 2019 The Gazette", "2019", "31/02/2020", "Psalm 12:13, 2020", "1789-07-14", "Nov 1",
     "call 2025-0904", "9999-12-31", "13 Rabbits 2020"],
)  # fmt: skip
def test_no_days(text: str) -> None:
    assert iso_day(text) == ""


@pytest.mark.parametrize(
    "text, day",
    [
        ("Gazette 03/11/11-16:49", "2011-11-03"),
        ("06.01.12 08:49", "2012-01-06"),
        ("26.11.11 Редакция", "2011-11-26"),
        ("3.5.99", "1999-05-03"),
        ("20 gru 11, 11:08", "2011-12-20"),
        ("Published: 12 Jan '12 08:32 CET", "2012-01-12"),
        ("5 января, 12:34", ""),
        ("8 декабря 10:32", ""),
        ("12 May 10 people came", ""),
        ("192.16.10.12", ""),
        ("v 1.10.12", ""),
        ("3/5/45", ""),
    ],
)
def test_years_of_two_digits(text: str, day: str) -> None:
    assert short_day(text) == day


def test_two_digits_after_the_month() -> None:
    assert short_day("01/02/24", month_first=True) == "2024-01-02"
    assert short_day("01.02.24", month_first=True) == "2024-02-01"


@pytest.mark.parametrize(
    "text, day",
    [
        ("28 ноября, 10:32 | Ann Lee", "2011-11-28"),
        ("Tuesday, Jan 10", "2012-01-10"),
        ("15 января", "2011-01-15"),
        ("10 people", ""),
        ("10 May people", ""),
    ],
)
def test_days_without_a_year(text: str, day: str) -> None:
    assert yearless_day(text, "2012-01-12") == day


def test_order_of_numbers() -> None:
    assert iso_day("03/04/2025") == "2025-04-03"
    assert iso_day("03/04/2025", month_first=True) == "2025-03-04"
    assert iso_day("03.04.2025", month_first=True) == "2025-04-03"


@pytest.mark.parametrize(
    "url, day",
    [
        ("https://a.org/2012/05/03/rain.html", "2012-05-03"),
        ("https://a.org/news/2012-05-03-rain", "2012-05-03"),
        ("https://a.org/n/20120503/rain", "2012-05-03"),
        ("https://a.org/2012/05/rain", ""),
        ("https://a.org/books/2025/dec/05/rain", "2025-12-05"),
        ("https://a.org/2025/rain/05/", ""),
        ("https://a.org/item/20129999/", ""),
        ("https://a.org/?from=/2012/05/03/", ""),
        ("", ""),
    ],
)
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


def test_places_of_days() -> None:
    text = "3 May 2024 – May 4th, 2024, 5 May 2024"
    assert [text[start:end] for start, end in day_spans(text)] == ["3 May 2024", "May 4th, 2024"]
    assert day_spans("May rain") == []


@pytest.mark.parametrize(
    "text, day",
    [
        ("1714694400", "2024-05-03"),
        ("1714694400000", "2024-05-03"),
        ("0014694400", ""),
        ("9999999999", ""),
        ("1714694400.5", ""),
        ("١٧١٤٦٩٤٤٠٠", ""),
        ("", ""),
    ],
)
def test_unix_times(text: str, day: str) -> None:
    assert unix_day(text) == day


def test_words_beside_names_of_months_hide_no_day() -> None:
    assert short_day("12-May-12") == "2012-05-12" and short_day("on 20 GRU 11, 11:08") == "2011-12-20"
    assert short_day("Step 1: 3 things") == short_day("3 maybe '12") == ""
    assert short_day("3/5/24") == short_day("3.5.24") == "2024-05-03"
    assert yearless_day("27 ΜΑΡΤΊΟΥ", "2020-06-01") == "2020-03-27" and yearless_day("Rain 5", "2020-06-01") == ""
    assert day_in_url("https://a.org/2025/dec/05/rain") == "2025-12-05"
    assert day_in_url("https://a.org/2025/rain/05/rain") == ""
