"""The table of the odds of n-grams: its dense part and its hash tables."""

from __future__ import annotations

import numpy as np

from ncfilters.scoring.char_ngram.alphabet import Alphabet
from ncfilters.scoring.char_ngram.counts import CharNgramCounts
from ncfilters.scoring.char_ngram.odds_table import OddsTable


def test_ngrams_that_do_not_fit_are_hashed() -> None:
    alphabet = Alphabet("ascii")
    counts = CharNgramCounts.of_texts(3, alphabet, [("abc", 1)], [("x", 1)])
    few, many = (OddsTable(counts, 3, 0.5, alphabet.size, cells) for cells in (100, 1 << 20))
    assert [order for order, _ in few._hashed] == [3, 2]
    assert many._hashed == []
    np.testing.assert_allclose(few.odds_of(counts.keys), many.odds_of(counts.keys), rtol=1e-6)
