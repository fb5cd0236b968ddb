"""The alphabets of n-gram models against the definition of their foldings."""

from __future__ import annotations

import pytest
from slow_ngrams import FOLDS, MIXED, folded, folding

from ncfilters.scoring.char_ngram.alphabet import Alphabet


def symbols(fold: Alphabet, text: str) -> list[str]:
    return [fold.symbols[code] for code in fold.codes(text)]


@pytest.mark.parametrize("fold", FOLDS)
def test_every_character_folds_by_definition(fold: str) -> None:
    fold_ = folding(fold)
    characters = [chr(code) for code in range(0x30000) if not 0xD800 <= code < 0xE000]
    expected = [folded(fold, character) for character in characters]
    assert symbols(fold_, "".join(characters)) == expected
    # character by character as in a text, also after other characters were folded
    for code in [*range(0x500), 0x3000, 0x4E2D, 0x1F600, 0x1D518, 0x10FFFF]:
        assert symbols(fold_, chr(code)) == [folded(fold, chr(code))]


@pytest.mark.parametrize("fold", FOLDS)
def test_ascii_folds_alike_with_and_without_other_characters(fold: str) -> None:
    text = "".join(map(chr, range(128)))
    assert symbols(folding(fold), text) == symbols(folding(fold), text + "ж")[:-1]


def test_nonlexical_folds_letters_and_digits_of_all_scripts() -> None:
    assert symbols(Alphabet("nonlexical"), "Zéж中ω한ا 3٣५! —😀") == list("aaaaaaa 000! ~~")


def test_frequent_folds_other_characters_by_category() -> None:
    assert symbols(Alphabet("frequent", "аб"), "абв А1,") == ["а", "б", "Ll", "Zs", "Lu", "Nd", "Po"]


def test_frequent_keeps_more_than_255_characters() -> None:
    many = "".join(chr(0x4E00 + at) for at in range(600))
    fold = Alphabet("frequent", many)
    assert fold.size == 631
    assert symbols(fold, many + "龥A") == [*many, "Lo", "Lu"]


@pytest.mark.parametrize("name", FOLDS)
def test_an_alphabet_is_read_back_from_its_header(name: str) -> None:
    header = folding(name).header()
    again = Alphabet(header["folding"], header.get("characters", ""))
    assert again.codes(MIXED).tolist() == folding(name).codes(MIXED).tolist()


def test_an_unknown_folding_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown folding 'latin'.*ascii"):
        Alphabet("latin")


def test_a_lone_surrogate_is_not_ascii() -> None:
    assert symbols(Alphabet("ascii"), "\ud800é") == ["~", "~"]
