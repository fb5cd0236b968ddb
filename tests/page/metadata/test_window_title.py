"""What the title of the window has beside the title of the page."""

from __future__ import annotations

import pytest

from ncfilters.page.metadata.window_title import own_title, title_and_author, window_and_names

URL = "https://www.the-gazette.org/2012/rain"


@pytest.mark.parametrize(
    "window, said, expected",
    [
        ("Wet \u2022 View topic - It rained", "", ("It rained | Wet", ["Wet"])),
        ("rain [Weather]", "", ("rain | Weather", ["Weather"])),
        ("rain [Snow]", "", ("rain [Snow]", [])),
        ("Wet: Puddle< Duck > Class", "", ("Wet: Puddle<Duck> Class", [])),
        ("It rained : rain", "r/rain - It rained", ("It rained : rain", ["r/rain"])),
        ("It rained : rain", "r/rain on Puddle: It rained", ("It rained : rain", ["r/rain on Puddle"])),
        ("It rained : rain", "It rained", ("It rained : rain", [])),
        ("It rained again", "News - It rained", ("It rained again", [])),
        ("It rained : Gazette", "", ("It rained | Gazette", ["Gazette"])),
        ("The Gazette / It rained : again", "", ("It rained : again | The Gazette", ["The Gazette"])),
        ("It rained \u2039 Gazette", "", ("It rained | Gazette", ["Gazette"])),
        ("It rained : The Log", "", ("It rained : The Log", [])),
        ("Weather _ The Log", "", ("Weather | The Log", ["The Log"])),
        ("Weather : the photos", "", ("Weather : the photos", [])),
        ("The Gazette Log: Weather", "", ("Weather | The Gazette Log", ["The Gazette Log"])),
        ("Snow Log: Weather", "", ("Snow Log: Weather", [])),
        ("the-gazette.org It rained", "", ("It rained | the-gazette.org", ["the-gazette.org"])),
        ("the-gazette.org", "", ("the-gazette.org", [])),
    ],
)
def test_names_of_the_site_in_titles(window: str, said: str, expected: tuple[str, list[str]]) -> None:
    statements = [("opengraph", (said, "meta og:title"))] if said else []
    assert window_and_names(window, statements, ["Weather"], URL) == expected


def test_numbers_of_messages_and_titles_of_programs() -> None:
    assert own_title("(3) It rained") == own_title("(20+) It rained") == "It rained"
    for title in ("(500) Days of Rain", "(3)", "It (3) rained"):
        assert own_title(title) == title
    assert own_title("(3) It rained", [("opengraph", ("(3) It rained", "meta og:title"))]) == "(3) It rained"
    assert own_title("Untitled Document") == "" == own_title("")


def test_authors_after_a_sign() -> None:
    assert title_and_author("Rain, again - by Ann Lee - Rain Letter") == ("Rain, again - Rain Letter", "Ann Lee")
    assert title_and_author("Rain | by Ann Lee | Wet | Medium") == ("Rain | Wet | Medium", "Ann Lee")
    assert title_and_author("Rain \u2013 by Ann Lee") == ("Rain", "Ann Lee")
    for title in ("Rain - by the sea - Wet", "Rain by Ann Lee", "Towns - by rain - Wet"):
        assert title_and_author(title) == (title, "")
