"""Foldings without arrays against the definition."""

from __future__ import annotations

import pytest
from slow_ngrams import FOLDS, folded, folding

from ncfilters.scoring.char_ngram.folding import Folding


@pytest.mark.parametrize("name", FOLDS)
def test_a_character_folds_by_definition(name: str) -> None:
    fold = Folding(name, folding(name).characters)
    characters = [chr(code) for code in [*range(1, 0x500), 0x3000, 0x4E2D, 0x1F600, 0x1D518, 0x10FFFF]]
    assert [fold.symbols[fold.number(one)] for one in characters] == [folded(name, one) for one in characters]
    assert fold.ascii == [0, *map(fold.number, characters[:127])]


def test_other_characters_have_one_symbol_or_several() -> None:
    assert Folding("ascii").symbols[Folding("ascii").other] == "~"
    assert Folding("frequent", "ab").other == 0


def test_an_unknown_folding_is_refused() -> None:
    with pytest.raises(ValueError, match=r"unknown folding 'latin'.*ascii"):
        Folding("latin")
