"""Pages against their gold text."""

from __future__ import annotations

import pytest

from ncfilters.errors import RecordError
from ncfilters.inspector.gold_view import compare, runs

PAGE = {"gold": "The bridge is closed.\nIt opens on Monday."}
SEGMENTS = [
    {"text": "Home", "keep": True},
    {"text": "The bridge is closed.", "keep": True},
    {"text": "It opens on Monday.", "keep": False},
    {"text": "* * *", "keep": True},
]


def test_figures_and_differences() -> None:
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, of the extra web, is not installed")
    found = compare(PAGE, SEGMENTS, "Home\nThe bridge is closed.")
    assert (found["missed"], found["wrong"], found["policy"]) == ([2], [0], "article")
    # 4 words right, 1 wrong, 4 missed
    assert (found["precision"], found["recall"], found["f"]) == (80.0, 50.0, 61.5)


def test_runs_of_words() -> None:
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, of the extra web, is not installed")
    assert runs(PAGE, "Home The bridge, is closed.") == [
        ("wrong", "Home"),
        ("equal", "The bridge, is closed."),
        ("missed", "It opens on Monday."),
    ]


def test_a_gold_of_another_form_is_an_error() -> None:
    with pytest.raises(RecordError, match="gold: invalid"):
        compare({"gold": 7}, [], "")
