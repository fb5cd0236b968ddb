"""Lines that editors and software put into articles."""

from __future__ import annotations

from typing import Any

import pytest
from operations import assert_linear

from ncfilters.selection.notices import without_notices
from ncfilters.selection.scored_table import table_of

ARTICLE: dict[str, Any] = {"odds": 5.0, "types": {"article": 0.9}}
Segment = dict[str, Any]


def line(text: str, links: int = 0, path: str = "body/main/p", kind: str = "p", **fields: Any) -> Segment:
    return {"text": text, "links": links, "path": path, "type": kind, **fields}


def kept(*segments: Segment, page: dict[str, Any] = ARTICLE) -> str:
    decisions = without_notices(table_of([line("It rained all day."), *segments]), [True] * (len(segments) + 1), page)
    return "".join("-+"[keep] for keep in decisions[1:])


@pytest.mark.parametrize(
    "segment",
    [
        line("Read also: Snow in May", 11),
        line("Lesen Sie auch » Schnee im Mai", 13),
        line("Читайте также: Снег в мае", 10),
        line("Tags: rain, snow", 10),
        line("This entry was posted on 3 May and is filed under Rain."),
        line("👉 Follow us on Twitter"),
        line("Sign up for our newsletter"),
    ],
)
def test_notices_and_references_go(segment: Segment) -> None:
    assert kept(segment) == "-"
    assert kept(segment, page={"odds": 5.0, "types": {"listing": 0.9}}) == "+"
    assert kept(segment | {"post": 1}) == "+"


@pytest.mark.parametrize(
    "segment",
    [
        line("Read also: the report says that it rained."),
        line("Tags are words that describe a text."),
        line("Follow us on Twitter", path="body/main/h2", kind="h"),
        line("Follow us on Twitter", path="body/main/ul/li", kind="l"),
    ],
)
def test_text_stays(segment: Segment) -> None:
    assert kept(segment) == "+"


def test_a_label_goes_with_the_links_below_it() -> None:
    links = [line("Snow in May", 11), line("Hail in June", 12)]
    assert kept(line("Read also:"), *links, line("Then it snowed."), links[0]) == "---++"
    assert kept(line("See also", path="body/h2", kind="h"), *links) == "+++"  # the heading of a section


def test_linear() -> None:
    def decide(size: int) -> list[bool]:
        return without_notices(table_of([line("Read also:"), line("Snow", 4)] * size), [True] * (2 * size), ARTICLE)

    assert_linear(decide, lambda size: size, 500)
