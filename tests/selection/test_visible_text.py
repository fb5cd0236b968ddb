"""Segments that show nothing."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.visible_text import with_visible_text

IMAGE = {"src": "https://x.y/a.png", "alt": ""}


@pytest.mark.parametrize(
    "segment",
    [
        {"text": "\u200d", "type": "p"},
        {"text": " \u200b\ufeff ", "type": "l", "marker": "*", "depth": 1},
        {"text": "🔗", "type": "h", "level": 2},
        {"text": "#\ufe0f", "type": "h", "level": 3},
    ],
)
def test_nothing_to_see(segment: dict[str, Any]) -> None:
    rain = {"text": "Rain", "type": "p"}
    assert with_visible_text([segment, rain]) == [rain]
    shown = {**segment, "figure": [IMAGE]}
    assert with_visible_text([rain, shown]) == [{**rain, "figure": [{**IMAGE, "after": True}]}]
    row = {"text": "a", "type": "l", "table": 1}
    assert with_visible_text([shown]) == [shown]
    assert with_visible_text([row, shown]) == [row, shown]


@pytest.mark.parametrize(
    "segment",
    [
        {"text": "🔗", "type": "p"},
        {"text": "+", "type": "h", "level": 3},
        {"text": "\u200d", "type": "p", "spans": [[0, 0, "image", IMAGE]]},
        {"text": "\u200b", "type": "p", "table": 1, "cells": [{"start": 0, "end": 1, "row": 0, "column": 0}]},
        {"text": " \n\u200b", "type": "p", "pre": True},
        {"text": "ok", "type": "p"},
    ],
)
def test_the_rest_stays(segment: dict[str, Any]) -> None:
    assert with_visible_text([segment]) == [segment]
