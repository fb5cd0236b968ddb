"""What becomes of documents after the verdicts on them."""

from __future__ import annotations

from typing import Any

from ncfilters.corpus.deduplication import Deduplication, careful
from ncfilters.corpus.duplicates import UNIQUE, Parts, Verdict
from ncfilters.corpus.paragraphs import paragraphs_of
from ncfilters.corpus.samples import Samples
from ncfilters.errors import RecordError

DOCUMENTS: list[dict[str, Any]] = [{"id": "a", "text": "x y"}, {"id": "b", "text": "x y"}]
COPY = Verdict(True, "a", 0.98765)


def test_duplicates_are_dropped_or_marked_and_counted() -> None:
    work = Deduplication("near", lambda documents: [UNIQUE, COPY])
    assert work(DOCUMENTS) == [DOCUMENTS[0], None]
    assert work.summary() == "2 documents, 1 duplicate (50.0 %), 2 words in duplicates"
    marks = {"duplicate": "near", "duplicate_of": "a", "similarity": 0.988}
    assert Deduplication("near", lambda documents: [UNIQUE, COPY], True)(DOCUMENTS)[1] == DOCUMENTS[1] | marks


def test_documents_lose_paragraphs() -> None:
    document = {"id": "a", "text": "one\ntwo"}
    parts = Parts(paragraphs_of(document), [True, False], [{"duplicate": "paragraphs"}, None], 1)
    samples = Samples(3)
    work = Deduplication("paragraphs", lambda documents: [Verdict(parts=parts)], samples=samples)
    assert work([document]) == [{"id": "a", "text": "two"}]
    assert work.summary() == "1 document, 0 duplicates (0.0 %), 1 duplicate paragraph, 1 word in duplicates"
    assert "one" in samples.html("")


def test_documents_without_text_are_errors_and_the_others_are_not() -> None:
    calls = []

    def function(documents: list[dict[str, Any]]) -> list[dict[str, Any] | None]:
        calls.append(len(documents))
        if any("text" not in document for document in documents):
            raise RecordError("text: missing")
        return [*documents]

    found = careful([*DOCUMENTS, {"id": "c"}], function)
    assert found[:2] == DOCUMENTS and isinstance(found[2], RecordError)
    assert calls == [3, 2]
