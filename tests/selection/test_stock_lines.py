"""Lines that sites write around their articles."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.selection.policies import policy
from ncfilters.selection.scored_table import table_of
from ncfilters.selection.stock_lines import MAX_CHARS, is_stock_line, without_stock_lines

PAGE: dict[str, Any] = {"odds": 5.0, "types": {"article": 0.7, "forum": 0.3}}


def is_stock(text: str, path: str = "body/div/p", **more: Any) -> bool:
    return is_stock_line(table_of([{"text": text, "path": path, "type": "p", **more}]), 0)


@pytest.mark.parametrize(
    "text",
    [
        "This entry was posted on Monday, November 5th, 2012 at 11:18 am and is filed under Weather.",
        "You can follow any responses to this entry through the RSS 2.0 feed.",
        "RSS feed for comments on this post. TrackBack URI",
        "*** Follow me on Instagram, YouTube or Facebook ***",
        "Follow The Weathervane on Facebook and X",
        "Follow @weathervane on Twitter!",
        "Find us on Facebook!",
        "Folgen Sie uns auf Facebook und Instagram!",
        "Sigue a La Veleta en Instagram",
        "Подписывайтесь на наш канал в Telegram!",
        "Sign up to our free weekly newsletter",
        "Melden Sie sich für unseren Newsletter an.",
        "Subscribe now to read on.",
        "Email to a friend Printer friendly",
        "To contact the reporter on this story: Ann Rain at arain@example.com",
        "（責任編輯 余淩雲）",
        "Теги:",
        "No comments yet.",
        "14 comments",
        "Kommentare (3)",
        "Drucken",
    ],
)
def test_lines_of_sites(text: str) -> None:
    assert is_stock(text)
    assert not any(is_stock(text, f"body/{path}") for path in ("h2", "ul/li", "table/tr/td", "h3/span", "dl/dt"))
    assert not is_stock(text, "", type="h")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Tags are small labels that say what a text is about.",
        "Followers of the storm came from all over the country.",
        "Follow the path on the left to the old bridge.",
        "Follow the route on Google Maps to the second car park.",
        "Join us on Saturday 12 June at 10 a.m. at the mill.",
        "Find us on the second floor.",
        "Sign up for the free trial, then open the settings.",
        "Subscribe nowhere.",
        "Posted by a bridge, the guard saw nothing.",
        "Ακολουθήστε τα παρακάτω βήματα.",
        "Sigue a un joven panadero que vuelve a su pueblo.",
        "Jetzt anmelden müssen sich alle, die über 60 sind.",
        "Printer-friendly inks are made of soot.",
        "14 comments were deleted by noon.",
        "Comments on the weather are as old as the weather.",
        "Prints of the map were sold at the door.",
        "Follow us on Twitter " + "and read on " * MAX_CHARS,
    ],
)
def test_other_texts(text: str) -> None:
    assert not is_stock(text)


@pytest.mark.parametrize(
    "text",
    [
        "Tags: rain, weather",
        "Filed under: WEATHER , Staff",
        "Schlagwörter： Regen",
        "關鍵字: 雨",
        "Posted in Weather | 16",
    ],
)
def test_keywords_are_links(text: str) -> None:
    assert is_stock(text, links=len(text) // 2)
    assert not is_stock(text)
    assert not is_stock(
        text.replace("Tags", "Weather").replace("Filed", "Left").replace("Schlag", "Stich"), "body/li", links=9
    )


def test_links_must_be_a_number() -> None:
    with pytest.raises(RecordError, match="links"):
        is_stock("Tags: rain", links="all")


def test_they_go_from_articles_alone() -> None:
    segments = [{"text": "It rained.", "type": "p"}, {"text": "Drucken", "type": "p"}]
    for page, is_kept in ((PAGE, False), ({"odds": 5.0}, False), ({"types": {"article": 0.3, "forum": 0.7}}, True)):
        assert without_stock_lines(table_of(segments), [True, True], page) == [True, is_kept]


def test_posts_stay_and_nothing_comes_back() -> None:
    post, line = {"text": "14 comments", "type": "p", "post": 1}, {"text": "Print", "type": "p"}
    assert without_stock_lines(table_of([post, line, line]), [True, True, False], PAGE) == [True, False, False]


def test_the_decision_leaves_them_out() -> None:
    line = {"text": "Follow us on Facebook and Instagram!", "type": "p", "path": "body/main/p", "score": 4.0}
    text = {"text": "It rained all day, and all of the night. " * 5, "type": "p", "path": "body/main/p", "score": 4.0}
    assert policy()([text, line, text], PAGE) == [True, False, True]
