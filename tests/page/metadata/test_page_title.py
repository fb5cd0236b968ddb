"""The title of a page, by its sources and its headings."""

from __future__ import annotations

import random

import pytest
from no_memory import failures_without_memory

from ncfilters.page.metadata.page_title import page_title, page_title_in_python, prepared_core
from tests.page.test_walks import needs_core

URL = "https://www.the-gazette.org/2012/rain"
# What titles and headings are made of.
PARTS = (
    *"Rain|RAIN|It rained|It rained all|It rained all day in the town|the rain|The|_|New York New York|3 May".split(
        "|"
    ),
    "12 May 2024",
    *"The Gazette|Gazette|the-gazette|TG|News|Weather|Thread|Topic: |Title - It rained|#58|1. Rain|2. Snow|Blog:".split(
        "|"
    ),
    *(
        "It rained &amp; snowed",
        "Rain & snow",
        "\u96e8\u304c\u964d",
        "\u0130t ra\u0131ned",
        "Stra\u00dfe",
        "\u00abRain\u00bb",
    ),
    *("\ud800", "(new)", "\u2026", "...", "", "\u01c5", "\u00b2", "x" * 310),
    "A very long title about the rain that is cut for search engines ...",
)
SIGNS = (" - ", " | ", "|", ": ", " \u2013 ", " :: ", " ", "  ", " \u00bb ", ", ", "\u00a0")
URLS = (
    URL,
    "https://gazette.org/",
    "https://rain-news.example/x",
    "",
    "gazette",
    "https://m\u00fcller.de/x",
    "https://[",
    "https://ir.org/a",
)


def random_title(rng: random.Random) -> str:
    """A title of some parts."""
    out = rng.choice(PARTS)
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
        out += rng.choice(SIGNS) + rng.choice(PARTS)
    return out


def test_the_heading_that_the_head_says() -> None:
    said = [("opengraph", ("It rained all day - The Gazette", "meta og:title"))]
    assert page_title(said, "Gazette", ["News", "It rained all day"], URL, []) == ("It rained all day", "meta og:title")
    assert page_title(said, "", ["It rained all the day"], URL, ["Gazette"]) == ("It rained all the day", "h1")
    assert page_title([], "", ["Rain"], URL, []) == ("Rain", "h1")
    assert page_title([], "", [], URL, []) is None


@needs_core
@pytest.mark.parametrize("seed", range(6))
def test_the_core_reads_as_python_does(seed: int) -> None:
    rng, read = random.Random(seed), 0
    for _ in range(2_000):
        titles = [random_title(rng) for _ in range(rng.choice((1, 2, 3)))]
        statements = [("meta", (rng.choice(titles), f"meta {n}")) for n in range(rng.choice((0, 1, 1, 2, 3, 4)))]
        window = " ".join(rng.choice((*titles, "", random_title(rng))).split())
        headings = [rng.choice((*titles, random_title(rng))) for _ in range(rng.choice((0, 1, 1, 2, 3)))]
        headings = [heading.upper() if rng.random() < 0.2 else heading for heading in headings]
        sites = [rng.choice(PARTS) for _ in range(rng.choice((0, 0, 1, 2)))]
        given = (statements, window, headings, rng.choice(URLS), sites)
        assert page_title(*given) == page_title_in_python(*given), given
        core = prepared_core()
        read += core.headline(statements, window, headings, sites, URL) is not NotImplemented
    assert read > 500


def test_many_titles_and_words() -> None:
    for count in (1, 30, 60, 200):
        words = " ".join(f"w{n}" for n in range(count))
        said = [("meta", (f"Rain {n}", "meta title")) for n in range(count)]
        headings, sites = [f"Snow {n}" for n in range(count)], [f"Site {n}" for n in range(count)]
        given = [
            (said, words, headings, URL, []),
            ([], words, [words[:299], "w1"], URL, []),
            (said[:1], "w", ["Snow"], URL, sites),
        ]
        for one in given:
            assert page_title(*one) == page_title_in_python(*one)


@needs_core
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_without_memory_there_is_an_error_and_no_other_result() -> None:
    core = prepared_core()
    said = [("meta", ("It rained all day \u2013 Gazette & Log", "meta title")), ("time", ("It rained: all day", "x"))]
    given = (said, "Topic of rain | Log", ["It rained | Log", "Rain all day"], ["The Log"], URL)
    assert failures_without_memory(lambda: core.headline(*given), 200) > 10
