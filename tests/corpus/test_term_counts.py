"""Frequencies are exact up to the limit, and beyond it too low by no more than is said."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from ncfilters.corpus.term_counts import CorpusTerms, TermCounts
from ncfilters.errors import RecordError


def test_words_and_bigrams_of_documents() -> None:
    terms = CorpusTerms(100)
    terms.add({"text": "It rained.\nIt rained, it did"})
    terms.add({"segments": [{"text": "It snowed"}]})
    assert terms.documents == 2
    assert terms.words.frequencies == {"it": 4, "rained": 2, "did": 1, "snowed": 1}
    assert terms.words.documents == {"it": 2, "rained": 1, "did": 1, "snowed": 1}
    assert terms.bigrams.frequencies == {"it rained": 2, "rained it": 1, "it did": 1, "it snowed": 1}
    assert (terms.words.total, terms.bigrams.total, terms.words.undercount) == (8, 5, 0)
    with pytest.raises(RecordError):
        terms.add({"id": 1})


@pytest.mark.parametrize("limit", [1, 50, 300])
def test_forgetting_is_bounded(limit: int) -> None:
    rnd = random.Random(1)
    terms, exact = TermCounts(limit), Counter[str]()
    for _ in range(300):
        document = [str(int(rnd.paretovariate(0.7))) for _ in range(30)]
        terms.add(document)
        exact.update(document)
        assert len(terms.frequencies) <= limit
    assert terms.undercount > 0
    assert terms.documents.keys() == terms.frequencies.keys()
    for term, count in exact.items():
        assert 0 <= count - terms.frequencies[term] <= terms.undercount
    assert terms.total == exact.total()
