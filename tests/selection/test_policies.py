"""Decision policies: the best expected F, thresholds, pages without text, operating points."""

from __future__ import annotations

from typing import Any

import pytest
from operations import assert_linear

from ncfilters.selection import policies
from ncfilters.selection.decision import DecisionPolicy
from ncfilters.selection.expected_f import BALANCE, MULTI_TOPIC_TYPES, OPERATING_POINTS, score_threshold
from ncfilters.selection.options import ContentOptions, PolicyOptions
from ncfilters.selection.policies import expected_f_policy, policy
from ncfilters.selection.scored_table import table_of

PAGE = {"odds": 3.0, "types": {"article": 1.0}}
EMPTY = {"odds": -7.5, "types": {"article": 1.0}}


def segment(text: str, score: float, kind: str = "p", **more: Any) -> dict[str, Any]:
    return {"text": text, "type": kind, "score": score, **more}


def kept(decide: DecisionPolicy, *segments: dict[str, Any], page: dict[str, Any] | None = None) -> list[str]:
    return [s["text"] for s, keep in zip(segments, decide(list(segments), page)) if keep]


# ---- the best expected F ------------------------------------------------------------------------------------------


def test_extreme_scores_do_not_change_other_decisions() -> None:
    ordinary = [segment("one two three four", score) for score in (-3.0, -1.2, 0.4, 2.5)]
    extreme = [segment("x", score) for score in (float("nan"), float("-inf"), -1e300, -5000)]
    assert expected_f_policy()(ordinary + extreme, PAGE) == expected_f_policy()(ordinary, PAGE) + [False] * 4


def test_uncertain_text_is_kept_where_all_is_uncertain() -> None:
    decide = expected_f_policy()
    doubtful = segment("one two three four", -0.3)
    assert kept(decide, doubtful, segment("a b", -0.9), page=PAGE) == [doubtful["text"], "a b"]
    sure = segment("five six seven eight " * 9, 9.0)
    assert kept(decide, doubtful, sure, page=PAGE) == [sure["text"]]
    assert kept(expected_f_policy(PolicyOptions(favour="recall")), doubtful, sure, page=PAGE) == [
        doubtful["text"],
        sure["text"],
    ]


def test_equal_scores_have_equal_decisions() -> None:
    decide = expected_f_policy()
    for score in (-4.0, -1.0, 0.0, 2.0):
        ties = [segment("word " * size, score) for size in (1, 9, 2, 30)]
        assert len(set(decide(ties, PAGE))) == 1
        assert len(set(decide([*ties, segment("other " * 20, 8.0)], PAGE)[:4])) == 1


@pytest.mark.parametrize("how", ["auto", "expected", "viterbi"])
@pytest.mark.parametrize("page", [PAGE, None])
def test_pages_of_one_segment_and_of_none(how: str, page: dict[str, Any] | None) -> None:
    decide = policy(PolicyOptions(how))
    assert decide([], page) == []
    assert decide([segment("Some text.", 3.0)], page) == [True]
    assert decide([segment("Some text.", -9.0)], page) == [False]
    assert decide([segment("", 1e300), segment("x", -1e300), segment("y", float("nan"))], page) == [True, False, False]


def test_copies_of_long_text_are_kept_once() -> None:
    long = "One two three four five six seven eight nine ten."
    segments = [segment(long, 5.0), segment("Short.", 5.0), segment(long, 9.0), segment("Short.", 5.0)]
    assert expected_f_policy()(segments, PAGE) == [True, True, False, True]
    assert expected_f_policy(min_repeated=0)(segments, PAGE) == [True] * 4
    assert expected_f_policy()(segments) == [True] * 4
    segments[0]["score"] = -9.0  # what is dropped is no copy
    assert expected_f_policy()(segments, PAGE) == [False, True, True, True]


def test_repetitions_in_the_same_place_are_kept() -> None:
    long = "One two three four five six seven eight nine ten."
    paths = ("body/div#a.x", "body/div#b.x", "body/nav")
    segments = [segment(long, 5.0, path=path) for path in paths]
    assert expected_f_policy()(segments, PAGE) == [True, True, False]


