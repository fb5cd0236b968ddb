"""The benchmark of nc-dedup on a few documents."""

from __future__ import annotations

import json
import random
from pathlib import Path

from bench import dedup


def test_pairs_have_the_similarity_that_was_asked_for() -> None:
    made = random.Random(1)
    found = [dedup.jaccard(*dedup.pair(made, 0.7)) for _ in range(20)]
    assert all(0.65 < one < 0.75 for one in found)


def test_tables(tmp_path: Path) -> None:
    [[count, kept]] = dedup.chain(tmp_path, 1, count=100)
    assert int(count) == 100 and 20 < int(kept) < 100
    for row in dedup.ngrams(tmp_path, 0):
        assert int(row[2]) > 10 and row[-1] == "0"


def test_copies_have_the_text_of_another_document() -> None:
    made = [json.loads(line) for line in dedup.made_documents_of_2_kb(200, 0.5)]
    texts = [one["text"] for one in made]
    assert len({one["id"] for one in made}) == 200
    assert 80 < len(set(texts)) < 160
    assert 1500 < sum(map(len, texts)) / 200 < 2500
