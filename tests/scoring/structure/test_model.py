"""Structure models: scores of new pages, of plain text and of pages of all sizes; model files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from structure_pages import NEW, PLAIN_TEXT, scores

from ncfilters.errors import ModelError
from ncfilters.features.document import ModelInput
from ncfilters.scoring import registry
from ncfilters.scoring.structure.model import StructureModel


def test_text_of_new_sites_scores_above_menus(trained: StructureModel) -> None:
    for document, bits in zip(NEW, scores(trained, *NEW)):
        text = [score for segment, score in zip(document.segments, bits) if "post-body" in segment["path"]]
        menu = [score for segment, score in zip(document.segments, bits) if "nav" in segment["path"]]
        assert min(text) > max(menu)
        assert np.mean(text) > 0 > np.mean(menu)


def test_a_model_from_its_file_is_the_same(trained: StructureModel, model_file: Path) -> None:
    again = registry.load(str(model_file))
    assert isinstance(again, StructureModel)
    assert again.evidence_with_pages([*NEW, PLAIN_TEXT]) == trained.evidence_with_pages([*NEW, PLAIN_TEXT])
    assert again.reasons(NEW, 3) == trained.reasons(NEW, 3)
    assert again.header() == trained.header()


def test_plain_text_is_scored_by_the_ngram_model(trained: StructureModel) -> None:
    evidence, pages = trained.evidence_with_pages([PLAIN_TEXT])
    expected = np.round(trained.plain.score_texts([segment["text"] for segment in PLAIN_TEXT.segments]), 2)
    assert evidence == [{"score": pytest.approx(expected.tolist())}]
    assert pages == [None]
    assert trained.reasons([PLAIN_TEXT], 3) == [None]


def test_documents_of_no_and_one_segment_are_scored(trained: StructureModel) -> None:
    assert trained.evidence_with_pages([]) == ([], [])
    assert trained.evidence_with_pages([ModelInput([]), ModelInput([])]) == ([{"score": []}] * 2, [None, None])
    (first, second), pages = trained.evidence_with_pages([ModelInput([]), ModelInput(NEW[0].segments[:1])])
    assert (len(first["score"]), len(second["score"])) == (0, 1)
    assert pages[0] is None and pages[1] is not None and np.isfinite(pages[1]["odds"])
    assert trained.reasons([ModelInput([])], 3) == [None]


def test_a_page_of_twenty_thousand_segments_is_scored(trained: StructureModel) -> None:
    long = ModelInput([*NEW[0].segments, *NEW[1].segments] * 1000)
    long = ModelInput(long.segments[:20_000])
    evidence, pages = trained.evidence_with_pages([NEW[2], long, NEW[3]])
    assert len(evidence[1]["score"]) == len(long)
    assert np.isfinite(evidence[1]["score"]).all()
    assert pages[1] is not None and np.isfinite(pages[1]["odds"])
    for found, alone in zip((evidence[0], evidence[2]), scores(trained, NEW[2], NEW[3])):
        assert found["score"] == alone


def test_a_model_of_other_features_is_refused(trained: StructureModel, tmp_path: Path) -> None:
    class Other(StructureModel):
        def header(self) -> dict[str, Any]:
            header = super().header()
            return {**header, "features": [*header["features"][:-1], "moon_phase"]}

    other = Other.from_parts(trained.header(), trained.arrays())
    registry.write_model(tmp_path / "other.model", other, {})
    with pytest.raises(ModelError, match="trained on other features .*moon_phase"):
        registry.load(str(tmp_path / "other.model"))


@pytest.mark.parametrize("array", ["typical.around", "whole.odds", "whole.types", "typical.names"])
def test_arrays_of_another_length_are_refused(trained: StructureModel, array: str) -> None:
    arrays = trained.arrays()
    arrays[array] = arrays[array][:-1]
    with pytest.raises(ValueError):
        StructureModel.from_parts(trained.header(), arrays)
