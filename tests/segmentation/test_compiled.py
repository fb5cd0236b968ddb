"""The compiled cleaning, types and rules are those of the Python modules."""

from __future__ import annotations

import sys
import unicodedata
from typing import Any

import pytest

from bench.same_walks import copies, fields, segments_differ
from ncfilters.page import compiled_core
from ncfilters.segmentation import cleaning, compiled, rules, segment_types

needs_core = pytest.mark.skipif(
    compiled_core.core() is None, reason="no compiled core here: python setup.py build_ext --inplace"
)
# What may follow another character in a composed one: normalisation would join them.
FOLLOWERS = {
    parts[1]
    for code in range(sys.maxunicode)
    if (parts := unicodedata.decomposition(chr(code)).split())[1:] and not parts[0].startswith("<")
}


def block(text: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "tag": "p", "path": "body/p", "links": 0, **more}


@needs_core
def test_every_character_is_cleaned_alike() -> None:
    texts = [chr(code) for code in (*range(0x11000), *range(0x1F000, 0x1FB00), 0x20000, 0xE0001, 0x10FFFF)]
    blocks = [block(f"a{text}b") for text in texts] + [block(text) for text in texts]
    ours = copies(blocks)
    assert compiled.clean_blocks(ours) == cleaning.clean_blocks(blocks)
    assert [a["text"] for a, b in zip(ours, blocks) if a != b] == []


@needs_core
def test_characters_that_stay_stay_next_to_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    codes = [*range(0xA0, 0x11000), *range(0x1F000, 0x1FB00)]

    def clean(text: str, is_pre: bool) -> str:
        asked.append(text[1])
        return text

    monkeypatch.setattr(cleaning, "clean_block", clean)
    compiled._core.cache_clear()
    try:
        compiled.clean_blocks([block(f"a{chr(code)}b") for code in codes])
    finally:
        monkeypatch.undo()
        compiled._core.cache_clear()
        compiled.clean_blocks([])
    kept = set(map(chr, codes)) - set(asked)
    assert {"é", "’", "中", "한", "я", "★", "✓", "🙂"} <= kept
    assert [c for c in kept if unicodedata.combining(c) or f"{ord(c):04X}" in FOLLOWERS] == []


@needs_core
@pytest.mark.parametrize(
    "texts",
    [
        ["1. a", "(iv) b", "IV. c", "• d", "-- e", "a) f", "1.g", "(a h", "Mr. Smith", "A dog", "٣. x", "12345. y"],
        ["Home | About | Contact", "a » b › c", "a | b", "x/y / z", "||", "|", "---", "…", "½", "Ⅷ", "_"],
        ["© 2024 us", "(c) 2024 us", "All rights reserved.", "these", "RESERVED", "served", "a" * 300 + "©"],
        [
            "Sun (c) 2024",
            "(C) by",
            "(c)bye",
            "(c) ٢٠٢٤",
            "(c) 202",
            "(c)",
            "(c\u3000)",
            "(c)\u3000Copyright",
            "(d) 2024",
        ],
        [
            "copyright (c)",
            "Copyright  (C)",
            "COPYRIGHT (c)",
            "Copyright",
            "copyright(c",
            "b" * 20 + "©",
            "b" * 21 + "©",
        ],
        ["é" * 20 + "©", "é" * 21 + "©", "é" * 20 + "(c) by", "é" * 20 + "Copyright\xa0(c)", "a©" * 150, "©" * 299],
        [
            "rights reserved",
            "Rights Reserved",
            "RIGHTS RESERVED",
            "rIGHTS RESERVED",
            "RIGHTS Reserved",
            "arights reserved",
        ],
        ["éRights reserved", "_rights reserved", "»rights reserved", "rights  reserved", "rights reserve", "eserved"],
        [
            "v rights reserved v",
            "vrights reserved rights reserved",
            "rights" * 60 + " reserved",
            "all\nRights reserved\n.",
        ],
        ["He said “no.”", "He said “no”", "'\")]", ".", "a:", "a", "b", "c", "d" * 30, "e" * 60, "f" * 100],
    ],
)
def test_texts_are_marked_alike(texts: list[str]) -> None:
    paths = [
        "body/p",
        "body/div.cookie-x/p",
        "body/h2",
        "body/ul/li",
        "body/header/p",
        "body/main/header/p",
        "",
        "/",
        "h1",
    ]
    blocks = [block(text, path=path, links=links) for path in paths for text in texts for links in (0, len(text))]
    assert not segments_differ(blocks)


@needs_core
@pytest.mark.parametrize(
    "path",
    [
        "body/DIV.Cookie",
        "body/div.cooKie",
        "body/nav/main/ul",
        "body/div#social/div#socials",
        "body/div#socials/div#social",
        "body/div.a",
        "body/div.ab",
        "body/.../div.x__modal",
        "body/hr/h2-x/h3",
        "body/h2é",
        "x/" * 300 + "footer",
    ],
)
def test_paths_are_read_alike(path: str) -> None:
    around = ["body", "body/div", path, "body/div.a", "body/div.ab", path + "/p"]
    assert not segments_differ([block(f"text {n} of the page", path=p) for n, p in enumerate(around * 2)])


@needs_core
def test_wrappers_have_no_rule() -> None:
    page = [block("The title", tag="h1", path="body/footer/h1"), block("word " * 90, path="body/footer/p")]
    marked = compiled.mark_boilerplate(copies(page))
    assert fields(marked) == fields(rules.mark_boilerplate(copies(page)))
    assert [segment.get("rule") for segment in marked] == [None, None]


@pytest.mark.parametrize("wrong", [{"links": 2**70}, {"links": True}, {"path": None}])
def test_other_types_are_for_python(wrong: dict[str, Any]) -> None:
    segments = [block("Home", type="p"), block("A sentence.", type="p", **{"links": 0} | wrong)]
    results: list[Any] = []
    for mark in (compiled.mark_boilerplate, rules.mark_boilerplate):
        try:
            results.append(mark(copies(segments)))
        except (TypeError, AttributeError) as error:
            results.append(type(error))
    assert results[0] == results[1]


@needs_core
def test_types_that_segments_have_stay() -> None:
    page = [block("a", type="h"), block("b"), block("c", type="p"), block("d"), block("e"), block("f")]
    assert fields(compiled.assign_types(copies(page))) == fields(segment_types.assign_types(copies(page)))
