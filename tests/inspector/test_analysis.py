"""Documents parsed and scored once, decided often."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ncfilters.errors import RecordError, UsageError
from ncfilters.inspector.analysis import Analysis, Settings
from ncfilters.pipeline import Pipeline
from ncfilters.selection.options import ContentOptions, PolicyOptions

DATA = Path(__file__).resolve().parent.parent / "data"
RECORDS = [json.loads(line) for line in (DATA / "crawl.jsonl").read_text(encoding="utf-8").splitlines()]
FULL = [record for record in RECORDS if record.get("html")]


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return Analysis()


@pytest.mark.parametrize("form", ["plain", "markdown", "cleaneval", "xml"])
def test_the_text_is_that_of_the_pipeline(form: str, analysis: Analysis) -> None:
    pipeline = Pipeline(form=form, bullets=True, markup=True)
    for number, record in enumerate(FULL):
        settings = Settings.of_query({"form": form})
        assert analysis.result(number, record, settings)["text"] == pipeline.record(record)["text"]


def test_settings_change_the_decisions_and_not_the_scores(analysis: Analysis) -> None:
    usual = analysis.result(0, FULL[0], Settings())
    strict = analysis.result(0, FULL[0], Settings.of_query({"threshold": "100"}))
    assert [s["score"] for s in usual["segments"]] == [s["score"] for s in strict["segments"]]
    assert any(s["keep"] for s in usual["segments"])
    assert not any(s["keep"] for s in strict["segments"])


def test_another_model_scores_a_copy(analysis: Analysis) -> None:
    first = analysis.result(0, FULL[0], Settings())
    other = analysis.result(0, FULL[0], Settings.of_query({"model": "ncleaner-nonlexical"}))
    again = analysis.result(0, FULL[0], Settings())
    assert [s["score"] for s in first["segments"]] == [s["score"] for s in again["segments"]]
    assert [s["score"] for s in first["segments"]] != [s["score"] for s in other["segments"]]


def test_a_document_is_parsed_once() -> None:
    analysis = Analysis()
    assert analysis.parsed(0, FULL[0]) is analysis.parsed(0, FULL[0])
    analysis.result(0, FULL[0], Settings())
    assert analysis.scored(0, FULL[0], "auto") is analysis.scored(0, FULL[0], "auto")


def test_reasons_are_those_of_the_model(analysis: Analysis) -> None:
    reasons = analysis.reasons(0, FULL[0], "en")
    assert len(reasons) == len(analysis.parsed(0, FULL[0])["segments"])
    assert reasons[0]["for"] and reasons[0]["against"]
    assert set(analysis.reasons(0, FULL[0], "ncleaner-en")) == {None}


def test_a_model_that_is_not_offered_is_an_error(analysis: Analysis) -> None:
    with pytest.raises(UsageError, match="is not one of auto, "):
        analysis.result(0, FULL[0], Settings(model="/etc/passwd"))
    assert "quality" not in analysis.models


def test_a_file_can_be_added_as_a_model(tmp_path: Path) -> None:
    analysis = Analysis()
    with pytest.raises(UsageError):
        analysis.add_model(str(tmp_path / "none.model"))
    path = str(Path(__file__).resolve().parents[2] / "models" / "xx.model")
    analysis.add_model(path)
    assert (
        analysis.result(0, FULL[0], Settings(model=path))["models"]
        == analysis.result(0, FULL[0], Settings("xx"))["models"]
    )


def test_segments_and_texts_are_documents_too(analysis: Analysis) -> None:
    parsed = {"segments": analysis.parsed(0, FULL[0])["segments"]}
    assert analysis.result("s", parsed, Settings())["text"]
    assert analysis.result("t", {"text": "It rained all day in the valley."}, Settings("xx"))["segments"]
    with pytest.raises(RecordError):
        analysis.result("e", {"id": "a"}, Settings())


# ---- settings
def test_a_query_says_what_differs_from_the_defaults() -> None:
    query = {"model": "xx", "policy": "all", "without": "comment,byline", "favour": "recall", "form": "markdown"}
    content = ContentOptions("all", excluded=frozenset(("comment", "byline")))
    assert Settings.of_query(query) == Settings("xx", PolicyOptions(favour="recall", content=content), "markdown")


def test_without_a_query_the_defaults_hold() -> None:
    default = Settings("en", form="html")
    assert Settings.of_query({}, default) == default
    assert Settings.of_query({}) == Settings()


def test_a_threshold_is_in_bits() -> None:
    assert Settings.of_query({"threshold": "-1.5"}).policy.threshold == -1.5
    assert Settings.of_query({"threshold": " "}).policy.threshold is None


@pytest.mark.parametrize(
    "query",
    [{"form": "pdf"}, {"policy": "best"}, {"with": "nobody"}, {"threshold": "high"}, {"threshold": "nan"}]
    + [{"threshold": "1e9"}, {"favour": "speed"}, {"decide": "coin"}, {"decide": "viterbi", "threshold": "1"}],
)
def test_other_values_are_errors(query: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        Settings.of_query(query)
