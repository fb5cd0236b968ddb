"""The decision: its steps, none of which takes away the page; its options; what the record says of the page."""

from __future__ import annotations

from math import nan
from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.record import Record
from ncfilters.selection.decision import LAST_STEPS, STEPS, Step, page_evidence, policy, run_steps, takes_page
from ncfilters.selection.options import DEFAULTS, ContentOptions, PolicyOptions

from .steps import ARTICLE, content, page_with, row, shown, words

PAGE = {"odds": 3.0, "types": {"article": 1.0}}


# ---- what the record says of the page


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (7, "page: expected an object, got a number"),
        ([], "page: expected an object, got an array"),
        ({}, "page.odds: missing"),
        ({"odds": "3"}, "page.odds: expected a number, got a string"),
        ({"odds": 1, "types": []}, "page.types: expected an object of numbers from 0 to 1"),
        ({"odds": 1, "types": {"article": "1"}}, "page.types: expected an object of numbers from 0 to 1"),
        ({"odds": 1, "types": {"article": 1, "listing": 50}}, "page.types: expected an object of numbers from 0 to 1"),
        ({"odds": 1, "types": {"listing": -0.1}}, "page.types: expected an object of numbers from 0 to 1"),
        ({"odds": 1, "types": {"listing": nan}}, "page.types: expected an object of numbers from 0 to 1"),
        ({"odds": True}, "page.odds: expected a number, got a boolean"),
    ],
)
def test_a_wrong_page_is_an_error(page: Any, message: str) -> None:
    with pytest.raises(RecordError) as error:
        page_evidence({"page": page})
    assert str(error.value) == message


def test_documents_without_a_page_have_no_evidence() -> None:
    assert page_evidence({}) is page_evidence({"page": None}) is None
    assert page_evidence({"page": PAGE}) is PAGE


# ---- the steps


LONG = "One two three four five six seven eight nine ten."
COPY = [row(LONG, score=5.0), row(LONG, "body/b", 9.0)]
LANDMARK = [words(20, score=6.0), row("Home", "body/nav/p", 6.0, rule="nav"), row("More of it.", score=6.0)]


@pytest.mark.parametrize(
    ("rows", "evidence", "expected"),
    [
        (COPY, PAGE, {"auto": "+-", "expected": "+-", "viterbi": "+-", "threshold": "++"}),
        (COPY, None, {"auto": "++", "expected": "++", "viterbi": "++", "threshold": "++"}),
        (LANDMARK, PAGE, {"auto": "+-+", "expected": "+-+", "viterbi": "+-+", "threshold": "+++"}),
    ],
)
def test_steps_count_where_scores_are_calibrated(rows: list[Record], evidence: Record | None, expected: Record) -> None:
    found = {method: shown(policy(PolicyOptions(method))(rows, evidence)) for method in expected}
    assert found == expected


def test_rules_are_off_without_rules() -> None:
    assert policy(PolicyOptions(rules=False))(LANDMARK, PAGE) == [True, True, True]
    assert policy(PolicyOptions(threshold=0.0))(LANDMARK, PAGE) == [True, True, True]


def test_each_step_that_changes_something_is_told() -> None:
    page = page_with(*COPY, evidence=PAGE)
    (by_score, *_), (copy, before, after) = policy().steps(page)
    assert (by_score, copy and copy.name, before, shown(after)) == (None, "copy", b"\1\1", "+-")
    decision = policy().decide(page)
    assert [step and step.name for step in decision.last] == [None, "copy"]
    assert [step.name for step in (*STEPS, *LAST_STEPS)][-3:] == ["echo", "title", "rule"]


# ---- no step takes away the page


TAKES = pytest.mark.parametrize(
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


@TAKES
def test_a_step_that_drops_what_the_model_is_sure_of_takes_the_page(
    score: float, rest: float, size: int, takes: bool
) -> None:
    page = page_with(words(100 - size, score=rest), row("text " * size, score=score))
    assert takes_page(page, b"\1\1", bytearray([1, 0])) == takes
    assert not takes_page(page, b"\0\1", bytearray([1, 1]))  # what is added
    copies = page_with(words(50, score=rest), words(50, score=5.0))
    assert not takes_page(copies, b"\1\1", bytearray([1, 0]))
    assert takes_page(copies, b"\1\1", bytearray([0, 0]))


def test_steps_that_may_drop_all_are_those_that_are_asked_for() -> None:
    def asked(options: PolicyOptions) -> set[str]:
        return {step.name for step in (*STEPS, *LAST_STEPS) if step.is_asked(options)}

    assert asked(DEFAULTS) == {"title", "rule"}
    assert asked(content("article")) == asked(content(excluded="comment")) == {"title", "rule", "role", "post"}
    assert asked(content(included="comment")) == {"title", "rule", "role"}


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_what_no_step_may_take_away_is_kept(step: Step) -> None:
    """A step that drops all, and one that drops a sure half for a doubtful text, are undone; what they add stays."""
    rows = [words(50, score=3.0), row("text " * 50, score=5.0), row("more " * 5, score=-1.0)]
    for dropped, expected in (("---", "++-"), ("+-+", "+++"), ("+++", "+++")):

        def drop(page: Any, kept: bytearray, options: PolicyOptions, dropped: str = dropped) -> None:
            kept[:] = bytes(one == "+" for one in dropped)

        for asked in (False, True):
            kept = bytearray([1, 1, 0])
            own = step._replace(change=drop, is_on=lambda options: True, is_asked=lambda options, asked=asked: asked)
            assert len([*run_steps([own], page_with(*rows), kept, DEFAULTS)]) == 1
            assert shown(kept) == (dropped if asked else expected)


def test_a_hero_and_an_article_of_one_name_are_no_thread() -> None:
    """What a step takes for the menu of a post, and the model for an article, stays; what options ask for does not."""
    menu = {"post": 0, "part": "furniture", "role": "comment", "role_probability": 1.0}
    text = row("It rained all day in the town of Wendle. " * 9, "body/div.post", 5.0, **menu)
    rows = [row("Rain", "body/h1", 1.0, role="title", role_probability=1.0), text]
    assert policy()(rows, PAGE) == [True, True]
    assert policy(content(excluded="comment"))(rows, PAGE) == [True, False]


def test_sentences_are_decided_as_their_segment() -> None:
    parts = [row("It rained.", score=4.0, segment=0, start=0), row("Not.", score=4.0, segment=0, start=11)]
    other = row("Home", "body/nav/p", -5.0, segment=1, start=0)
    assert policy()([*parts, other], ARTICLE) == [True, True, False]


# ---- options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "expected", "threshold": 0.0}, "threshold: requires the method threshold or justext"),
        ({"method": "viterbi", "threshold": 0.0}, "threshold: requires the method threshold or justext"),
        ({"method": "justext", "favour": "recall"}, "favour: cannot be combined with the method justext"),
        ({"method": "best"}, "method: expected auto, threshold, expected, viterbi or justext, got 'best'"),
        ({"favour": "speed"}, "favour: expected precision, balance or recall, got 'speed'"),
    ],
)
def test_options_that_exclude_each_other_are_errors(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as error:
        PolicyOptions(**options)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("most",), "content policy: expected main, article or all, got 'most'"),
        (("main", frozenset(["headline"])), "role: expected title, .* got 'headline'"),
        (("main", frozenset(["title"]), frozenset(["title"])), "role: title cannot be both included and excluded"),
    ],
)
def test_wrong_content_options_are_errors(options: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ContentOptions(*options)
