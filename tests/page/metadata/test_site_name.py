"""The name of a site in titles."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from ncfilters.page.metadata.site_name import (
    first_part,
    host_and_path,
    host_name,
    is_in_host,
    site_in_title,
    title_key,
    title_parts,
    title_separators,
    without_site_name,
)

URL = "https://www.gazette.org/rain"


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
    assert without_site_name(title, URL, sites) == rest


@pytest.mark.parametrize(
    "title, headline, site",
    [
        ("It rained - The Gazette", "", "The Gazette"),
        ("It rained | Ga & Zette", "It rained", "Ga & Zette"),
        ("Gazette: news | It rained", "", "Gazette: news"),
        ("It rained | Puddle Post", "It rained", "Puddle Post"),
        ("It rained | Puddle Post", "It did not rain", ""),
        ("It rained | Free Shipping*", "It rained", ""),
        ("It rained", "It rained", ""),
    ],
)
def test_names_in_titles(title: str, headline: str, site: str) -> None:
    assert site_in_title(title, URL, headline) == site


@pytest.mark.parametrize("page", ["Seite 34", "Page 2", "Página 3", "Страница 2"])
def test_the_number_of_a_page_is_no_site(page: str) -> None:
    assert site_in_title(f"Rain all day - {page}", "", "Rain all day") == ""


def test_the_headline_is_no_site() -> None:
    url = "https://gardening.puddle.edu/rain"
    assert site_in_title("Gardening in the rain all day | Puddle Group", url) == "Gardening in the rain all day"
    assert (
        site_in_title("Gardening in the rain all day | Puddle Group", url, "Gardening in the rain all day")
        == "Puddle Group"
    )
    assert (
        site_in_title("News | Saltmarsh and Pond Rain Watch", "https://sprw.gov/n") == "Saltmarsh and Pond Rain Watch"
    )


@pytest.mark.parametrize(
    "title, parts",
    [
        ("A | B - C", ("A | B", "C")),
        ("A » B", ("A", "B")),
        ("«A» B", None),
        ("«A» » B", ("«A»", "B")),
        ("A-B", None),
        ("", None),
    ],
)
def test_the_last_part_of_a_title(title: str, parts: tuple[str, str] | None) -> None:
    assert title_parts(title) == parts


def test_the_first_part_of_a_title() -> None:
    assert first_part("A | B - C") == "A" and first_part("«A» B") == "«A» B"


def test_hosts() -> None:
    assert host_name(URL) == "gazette.org"
    assert host_name("http://[broken") == host_name("") == ""


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


def test_a_broken_address_has_no_host() -> None:
    assert host_and_path("http://[a/b") == ("", "")


def test_names_beside_the_heading_of_a_page() -> None:
    for title, name in (
        ("Rain | The Society for Study of Rain", "The Society for Study of Rain"),
        ("The Society for Study of Rain | Rain", ""),
        ("Rain | All of the rain that fell on the town", ""),
        ("Rain — Duck 3.1.4 documentation", "Duck documentation"),
        ("Rain — Duck Documentation (3.1.x)", "Duck Documentation"),
        ("Duck Log | Rain", "Duck Log"),
        ("Rain | May 2024", ""),
    ):
        assert site_in_title(title, "https://puddle.example/x", "Rain") == name


def test_names_in_hosts() -> None:
    assert is_in_host("The Gazette", URL) and is_in_host("gazette", URL)
    assert not is_in_host("The Gazette of Rain", URL) and not is_in_host("Ga", URL) and not is_in_host("Rain", "")


def test_separators_are_the_first_and_the_last() -> None:
    assert title_separators("Rain | Snow - Log") == (4, 7, 11, 14)
    assert title_separators("«Rain» and snow") is None and title_separators("Rain » Log") == (4, 7, 4, 7)
    assert title_key("RAINED -- Straße") == "rained strasse"
    for title in ("é|" * 3000, " |" * 3000, "  -- " * 3000, " " * 9000):  # in linear time
        title_separators(title)