def test_the_page_type_changes_the_threshold() -> None:
    segments = [segment("word " * 50, 8.0), segment("other " * 10, -0.2)]
    for types, both in (({"article": 1.0}, False), ({"listing": 1.0}, True), ({"listing": 0.05, "forum": 0.95}, False)):
        assert policy()(segments, {"odds": 3.0, "types": types}) == [True, both], types
    assert policy()([segments[0], segment("other " * 10, 0.9)], {"odds": 3.0}) == [True, False]


def test_models_without_words_and_unknown_types_need_more_evidence() -> None:
    page = {"odds": 3.0, "types": {"article": 0.9, "forum": 0.1}}
    table, point = table_of([{"text": "word " * 50, "score": score} for score in (3.0, 0.8)]), BALANCE
    sure, *others = [
        score_threshold(table, point, about)
        for about in (page, {**page, "words": False}, {"odds": 3.0}, {"odds": 3.0, "types": {}, "words": False})
    ]
    assert sure < others[0] == others[1] == others[2]
    listing = {**page, "types": {"listing": 1.0}}
    assert score_threshold(table, point, listing) == score_threshold(table, point, {**listing, "words": False}) < sure


# ---- thresholds ---------------------------------------------------------------------------------------------------

MENU_AND_TEXT = [
    segment("A title", 3.0, "h", path="body/h1"),
    segment("Home | About", 5.0, rule="bars"),
    segment("Text.", 12.5),
    segment("zero", 0.0),
    segment("Junk", -4.0, "l"),
]


def above(*segments: dict[str, Any], **options: Any) -> list[str]:
    return [
        s["text"]
        for s, keep in zip(segments, policies.threshold_policy(PolicyOptions(**options))(list(segments)))
        if keep
    ]


def test_thresholds_keep_higher_scores_without_a_mark() -> None:
    segments = MENU_AND_TEXT
    assert above(*segments) == ["A title", "Text."]
    assert above(*segments, threshold=3.0) == ["Text."]
    assert above(*segments, threshold=-1) == ["A title", "Text.", "zero"]
    assert above(*segments, threshold=100) == []
    assert above(*segments, rules=False) == ["A title", "Home | About", "Text."]
    assert above(*segments, rules=False, threshold=4) == ["Home | About", "Text."]


# ---- marked segments --------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["auto", "threshold", "expected", "viterbi"])
def test_marked_segments_are_dropped_without_a_page(how: str) -> None:
    segments = [segment("Text of a page.", 6.0), segment("Marked text.", 6.0, rule="bars"), segment("More of it.", 6.0)]
    assert policy(PolicyOptions(how))(segments, PAGE) == [True, True, True]
    assert policy(PolicyOptions(how))(segments) == [True, False, True]
    assert policy(PolicyOptions(how, rules=False))(segments) == [True, True, True]


def test_landmarks_are_dropped_unless_only_scores_count() -> None:
    text = "Text of a page. " * 5
    segments = [segment(text, 6.0), segment("Marked text.", 6.0, rule="nav"), segment("More of it.", 6.0)]
    assert policy()(segments, PAGE) == [True, False, True]
    assert policy(PolicyOptions(rules=False))(segments, PAGE) == [True, True, True]
    assert policy(PolicyOptions("threshold"))(segments, PAGE) == [True, True, True]


def test_embedded_segments_do_not_change_other_decisions() -> None:
    segments = [segment("Text of a page.", 1.0), segment("Good title", -0.1, "h"), segment("More of it.", 1.0)]
    extra = segment("Not shown.", 9.0, rule="embedded", origin="template")
    for how in ("expected", "viterbi"):
        decide = policy(PolicyOptions(how))
        assert decide([segments[0], extra, *segments[1:]]) == [decide(segments)[0], False, *decide(segments)[1:]]


# ---- pages without text -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["auto", "expected", "viterbi"])
def test_pages_without_text_do_not_keep_their_best_segment(how: str) -> None:
    for favour in OPERATING_POINTS:
        assert (
            kept(policy(PolicyOptions(how, favour=favour)), segment("Home", -9.0), segment("More", -30.0), page=PAGE)
            == []
        )


