"""The page classifier: pages with and without content, and page types."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from structure_pages import NEW

from ncfilters.features.document import Document
from ncfilters.features.segment_table import build_table
from ncfilters.scoring.structure.model import StructureModel
from ncfilters.scoring.structure.page_classifier import CONTENT_FEATURES, content_features


def test_pages_without_their_text_have_low_odds(trained: StructureModel) -> None:
    bare = [
        replace(page, segments=[segment for segment in page.segments if "post-body" not in segment["path"]])
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


def test_expected_f_is_that_of_the_best_cut() -> None:
    # compared with all cuts, on several pages in one batch
    documents = [
        Document([{"text": "word " * n, "type": "p"} for n in sizes]) for sizes in ((3, 9, 1), (5,), (2, 2, 8, 4))
    ]
    table = build_table(documents)
    log_odds = np.array([0.5, -1, 2, 1, -3, 0.1, 1.5, -0.2], np.float32)
    expected_f = content_features(table, log_odds)[:, list(CONTENT_FEATURES).index("fscore")]
    words, p, at = table.counts.words, 1 / (1 + np.exp(-log_odds)), 0
    for document, value in zip(documents, expected_f):
        own = sorted(zip(p[at : at + len(document)], words[at : at + len(document)]), reverse=True)
        at += len(document)
        total = sum(p * w for p, w in own)
        cuts = [own[: k + 1] for k in range(len(own))]
        best = max(2 * sum(p * w for p, w in cut) / (sum(w for _, w in cut) + total) for cut in cuts)
        assert value == pytest.approx(best)


def test_documents_without_segments_have_features_of_zero() -> None:
    table = build_table([Document([]), Document([{"text": "one"}]), Document([])])
    features = content_features(table, np.array([1.0], np.float32))
    assert not features[[0, 2]].any() and features[1].any()
