"""What the pages of the inspector show, as data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ncfilters.inspector import views
from ncfilters.inspector.analysis import Analysis
from ncfilters.inspector.settings import Settings

DATA = Path(__file__).resolve().parent.parent / "data"
RECORD = json.loads((DATA / "crawl.jsonl").read_text(encoding="utf-8").splitlines()[0])
GOLD = json.loads((DATA / "pages-with-gold.jsonl").read_text(encoding="utf-8").splitlines()[0])


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return Analysis()


def test_a_view_has_decisions_text_and_facts(analysis: Analysis) -> None:
    view = views.document_view(analysis, 0, RECORD, Settings())
    assert view["kept"] == sum(segment["keep"] for segment in view["segments"]) > 0
    assert view["text"].startswith("Last tram to Saltmarsh") and view["lang"] == "en"
    assert {"text", "type", "path", "selector", "score", "keep", "reason"} <= view["segments"][0].keys()


def test_a_live_view_has_no_texts_of_segments(analysis: Analysis) -> None:
    whole, live = (view(analysis, 0, RECORD, Settings()) for view in (views.document_view, views.live_view))
    assert [s["keep"] for s in whole["segments"]] == [s["keep"] for s in live["segments"]]
    assert not any("text" in segment for segment in live["segments"])


def test_a_page_with_gold_has_figures(analysis: Analysis) -> None:
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, of the extra web, is not installed")
    gold = views.document_view(analysis, "g", GOLD, Settings())["gold"]
    assert 0 < gold["f"] <= 100
    assert views.document_view(analysis, "h", {**GOLD, "gold": 7}, Settings())["gold"]["error"].startswith("gold:")


def test_the_record_is_json_with_long_fields_cut(analysis: Analysis) -> None:
    shown = json.loads(views.record_json(analysis, 0, RECORD, Settings()))
    assert shown["id"] == "news" and len(shown["html"]) < len(RECORD["html"]) and shown["segments"][0]["score"]


def test_the_page_for_the_frame(analysis: Analysis) -> None:
    page = views.frame_page(analysis, 0, RECORD, False, "")
    assert page.count("data-nc=") >= len(analysis.parsed(0, RECORD)["segments"]) - 1
    assert "data-nc" in views.frame_page(analysis, "t", {"text": "One.\n\nTwo."}, False, "")


def test_choices_name_what_the_program_has(analysis: Analysis) -> None:
    choices = views.choices(analysis)
    assert choices["models"][0] == "auto" and "markdown" in choices["forms"] and "text" not in choices["forms"]
    assert set(choices["policyRoles"]["main"]) <= set(choices["roles"])
