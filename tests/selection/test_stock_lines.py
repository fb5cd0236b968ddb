"""Lines that sites write around their articles."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.policies import policy
from ncfilters.selection.scored_table import table_of
from ncfilters.selection.stock_lines import MAX_CHARS, is_stock_line, without_stock_lines

PAGE: dict[str, Any] = {"odds": 5.0, "types": {"article": 0.7, "forum": 0.3}}


@pytest.mark.parametrize(
    "text",
    [
        "Tags: rain, weather",
        "Filed under: WEATHER , Staff",
        "Schlagwörter： Regen, Wetter",
        "關鍵字: 雨",
        "Posted in Weather | 16 Comments »",
        "This entry was posted on Monday, November 5th, 2012 at 11:18 am and is filed under Weather.",
        "RSS feed for comments on this post. TrackBack URI",
        "*** Follow me on Instagram, YouTube or Facebook ***",
        "Follow The Weathervane on Facebook and X",
        "Follow @weathervane on Twitter!",
        "Email to a friend Printer friendly",
        "To contact the reporter on this story: Ann Rain at arain@example.com",
        "Suscríbete a nuestro canal",
        "（責任編輯 余淩雲）",
        "No comments yet.",
        "14 comments",
        "Kommentare (3)",
        "Drucken",
    ],
)
def test_lines_of_sites(text: str) -> None:
    assert is_stock_line(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Tags are small labels that say what a text is about.",
        "Weather: rain",
        "Followers of the storm came from all over the country.",
        "Follow the path on the left to the old bridge.",
        "Posted by a bridge, the guard saw nothing.",
        "14 comments were deleted by noon.",
        "Comments on the weather are as old as the weather.",
        "Prints of the map were sold at the door.",
        "Subscribe now " + "and read on " * MAX_CHARS,
    ],
)
def test_other_texts(text: str) -> None:
    assert not is_stock_line(text)


def test_they_go_from_articles_alone() -> None:
    segments = [{"text": "It rained.", "type": "p"}, {"text": "Tags: rain", "type": "p"}]
    for page, is_kept in ((PAGE, False), ({"odds": 5.0}, False), ({"types": {"article": 0.3, "forum": 0.7}}, True)):
        assert without_stock_lines(table_of(segments), [True, True], page) == [True, is_kept]


def test_headings_items_and_posts_stay_and_nothing_comes_back() -> None:
    post = {"text": "Follow us on the map", "type": "p", "post": 1}
    texts = [{"text": "Comments", "type": "h"}, {"text": "Print", "type": "l"}, post, {"text": "Print", "type": "p"}]
    assert without_stock_lines(table_of(texts), [True, True, True, False], PAGE) == [True, True, True, False]


def test_the_decision_leaves_them_out() -> None:
    lines = [{"text": "Tags: rain, weather", "type": "p", "score": 4.0}]
    text = {"text": "It rained all day, and all of the night. " * 5, "type": "p", "score": 4.0}
    assert policy()([text, *lines], PAGE) == [True, False]
