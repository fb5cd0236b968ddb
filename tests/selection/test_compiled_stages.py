"""Pages that are scored and selected from JSON: the same records as from the stages; others are left to these."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.page import compiled_core
from ncfilters.page.profiles import PageOptions
from ncfilters.record import Record
from ncfilters.scoring import registry
from ncfilters.scoring.auto import AutoScorer
from ncfilters.scoring.compiled_core import scoring_core
from ncfilters.scoring.line_scorer import LineModels
from ncfilters.scoring.scorer import Scorer
from ncfilters.segmentation.page_language import with_language
from ncfilters.segmentation.segmenter import segment_record
from ncfilters.selection.columns import selection_core
from ncfilters.selection.compiled_stages import CompiledStages, PageSegmentation, SegmentedPage
from ncfilters.selection.line_selector import line_selector
from ncfilters.selection.policies import policy
from ncfilters.selection.selector import SelectionOptions, select_text, with_quality
from ncfilters.streams.stages import Outcome

pytestmark = pytest.mark.skipif(
    compiled_core.core() is None or scoring_core() is None or selection_core() is None,
    reason="no compiled core here: python setup.py build_ext --inplace",
)
PAGE = {
    "id": 7,
    "url": "http://example.org/rain",
    "html": "<title>It rained | The Gazette</title><nav><a href=/>Home</a><a href=/news>News</a></nav><article>"
    "<h1>It rained</h1><p>It rained all day in the town, and nobody went out before the evening.</p>"
    "<ul><li>The shops had closed early.</li><li>The buses stood in their depot.</li></ul>"
    "<pre>10:00  ferry\n11:00  ferry</pre><p>In the evening the clouds left – and the “streets” dried.</p></article>",
    "more": {"of": [1, 2.5, None]},
}
QUALITY = registry.find_quality(None, False)


def stages(form: str = "plain", model: str = "en", min_quality: float | None = None, bullets: bool = False) -> Any:
    selector = line_selector(
        policy(), SelectionOptions(form, bullets), QUALITY, finish=lambda record: with_quality(record, min_quality)
    )
    assert selector is not None
    return CompiledStages(LineModels(model), selector)


def segmented(record: Record) -> Record:
    return with_language(segment_record(record))


segment = PageSegmentation(PageOptions(), segmented)


@pytest.mark.parametrize("form", ["plain", "markdown", "html", "xml", "cleaneval", "vertical"])
@pytest.mark.parametrize("bullets", [False, True])
def test_records_are_those_of_the_stages(form: str, bullets: bool) -> None:
    outcome = stages(form, bullets=bullets)(segment(PAGE))
    scored = Scorer([registry.load_named("en")])([segmented(PAGE)])[0]
    assert isinstance(scored, dict)
    expected = select_text(scored, policy(), SelectionOptions(form, bullets), QUALITY)
    assert outcome.record == expected and [*outcome.record] == [*expected]
    assert "evening" in expected["text"] and "Home" not in expected["text"] and not outcome.error


def test_the_model_for_the_language() -> None:
    selector = line_selector(policy(), SelectionOptions(), None)
    assert selector is not None
    auto = CompiledStages(LineModels("auto", AutoScorer()), selector)
    names = []
    for language in ("en", "fi"):
        record = {**PAGE, "lang": language}
        outcome = auto(segment(record))
        assert isinstance(outcome, Outcome) and outcome.record is not None
        names.append(outcome.record["models"][0].partition("@")[0])
    assert names == ["en", "xx"]


def test_a_record_that_is_dropped() -> None:
    assert stages(min_quality=1.0)(segment(PAGE)).record is None


@pytest.mark.parametrize(
    "change",
    [{"page": {"odds": 1}}, {"models": ["x"]}, {"blocks": []}, {"html": ""}, {"html": b"<p>Bytes are text."}],
    ids=repr,
)
def test_unusual_pages_are_left_to_the_stages(change: Record) -> None:
    record = {**PAGE, **change}
    left = stages()(segment(record))
    assert type(left) is dict
    assert left == segmented(record) and [*left] == [*segmented(record)]


def test_fields_that_a_stage_adds_come_after_segments() -> None:
    page = segment(PAGE)
    assert type(page) is SegmentedPage
    page["nc"] = 1
    assert [*page.whole()] == [*segmented(PAGE), "nc"]


def test_text_is_left_to_the_stages() -> None:
    record = {"text": "The committee agreed to repair the bridge in the spring."}
    assert stages()(segment(record)) == segmented(record)


def test_models_that_score_no_lines() -> None:
    assert stages(model="justext-en")(segment(PAGE)) == segmented(PAGE)
    assert stages(model="no such model")(segment(PAGE)) == segmented(PAGE)
