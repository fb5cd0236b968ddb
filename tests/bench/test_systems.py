"""Systems: segments selected by each decision, and the cells that compare two systems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench import support, systems

THRESHOLD = systems.Decision("threshold", "balance")


def test_segments_are_selected_by_each_decision() -> None:
    segments = [
        {"text": "Some words here.", "type": "p", "score": 5.0},
        {"text": "Home", "type": "l", "score": 4.0, "rule": "nav"},
        {"text": "Of a script.", "type": "p", "score": -9.0, "rule": "embedded", "origin": "hydration"},
        {"text": "Login", "type": "p", "score": -9.0},
    ]
    page = {"id": 7, "gold": "<p>Some", "segments": segments, "page": {"odds": 5.0}}

    def kept(page: dict[str, Any], decision: systems.Decision) -> list[bool]:
        return [segment["keep"] for segment in systems.select(page, decision)["segments"]]

    assert kept(page, systems.RULES) == [True, False, False, True]
    assert kept(page, systems.EVERYTHING) == [True, True, False, True]
    assert kept(page, THRESHOLD) == [True, True, False, False]
    assert kept({**page, "page": None}, THRESHOLD) == [True, False, False, False]
    line = json.dumps(page).encode()
    assert systems.selected_texts(line, [systems.RULES, THRESHOLD]) == (
        "7",
        ["<p>Some words here.\n<p>Login", "<p>Some words here.\n<l>Home"],
    )


def test_pages_without_segments_have_no_text() -> None:
    error = {"id": 7, "gold": "Some", "error": {"stage": "score", "message": "text: missing"}}
    for page in (error, {"id": 7, "gold": "Some", "segments": []}):
        assert systems.select(page, systems.DEFAULT)["text"] == ""


GOLDS = {
    "main --without title": {"text": "", "title": "Bridge closed", "with": [], "without": []},
    "article": {"text": "", "comments": ""},
    "all": {"markup": "<p>"},
}


@pytest.mark.parametrize("options", GOLDS)
def test_content_is_that_of_the_gold_text_as_nc_select_decides(options: str, tmp_path: Path) -> None:
    roles = {"title": "Bridge closed", "caption": "The old bridge", "comment": "Great news.", "text": "Some text here."}
    segments = [
        {"text": text, "type": "p", "score": 3.0, "role": role, "role_probability": 0.95}
        | {"score_article": 3.0 if role == "text" else -3.0, "score_all": 3.0}
        for role, text in roles.items()
    ]
    page = {"id": 7, "gold": GOLDS[options], "segments": segments, "page": {"odds": 5.0}}
    scored = tmp_path / "scored.jsonl"
    scored.write_text(json.dumps(page) + "\n")
    for decision, asked in ((systems.DEFAULT, f"--policy {options}"), (systems.WITHOUT_OPTIONS, "")):
        form = "cleaneval" if options == "all" else "plain"
        (text,) = systems.selected_texts(scored.read_bytes(), [decision])[1]
        out = support.run_pipe(f"nc-select -f jsonl --as {form} {asked} {scored}", b"")
        assert json.loads(out)["text"] == text
    of_gold, by_default = systems.selected_texts(scored.read_bytes(), [systems.DEFAULT, systems.WITHOUT_OPTIONS])[1]
    assert "Some text here." in of_gold
    assert of_gold != by_default
    without_roles = [{"text": segment["text"], "type": "p", "score": 3.0} for segment in segments]
    assert "Great news." in systems.select({**page, "segments": without_roles}, systems.DEFAULT)["text"]


def test_difference_cells_have_points_interval_and_p() -> None:
    cells = systems.difference_cells([90.0, 80.0, 70.0, 65.0], [80.0, 75.0, 69.0, 70.0])
    assert cells[0] == "+2.75"
    assert len(cells) == 4
    assert systems.difference_cells([1.0, 2.0], [1.0, 2.0], interval=False) == ["+0.00", ""]
