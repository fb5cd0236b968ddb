"""What all kinds of duplicates have in common."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from corpus.finders import KINDS, finder_of, state_of

from bench.made_documents import made_documents
from ncfilters.corpus.duplicates import Verdict
from ncfilters.errors import RecordError

DOCUMENTS = made_documents(150, 1)


def plain(verdict: Verdict) -> Any:
    parts = verdict.parts
    return verdict[:3], parts and (list(parts.dropped), list(parts.marks), parts.words)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [1, 7])
def test_verdicts_do_not_depend_on_batches(kind: str, size: int) -> None:
    whole = finder_of(kind).find(DOCUMENTS)
    finder = finder_of(kind)
    parts = [one for start in range(0, 150, size) for one in finder.find(DOCUMENTS[start : start + size])]
    assert list(map(plain, parts)) == list(map(plain, whole))
    assert 5 < sum(one.is_duplicate for one in whole) < 140


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_state_has_seen_is_seen_in_the_next_run(kind: str, tmp_path: Path) -> None:
    whole = finder_of(kind).find(DOCUMENTS)
    found: list[Verdict] = []
    for start in (0, 75):
        state = state_of(kind, tmp_path / "seen.db")
        found += finder_of(kind, state).find(DOCUMENTS[start : start + 75])
        state.commit({})
        state.close()
    assert list(map(plain, found)) == list(map(plain, whole))


@pytest.mark.parametrize("kind", KINDS)
def test_merged_states_know_what_both_have_seen(kind: str, tmp_path: Path) -> None:
    for name, some in (("a", DOCUMENTS[:75]), ("b", DOCUMENTS[75:])):
        state = state_of(kind, tmp_path / name)
        finder_of(kind, state).find(some)
        state.commit({})
        state.close()
    state = state_of(kind, tmp_path / "a")
    state.merge(state_of(kind, tmp_path / "b"), KINDS[kind][1])
    state.close()
    state = state_of(kind, tmp_path / "a")
    texts = [{"id": "new", "url": "http://new.example", "text": document["text"]} for document in DOCUMENTS]
    wordy = [one for one in texts if any(len(line.split()) > 10 for line in one["text"].split("\n"))]
    found = finder_of(kind, state).find(wordy)
    share = sum(one.is_duplicate or bool(one.parts and any(one.parts.dropped)) for one in found) / len(found)
    # a document of which the state has no n-grams was a duplicate of words that it has
    assert share == 1 if kind != "ngrams" else share > 0.95


@pytest.mark.parametrize("kind", KINDS)
def test_texts_that_are_hardly_any(kind: str) -> None:
    odd = ["", " ", "\n\n", "a", "\u6211", "a" * 100_000, "a " * 10_000, "\ud800", "...", "\x00"]
    finder = finder_of(kind)
    found = finder.find([{"id": f"{number}", "text": text} for number, text in enumerate(odd)])
    assert len(found) == len(odd)
    if kind in ("exact", "near"):
        assert [one.of for one in found[:3]] == [None, "0", "0"]
    assert not found[3].is_duplicate and not found[4].is_duplicate


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_leaves_nothing_seen(kind: str) -> None:
    finder = finder_of(kind)
    with pytest.raises(RecordError, match="text"):
        finder.find([DOCUMENTS[0], {"id": "none"}])
    assert not finder.find([DOCUMENTS[0]])[0].is_duplicate
    assert finder.find([]) == []
