"""Roles of segments decide with the scores: content policies, included and excluded roles."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.selection.options import ContentOptions, PolicyOptions
from ncfilters.selection.policies import policy
from ncfilters.selection.roles import OUTSIDE_PROBABILITY, check_roles, decide_by_role, with_policy_scores
from ncfilters.selection.scored_table import table_of

PAGE = {"odds": 5.0, "types": {"article": 1.0}}


def segment(role: str, probability: float, score: float = 2.0, **more: Any) -> dict[str, Any]:
    text = f"{role} of many words, as others have"
    return {"text": text, "type": "p", "score": score, "role": role, "role_probability": probability, **more}


def content(policy_name: str = "main", included: tuple[str, ...] = (), excluded: tuple[str, ...] = ()) -> Any:
    return ContentOptions(policy_name, frozenset(included), frozenset(excluded))


def kept(segments: list[dict[str, Any]], options: ContentOptions, **more: Any) -> list[str]:
    decide = policy(PolicyOptions(content=options, **more))
    return [s["role"] for s, keep in zip(segments, decide(segments, PAGE)) if keep]


def by_role(segments: list[dict[str, Any]], options: ContentOptions, before: bool) -> list[bool]:
    return decide_by_role(table_of(segments), [before] * len(segments), options)


def test_scores_decide_on_roles_of_the_policy() -> None:
    page = [segment("text", 0.9), segment("text", 0.9, -6.0), segment("caption", 0.5)]
    assert by_role(page, content(), True) == [True] * 3
    assert kept(page, content()) == ["text", "caption"]


def test_a_role_outside_the_policy_is_dropped_if_it_is_certain() -> None:
    least = OUTSIDE_PROBABILITY
    page = [segment("text", 0.9), segment("byline", least), segment("byline", least - 0.1), segment("boilerplate", 1.0)]
    assert by_role(page, content(), True) == [True, False, True, True]
    assert by_role(page, content("all"), True) == [True] * 4
    assert by_role(page, content("article", ("byline",)), False) == [False, True, True, False]


def test_under_all_the_score_decides_on_links() -> None:
    page = [segment("related", 1.0)]
    assert by_role(page, content(), True) == [False]
    assert by_role(page, content("all"), True) == [True]


def test_included_and_excluded_roles_do_not_depend_on_scores() -> None:
    page = [segment("text", 0.9), segment("comment", 0.4, -6.0), segment("caption", 0.4, 6.0), segment("byline", 0.3)]
    assert kept(page, content(included=("comment",), excluded=("caption", "byline"))) == ["text", "comment"]
    assert kept(page, content(included=("comment",)), method="threshold") == ["text", "comment", "caption", "byline"]


def test_the_structure_does_not_bring_back_excluded_roles() -> None:
    above = segment("byline", 0.5, 0.0, type="h", path="body/h2")
    page = [above, segment("text", 0.9, 5.0, path="body/p")]
    assert kept(page, content()) == ["byline", "text"]
    assert kept(page, content(excluded=("byline",))) == ["text"]


def test_the_structure_does_not_drop_included_roles() -> None:
    page = [segment("text", 0.9, 5.0, path="body/p"), segment("related", 0.6, -5.0, type="h", path="body/aside/h2")]
    page.append(segment("boilerplate", 0.9, -5.0, path="body/aside/p"))
    assert kept(page, content()) == ["text"]
    assert kept(page, content(included=("related",))) == ["text", "related"]


def test_the_score_is_that_of_the_policy() -> None:
    page = [segment("text", 0.9, 3.0, score_article=-4.0, score_all=4), segment("text", 0.9, 3.0)]
    table = table_of(page)
    assert with_policy_scores(table, "article").score == [-4.0, 3.0]
    assert with_policy_scores(table, "main") is table
    assert page[0]["score"] == 3.0
    assert [decide(page, PAGE) for decide in [policy(PolicyOptions(content=content("article")))]] == [[False, True]]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"role": "headline"}, "segments[1].role: expected one of title, byline"),
        ({"role": ["text"]}, "segments[1].role: expected one of title, byline"),
        ({"role_probability": "1"}, "segments[1].role_probability: expected a number from 0 to 1"),
        ({"role_probability": 1.5}, "segments[1].role_probability: expected a number from 0 to 1"),
        ({"role_probability": float("nan")}, "segments[1].role_probability: expected a number from 0 to 1"),
    ],
)
def test_wrong_roles_are_errors(fields: dict[str, Any], message: str) -> None:
    page = [segment("text", 0.9), {**segment("text", 0.9), **fields}]
    with pytest.raises(RecordError) as caught:
        check_roles(table_of(page), False)
    assert str(caught.value).startswith(message)


def test_roles_must_be_there_if_they_are_asked_for() -> None:
    plain = {"text": "a", "type": "p", "score": 1.0}
    check_roles(table_of([plain, plain]), False)
    with pytest.raises(RecordError, match=r"segments\[0\].role: missing: --policy, --with and --without need"):
        check_roles(table_of([plain]), True)
    with pytest.raises(RecordError, match=r"segments\[1\].role: missing$"):
        check_roles(table_of([segment("text", 0.9), plain]), False)
    with pytest.raises(RecordError, match=r"segments\[0\].role_probability: missing"):
        check_roles(table_of([{**plain, "role": "text"}]), False)
    assert policy(PolicyOptions(content=content("all")))([], None) == []


def test_scores_under_a_policy_are_numbers() -> None:
    with pytest.raises(RecordError, match=r"segments\[0\].score_all: expected a number, got a string"):
        with_policy_scores(table_of([segment("text", 0.9, score_all="1")]), "all")
