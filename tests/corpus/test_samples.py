"""The page with samples of duplicates."""

from __future__ import annotations

from ncfilters.corpus.samples import EXCERPT, Samples


def test_texts_stand_beside_each_other_with_what_differs() -> None:
    samples = Samples(5)
    samples.remember("a", "It rained <all> day")
    samples.add("b", "a", 0.9, "It rained <all> night")
    page = samples.html("2 documents & 1 duplicate")
    assert "It rained &lt;all&gt; <del>night</del>" in page and "It rained &lt;all&gt; <ins>day</ins>" in page
    assert "<p>2 documents &amp; 1 duplicate</p>" in page and "b: dropped, similarity 0.90" in page


def test_documents_of_other_runs_and_no_document() -> None:
    samples = Samples(5)
    samples.add("b", "old", 1.0, "x")
    samples.add("c", None, None, "y")
    page = samples.html("")
    assert "its text is not in this run" in page and "seen in earlier documents" in page
    assert "There are none" in Samples(5).html("")


def test_each_duplicate_is_as_likely_as_any_other() -> None:
    samples = Samples(50)
    for number in range(1000):
        samples.add(f"name{number}", None, None, "x" * 10_000)
    page = samples.html("")
    chosen = [number for number in range(1000) if f"name{number}:" in page]
    assert len(chosen) == 50 and 350 < sum(chosen) / 50 < 650
    assert len(page) < 60 * EXCERPT
