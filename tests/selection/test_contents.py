"""Tables of contents."""

from __future__ import annotations

from typing import Any

import pytest
from operations import assert_linear

from ncfilters.errors import RecordError
from ncfilters.selection.contents import without_contents
from ncfilters.selection.scored_table import table_of

Segment = dict[str, Any]
TITLES = ("Rain", "Snow", "Hail")


def link(text: str, path: str = "main/div.box/ul/li", links: int | None = None) -> Segment:
    return {"text": text, "type": "l", "path": path, "links": len(text) if links is None else links}


def heading(text: str, path: str = "main/h2") -> Segment:
    return {"text": text, "type": "h", "path": path}


def text(text: str, path: str = "main/p") -> Segment:
    return {"text": text, "type": "p", "path": path}


def kept(*segments: Segment, dropped: tuple[int, ...] = ()) -> str:
    """The decisions as + and -, where all but the *dropped* segments are kept before."""
    table = table_of(list(segments))
    out = without_contents(table, [row not in dropped for row in range(len(segments))])
    return "".join("-+"[keep] for keep in out)


LINKS = tuple(map(link, TITLES))
SECTIONS = tuple(part for title in TITLES for part in (heading(title), text("It fell all day.")))


def test_links_that_repeat_headings_are_dropped() -> None:
    assert kept(*LINKS, *SECTIONS) == "---" + "++" * 3
    assert kept(*SECTIONS, *LINKS) == "++" * 3 + "---"
    assert kept(text("Weather."), *LINKS, text("Weather."), *SECTIONS) == "+---+" + "++" * 3


def test_numbers_signs_and_case_do_not_count() -> None:
    entries = [link(title) for title in ("1. RAIN", "2. Snow", "\u201cHail\u201d")]
    sections = [heading(title) for title in ("1 Rain", "Snow \u00b6", "3) Hail")]
    assert kept(*entries, *sections) == "---+++"


@pytest.mark.parametrize(
    "segments",
    [
        (*LINKS[:2], *SECTIONS),  # two
        (*LINKS[::-1], *SECTIONS),  # in another order
        (*(link(title, links=2) for title in TITLES), *SECTIONS),  # half of the text is a link
        (*(link(title, "main/div/h3") for title in TITLES), *SECTIONS),  # headings themselves
        (*LINKS, *(text(title) for title in TITLES)),  # of what is no heading
        (*LINKS, *(heading(title, "main/p") for title in TITLES)),
        (LINKS[0], link("Home"), link("News"), LINKS[1], link("Sport"), LINKS[2], *SECTIONS),  # among others
        (LINKS[0], text("One."), LINKS[1], text("Two."), LINKS[2], *SECTIONS),  # not in a row
    ],
)
def test_other_links_stay(segments: tuple[Segment, ...]) -> None:
    assert kept(*segments) == "+" * len(segments)


def test_headings_that_are_dropped_have_no_contents() -> None:
    assert kept(*LINKS, *SECTIONS, dropped=(5, 7)) == "+++++-+-+"


def test_entries_beside_those_that_are_headings_are_dropped() -> None:
    assert kept(link("Top"), *LINKS, link("Comments"), *SECTIONS) == "-----" + "++" * 3
    assert kept(link("Top", "main/p"), *LINKS, *SECTIONS) == "+---" + "++" * 3


def test_a_heading_of_nothing_else_is_a_label() -> None:
    assert kept(text("Weather."), heading("Contents"), *LINKS, *SECTIONS) == "+----" + "++" * 3
    assert kept(heading("Contents"), *LINKS, text("Weather."), *SECTIONS) == "+---+" + "++" * 3
    assert kept(heading("Contents", "main/h3"), *LINKS, *SECTIONS) == "----" + "++" * 3
    assert kept(text("Weather."), heading("Contents", "main/h1"), *LINKS, *SECTIONS) == "++---" + "++" * 3


def test_labels() -> None:
    label, long = text("On this page", "main/div.box/p"), text("What you will read " * 3, "main/div.box/p")
    assert kept(label, *LINKS, *SECTIONS) == "----" + "++" * 3
    assert kept(text("On this page", "main/div.box/div.title/p"), *LINKS, *SECTIONS) == "----" + "++" * 3
    assert kept(long, *LINKS, *SECTIONS) == "+---" + "++" * 3
    assert kept(label, *LINKS, text("More.", "main/div.box/p"), *SECTIONS) == "+---+" + "++" * 3
    assert kept(text("Weather", "main/p"), *LINKS, *SECTIONS) == "+---" + "++" * 3  # with the sections in one element


@pytest.mark.parametrize(
    "path, expected",
    [
        ("main/div.post-toc/p", "-+"),
        ("main/div#toc/h2", "-+"),
        ("main/div.Table-of-Contents/p", "-+"),
        ("main/div.elementor-toc__header/h4", "-+"),
        ("main/div.toccata/p", "++"),
        ("main/h2#toc", "++"),
        ("main/p", "++"),
    ],
)
def test_the_label_of_what_a_script_makes(path: str, expected: str) -> None:
    assert kept(text("Contents", path), text("It rained.", "main/p")) == expected
    assert kept(text("Contents", path), text("It rained.", f"{path.rpartition('/')[0]}/p")) == "++"


def test_links_that_are_no_number_are_an_error() -> None:
    with pytest.raises(RecordError, match="links: expected an integer"):
        kept(*({**link, "links": "4"} for link in LINKS), *SECTIONS)


def test_linear() -> None:
    def page(size: int) -> list[Segment]:
        return [part(f"{title} {at}") for at in range(size) for part in (link, heading) for title in TITLES]

    assert_linear(lambda segments: kept(*segments), page, 50)
