"""Surroundings of segments: landmarks, the main text, logs and shares of counts (test_matrix has the features)."""

from __future__ import annotations

import numpy as np
import pytest

from ncfilters.features.document import Document
from ncfilters.features.neighbourhood import first_h1, log_counts, main_text, shares
from ncfilters.features.segment_table import build_table

PROSE = "We walked along the river for a whole day, and then it rained."


def test_logs_of_large_counts_are_bounded() -> None:
    counts = np.array([0, 1, 9999, 1 << 14, 1 << 40])
    expected = np.log1p([0, 1, 9999, (1 << 14) - 1, (1 << 14) - 1])
    assert log_counts(counts) == pytest.approx(expected)


def test_a_share_of_nothing_is_zero() -> None:
    assert shares(np.array([0.0, 1.0]), np.array([0, 4])).tolist() == [0, 0.25]


def test_the_first_h1_is_that_of_the_document() -> None:
    h1, other = {"text": "A", "tag": "h1"}, {"text": "B", "tag": "p"}
    table = build_table([Document([other, h1, h1]), Document([other]), Document([h1])])
    assert first_h1(table).tolist() == [1, 1, 1, -1, 4]


def test_the_main_text_is_the_parent_with_most_prose() -> None:
    pages = [
        [(PROSE, "body/div/p"), (PROSE, "body/main/p"), (PROSE, "body/main/div")],
        [("Home", "body/nav/p")],
        [(PROSE, "body/div/p"), (PROSE, "body/main/p")],  # the first of two
    ]
    documents = [Document([{"text": text, "path": path} for text, path in page]) for page in pages]
    table = build_table(documents)
    group, node = main_text(table)
    parents = [table.tree.steps[table.tree.step[at]] for at in node.tolist()]
    assert parents[0] == "main" and parents[2] == "div"
    assert group.tolist()[1] == -1 and node.tolist()[1] == 0
