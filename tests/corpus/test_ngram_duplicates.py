"""Duplicates of n-grams, against the definition of onion, word by word."""

from __future__ import annotations

from typing import Any

import pytest
from corpus.finders import state_of

from bench.made_documents import made_documents
from bench.onion import onion
from ncfilters.corpus.ngram_duplicates import NgramDuplicates, NgramRules
from ncfilters.text.words import words


def decided(texts: list[dict[str, Any]], rules: NgramRules) -> list[tuple[bool, list[bool]]]:
    found = NgramDuplicates(state_of("ngrams"), rules).find(texts)
    return [(one.is_duplicate, list(one.parts.dropped) if one.parts else []) for one in found]


@pytest.mark.parametrize("n", [1, 2, 5, 8])
@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.9])
@pytest.mark.parametrize("gap", [None, 20])
def test_decisions_are_those_of_the_definition(n: int, threshold: float, gap: int | None) -> None:
    documents, rules = made_documents(120, n), NgramRules(n, threshold, gap)
    tokens = [[words(paragraph) for paragraph in one["text"].split("\n")] for one in documents]
    assert decided(documents, rules) == onion(tokens, rules)


# paragraphs of a first document, of a second one, and which of these are duplicates, for 2-grams
@pytest.mark.parametrize(
    ("first", "second", "bad"),
    [
        pytest.param("a b c d", "a b x y", [False], id="half of the words is not more than half"),
        pytest.param("a b c d", "a b c x y", [True], id="three of five words are"),
        pytest.param("a b c", "a x b c y", [False], id="words that are seen, n-grams that are not"),
        pytest.param("x", "a b a b", [False], id="an n-gram seen in the paragraph itself: two of four words"),
        pytest.param("x", "a b a b a", [True], id="overlapping n-grams seen in the paragraph itself"),
        pytest.param("a b", "x a\nb y", [False, False], id="an n-gram across paragraphs has one word in the second"),
        pytest.param("a b c", "x a\nb c", [False, True], id="it counts where it ends"),
        pytest.param("a b c d e f", "a b c\nx\nd e f", [True, True, True], id="a short gap goes"),
        pytest.param("a b c", "x\na b c\ny z u v", [False, True, False], id="the ends of a document are no duplicates"),
        pytest.param("a", "a", [False], id="a document shorter than n has no n-gram"),
        pytest.param("", "", [False], id="nothing"),
    ],
)
def test_edges_of_the_definition(first: str, second: str, bad: list[bool]) -> None:
    found = NgramDuplicates(state_of("ngrams"), NgramRules(2)).find([{"text": first}, {"text": second}])[1]
    assert found.parts and list(found.parts.dropped) == bad


def test_without_smoothing_gaps_stay() -> None:
    documents = [{"text": "a b c d e f"}, {"text": "a b c\nx\nd e f\nk l m n o p q r s t"}]
    for gap, bad in (
        (None, [True, False, True, False]),
        (0, [True, False, True, False]),
        (1, [True, True, True, False]),
    ):
        assert decided(documents, NgramRules(2, max_gap=gap))[1][1] == bad


def test_ngrams_of_dropped_paragraphs_and_documents_are_not_seen() -> None:
    rules = NgramRules(2, max_gap=None)
    texts = ["a b c d", "a b c d x\nk l m n o p q", "d x y", "a b c d z z2\n", "d z z2"]
    assert [bad for _, bad in decided([{"text": text} for text in texts], rules)][2] == [False]
    assert decided([{"text": text} for text in texts], rules)[4] == (False, [False])
