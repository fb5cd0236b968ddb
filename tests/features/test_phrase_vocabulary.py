"""Phrases: whole short texts and first words, as strings and as numbers."""

from __future__ import annotations

from typing import Any

from ncfilters.features.document import Document
from ncfilters.features.phrase_vocabulary import PhraseIndex, segment_phrases
from ncfilters.features.segment_table import build_table
from ncfilters.record import Segment


def _segment(text: str, kind: str = "p") -> Segment:
    return {"text": text, "type": kind}


def test_phrases_are_short_texts_and_two_words() -> None:
    texts = ["Read more…", "12 Comments (3):", "Home", "", "?!", "É Ñandú", "x" * 39, "word " * 8]
    table = build_table([Document([_segment(text) for text in texts])])
    assert segment_phrases(table) == [
        ("=read more…", "read", "more…"),
        ("=00 comments 0", "00", "comments"),
        ("=home", "home"),
        (),
        (),
        ("=é ñandú", "é", "ñandú"),
        ("=" + "x" * 39, "x" * 39),
        ("word", "word"),
    ]


def test_indices_of_segments_and_of_the_headings_above() -> None:
    documents = [
        [_segment("Comments", "h"), _segment("read on"), _segment("Home"), _segment("read on")],
        [_segment("no heading"), _segment("Read", "h"), _segment("unknown"), _segment("Comments " * 20, "h")],
        [_segment("home")],
    ]
    vocabulary = {"=comments": 7, "comments": 3, "read": 5, "on": 2, "=home": 1, "=read": 4}
    table = build_table(list(map(Document, documents)))
    own, offsets, heading, heading_offsets = PhraseIndex(vocabulary).indices(table)

    def rows(values: Any, ends: Any) -> list[list[int]]:
        return [values[start:end].tolist() for start, end in zip(ends, ends[1:])]

    assert rows(own, offsets) == [[7, 3], [5, 2], [1], [5, 2], [], [4, 5], [], [3, 3], [1]]
    # a heading of 180 characters is none
    assert rows(heading, heading_offsets) == [[], [7, 3], [7, 3], [7, 3], [], [], [4, 5], [4, 5], []]


def test_phrases_and_indices_agree() -> None:
    texts = ["A b c", "a B", "A, b; c", "zz" * 30, "1 2 3", "tab\there", "nul\0here"]
    table = build_table([Document([_segment(text) for text in texts])])
    found = segment_phrases(table)
    vocabulary = {phrase: number for number, phrase in enumerate(dict.fromkeys(p for row in found for p in row))}
    own, offsets, _, _ = PhraseIndex(vocabulary).indices(table)
    for row, start, end in zip(found, offsets, offsets[1:]):
        assert [vocabulary[phrase] for phrase in row] == own[start:end].tolist()


def test_documents_without_segments_have_no_phrases() -> None:
    own, offsets, heading, heading_offsets = PhraseIndex({"a": 0}).indices(build_table([Document([]), Document([])]))
    assert offsets.tolist() == heading_offsets.tolist() == [0]
    assert len(own) == len(heading) == 0
