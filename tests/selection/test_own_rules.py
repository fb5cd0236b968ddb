"""Rules of the user are obeyed, whatever the score."""

from __future__ import annotations

import pytest

from ncfilters.errors import RecordError
from ncfilters.pipeline import Pipeline, PipelineOptions
from ncfilters.selection.own_rules import has_rules, obey_rules
from ncfilters.selection.policies import PolicyOptions, policy
from ncfilters.selection.scored_table import ScoredTable
from ncfilters.selection.selector import select_text

PAGE = """<h1>Tea from the hills</h1><p>The tea grows on the hills above the town, and it is picked by hand in spring.
<aside>Sign up for our weekly letter about tea and the hills, which many people in the town read.</aside>
<footer id=f>© Shop</footer>"""


def segment(rule: str | None, score: float = 1.0) -> dict[str, object]:
    out: dict[str, object] = {"text": "Text.", "type": "p", "score": score}
    return out if rule is None else {**out, "element_rule": rule}


def test_decisions_are_those_of_the_rules() -> None:
    table = ScoredTable([segment("drop a"), segment("keep b"), segment(None), segment(None)])
    assert has_rules(table)
    assert obey_rules(table, [True, False, True, False]) == [False, True, True, False]
    assert not has_rules(ScoredTable([segment(None)]))


def test_a_rule_that_is_no_string_is_an_error() -> None:
    with pytest.raises(RecordError, match="element_rule"):
        select_text({"segments": [{**segment(None), "element_rule": 7}]}, policy(PolicyOptions()))


def test_a_title_that_is_dropped_is_none() -> None:
    assert Pipeline("en", drop_elements="h1", form="markdown").clean(PAGE).startswith("The tea")


def test_from_python() -> None:
    text = Pipeline("en", drop_elements="aside", keep_elements="#f").clean(PAGE)
    assert text.splitlines()[1:] == [
        "The tea grows on the hills above the town, and it is picked by hand in spring.",
        "© Shop",
    ]
    with pytest.raises(ValueError, match="drop_elements: no CSS selector\n  a,,b\n    \\^"):
        Pipeline("en", drop_elements="a,,b")
    with pytest.raises(ValueError, match="justext"):
        _ = PipelineOptions(profile="justext", drop_elements="a").pages


def test_sentences_have_the_rule_of_their_segment() -> None:
    from ncfilters.segmentation.segmenter import split_record

    (first, second) = split_record({"segments": [{**segment("keep b"), "text": "It rained. It stopped."}]})["segments"]
    assert first["element_rule"] == second["element_rule"] == "keep b"
