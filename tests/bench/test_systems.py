"""Systems: segments selected by each decision, and the cells that compare two systems."""

from __future__ import annotations

import json

from bench import systems

THRESHOLD = systems.Decision("threshold", "balance")


def test_segments_are_selected_by_each_decision() -> None:
    segments = [
        {"text": "Some words here.", "type": "p", "score": 5.0},
        {"text": "Home", "type": "l", "score": 4.0, "rule": "nav"},
        {"text": "Of a script.", "type": "p", "score": -9.0, "rule": "embedded", "origin": "hydration"},
        {"text": "Login", "type": "p", "score": -9.0},
    ]
    page = {"odds": 5.0}
    assert systems.decisions(segments, systems.RULES, page) == [True, False, False, True]
    assert systems.decisions(segments, systems.EVERYTHING, page) == [True, True, False, True]
    assert systems.decisions(segments, THRESHOLD, page) == [True, True, False, False]
    assert systems.decisions(segments, THRESHOLD, None) == [True, False, False, False]
    line = json.dumps({"id": 7, "gold": "<p>Some", "segments": segments, "page": page}).encode()
    assert systems.selected_texts(line, [systems.RULES, THRESHOLD]) == (
        "7",
        ["<p>Some words here.\n<p>Login", "<p>Some words here.\n<l>Home"],
    )


def test_difference_cells_have_points_interval_and_p() -> None:
    cells = systems.difference_cells([90.0, 80.0, 70.0, 65.0], [80.0, 75.0, 69.0, 70.0])
    assert cells[0] == "+2.75"
    assert len(cells) == 4
    assert systems.difference_cells([1.0, 2.0], [1.0, 2.0], interval=False) == ["+0.00", ""]