# ---- no step takes away a page -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "rest", "size", "takes"),
    [
        (2.6, 9.0, 30, True),  # the model is sure of what a step drops
        (1.0, 0.4, 30, True),  # surer than of what it leaves
        (1.0, 0.6, 30, False),
        (-3.0, -3.6, 30, True),
        (2.6, 9.0, 20, False),  # a fifth of the words
        (2.4, 9.0, 30, False),
    ],
)
def test_a_step_that_drops_what_the_model_is_sure_of_is_undone(
    score: float, rest: float, size: int, takes: bool
) -> None:
    segments = [segment("word " * (100 - size), rest), segment("text " * size, score)]
    table = table_of(segments)
    assert policies.takes_page(table, [True, True], [True, False]) == takes
    copies = table_of([segment("word " * 50, rest), segment("word " * 50, 5.0)])
    assert not policies.takes_page(copies, [True, True], [True, False])


def test_a_hero_and_an_article_of_one_name_are_no_thread() -> None:
    """What a step takes for the menu of a post, and the model for an article, stays; what options ask for does not."""
    words = segment(
        "It rained all day in the town of Wendle. " * 9, 5.0, post=0, part="furniture", path="body/div.post"
    )
    page = [segment("Rain", 1.0, "h", path="body/h1"), words | {"role": "comment", "role_probability": 1.0}]
    page[0] |= {"role": "title", "role_probability": 1.0}
    assert policy()(page, PAGE) == [True, True]
    asked = PolicyOptions(content=ContentOptions(excluded=frozenset(("comment",))))
    assert policy(asked)(page, PAGE) == [True, False]


# ---- methods and options -------------------------------------------------------------------------------------------


def test_auto_is_expected_f_with_a_page_else_a_threshold() -> None:
    segments = [segment("one two three", -0.4), segment("four five", -0.6)]
    assert policy()(segments, PAGE) == policy(PolicyOptions("expected"))(segments, PAGE) == [True, True]
    assert policy()(segments) == policy(PolicyOptions("threshold"))(segments) == [False, False]
    assert policy(PolicyOptions(threshold=0.0))(segments, PAGE) == [False, False]
    assert policy(PolicyOptions(threshold=-0.5))(segments, PAGE) == [True, False]


@pytest.mark.parametrize("how", ["auto", "threshold", "expected", "viterbi"])
@pytest.mark.parametrize("page", [PAGE, None])
def test_operating_points_keep_more_or_less(how: str, page: dict[str, Any] | None) -> None:
    scores = [9.0, *(step / 4 for step in range(-32, 33))]
    segments = [segment(f"Text number {at} of the page.", score) for at, score in enumerate(scores)]
    few, some, many = (
        sum(policy(PolicyOptions(how, favour=favour))(segments, page)) for favour in ("precision", "balance", "recall")
    )
    assert 0 < few < some < many < len(segments)


@pytest.mark.parametrize("how", ["auto", "expected", "viterbi"])
@pytest.mark.parametrize("favour", OPERATING_POINTS)
def test_certain_page_types_leave_a_valid_threshold(how: str, favour: str) -> None:
    """The threshold stays a probability, whatever the shares of the types are."""
    page = {"odds": 3.0, "types": dict.fromkeys(MULTI_TOPIC_TYPES, 1)}
    segments = [segment("one", 30.0), segment("two", -30.0)]
    assert policy(PolicyOptions(how, favour=favour))(segments, page) == [True, False]


@pytest.mark.parametrize("how", ["expected", "viterbi"])
def test_decisions_take_linear_time(how: str) -> None:
    def decide(size: int) -> list[bool]:
        texts = [f"Some words of text {number}" for number in range(size)]
        segments = [segment(text, at % 17 - 9.0, path="body/div/ul/li") for at, text in enumerate(texts)]
        return policy(PolicyOptions(how))(segments, PAGE)

    assert_linear(decide, lambda size: size, 500)
