"""Two passes: order does not matter, and preferences are kept."""

from __future__ import annotations

import random
from typing import Any

import pytest
from corpus.finders import KINDS, state_of

from bench.made_documents import made_documents
from ncfilters.corpus.two_pass import TwoPass
from ncfilters.errors import UsageError


def kept(documents: list[dict[str, Any]], kind: str, preference: Any, batch: int = 20) -> set[str]:
    state = state_of(kind)
    passes = TwoPass(KINDS[kind][2](state), state, preference)  # type: ignore[arg-type]
    batches = [documents[start : start + batch] for start in range(0, len(documents), batch)]
    for some in batches:
        passes.collect(some)
    passes.decide()
    out = set()
    for some in batches:
        verdicts = passes.next_verdicts(some)
        out |= {one["id"] for one, verdict in zip(some, verdicts) if not verdict.is_duplicate}
    return out


@pytest.mark.parametrize("kind", ["exact", "near"])
@pytest.mark.parametrize("preference", ["first", "longest", "best"])
def test_order_does_not_matter(kind: str, preference: str) -> None:
    documents = made_documents(200, 3)
    for number, document in enumerate(documents):
        document["quality"] = number % 5 / 4
    first = kept(documents, kind, preference)
    random.Random(1).shuffle(documents)
    assert kept(documents, kind, preference, 33) == first
    assert 50 < len(first) < 200


def test_preferences() -> None:
    words = [f"w{n}" for n in range(100)]
    documents = [
        {"id": "b", "text": " ".join(words), "quality": 0.9},
        {"id": "c", "text": " ".join([*words, "more"]), "quality": 0.1},
        {"id": "a", "text": " ".join(words[1:])},
    ]
    assert [kept(documents, "near", one) for one in ("first", "longest", "best")] == [{"a"}, {"c"}, {"b"}]


def test_an_input_that_has_grown_is_an_error() -> None:
    state = state_of("exact")
    passes = TwoPass(KINDS["exact"][2](state), state, "first")  # type: ignore[arg-type]
    passes.collect([{"text": "a"}])
    passes.decide()
    with pytest.raises(UsageError, match="changed"):
        passes.next_verdicts([{"text": "a"}] * 2)


def test_an_input_that_has_shrunk_or_changed_is_an_error() -> None:
    state = state_of("exact")
    passes = TwoPass(KINDS["exact"][2](state), state, "first")  # type: ignore[arg-type]
    passes.collect([{"id": "a", "text": "a"}, {"id": "b", "text": "b"}])
    passes.decide()
    passes.next_verdicts([{"id": "a", "text": "a"}])
    with pytest.raises(UsageError, match="changed"):
        passes.finish()
    with pytest.raises(UsageError, match="changed"):
        passes.next_verdicts([{"id": "c", "text": "b"}])
