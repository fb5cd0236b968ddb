"""The page classifier: pages with and without content, and page types."""

from __future__ import annotations

from array import array
from math import exp

import pytest
from structure_pages import NEW

from ncfilters.features.document import ModelInput
from ncfilters.features.segment_table import build_table
from ncfilters.scoring.structure.model import StructureModel
from ncfilters.scoring.structure.page_classifier import CONTENT_FEATURES, content_features, type_features


def test_pages_without_their_text_have_low_odds(trained: StructureModel) -> None:
    bare = [
        ModelInput([segment for segment in page.segments if "post-body" not in segment["path"]], page.head)
        for page in NEW
    ]
    with_text, without = trained.evidence_with_pages(NEW)[1], trained.evidence_with_pages(bare)[1]
    odds = [[page["odds"] for page in pages if page] for pages in (with_text, without)]
    assert len(odds[0]) == len(odds[1]) == len(NEW)
    assert min(odds[0]) > 0 > max(odds[1])


def test_types_of_new_pages_are_recognised(trained: StructureModel) -> None:
    pages = trained.evidence_with_pages(NEW)[1]
    assert [page and page["type"] for page in pages] == ["article", "listing", "article", "listing"]
    for page in pages:
        assert page is not None
        assert sum(page["types"].values()) == pytest.approx(1, abs=0.002)
        assert page["types"][page["type"]] == max(page["types"].values())


@pytest.mark.parametrize(
    ("sizes", "log_odds"),
    [((3, 9, 1), (0.5, -1, 2)), ((5,), (1,)), ((2, 2, 8, 4), (-3, 0.1, 1.5, -0.2)), ((4, 4, 9), (1, 1, 1))],
)
def test_expected_f_is_that_of_the_best_cut(sizes: tuple[int, ...], log_odds: tuple[float, ...]) -> None:
    table = build_table(ModelInput([{"text": "word " * n, "type": "p"} for n in sizes]))
    expected_f = content_features(table, array("f", log_odds))[list(CONTENT_FEATURES).index("fscore")]
    words = [value + 1 for value in sizes]  # a space ends each
    own = sorted(zip([1 / (1 + exp(-value)) for value in log_odds], words), reverse=True)
    total = sum(p * w for p, w in own)
    cuts = [own[: k + 1] for k in range(len(own))]
    best = max(2 * sum(p * w for p, w in cut) / (sum(w for _, w in cut) + total) for cut in cuts)
    assert expected_f == pytest.approx(best)


def test_documents_without_segments_have_features_of_zero() -> None:
    nothing = array("f")
    table = build_table(ModelInput([]))
    assert not any(content_features(table, nothing)) and not any(type_features(table, nothing, nothing, nothing, []))
