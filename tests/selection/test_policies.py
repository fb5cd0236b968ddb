"""Deciders: the best expected F, thresholds, pages without text, operating points."""

from __future__ import annotations

import random
import time
from itertools import combinations
from math import nan
from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.pipeline import Pipeline
from ncfilters.selection import policies, selector

PAGE = {"odds": 3.0, "types": {"article": 1.0}}
EMPTY = {"odds": -7.5, "types": {"article": 1.0}}


def segment(text: str, score: float, kind: str = "p", **more: Any) -> dict[str, Any]:
    return {"text": text, "type": kind, "score": score, **more}


def kept(decide: policies.DecisionPolicy, *segments: dict[str, Any], page: dict[str, Any] | None = None) -> list[str]:
    return [s["text"] for s, keep in zip(segments, decide(list(segments), page)) if keep]


# ---- the best expected F ------------------------------------------------------------------------------------------


def test_best_f_is_that_of_the_best_of_all_sets() -> None:
    chances, sizes = [0.9, 0.2, 0.55, 0.4, 0.05, 0.7], [3.0, 10.0, 1.0, 6.0, 40.0, 2.0]
    whole = sum(p * w for p, w in zip(chances, sizes))
    sets = [chosen for size in range(1, 7) for chosen in combinations(range(6), size)]
    of_set = {
        chosen: 2 * sum(chances[i] * sizes[i] for i in chosen) / (sum(sizes[i] for i in chosen) + whole)
        for chosen in sets
    }
    best = max(of_set, key=lambda chosen: of_set[chosen])
    assert policies.best_f(chances, sizes) == pytest.approx(of_set[best])
    assert [at for at, chance in enumerate(chances) if chance > of_set[best] / 2] == list(best)
    assert policies.best_f([], []) == 0
    assert policies.best_f([0.0, 0.0], [3, 4]) == 0


@pytest.mark.parametrize("highest", [1.0, 0.45, 1e-9])
def test_best_f_is_that_of_the_best_cut(highest: float) -> None:
    """Of the segments from the most to the least probable, every number is tried."""
    rnd = random.Random(4)
    for size in (1, 2, 5, 60):
        chances = [rnd.choice([highest, rnd.random() * highest, rnd.random() ** 5 * highest]) for _ in range(size)]
        sizes = [rnd.choice([1.0, 2.5, 40.0]) for _ in range(size)]
        whole = sum(p * w for p, w in zip(chances, sizes))
        order = sorted(zip(chances, sizes), reverse=True)
        cuts = [order[:cut] for cut in range(1, size + 1)]
        expected = max(2 * sum(p * w for p, w in cut) / (sum(w for _, w in cut) + whole) for cut in cuts)
        assert policies.best_f(chances, sizes) == pytest.approx(expected, rel=1e-12)


def test_scores_beyond_floats_change_nothing_for_others() -> None:
    ordinary = [segment("one two three four", score) for score in (-3.0, -1.2, 0.4, 2.5)]
    extreme = [segment("x", score) for score in (float("nan"), float("-inf"), -1e300, -5000)]
    assert policies.by_expected()(ordinary + extreme, PAGE) == policies.by_expected()(ordinary, PAGE) + [False] * 4


def test_doubtful_text_is_kept_where_all_is_doubtful() -> None:
    decide = policies.by_expected()
    doubtful = segment("one two three four", -0.6)
    assert kept(decide, doubtful, segment("a b", -0.9), page=PAGE) == [doubtful["text"], "a b"]
    sure = segment("five six seven eight " * 9, 9.0)
    assert kept(decide, doubtful, sure, page=PAGE) == [sure["text"]]
    assert kept(policies.by_expected(policies.FAVOURS["recall"]), doubtful, sure, page=PAGE) == [
        doubtful["text"],
        sure["text"],
    ]


def test_equal_scores_have_equal_fates() -> None:
    decide = policies.by_expected()
    for score in (-4.0, -1.0, 0.0, 2.0):
        ties = [segment("word " * size, score) for size in (1, 9, 2, 30)]
        assert len(set(decide(ties, PAGE))) == 1
        assert len(set(decide([*ties, segment("other " * 20, 8.0)], PAGE)[:4])) == 1


@pytest.mark.parametrize("how", ["auto", "expected", "viterbi", "page"])
@pytest.mark.parametrize("page", [PAGE, None])
def test_a_page_of_one_segment_and_of_none(how: str, page: dict[str, Any] | None) -> None:
    decide = policies.named(how)
    assert decide([], page) == []
    assert decide([segment("Some text.", 3.0)], page) == [True]
    assert decide([segment("Some text.", -9.0)], page) == [False]
    assert decide([segment("", 1e300), segment("x", -1e300), segment("y", float("nan"))], page) == [True, False, False]


