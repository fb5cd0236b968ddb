"""Selection: scored segments to a record with text."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.selection.policies import policy, threshold_policy
from ncfilters.selection.selector import SelectionOptions, select_text


def segment(text: str, score: float, kind: str = "p", **more: Any) -> dict[str, Any]:
    return {"text": text, "type": kind, "score": score, **more}


def document(name: Any = "a", **more: Any) -> dict[str, Any]:
    return {
        "id": name,
        "url": "http://example.org/?a&b",
        "segments": [
            segment("A title", 3.0, "h", path="body/h1"),
            segment("Home | About", 5.0, rule="bars"),
            segment("Text.", 12.5),
            segment("zero", 0.0),
            segment("Junk", -4.0, "l"),
        ],
        **more,
    }


def test_text_takes_the_place_of_segments() -> None:
    policy = threshold_policy()
    scored = document(text="old", extra=[1])
    assert select_text(scored, policy) == {
        "id": "a",
        "url": "http://example.org/?a&b",
        "text": "A title\nText.",
        "extra": [1],
    }
    assert select_text(scored, policy, SelectionOptions(keep_segments=True))["segments"] == scored["segments"]
    marked = select_text(scored, policy, SelectionOptions(mark_segments=True))
    assert marked["text"] == "A title\nText."
    assert [s.pop("keep") for s in marked["segments"]] == [True, False, True, False, False]
    assert marked["segments"] == document()["segments"] == scored["segments"]


def test_without_title_one_segment_and_its_copies_are_dropped_not_all_that_look_like_it() -> None:
    roles = {"role": "title", "path": "body/h1"}
    titles = [
        segment("Rain", 3.0, "h", role_probability=0.9, **roles),
        segment("A Coat", 2.0, "h", role_probability=0.6, **roles),
        segment("Rain", 1.0, role_probability=0.5, **roles),
    ]
    page = {"segments": [*titles, segment("Text.", 5.0, role="text", role_probability=0.9)]}
    policy = threshold_policy()
    assert select_text(page, policy)["text"] == "Rain\nA Coat\nText."
    assert select_text(page, policy, SelectionOptions(title=False))["text"] == "A Coat\nText."


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({}, "segments: missing"),
        ({"segments": [{"text": "x", "type": "p"}]}, "segments[0].score: missing"),
        ({"segments": [segment("x", 1), {"text": "x", "score": 1}]}, "segments[1].type: missing"),
        ({"segments": [{**segment("x", 1), "score": "1"}]}, "segments[0].score: expected a number, got a string"),
        ({"segments": [{**segment("x", 1), "score": True}]}, "segments[0].score: expected a number, got a boolean"),
        ({"segments": [{**segment("x", 1), "text": None}]}, "segments[0].text: expected a string, got null"),
        ({"segments": [segment("x", 1, "h"), segment("x", 1, "x")]}, "segments[1].type: expected p, h or l, got 'x'"),
        ({"segments": [segment("x", 1, path=None)]}, "segments[0].path: expected a string, got null"),
        (
            {"segments": [segment("x", 1), segment("x", 1, marker=1)]},
            "segments[1].marker: expected a string, got a number",
        ),
        ({"segments": [segment("x", 1, tag=["tr"])]}, "segments[0].tag: expected a string, got an array"),
        ({"segments": [segment("x", 1, rule=[])]}, "segments[0].rule: expected a string, got an array"),
        ({"segments": ["x"]}, "segments[0]: expected an object, got a string"),
    ],
)
def test_segments_without_scores_are_errors(bad: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError) as caught:
        select_text(bad, threshold_policy())
    assert str(caught.value) == message


def test_the_head_is_completed_where_it_is_written() -> None:
    head = {"title": "Rain", "evidence": {"title": "title"}}
    byline = {"text": "By Ann Lee", "type": "p", "tag": "p", "path": "body/article/p.byline", "score": 2.0}
    title = {"text": "Rain", "type": "h", "tag": "h1", "path": "body/article/h1", "score": 3.0}
    document = {"head": head, "segments": [title, byline]}
    assert select_text(document, policy())["head"]["author"] == ["Ann Lee"]
    selected = select_text(document, policy(), SelectionOptions(complete_head=False))
    assert selected == {"head": head, "text": "Rain\nBy Ann Lee"}
