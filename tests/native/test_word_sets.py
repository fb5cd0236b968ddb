"""Words of texts that are in a set: both forms count alike."""

from __future__ import annotations

import random
import re
from array import array
from types import ModuleType

import pytest
from uncompiled import both_forms

FORMS = pytest.mark.parametrize("form", both_forms("ncfilters.native.word_sets"), ids=lambda form: form.__name__)
SINGLES = (("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\uf900", "\ufaff"))
PATTERN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\\W_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
# Letters of many scripts, with case and without; digits; marks, signs, spaces of one to four bytes; half a character.
CHARACTERS = "aZ9_ .’“—…·×÷éÉßİſµª²½\xa0\xad΄ΑΣσςюЖ҂א־،عًéẞ€™⁴‿⁀ⅷ①。、中文かカナ한ไท्क𝐀😀\udc80\u2028\t\n\x00\x1f"


def overlap(form: ModuleType, words: dict[str, int], text: str) -> list[int]:
    out = array("i", [7, 7, 7])
    assert form.WordSet(words, SINGLES).overlap(text, out) == (out[0] > 0)
    return out.tolist()


@FORMS
@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("The bridge, the RIVER.", [3, 2, 1]),
        ("bridge bridge", [1, 1, 0]),
        ("no such word", [0, 0, 0]),
        ("中中a文", [3, 1, 1]),
        ("", [0, 0, 0]),
    ],
)
def test_words_are_counted_once(form: ModuleType, text: str, counts: list[int]) -> None:
    assert overlap(form, {"bridge": 1, "river": 3, "中": 3}, text) == counts


@FORMS
def test_an_empty_set_has_no_words(form: ModuleType) -> None:
    assert overlap(form, {}, "a b") == [0, 0, 0]


@FORMS
def test_words_are_those_of_the_pattern(form: ModuleType) -> None:
    chance = random.Random(0)
    for _ in range(300):
        text = "".join(chance.choices(CHARACTERS, k=chance.randrange(200))).lower()
        words = set(PATTERN.findall(text))
        known = {word: 1 for word in words if chance.random() < 0.5} | {"unseen": 2}
        shared = len(known) - 1
        assert overlap(form, known, text) == ([len(words), shared, 0] if shared else [0, 0, 0])


@FORMS
def test_long_texts_are_refused(form: ModuleType) -> None:
    with pytest.raises(ValueError, match="too long"):
        overlap(form, {"a": 1}, "a" * 2001)
