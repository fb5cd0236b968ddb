"""What columns decide on segments with markup is what the Python modules decide."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from column_pages import evidence, pages, rest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ncfilters.errors import RecordError
from ncfilters.page import compiled_core
from ncfilters.record import Record
from ncfilters.scoring import registry
from ncfilters.selection.column_policy import ColumnPolicy
from ncfilters.selection.columns import columns_of, selection_core
from ncfilters.selection.line_selector import Selected, line_selector
from ncfilters.selection.marked_columns import decisions_of, elements_of
from ncfilters.selection.options import ContentOptions, PolicyOptions
from ncfilters.selection.policies import policy
from ncfilters.selection.selector import SelectionOptions, select_text

needs_core = pytest.mark.skipif(
    compiled_core.core() is None or selection_core() is None,
    reason="no compiled core here: python setup.py build_ext --inplace",
)
QUALITY = registry.find_quality(None, True)
IMAGE = {"src": "https://x.y/a.png", "alt": "A"}
CELL = {"start": 0, "end": 1, "row": 0, "column": 0}
numbers = st.integers(0, 2)
markup = st.fixed_dictionaries(
    {},
    optional={
        "table": numbers,
        "code": numbers,
        "item": numbers,
        "depth": st.integers(1, 3),
        "quote": st.integers(1, 2),
        "level": st.integers(1, 6),
        "cells": st.sampled_from([[CELL], [CELL, {**CELL, "column": 1, "header": True}], [{**CELL, "row": 10**9}]]),
        "note": st.sampled_from([{"id": "a"}, {"id": "b"}]),
        "figure": st.sampled_from([[], [IMAGE], [{**IMAGE, "after": True, "caption": "rain"}]]),
        "spans": st.sampled_from(
            [[], [[0, 0, "image", IMAGE]], [[0, 1, "note", "a"]], [[0, 1, "math", "x"]], [[0, 1, "em"]]]
        ),
    },
)
options = st.builds(
    PolicyOptions,
    method=st.sampled_from(["auto", "expected", "page", "threshold"]),
    favour=st.sampled_from(["precision", "balance", "recall"]),
    content=st.sampled_from([ContentOptions(), ContentOptions("article"), ContentOptions("all")]),
)


@needs_core
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(pages, st.lists(markup, min_size=1, max_size=6), evidence, options, st.sampled_from(["plain", "markdown"]))
def test_texts_and_qualities(
    segments: list[Record], fields: list[Record], page: Record, options: PolicyOptions, form: str
) -> None:
    segments = [
        {**segment, **fields[number % len(fields)]} if len(segment["text"]) > 1 else segment
        for number, segment in enumerate(segments)
    ]
    document, selection = {**rest, "segments": segments, "page": page}, SelectionOptions(form)
    if options.content.needs_roles and not all("role" in segment for segment in segments) or not segments:
        return
    decide = policy(options)
    reference = select_text(
        copy.deepcopy(document), lambda segments, page=None: decide(segments, page), selection, QUALITY
    )
    assert select_text(document, decide, selection, QUALITY) == reference
    selector = line_selector(decide, selection, QUALITY)
    assert selector is not None
    found = selector.parse(json.dumps(document).encode())
    assert type(found) is not Selected or found.result == reference


@needs_core
def test_a_table_is_kept_whole() -> None:
    rows: list[dict[str, Any]] = [
        {"text": f"Row {row} of the table", "type": "p", "path": "body/article/table/tr/td", "table": 1, "score": score}
        for row, score in enumerate((3.0, 3.0, -0.5))
    ]
    text = {"text": "It rained all day. " * 9, "type": "p", "path": "body/article/p", "score": 4.0}
    columns, decide = columns_of([text, *rows], "score"), ColumnPolicy(PolicyOptions())
    assert columns is not None and columns.has_markup
    assert decide(columns, {"odds": 5.0, "types": {}}, elements_of([text, *rows], "main"))
    assert decisions_of(columns) == [True, True, True, True]


@needs_core
@pytest.mark.parametrize(
    "wrong", [{"spans": [[0, 99, "em"]]}, {"spans": [[0, 1, "link"]]}, {"figure": [{}]}, {"level": "2"}]
)
def test_wrong_markup_is_an_error(wrong: Record) -> None:
    segment = {"text": "It rained all day.", "type": "p", "score": 2.0, **wrong}
    with pytest.raises(RecordError, match="segments"):
        select_text({"segments": [segment], "page": {"odds": 5.0, "types": {}}}, policy(PolicyOptions()))
