"""Labels from the alignment of page and gold text."""

from __future__ import annotations

import pytest

from ncfilters.dataset import labelling

PAGE = ["Home News Contact", "The bridge is closed.", "It opens again in May, they say.", "Read more news"]


def test_shares_are_0_or_1_for_whole_segments() -> None:
    assert labelling.matched_shares(PAGE, "The bridge is closed. It opens again in May, they say.") == [0, 1, 1, 0]


def test_a_share_counts_words() -> None:
    # of "It opens again in May they say" the gold has four of seven
    assert labelling.matched_shares(PAGE, "The bridge is closed. It opens in May.") == [0, 1, 4 / 7, 0]


def test_gold_words_match_in_order_and_once() -> None:
    assert labelling.matched_shares(["a b c", "x y", "a b c"], "x y a b c") == [0, 1, 1]
    assert labelling.matched_shares(["a b c", "x y", "a b c"], "a b c x y") == [1, 1, 0]


def test_case_white_space_and_punctuation_do_not_matter() -> None:
    assert labelling.matched_shares(["THE bridge\n is – closed"], "“the Bridge is closed!”") == [1]


def test_a_segment_without_words_has_no_share() -> None:
    assert labelling.matched_shares(["* * *", "text", "", "…"], "text") == [None, 1, None, None]
    assert labelling.matched_shares([], "text") == []
    assert labelling.matched_shares(["text"], "") == [0]


def test_chinese_characters_are_words() -> None:
    page = ["首页 新闻 体育", "大桥关闭，五月重新开放。", "市长说：“我们在修。”", "版权所有"]
    assert labelling.matched_shares(page, "大桥关闭，五月重新开放。\n市长说：“我们在修。”") == [0, 1, 1, 0]
    assert labelling.matched_shares(page, "大桥关闭 五月开放") == [0, pytest.approx(8 / 10), 0, 0]


def test_long_pages_are_aligned() -> None:
    page = [f"segment {number} of the page" for number in range(4000)]
    shares = labelling.matched_shares(page, " ".join(page[1000:3000]))
    # at the edges a neighbour may give the words that all segments share
    assert shares[1001:2999] == [1] * 1998
    assert max(share or 0 for share in shares[:999] + shares[3001:]) < 1


@pytest.mark.parametrize(
    ("required", "forbidden", "labels"),
    [
        (["bridge IS  closed"], [], [None, True, None, None]),
        ([], ["news"], [False, None, None, False]),
        (["news"], [], [None] * 4),  # which of the two is meant is not known
        (["in May"], ["they say"], [None, None, False, None]),  # a segment that must not appear is dirty
        (["", "ferry"], [" "], [None] * 4),
    ],
)
def test_snippets_label_the_segments_that_have_them(
    required: list[str], forbidden: list[str], labels: list[bool | None]
) -> None:
    assert labelling.snippet_labels(PAGE, required, forbidden) == labels
