"""Similar documents: thresholds, chains, templates, verification."""

from __future__ import annotations

import random

import pytest
from corpus.finders import state_of

from bench.made_documents import VOCABULARY
from ncfilters.corpus.minhash import shingle_sets, similarity
from ncfilters.corpus.near_duplicates import MAX_IN_BAND, NearDuplicates, NearOptions


def chain(count: int, length: int = 200, step: int = 20) -> list[dict[str, str]]:
    """Documents each of which lacks the first words of the one before, and has others at its end."""
    made = random.Random(1)
    words = [made.choice(VOCABULARY) for _ in range(length + count * step)]
    return [{"id": f"{at}", "text": " ".join(words[at * step : at * step + length])} for at in range(count)]


def test_a_chain_is_no_cluster() -> None:
    documents = chain(1000)
    sets = shingle_sets([one["text"] for one in documents], 5)
    assert 0.8 < similarity(sets[0], sets[1]) < 0.85 and similarity(sets[0], sets[50]) == 0
    found = NearDuplicates(state_of("near"), NearOptions()).find(documents)
    assert sum(not one.is_duplicate for one in found) > 100
    for document, verdict in zip(documents, found):
        if verdict.of is not None:
            assert not found[int(verdict.of)].is_duplicate
            assert similarity(sets[int(verdict.of)], sets[int(document["id"])]) == verdict.similarity >= 0.72


@pytest.mark.parametrize("threshold", [0.6, 0.8, 0.9])
def test_duplicates_reach_the_threshold(threshold: float) -> None:
    documents = [one for step in (4, 8, 16, 30, 60) for one in chain(2, step=step)]
    sets = shingle_sets([one["text"] for one in documents], 5)
    finder = NearDuplicates(state_of("near"), NearOptions(threshold))
    for place in range(0, len(documents), 2):
        verdict = NearDuplicates(state_of("near"), NearOptions(threshold)).find(documents[place : place + 2])[1]
        similar = similarity(sets[place], sets[place + 1])
        if verdict.is_duplicate:
            assert similar >= threshold
        elif similar > threshold + 0.08:
            pytest.fail(f"{similar} is not found at {threshold}")
    assert finder.find([]) == []


def test_verification() -> None:
    documents = chain(2, step=34)  # similarity 0.70
    found = {}
    for verify in ("exact", "estimate", "none"):
        options = NearOptions(0.72, verify=verify)  # type: ignore[arg-type]
        found[verify] = NearDuplicates(state_of("near"), options).find(documents * 1)[1]
    assert not found["exact"].is_duplicate
    estimates = [one.similarity for one in found.values() if one.similarity]
    assert all(abs(one - 0.7) < 0.15 for one in estimates)


def test_the_most_similar_one_stands_for_a_duplicate() -> None:
    first, second, third = chain(3, step=30)
    found = NearDuplicates(state_of("near"), NearOptions(0.5)).find([first, third, second])
    assert found[1].of is None or found[1].of == "0"
    copy = {"id": "copy", "text": third["text"]}
    finder = NearDuplicates(state_of("near"), NearOptions())
    assert finder.find([first, third, copy])[2].of == "2"


def test_pages_of_one_template_take_linear_time() -> None:
    template = " ".join(VOCABULARY[:100])
    made = random.Random(2)
    documents = [{"id": f"{n}", "text": template + " " + " ".join(made.choices(VOCABULARY, k=60))} for n in range(400)]
    state = state_of("near")
    finder = NearDuplicates(state, NearOptions(0.72))
    for start in range(0, 400, 100):
        assert not any(one.is_duplicate for one in finder.find(documents[start : start + 100]))
    fullest = state.rows("SELECT max(n) FROM (SELECT count(*) AS n FROM entries GROUP BY key)")[0][0]
    assert 10 < fullest <= MAX_IN_BAND
