"""Documents with the same text."""

from __future__ import annotations

from corpus.finders import state_of

from ncfilters.corpus.duplicates import Features
from ncfilters.corpus.exact_duplicates import ExactDuplicates


def texts(*given: str) -> list[dict[str, str]]:
    return [{"id": f"{number}", "text": text} for number, text in enumerate(given)]


def test_the_first_of_equal_documents_is_kept() -> None:
    found = ExactDuplicates(state_of("exact")).find(texts("a b", "c", "A  b", "c", "d"))
    assert [one.of for one in found] == [None, None, "0", "1", None]
    assert found[2].similarity == 1


def test_segments_are_text() -> None:
    segments = {"id": "s", "segments": [{"text": "a"}, {"text": "menu", "keep": False}, {"text": "b"}]}
    assert ExactDuplicates(state_of("exact")).find([*texts("a b"), segments])[1].of == "0"


def test_digits() -> None:
    pages = texts("Page 1 of 9", "Page 2 of 9")
    assert not ExactDuplicates(state_of("exact")).find(pages)[1].is_duplicate
    assert ExactDuplicates(state_of("exact"), ignore_digits=True).find(pages)[1].is_duplicate


def test_texts_that_share_a_key_alone_are_not_equal() -> None:
    finder = ExactDuplicates(state_of("exact"))
    first, second = (Features(name, bytes(8) + name.encode() * 8) for name in "ab")
    assert [one.is_duplicate for one in finder.verdicts([first, second, second, first])] == [False, False, False, True]
    assert [one.is_duplicate for one in finder.verdicts([second, first])] == [False, True]