def test_words() -> None:
    assert policies.words("one two,  three") == 3
    assert policies.words("") == 1
    assert policies.words("中文网页的正文") == 1 + 7 / 2
    assert policies.words("żółć i jaźń") == 3


def test_copies_of_long_text_are_kept_once() -> None:
    long = "One two three four five six seven eight nine ten."
    segments = [segment(long, 5.0), segment("Short.", 5.0), segment(long.upper() + " ", 9.0), segment("Short.", 5.0)]
    assert policies.by_expected()(segments, PAGE) == [True, True, False, True]
    assert policies.by_expected(repeated=0)(segments, PAGE) == [True] * 4
    assert policies.by_expected()(segments) == [True] * 4
    segments[0]["score"] = -9.0  # what is dropped is no copy
    assert policies.by_expected()(segments, PAGE) == [False, True, True, True]


def test_copies_in_the_same_place_are_meant() -> None:
    long = "One two three four five six seven eight nine ten."
    paths = ("body/div#a.x", "body/div#b.x", "body/nav")
    segments = [segment(long, 5.0, path=path) for path in paths]
    assert policies.by_expected()(segments, PAGE) == [True, True, False]


def test_the_type_of_a_page_moves_the_boundary() -> None:
    segments = [segment("word " * 50, 8.0), segment("other " * 10, -0.2)]
    for types, both in (({"article": 1.0}, False), ({"listing": 1.0}, True), ({"listing": 0.05, "forum": 0.95}, False)):
        assert policies.named()(segments, {"odds": 3.0, "types": types}) == [True, both], types
    assert policies.named()([segments[0], segment("other " * 10, 0.9)], {"odds": 3.0}) == [True, False]


# ---- what nc-segment marked --------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["auto", "threshold", "expected", "viterbi", "page"])
def test_marks_count_where_no_page_says_that_they_were_weighed(how: str) -> None:
    segments = [segment("Text of a page.", 6.0), segment("Marked text.", 6.0, rule="nav"), segment("More of it.", 6.0)]
    assert policies.named(how)(segments, PAGE) == [True, True, True]
    assert policies.named(how)(segments) == [True, False, True]
    assert policies.named(how, rules=False)(segments) == [True, True, True]


def test_what_is_not_shown_changes_nothing_without_a_page() -> None:
    segments = [segment("Text of a page.", 1.0), segment("Good title", -0.1, "h"), segment("More of it.", 1.0)]
    extra = segment("Not shown.", 9.0, rule="embedded", origin="template")
    for how in ("expected", "viterbi"):
        decide = policies.named(how)
        assert decide([segments[0], extra, *segments[1:]]) == [decide(segments)[0], False, *decide(segments)[1:]]


# ---- pages without text -------------------------------------------------------------------------------------------


def test_a_page_without_text_yields_nothing() -> None:
    segments = [segment("Log in to go on: " + "you have no account. " * 4, -1.6), segment("Home", -7.0)]
    assert policies.named("expected")(segments, EMPTY) == [True, False]
    assert policies.named()([segment("A sentence of a page. " * 5, -1.0), segments[1]], EMPTY) == [True, False]
    assert policies.named("page")(segments, EMPTY) == policies.named()(segments, EMPTY) == [False, False]
    assert policies.named("page")(segments, {**EMPTY, "odds": policies.NO_TEXT}) == [True, False]


def test_a_tiny_page_has_little_to_say_that_it_has_no_text() -> None:
    listing = {**EMPTY, "types": {"listing": 1.0}}
    for score, there in ((-3.4, True), (-3.6, False)):
        assert policies.named()([segment("A sentence of a tiny page.", score)], listing) == [there]
    words = [segment("word " * 10, -2.4), segment("other " * 9, -2.4)]
    assert policies.named()(words, EMPTY) == [True, True]
    assert policies.named()([*words, segment("word", -2.4)], EMPTY) == [False] * 3


def test_without_odds_of_the_page_its_segments_say_so() -> None:
    much = [segment("Menu of a site with links", -4.0)] * 60
    segments = [segment("Welcome", 0.5), *much]
    assert kept(policies.named(), *segments) == ["Welcome"]
    assert kept(policies.named("page"), *segments) == []
    assert kept(policies.named("page"), segment("A long text " * 40, 7.0), *much) == ["A long text " * 40]


