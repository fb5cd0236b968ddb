"""Metrics of roles, titles and other text, worked out by hand."""

from __future__ import annotations

import pytest

from bench.role_metrics import MEASURED_ROLES, RoleCounts, gold_title, is_title_kept, other_text
from ncfilters.dataset.gold import gold_of
from ncfilters.dataset.role_labels import ANY, mask_of

TITLE = "Bridge closed until autumn"


def test_scores_of_roles_worked_out_by_hand() -> None:
    counts = RoleCounts()
    masks = [mask_of("title"), mask_of("text"), mask_of("text"), mask_of("related", "boilerplate"), ANY]
    counts.add(masks, ["title", "text", "title", "text", "text"])
    assert counts.scores("title") == (0.5, 1.0, pytest.approx(2 / 3))
    assert counts.scores("text") == (1.0, 0.5, pytest.approx(2 / 3))
    assert counts.scores("text", strict=True) == (0.5, 0.5, 0.5)
    assert counts.scores("date") == (None, None, None)
    assert counts.macro_f() == pytest.approx(2 / 3)
    assert counts.macro_f(strict=True) == pytest.approx((2 / 3 + 0.5) / 2)
    assert counts.confusions == {("text", "title"): 1}


def test_a_role_that_is_not_predicted_is_missed() -> None:
    counts = RoleCounts()
    counts.add([mask_of("caption"), mask_of("caption", "text")], [None, None])
    assert counts.scores("caption") == (None, 0.0, 0.0)
    assert RoleCounts().macro_f() is None
    assert "boilerplate" not in MEASURED_ROLES


def test_counts_of_pages_are_added() -> None:
    total, page = RoleCounts(), RoleCounts()
    page.add([mask_of("title"), mask_of("date")], ["title", "byline"])
    total.merge(page)
    total.merge(page)
    assert (total.right["title"], total.missed["date"], total.wrong["byline"]) == (2, 2, 2)


@pytest.mark.parametrize(
    ("text", "keep", "kept"),
    [
        (TITLE, True, True),
        (TITLE.upper(), False, False),
        ("Bridge closed until the autumn", True, True),
        ("Bridge", True, None),
        ("The bridge is closed, and so is the mill", True, None),
    ],
)
def test_the_title_is_kept_if_a_segment_with_its_words_is(text: str, keep: bool, kept: bool | None) -> None:
    assert is_title_kept([{"text": "Home", "keep": True}, {"text": text, "keep": keep}], TITLE) is kept


def test_embedded_content_and_the_title_element_are_not_the_title() -> None:
    segments = [{"text": TITLE, "tag": "title", "keep": True}, {"text": TITLE, "rule": "embedded", "keep": True}]
    assert is_title_kept(segments, TITLE) is None
    assert is_title_kept(segments, "") is None


def test_the_title_for_measurement_is_a_field_or_the_first_line() -> None:
    assert gold_title(gold_of({"gold": {"text": "It is closed.", "title": TITLE}})) == TITLE
    assert gold_title(gold_of({"gold": f"\n{TITLE}\nIt is closed."})) == TITLE


def test_other_text_is_what_is_kept_and_not_in_the_gold_text() -> None:
    segments = [
        {"text": "one two three", "keep": True},
        {"text": "four five", "keep": True, "role": "related"},
        {"text": "six", "keep": True},
        {"text": "seven eight", "keep": False},
    ]
    masks = [mask_of("text"), mask_of("related", "boilerplate"), mask_of("comment"), ANY]
    other = other_text(segments, "one two three seven eight", masks)
    assert (other.words, other.other, other.share) == (6, 3, 0.5)
    assert other.roles == {"related": 2, "comment": 1}
    assert other_text([], "one", []).share == 0.0
