"""Marks, drops and the report of the filter."""

from __future__ import annotations

import pytest

from ncfilters.corpus.filtering import Filtering
from ncfilters.corpus.rules import chosen
from ncfilters.errors import RecordError

GOOD = "It rained in the town of the harbour. "


def test_a_document_is_marked_with_the_rules_that_it_breaks() -> None:
    filtering = Filtering(chosen("gopher.words,c4.curly-brackets"))
    assert filtering.mark({"id": 1, "text": "{ Rain }"}) == {
        "id": 1,
        "text": "{ Rain }",
        "filter": [{"rule": "c4.curly-brackets", "value": 1}, {"rule": "gopher.words", "value": 1}],
    }
    assert filtering.mark({"text": GOOD * 9}) == {"text": GOOD * 9, "filter": []}
    assert list(filtering.report()) == [
        "1 of 2 documents marked (50.0 %)",
        "c4.curly-brackets: 1 (50.0 %), 0 by it alone",
        "gopher.words: 1 (50.0 %), 0 by it alone",
    ]


def test_a_document_that_breaks_a_rule_may_be_dropped() -> None:
    filtering = Filtering(chosen("gopher.words"), drop=True)
    assert filtering.mark({"text": "Rain"}) is None
    assert list(filtering.report()) == ["1 of 1 documents dropped (100.0 %)", "gopher.words: 1 (100.0 %)"]


def test_marks_for_other_rules_stay() -> None:
    earlier = [{"rule": "own", "value": 1}, {"rule": "gopher.words", "value": 3}, 7]
    marked = Filtering(chosen("gopher.words")).mark({"text": "Rain", "filter": earlier})
    assert marked is not None
    assert marked["filter"] == [{"rule": "own", "value": 1}, {"rule": "gopher.words", "value": 1}]
    marked = Filtering(chosen("gopher.words")).mark({"text": GOOD * 9, "filter": "of another program"})
    assert marked is not None
    assert marked["filter"] == []


def test_text_may_be_in_segments_and_must_be_there() -> None:
    segments = [{"text": "One {", "keep": False}, {"text": "Two"}]
    marked = Filtering(chosen("c4.curly-brackets")).mark({"segments": segments})
    assert marked is not None
    assert marked["filter"] == []
    with pytest.raises(RecordError, match="text: missing"):
        Filtering(chosen("c4")).mark({"id": 1})


def test_the_language_of_the_record_decides_which_rules_apply() -> None:
    text = "今天下雨了。"
    filtering = Filtering(chosen("gopher.word-length,gopher.stop-words"))
    for document in ({"text": text}, {"text": text, "lang": "zh-CN"}, {"text": text, "head": {"language": "zh"}}):
        marked = filtering.mark(document)
        assert marked is not None
        assert marked["filter"] == []