@pytest.mark.parametrize("how", ["auto", "expected", "viterbi"])
def test_of_a_page_without_text_not_the_best_is_kept(how: str) -> None:
    for favour in policies.FAVOURS:
        assert kept(policies.named(how, favour=favour), segment("Home", -9.0), segment("More", -30.0), page=PAGE) == []


# ---- what is called how -------------------------------------------------------------------------------------------


def test_auto_is_expected_with_a_page_else_a_threshold() -> None:
    segments = [segment("one two three", -0.4), segment("four five", -0.6)]
    assert policies.named()(segments, PAGE) == policies.named("expected")(segments, PAGE) == [True, True]
    assert policies.named()(segments) == policies.named("threshold")(segments) == [False, False]
    assert policies.named(threshold=0.0)(segments, PAGE) == [False, False]
    assert policies.named(threshold=-0.5)(segments, PAGE) == [True, False]
    assert policies.named(per_char=True)(segments, PAGE) == [False, False]


@pytest.mark.parametrize("how", ["auto", "threshold", "expected", "viterbi", "page"])
@pytest.mark.parametrize("page", [PAGE, None])
def test_favour(how: str, page: dict[str, Any] | None) -> None:
    scores = [9.0, *(step / 4 for step in range(-32, 33))]
    segments = [segment(f"Text number {at} of the page.", score) for at, score in enumerate(scores)]
    few, some, many = (
        sum(policies.named(how, favour=favour)(segments, page)) for favour in ("precision", "balance", "recall")
    )
    assert 0 < few < some < many < len(segments)


def test_options_that_do_not_go_together() -> None:
    for how in ("expected", "viterbi", "page"):
        with pytest.raises(ValueError, match="^-t: only with --decide threshold or justext$"):
            policies.named(how, 0.0)
        with pytest.raises(ValueError, match="^--per-char: only with"):
            policies.named(how, per_char=True)
    with pytest.raises(ValueError, match="^--favour: not with --per-char$"):
        policies.named(per_char=True, favour="recall")
    with pytest.raises(ValueError, match="favour: not with decide='justext'"):
        Pipeline("ncleaner-en", decide="justext", favour="recall")
    with pytest.raises(ValueError, match="favour: precision, balance or recall is wanted"):
        Pipeline("ncleaner-en", favour="speed")


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (7, "page: an object is wanted, not a number"),
        ([], "page: an object is wanted, not an array"),
        ({}, "page.odds: missing"),
        ({"odds": "3"}, "page.odds: a number is wanted, not a string"),
        ({"odds": 1, "types": []}, "page.types: an object of numbers from 0 to 1 is wanted"),
        ({"odds": 1, "types": {"article": "1"}}, "page.types: an object of numbers from 0 to 1 is wanted"),
        ({"odds": 1, "types": {"article": 1, "listing": 50}}, "page.types: an object of numbers from 0 to 1 is wanted"),
        ({"odds": 1, "types": {"listing": -0.1}}, "page.types: an object of numbers from 0 to 1 is wanted"),
        ({"odds": 1, "types": {"listing": nan}}, "page.types: an object of numbers from 0 to 1 is wanted"),
        ({"odds": True}, "page.odds: a number is wanted, not true or false"),
    ],
)
def test_wrong_page(page: Any, message: str) -> None:
    document = {"segments": [segment("x", 1.0)], "page": page}
    with pytest.raises(RecordError) as error:
        selector.selected(document, policies.named())
    assert str(error.value) == message


@pytest.mark.parametrize("how", ["auto", "expected", "viterbi", "page"])
@pytest.mark.parametrize("favour", policies.FAVOURS)
def test_types_that_are_all_certain(how: str, favour: str) -> None:
    """The boundary stays a probability, whatever types of 0 to 1 there are."""
    page = {"odds": 3.0, "types": dict.fromkeys(policies.SEVERAL, 1)}
    segments = [segment("one", 30.0), segment("two", -30.0)]
    assert policies.named(how, favour=favour)(segments, page) == [True, False]


def test_no_page_is_none() -> None:
    assert policies.page_of({}) is policies.page_of({"page": None}) is None
    assert policies.page_of({"page": PAGE}) is PAGE


def test_in_time_linear_in_the_page() -> None:
    def seconds(size: int, how: str) -> float:
        path = "body/div/ul/li"
        segments = [segment(f"Some words of text {at}", at % 17 - 9.0, path=path) for at in range(size)]
        decide, best = policies.named(how), 99.0
        for _ in range(3):
            start = time.perf_counter()
            decide(segments, PAGE)
            best = min(best, time.perf_counter() - start)
        return best

    for how in ("expected", "viterbi", "page"):
        assert seconds(50_000, how) < 30 * seconds(5_000, how)
