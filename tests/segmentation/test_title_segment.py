"""The segment that is the title of a page."""

from __future__ import annotations

import pytest

from ncfilters.segmentation.page_segments import places_of_title
from ncfilters.segmentation.title_segment import may_be_section, place_of_title, site_beside, title_on_page


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


def test_names_of_sections() -> None:
    title = "It rained all day - Weather - The Gazette"
    assert may_be_section("Sports", title) and may_be_section("Weather", title)
    assert not may_be_section("It rained all day", title) and not may_be_section("The Gazette", title)
    assert not may_be_section("Rain and gazette", title)


def test_headings_first() -> None:
    segments = [{"text": "It rained", "tag": "li"}, {"text": "It rained", "tag": "h1"}, {"text": "Snow", "tag": "h1"}]
    assert place_of_title(segments, "It rained") == 1
    assert place_of_title(segments, "Hail") == 1
    assert places_of_title(segments, "It rained") == (1, 0)
    assert places_of_title(segments, "It rained | The Gazette") == (None, None)


@pytest.mark.parametrize(
    "texts, title, part",
    [
        (("连日大雨致道路中断", "大雨。"), "连日大雨致道路中断_要闻_水洼新闻网", "连日大雨致道路中断"),
        (("It rained all day", "Wet."), "GAZETTE : It rained all day", "It rained all day"),
        (("It rained all day", "Wet."), "GAZETTE: It rained all day", "It rained all day"),
        (("It rained all day", "Wet."), "It rained all day (from the Gazette)", "It rained all day"),
        (("It rained all day", "Weather"), "Weather: It rained all day", None),
        (("It rained all day", "Wet."), f"{'News, weather, rain, ' * 4}- It rained all day", "It rained all day"),
        (("It rained all day / Weather / Gazette", "It rained all day"), "It rained all day / Weather / Gazette", None),
        (("Ducks of the parish", "Wet."), "Rain | Puddles and ponds | Ducks of the parish", "Ducks of the parish"),
        (("Gazette", "Wet."), "Gazette - read, write and learn about any puddle", None),  # a site and its motto
        (("Snow",), "It rained all day | Gazette", None),
    ],
)
def test_title_on_page(texts: tuple[str, ...], title: str, part: str | None) -> None:
    assert title_on_page([{"text": text} for text in texts], title) == (part or title)


def test_site_beside_the_title() -> None:
    assert site_beside("连日大雨致道路中断_要闻_水洼新闻网", "连日大雨致道路中断") == "水洼新闻网"
    assert site_beside("GAZETTE : It rained all day", "It rained all day") == "GAZETTE"
    assert site_beside("It rained all day (from The Gazette )", "It rained all day") == "The Gazette"
    assert site_beside("It rained all day", "It rained all day") == ""
