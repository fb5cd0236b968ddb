"""The headline of a page and the name of its site."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from ncfilters.page.metadata.titles import (
    headline,
    host_and_path,
    host_name,
    is_in_host,
    site_in_title,
    title_key,
    title_parts,
    title_separators,
    without_site_name,
)

URL = "https://www.the-gazette.org/2012/rain"
LONG = "A very long title about the rain that search engines may cut short"


def title_of(said: list[str], headings: list[str], sites: tuple[str, ...] = (), evidence: str = "meta og:title") -> str:
    found = headline([(text, evidence) for text in said], headings, sites=sites)
    return found[0] if found else ""


@pytest.mark.parametrize(
    "said, headings, expected",
    [
        (["It rained all day"], ["News", "It rained all day!"], "It rained all day"),
        ([f"{LONG} ...", f"{LONG} in the end"], [], f"{LONG} in the end"),
        ([LONG, f"{LONG} - Weather"], [], LONG),
        ([LONG, f"{LONG} / Weather"], [], LONG),
        (["It rained all day..."], ["It rained all day"], "It rained all day"),
        (["News - It rained all day"], ["News", "It rained all day"], "It rained all day"),
        (["Rain tests | Best of all ducks – All of them"], ["Best of all ducks", "Rain tests"], "Rain tests"),
        (["It rained - Puddle"], ["It rained", "Puddle"], "It rained"),
        (["Rain, and what it does"], ["Ducks"], "Rain, and what it does"),
        (["Rain review with photos", "I tried the rain"], ["I tried the rain"], "I tried the rain"),
        (["All of the rain"], ["Dec 18 2025 All of the rain"], "All of the rain"),
        (["All of the rain"], ["Blog: All of the rain"], "All of the rain"),
        (["All of the rain"], ["All of the rain (puddle.org) 87"], "All of the rain"),
        (["All of the rain"], ["All of the rain | Opinion"], "All of the rain"),
        (["All of the rain"], ["All of the rain, and what it does"], "All of the rain, and what it does"),
        (["Software price guide"], ["2025 software price guide"], "2025 software price guide"),
        (["It rained"], ["IT RAINED"], "It rained"),
        (["SELECT"], ["1. Overview", "2. Simple select processing"], "SELECT"),
        ([], ["It rained"], "It rained"),
        ([], ["It rained", "Ducks"], ""),
    ],
)
def test_titles(said: list[str], headings: list[str], expected: str) -> None:
    assert title_of(said, headings) == expected


def test_headings_and_names_of_sites() -> None:
    said, headings = ["Puddle - The heart of the puddle"], ["Is rain wet?"]
    assert title_of(said, headings, evidence="title") == "Is rain wet?"
    assert title_of(said, headings) == said[0]
    assert title_of(said, ["Ducks", "Is rain wet?"], evidence="title") == said[0]
    assert title_of(["Wild ducks"], headings, evidence="title") == "Wild ducks"
    assert title_of(["ducks2"], headings, evidence="title") == "Is rain wet?"
    assert title_of(["连日大雨致道路中断"], ["相关新闻"], evidence="title") == "连日大雨致道路中断"
    assert title_of(["Basket (Wicker API 3.2)"], ["Class Basket"], evidence="title") == "Class Basket"
    assert title_of(["Rain and ducks"], ["Puddle"], ("Puddle",), "title") == "Rain and ducks"
    assert title_of(["Rain"], ["Rain and many ducks – Puddle"], ("Puddle",), "title") == "Rain and many ducks"


def test_the_heading_that_the_head_says() -> None:
    said = [("It rained all day - The Gazette", "meta og:title")]
    window = ("Gazette", "title")
    assert headline([*said, window], ["News", "It rained all day"], URL) == ("It rained all day", "meta og:title")
    assert headline(said, ["It rained all the day"], URL, ["Gazette"]) == ("It rained all the day", "h1")
    assert headline([], ["Rain"], URL) == ("Rain", "h1")
    assert headline([], [], URL) is None


def test_many_titles_and_words_take_linear_time() -> None:
    said = [*((f"Rain {n}", "meta title") for n in range(200)), (" ".join(f"w{n}" for n in range(200)), "title")]
    assert headline(said, [f"Snow {n}" for n in range(200)], URL, [f"Site {n}" for n in range(200)]) == ("Snow 0", "h1")


NEWS = "https://www.gazette.org/rain"


@pytest.mark.parametrize(
    "title, sites, rest",
    [
        ("It rained - The Gazette", [], "It rained"),
        ("Puddle Post Weekly Letters: A Digest | It rained all day long", ["Puddle Post Weekly Letters: A Digest"],
         "It rained all day long"),
        ("It rained - What now?", [], "It rained - What now?"),
        ("It rained – The Daily Puddle of Saltmarsh Bay", ["The Daily Puddle of Saltmarsh Bay"], "It rained"),
    ],
)  # fmt: skip
def test_titles_without_the_name(title: str, sites: list[str], rest: str) -> None:
    assert without_site_name(title, NEWS, sites) == rest


@pytest.mark.parametrize("title, headline, site", [
    ("It rained - The Gazette", "", "The Gazette"), ("It rained | Ga & Zette", "It rained", "Ga & Zette"),
    ("Gazette: news | It rained", "", "Gazette: news"), ("It rained | Puddle Post", "It rained", "Puddle Post"),
    ("It rained | Puddle Post", "It did not rain", ""), ("It rained | Free Shipping*", "It rained", ""),
    ("It rained", "It rained", ""), ("Duck Log | Rain", "Rain", "Duck Log"), ("Rain | May 2024", "Rain", ""),
    ("Rain | The Society for Study of Rain", "Rain", "The Society for Study of Rain"),
    ("The Society for Study of Rain | Rain", "Rain", ""),
    ("Rain | All of the rain that fell on the town", "Rain", ""),
    ("Rain — Duck 3.1.4 documentation", "Rain", "Duck documentation"),
    ("Rain — Duck Documentation (3.1.x)", "Rain", "Duck Documentation"),
])  # fmt: skip
def test_names_in_titles(title: str, headline: str, site: str) -> None:
    assert site_in_title(title, NEWS, headline) == site


@pytest.mark.parametrize("page", ["Seite 34", "Page 2", "Página 3", "Страница 2"])
def test_the_number_of_a_page_is_no_site(page: str) -> None:
    assert site_in_title(f"Rain all day - {page}", "", "Rain all day") == ""


def test_numbers_of_pages_and_headlines_are_no_sites() -> None:
    url = "https://gardening.puddle.edu/rain"
    assert site_in_title("Gardening in the rain all day | Puddle Group", url) == "Gardening in the rain all day"
    assert (
        site_in_title("Gardening in the rain all day | Puddle Group", url, "Gardening in the rain all day")
        == "Puddle Group"
    )
    assert (
        site_in_title("News | Saltmarsh and Pond Rain Watch", "https://sprw.gov/n") == "Saltmarsh and Pond Rain Watch"
    )


@pytest.mark.parametrize("title, parts", [
    ("A | B - C", ("A | B", "C")), ("A » B", ("A", "B")), ("«A» B", None), ("«A» » B", ("«A»", "B")), ("A-B", None),
    ("", None),
])  # fmt: skip
def test_the_last_part_of_a_title(title: str, parts: tuple[str, str] | None) -> None:
    assert title_parts(title) == parts


def test_the_parts_of_a_title() -> None:
    assert title_separators("Rain | Snow - Log") == (4, 7, 11, 14)
    assert title_separators("«Rain» and snow") is None and title_separators("Rain » Log") == (4, 7, 4, 7)
    assert title_key("RAINED -- Straße") == "rained strasse"
    for title in ("é|" * 3000, " |" * 3000, "  -- " * 3000, " " * 9000):  # in linear time
        title_separators(title)


def test_hosts_and_the_names_in_them() -> None:
    assert host_name(NEWS) == "gazette.org"
    assert host_name("http://[broken") == host_name("") == ""
    assert host_and_path("http://[a/b") == ("", "")
    assert is_in_host("The Gazette", NEWS) and is_in_host("gazette", NEWS)
    assert not is_in_host("The Gazette of Rain", NEWS) and not is_in_host("Ga", NEWS) and not is_in_host("Rain", "")


@pytest.mark.parametrize(
    "url",
    [
        "http://A.example/B?c/d#e/f", "https://a.example", "http://a#b/c", "http://a?b", "http://a.example:80/x",
        "http://u@a/x", "http://[::1]/x", "HTTP://a/b", " http://a/b ", "http://a//b/../c;d", "https://\u00e9.example/x",
        "http://a/\u00e9", "http://a\n/x", "http://a%20b/c", "//a/b", "http:///x", "data:x,y", "http://a/[b] ", "",
    ],
)  # fmt: skip
def test_hosts_and_paths_are_those_of_urlsplit(url: str) -> None:
    parts = urlsplit(url)
    assert host_and_path(url) == (parts.hostname or "", parts.path)
