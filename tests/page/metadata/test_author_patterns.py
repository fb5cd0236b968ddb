"""Names by patterns: the compiled functions say the same, of all text that they read."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from ncfilters.page import compiled_core
from ncfilters.page.metadata import author_names, author_patterns
from tests.page.test_walks import needs_core

WORDS = (
    "By by BY Ann Lee Bob O'Neill ANN LEE ann lee ann-marie della Mary-Jane J. J.K. A.B. PhD Ph.D. MD, RN "
    "FAAN-BC CPed EdS Jr. III Esq. Writer Senior Staff writer Editor editor-in-chief Editors. Chief "
    "Technology reporter and & und et with y e E of for in the from on at via Published posted Posted: "
    "updated Updated 3 May 2024 mon Monday Sept. 4th 12:30 2024-05-03 | · • – — - / , ; : . ( ) (s) [ ] @ "
    "a@b.c (a@b.c @ann https://x.org www.x.org written Written by: words: text: texto author Author: "
    "Authors(s): The a an article story review guest post blog autor: autores auteurs: autorzy: von verfasst "
    "por di Di <a@b.c> reviewed edited Medically fact checked photos image credit content: illustrated admin "
    "Gazette 98 Buck x2 ann_lee ann123 user1 joe.com q_admin × é Élan MÜLLER ß Šimon ÿ ® ™ “Ann” ’ ‐ n/a Rain "
    "le am el il op em den dnia pe Door Av Af de la van Vries napsal scris Verfasser: forfatter szerző : "
    "Författare: yazan "
    "Staff Team Research gardener * ! ? # = < > \t \n Ǆ ı ² · ·· sea Lee, co-founder CEO. ceo's 20 aa Aaa cc DDD "
    "Ann\xa0Lee &amp; &x 王明 Иван ſ \u2028 Zo\u0308e G\u0336B\u0336"
    " ・ ・・ Jaro\xc5\x84 \x84 \x9f € 🔎 \x85 RTKⁿ ⁿ Ёлка Δ \u0483 ⏱\ufe0f"
).split(" ")
SITES = ("Gazette", "The Gazette", "Ann Lee", "", "x2", "Élan", "123", "Buck", "王明")
FUNCTIONS: dict[str, Callable[[str], Any]] = {
    "organization_name": author_patterns.organization_name,
    "inverted_name": author_patterns.inverted_name,
    "is_byline": author_patterns.is_byline,
    "is_role": author_patterns.is_role,
    "is_full_name": author_patterns.is_full_name,
}


def test_names_by_patterns() -> None:
    assert author_patterns.author_names("By ANN LEE and Bob O'Neill | Staff Writer") == ("Ann Lee", "Bob O'Neill")
    assert author_patterns.author_names("王明") == ("王明",) and author_patterns.author_names("admin") == ()
    assert author_patterns.author_names("The Gazette, Ann Lee", ("The Gazette",)) == ("Ann Lee",)
    assert author_patterns.organization_name("By Puddle Staff") == "Puddle Staff"


@needs_core
def test_random_text_says_the_same() -> None:
    core, chance = compiled_core.core(), random.Random(11)
    assert author_names.author_names("Ann Lee") == ["Ann Lee"]  # which gives the core its words
    seen: dict[str, set[str]] = {name: set() for name in ("author_names", *FUNCTIONS)}
    for _ in range(6000):
        words = chance.choices(WORDS, k=chance.choice((1, 2, 2, 3, 3, 4, 5, 8, 30)))
        text = chance.choice((" ", " ", " ", "  ", "", ", ")).join(words)[:400]
        sites = tuple(chance.sample(SITES, chance.choice((0, 0, 1, 2))))
        if (found := core.author_names(text, sites)) is not None:
            assert found == author_patterns.author_names(text, sites), (text, sites)
        seen["author_names"].add(str(found))
        for name, function in FUNCTIONS.items():
            if (found := getattr(core, name)(text)) is not None:
                assert found == function(text), (name, text)
            seen[name].add(str(found))
    assert all("None" in values and len(values) > 2 for values in seen.values())
    assert len(seen["author_names"]) > 500


@needs_core
@pytest.mark.parametrize("text", ["王明", "ſ", "a" * 401, "x²", "\x01", "\udc80", "A&amp;B"])
def test_unusual_text_is_read_by_patterns(text: str) -> None:
    assert compiled_core.core().author_names(text, ()) is None
    assert author_names.author_names(text, ()) == [*author_patterns.author_names(text)]
    assert compiled_core.core().author_names("By", (text,)) is None or "&" in text
    assert author_names.is_byline(text) is author_names.is_role(text) is False


@needs_core
def test_other_words_are_refused() -> None:
    core = compiled_core.core()
    for words, sets in (
        ((), ()),
        (author_patterns.CORE_WORDS, ()),
        (author_patterns.CORE_WORDS[1:], author_patterns.CORE_SETS),
    ):
        with pytest.raises(ValueError, match="words"):
            core.setup_author_names(words, sets)
    with pytest.raises(TypeError):
        core.setup_author_names(author_patterns.CORE_WORDS, (1, 2, 3, 4))
    with pytest.raises(TypeError):
        core.setup_author_names((1, *author_patterns.CORE_WORDS[1:]), author_patterns.CORE_SETS)
    assert author_names.author_names("by Bob Ray") == ["Bob Ray"]
