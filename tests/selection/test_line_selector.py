"""Selection from lines: the same texts as from records; other lines are records as they are."""

from __future__ import annotations

import json
from typing import Any

import pytest
from column_pages import evidence, pages, rest
from hypothesis import HealthCheck, given, settings

from ncfilters.errors import RecordError
from ncfilters.page import compiled_core
from ncfilters.record import Record
from ncfilters.selection.columns import selection_core
from ncfilters.selection.line_selector import Selected, line_selector
from ncfilters.selection.options import PolicyOptions
from ncfilters.selection.policies import policy, threshold_policy
from ncfilters.selection.selector import SelectionOptions, select_text

SLOW_MACHINES = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

needs_core = pytest.mark.skipif(
    compiled_core.core() is None or selection_core() is None,
    reason="no compiled core here: python setup.py build_ext --inplace",
)
DOCUMENT = {"id": "a", "segments": [{"text": "It rained.", "type": "p", "score": 2.0}], "page": {"odds": 2}}


def parsed(document: Any, *more: Any) -> Record | RecordError:
    selector = line_selector(policy(), SelectionOptions(), None, *more)
    assert selector is not None
    return selector.parse(json.dumps(document).encode())


@needs_core
@SLOW_MACHINES
@given(pages, evidence)
def test_texts(segments: list[Record], page: Record) -> None:
    document = {**rest, "segments": segments, "page": page}
    found = parsed(document)
    assert type(found) is Selected
    assert found.result == select_text(document, policy())


@needs_core
@pytest.mark.parametrize("form", ["html", "xml", "markdown"])
def test_heads_from_segments_with_roles_and_markup(form: str) -> None:
    byline = {"text": "Ann Lee", "type": "p", "score": -1.0, "role": "byline", "role_probability": 0.9, "level": 0}
    segments = [
        {"text": "Rain", "type": "h", "score": 1.0, "role": "title", "role_probability": 0.9, "level": 1},
        byline,
        {"text": "May 4, 2024", "type": "p", "score": -1.0, "role": "date", "role_probability": 0.9},
        {"text": "It rained.", "type": "p", "score": 2.0, "role": "text", "role_probability": 0.9},
    ]
    head = {"title": "Rain", "site": "P", "declared_title": "Rain", "evidence": {"title": "h1", "site": "url"}}
    document = {"head": head, "segments": segments}
    options = SelectionOptions(form=form, front_matter=form == "markdown")
    selector = line_selector(policy(), options, None)
    assert selector is not None
    found = selector.parse(json.dumps(document).encode())
    expected = select_text(document, policy(), options)
    assert type(found) is Selected
    assert found.result == expected
    assert "Ann Lee" in str(expected)


@needs_core
def test_documents_that_are_dropped_or_changed() -> None:
    dropped = parsed(DOCUMENT, lambda document: document["id"] != "a")
    assert type(dropped) is Selected and dropped.result is None
    changed = parsed(DOCUMENT, lambda document: True, lambda selected: {**selected, "more": 1})
    assert type(changed) is Selected
    assert changed.result == {"id": "a", "page": {"odds": 2}, "text": "It rained.", "more": 1}


@needs_core
@pytest.mark.parametrize(
    "change",
    [
        {"segments": [{"text": "a", "type": "p"}]},
        {"segments": [{"text": "a", "type": "p", "score": 1, "level": "2"}]},
        {"segments": [{"text": "a", "type": "p", "score": 1, "spans": [[0, 2, "em"]]}]},
        {"segments": [{"text": "a", "type": "p", "score": 1, "cells": [{"start": 0, "end": 1, "row": 0}]}]},
        {"page": {"odds": "x"}},
        {"id": []},
        {"nc": 99},
        {"error": {"stage": "nc-score", "message": "x"}},
    ],
    ids=repr,
)
def test_other_records_are_parsed_as_they_are(change: Record) -> None:
    found = parsed({**DOCUMENT, **change})
    assert type(found) is dict
    assert found == {**DOCUMENT, **change}


@needs_core
def test_what_raises_comes_as_a_whole() -> None:
    found = parsed({"segments": DOCUMENT["segments"]}, lambda document: document["lang"] == "en")
    assert found == {"segments": DOCUMENT["segments"]} and type(found) is dict


@pytest.mark.parametrize("options", [SelectionOptions(tag="x"), SelectionOptions(mark_segments=True)], ids=repr)
def test_options_that_need_all_segments(options: SelectionOptions) -> None:
    assert line_selector(policy(), options, None) is None


def test_policies_that_have_no_columns() -> None:
    assert line_selector(threshold_policy(PolicyOptions()), SelectionOptions(), None) is None
