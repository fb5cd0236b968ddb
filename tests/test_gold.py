"""Gold text: where it may stand, CleanEval markup, files and folders of it."""

from __future__ import annotations

import pytest

from ncfilters import align
from ncfilters.gold import gold_of, plain
from ncfilters.record import RecordError


def test_cleaneval_markup_is_taken_off() -> None:
    markup = "URL: http://example.org/bridge\n\n<h>The bridge\n<p>It is closed.\n<l>May\n<L>June"
    assert plain(markup).split() == ["The", "bridge", "It", "is", "closed.", "May", "June"]
    assert align.shares(["http example org", "The bridge", "It is closed", "p h l"], plain(markup)) == [0, 1, 1, 0]


@pytest.mark.parametrize(
    "gold",
    [
        "Some text.",
        {"text": "Some text."},
        {"markup": "URL: http://example.org/\n<p>Some text."},
        {"text": None, "markup": "<h>Some <p>text."},
        {"text": "Some text.", "markup": "<p>Something else"},
        "URL: http://example.org/\n<p>Some\n<l>text.",
    ],
)
def test_where_the_gold_text_may_stand(gold: object) -> None:
    assert gold_of({"gold": gold}).plain.split() == ["Some", "text."]


@pytest.mark.parametrize(
    "page", [{}, {"gold": None}, {"gold": 7}, {"gold": {}}, {"gold": ["x"]}, {"gold": {"text": 1}}]
)
def test_no_gold_text(page: dict[str, object]) -> None:
    with pytest.raises(RecordError, match="gold: missing"):
        gold_of(page)


def test_plain_gold_text_is_no_markup() -> None:
    gold = "Write <p> for a paragraph.\nURL: this line is of the text."
    assert gold_of({"gold": {"text": gold}}).plain == gold
