"""Paragraphs that have been seen."""

from __future__ import annotations

from typing import Any

from corpus.finders import state_of

from ncfilters.corpus.paragraph_duplicates import ParagraphDuplicates

LONG = "This notice stands on all pages of this site, whichever page you read."
OTHER = "These are the words of one page alone, and nobody else has written them."


def dropped(*documents: dict[str, Any], **options: Any) -> list[list[bool]]:
    finder = ParagraphDuplicates(state_of("paragraphs"), **options)
    return [list(one.parts.dropped) for one in finder.find(documents) if one.parts]


def page(text: str, host: str = "a.example") -> dict[str, Any]:
    return {"id": host, "url": f"http://{host}/1", "text": text}


def test_long_paragraphs_go_anywhere_short_ones_on_their_site() -> None:
    pages = [
        page(f"{LONG}\nShare this"),
        page(f"Share this\n{LONG}\n{OTHER}", "b.example"),
        page(f"{OTHER}2\nshare  this"),
    ]
    assert dropped(*pages) == [[False, False], [False, True, False], [False, True]]


def test_what_may_be_a_heading_stays_with_its_text() -> None:
    recipes = [
        page(f"Soup {n}\nIngredients\n\u2022 Salt\n\u2022 Leek {n}\nMethod:\nCut the leek {n} times.") for n in (1, 2)
    ]
    assert not any(dropped(*recipes)[1])
    assert dropped(
        *[page(f"Text {n} of many words, more than those of a heading has it.\nShare this") for n in (1, 2)]
    ) == [[False, False], [False, True]]
    assert dropped(page("Read on.\nA page"), page("Read on.\nAnother page"))[1] == [True, False]
    # what has not been seen is no heading that goes with what is below it
    assert dropped(page(LONG), page(f"Supplies - $636\n{LONG}"))[1] == [False, True]


def test_short_paragraphs_of_two_sites_do_not_mix() -> None:
    assert dropped(page("M hello there.", "x.co"), page("Hello there.", "x.com"))[1] == [False]


def test_short_paragraphs_of_an_unknown_site_stay() -> None:
    assert dropped({"text": "Share this"}, {"text": "Share this"}) == [[False], [False]]


def test_the_limit_of_short_paragraphs() -> None:
    pages = [page("one two three"), page("one two three", "b.example")]
    assert dropped(*pages, min_words=3) == [[False], [True]]
    assert dropped(*pages, min_words=4) == [[False], [False]]


def test_a_document_that_is_left_without_words_is_a_duplicate() -> None:
    finder = ParagraphDuplicates(state_of("paragraphs"))
    found = finder.find(
        [page(f"{LONG}\n{OTHER}"), page(f"{OTHER}\n---\n{LONG}", "b.example"), page("---", "c.example")]
    )
    assert [(one.is_duplicate, one.of) for one in found] == [(False, None), (True, "a.example"), (False, None)]
    assert found[1].parts and found[1].parts.words == 27


def test_repetitions_in_a_document_and_digits() -> None:
    assert dropped(page(f"{LONG}\n{LONG}\nEasy run.\nEasy run.")) == [[False, True, False, False]]
    pages = [page(f"{LONG} 1"), page(f"{LONG} 2")]
    assert dropped(*pages) == [[False], [False]]
    assert dropped(*pages, ignore_digits=True) == [[False], [True]]
