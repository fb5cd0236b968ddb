"""The headline of a page, of its headings and its head."""

from __future__ import annotations

import pytest

from ncfilters.page.metadata.headline import headline, own_title, page_title

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
        (["All of the rain · Issue #58 · puddle"], ["All of the rain #58"], "All of the rain"),
        (["Rain #58"], ["Rain #58"], "Rain #58"),
        (["SELECT"], ["1. Overview", "2. Simple select processing"], "SELECT"),
        ([], ["It rained"], "It rained"),
        ([], ["It rained", "Ducks"], ""),
    ],
)
def test_titles(said: list[str], headings: list[str], expected: str) -> None:
    assert title_of(said, headings) == expected


def test_the_only_heading_is_the_title_where_the_window_alone_has_one() -> None:
    said, headings = ["Puddle - The heart of the puddle"], ["Is rain wet?"]
    assert title_of(said, headings, evidence="title") == "Is rain wet?"
    assert title_of(said, headings) == said[0]
    assert title_of(said, ["Ducks", "Is rain wet?"], evidence="title") == said[0]
    assert title_of(["Wild ducks"], headings, evidence="title") == "Wild ducks"
    assert title_of(["ducks2"], headings, evidence="title") == "Is rain wet?"
    assert title_of(["连日大雨致道路中断"], ["相关新闻"], evidence="title") == "连日大雨致道路中断"
    assert title_of(["Basket (Wicker API 3.2)"], ["Class Basket"], evidence="title") == "Class Basket"


def test_names_of_the_site_are_no_headings() -> None:
    assert title_of(["Rain and ducks"], ["Puddle"], ("Puddle",), "title") == "Rain and ducks"
    assert title_of(["Rain"], ["Rain and many ducks – Puddle"], ("Puddle",), "title") == "Rain and many ducks"


def test_the_heading_that_the_head_says() -> None:
    said = [("opengraph", ("It rained all day - The Gazette", "meta og:title"))]
    assert page_title(said, "Gazette", ["News", "It rained all day"], URL, []) == ("It rained all day", "meta og:title")
    assert page_title(said, "", ["It rained all the day"], URL, ["Gazette"]) == ("It rained all the day", "h1")
    assert page_title([], "", ["Rain"], URL, []) == ("Rain", "h1")
    assert page_title([], "", [], URL, []) is None


def test_many_titles_and_words_take_linear_time() -> None:
    said = [("meta", (f"Rain {n}", "meta title")) for n in range(200)]
    headings, sites = [f"Snow {n}" for n in range(200)], [f"Site {n}" for n in range(200)]
    assert page_title(said, " ".join(f"w{n}" for n in range(200)), headings, URL, sites) == ("Snow 0", "h1")


@pytest.mark.parametrize(
    "window, said, expected",
    [
        ("(3) Rain", "Rain", "Rain"),
        ("(3) Rain", "(3) Rain", "(3) Rain"),
        ("(2012) Rain", "", "(2012) Rain"),
        ("Untitled Document", "", ""),
    ],
)
def test_titles_of_windows(window: str, said: str, expected: str) -> None:
    assert own_title(window, [("meta", (said, "meta title"))]) == expected
