"""What is counted of a corpus, and the rules that filter it."""

from __future__ import annotations

import math
import random
import unicodedata
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncfilters.commands.corpus import PARTS, PartSink, part_of
from ncfilters.corpus import rules, statistics
from ncfilters.corpus.deduplication import EXCERPT, Samples
from ncfilters.corpus.documents import language_of, name_of, segments_of, site_of, text_of
from ncfilters.corpus.duplicates import fingerprint, normalized
from ncfilters.corpus.ngram_duplicates import hash_words_of, ngrams
from ncfilters.corpus.rules import Filtering, Measures, chosen, is_c4_line
from ncfilters.corpus.statistics import CorpusTerms, HyperLogLog, TermCounts, keyness, log_likelihood, log_ratio
from ncfilters.errors import RecordError
from ncfilters.text.words import words


# ---- word_ngrams ----
def test_words_have_equal_hashes_and_ngrams_know_their_order() -> None:
    texts = ["It rained: again, it RAINED!", "", "\u00c9t\u00e9, it", "\u6211\u7684it", "a_b 1,000", "...", "\ud800 x"]
    hashes, lengths = hash_words_of(texts)
    spelled = [word for text in texts for word in words(text)]
    assert lengths.tolist() == [len(words(text)) for text in texts]
    assert len(set(hashes.tolist())) == len(set(spelled))
    assert len({*zip(hashes.tolist(), spelled)}) == len(set(spelled))
    hashes, _ = hash_words_of(["a b c a b d b a"])
    pairs = ngrams(hashes, 2)
    assert pairs[0] == pairs[3]
    assert len(set(pairs[:-1].tolist())) == 6
    hashes, _ = hash_words_of(["a b c"])
    assert ngrams(hashes, 3)[1] == ngrams(hashes[1:], 2)[0]
    assert ngrams(hashes, 9)[0] == ngrams(hashes, 3)[0]
    assert len(ngrams(np.empty(0, np.uint64), 5)) == 0


# ---- measures ----
@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("It rained all day long.", True),
        ("It rained all day.", False),  # four words
        ("It rained all day long", False), ("It rained all day long...", False), ('She said: "It rained today"', True),
        ("It rained all day long.[12]", True), ("Please enable JavaScript in your browser.", False),
        ("Read our privacy policy before you begin.", False), (f"It rained all day {'x' * 1000}.", False),
        (f"It rained all day {'x' * 999}.", True), ("五 个 字 的 句子。", True),
    ],
)  # fmt: skip
def test_lines_that_c4_keeps(line: str, kept: bool) -> None:
    assert is_c4_line(line) is kept


def test_long_texts_are_read_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "MAX_CHARS", 8)
    assert Measures("one two three four", "en").words == ["one", "two"]


# ---- samples ----
def test_samples_show_what_differs() -> None:
    samples = Samples(5)
    samples.remember("a", "It rained <all> day")
    samples.add("b", "a", 0.9, "It rained <all> night")
    page = samples.html("2 documents & 1 duplicate")
    assert "It rained &lt;all&gt; <del>night</del>" in page and "It rained &lt;all&gt; <ins>day</ins>" in page
    assert "<p>2 documents &amp; 1 duplicate</p>" in page and "b: dropped, similarity 0.90" in page
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


# ---- hyperloglog ----
@pytest.mark.parametrize("size", [0, 1, 10, 1_000, 10_000, 40_000, 60_000, 200_000])
def test_the_count_is_within_four_deviations(size: int) -> None:
    types = HyperLogLog()
    words = [f"word {number}" for number in range(size)]
    for start in range(0, size, 5_000):
        types.add(words[start : start + 5_000])
    assert types.count() == pytest.approx(size, rel=4 * types.error)


def test_the_mean_of_many_counts_has_no_bias() -> None:
    for size in (500, 2_000, 5_000, 20_000):  # about 0.5 to 20 times the registers
        counts = []
        for seed in range(40):
            types = HyperLogLog(10)
            types.add([f"{seed} {number}" for number in range(size)])
            counts.append(types.count())
        assert sum(counts) / len(counts) == pytest.approx(size, rel=4 * types.error / 40**0.5)


def test_strings_count_once_in_any_order() -> None:
    words = [f"{number}" for number in range(3_000)]
    one, other = HyperLogLog(), HyperLogLog()
    one.add(words)
    for word in reversed(words):
        other.add([word, word])
    assert one.count() == other.count()
    other.add(["\ud800", ""])
    assert other.count() > one.count()


# ---- repetition ----
@pytest.mark.parametrize(
    ("text", "n", "top", "repeated"),
    [
        ("it rained and it rained again", 2, 18, 8),
        ("a b c d", 2, 3, 0),  # of several, the first
        ("aa b aa b aa b", 2, 12, 6),  # two of three; the overlapping "b aa" is not counted, too
        ("a a a a a", 2, 12, 4), ("a b", 3, 0, 0), ("", 2, 0, 0), ("x", 1, 1, 0),
    ],
)  # fmt: skip
def test_characters_of_ngrams(text: str, n: int, top: int, repeated: int) -> None:
    found = measures_of(text.split())
    assert (found.top_chars(n), found.repeated_chars(n)) == (top, repeated)


def measures_of(tokens: list[str]) -> Measures:
    found = Measures("", "")
    found.tokens = tokens
    return found


def test_datatrove_counts_the_same() -> None:
    theirs = pytest.importorskip("datatrove.pipeline.filters.gopher_repetition_filter", reason="datatrove is missing")
    rnd = random.Random(0)
    for size in range(0, 200, 7):
        tokens = [rnd.choice(["a", "bb", "ccc", "ddddd"]) for _ in range(size)]
        found = measures_of(tokens)
        for n in range(2, 11):
            assert found.repeated_chars(n) == theirs.find_all_duplicate(tokens, n)
            if ngrams := theirs.get_n_grams(tokens, n):
                assert found.top_chars(n) == theirs.find_top_duplicate(ngrams)


# ---- term_counts ----
def test_words_and_bigrams_of_documents() -> None:
    terms = CorpusTerms(100)
    terms.add({"text": "It rained.\nIt rained, it did"})
    terms.add({"segments": [{"text": "It snowed"}]})
    assert terms.documents == 2
    assert terms.words.frequencies == {"it": 4, "rained": 2, "did": 1, "snowed": 1}
    assert terms.words.documents == {"it": 2, "rained": 1, "did": 1, "snowed": 1}
    assert terms.bigrams.frequencies == {"it rained": 2, "rained it": 1, "it did": 1, "it snowed": 1}
    assert (terms.words.total, terms.bigrams.total, terms.words.undercount) == (8, 5, 0)
    with pytest.raises(RecordError):
        terms.add({"id": 1})


@pytest.mark.parametrize("limit", [1, 50, 300])
def test_forgetting_is_bounded(limit: int) -> None:
    rnd = random.Random(1)
    terms, exact = TermCounts(limit), Counter[str]()
    for _ in range(300):
        document = [str(int(rnd.paretovariate(0.7))) for _ in range(30)]
        terms.add(document)
        exact.update(document)
        assert len(terms.frequencies) <= limit
    assert terms.undercount > 0
    assert terms.documents.keys() == terms.frequencies.keys()
    for term, count in exact.items():
        assert 0 <= count - terms.frequencies[term] <= terms.undercount
    assert terms.total == exact.total()


# ---- documents ----
def test_texts_names_and_segments_of_documents() -> None:
    segments = [{"text": "a"}, {"text": "b", "keep": False}, {"text": "c", "keep": True}]
    assert text_of({"text": "x", "segments": segments}) == "x"
    assert text_of({"segments": segments}) == "a\nc"
    assert text_of({"text": ""}) == ""
    assert site_of({"url": "http://a.example/b"}) == "a.example"
    assert site_of({"url": None}) == ""
    assert [name_of({"id": 0, "url": "u"}), name_of({"id": None, "url": "u"}), name_of({})] == ["0", "u", ""]
    segments = [{"text": "a", "type": "h"}, {"text": "b", "keep": False}]
    assert segments_of({"segments": segments}) == segments[:1]
    assert segments_of({"segments": segments, "text": "a\n \nb"}) == [
        {"text": "a", "type": "p"},
        {"text": "b", "type": "p"},
    ]
    assert segments_of({"text": ""}) == []


@pytest.mark.parametrize("document", [{}, {"html": "<p>"}, {"segments": [{}]}, {"segments": ["a"]}])
def test_records_without_text_are_errors(document: dict[str, object]) -> None:
    with pytest.raises(RecordError, match=r"text|segments\.0"):
        text_of(document)


@pytest.mark.parametrize(("document", "language"), [
    ({"text": "今天下雨", "lang": "en-GB", "head": {"language": "de"}}, "en"),
    ({"text": "今天下雨", "head": {"language": "deu"}}, "de"), ({"text": "今天下雨"}, "zh"),
    ({"text": "12", "lang": "und"}, ""),
])  # fmt: skip
def test_the_language_is_declared_or_that_of_the_text(document: dict[str, object], language: str) -> None:
    assert language_of(document) == language


# ---- fingerprints ----
@pytest.mark.parametrize(("one", "other"), [
    ("It  rained.\n", "it rained."), ("caf\u00e9", "CAFE\u0301"), ("Stra\u00dfe", "STRASSE"),
    ("a\u00a0b\u3000c", "a b c"), ("", " \n\t\x1c\u2028"), ("\ud800", "\ud800 "),
])  # fmt: skip
def test_equal(one: str, other: str) -> None:
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(("one", "other"), [("a", "b"), ("a.", "a"), ("", "a"), ("1", "2"), ("\u00e9", "e")])
def test_different(one: str, other: str) -> None:
    assert fingerprint(one) != fingerprint(other)


def test_digits_are_equal_on_request_and_keys_fit() -> None:
    assert fingerprint("Page 17", ignore_digits=True) == fingerprint("page 20", ignore_digits=True)
    assert fingerprint("\u0967 \u00e9", ignore_digits=True) == fingerprint("7 \u00e9", ignore_digits=True)
    assert fingerprint("1", ignore_digits=True) != fingerprint("11", ignore_digits=True)
    for number in range(1000):
        assert all(-(1 << 63) <= part < 1 << 63 for part in fingerprint(str(number)))


@given(st.text(st.characters(max_codepoint=127)), st.booleans())
def test_ascii_is_normalised_like_other_text(text: str, ignore_digits: bool) -> None:
    with_letter = normalized(text + "\u00e9", ignore_digits)
    assert normalized(text, ignore_digits) == with_letter.removesuffix("\u00e9".encode())


@given(st.text())
def test_composition_and_case_do_not_matter(text: str) -> None:
    assert normalized(unicodedata.normalize("NFD", text)) == normalized(unicodedata.normalize("NFC", text))


# ---- filtering ----
GOOD = "It rained in the town of the harbour. "


def test_documents_are_marked_or_dropped() -> None:
    # a document is marked with the rules that it breaks
    filtering = Filtering(chosen("gopher.words,c4.curly-brackets"))
    assert filtering.mark({"id": 1, "text": "{ Rain }"}) == {
        "id": 1,
        "text": "{ Rain }",
        "filter": [{"rule": "c4.curly-brackets", "value": 1}, {"rule": "gopher.words", "value": 1}],
    }
    assert filtering.mark({"text": GOOD * 9}) == {"text": GOOD * 9, "filter": []}
    assert list(filtering.report()) == [
        "1 of 2 documents marked (50.0 %)",
        "c4.curly-brackets: 1 (50.0 %), 0 by it alone",
        "gopher.words: 1 (50.0 %), 0 by it alone",
    ]
    # a document that breaks a rule may be dropped
    filtering = Filtering(chosen("gopher.words"), drop=True)
    assert filtering.mark({"text": "Rain"}) is None
    assert list(filtering.report()) == ["1 of 1 documents dropped (100.0 %)", "gopher.words: 1 (100.0 %)"]
    # marks for other rules stay
    earlier = [{"rule": "own", "value": 1}, {"rule": "gopher.words", "value": 3}, 7]
    marked = Filtering(chosen("gopher.words")).mark({"text": "Rain", "filter": earlier})
    assert marked is not None
    assert marked["filter"] == [{"rule": "own", "value": 1}, {"rule": "gopher.words", "value": 1}]
    marked = Filtering(chosen("gopher.words")).mark({"text": GOOD * 9, "filter": "of another program"})
    assert marked is not None
    assert marked["filter"] == []
    # text may be in segments and must be there
    segments = [{"text": "One {", "keep": False}, {"text": "Two"}]
    marked = Filtering(chosen("c4.curly-brackets")).mark({"segments": segments})
    assert marked is not None
    assert marked["filter"] == []
    with pytest.raises(RecordError, match="text: missing"):
        Filtering(chosen("c4")).mark({"id": 1})
    # the language of the record decides which rules apply
    text = "今天下雨了。"
    filtering = Filtering(chosen("gopher.word-length,gopher.stop-words"))
    for document in ({"text": text}, {"text": text, "lang": "zh-CN"}, {"text": text, "head": {"language": "zh"}}):
        marked = filtering.mark(document)
        assert marked is not None
        assert marked["filter"] == []


# ---- splitting ----
def split(texts: range, *shares: float, seed: int = 0) -> list[str]:
    return [part_of({"text": f"text {number}"}, "hash", shares, seed) for number in texts]


def test_shares_of_splits() -> None:
    counts = Counter(split(range(20_000), 80, 15, 5))
    assert [counts[part] / 200 for part in PARTS] == pytest.approx([80, 15, 5], abs=1.5)
    # shares are of their sum and may be 0
    some = range(300)
    assert split(some, 98, 1, 1) == split(some, 0.98, 0.01, 0.01)
    assert (set(split(some, 0, 1, 0)), set(split(some, 1, 0, 1))) == ({"dev"}, {"train", "test"})
    # a larger share keeps what a part had
    small, large = split(some, 50, 25, 25, seed=3), split(some, 70, 15, 15, seed=3)
    assert all(after == "train" for before, after in zip(small, large) if before == "train")
    assert len({tuple(split(some, 1, 1, 1, seed=seed)) for seed in range(3)}) == 3


def test_a_document_without_site_goes_by_its_text() -> None:
    by_site = partial(part_of, by="site", shares=(1, 1, 1), seed=0)
    sites = {by_site({"url": f"https://www.A.example/{number}"}) for number in range(50)}
    assert len(sites) == 1
    assert len({by_site({"text": str(number)}) for number in range(50)}) == 3
    assert by_site({"url": "http://a.example/"}) in sites
    with pytest.raises(RecordError):
        by_site({"id": 1})


def test_files_are_whole_or_what_was_there(tmp_path: Path) -> None:
    sink = PartSink(lambda document: "train", str(tmp_path), "jsonl")
    sink.write({"text": "a"})
    assert not (tmp_path / "train.jsonl").exists()
    sink.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dev.jsonl", "test.jsonl", "train.jsonl"]
    assert (tmp_path / "train.jsonl").read_text() == '{"text":"a"}\n'
    assert list(sink.report())[0] == "train: 1 of 1 documents (100.0 %)"
    (tmp_path / "train.jsonl").write_text("old")
    sink = PartSink(lambda document: "train", str(tmp_path), "jsonl")
    sink.write({"text": "new"})
    sink.discard()
    assert (tmp_path / "train.jsonl").read_text() == "old" and len(list(tmp_path.iterdir())) == 3
    assert list(sink.report()) == [f"{tmp_path}: not written, for the run was interrupted"]


# ---- keyness ----
def corpus(*texts: str) -> CorpusTerms:
    terms = CorpusTerms(1_000)
    for text in texts:
        terms.add({"text": text})
    return terms


@pytest.mark.parametrize(("a", "b", "total_a", "total_b", "ratio"), [
    (200, 100, 1_000, 1_000, 1.0), (100, 100, 1_000, 2_000, 1.0), (1, 8, 100, 100, -3.0), (8, 0, 100, 100, 4.0),
    (0, 0, 100, 100, 0.0),
])  # fmt: skip
def test_log_ratio(a: int, b: int, total_a: int, total_b: int, ratio: float) -> None:
    assert log_ratio(a, b, total_a, total_b) == pytest.approx(ratio)


@pytest.mark.oracle
@pytest.mark.parametrize(
    "counts", [(200, 100, 10_000, 20_000), (5, 0, 100, 100), (3, 3, 100, 100), (100, 1, 100, 50), (1, 9, 10**9, 10**6)]
)
def test_log_likelihood_is_that_of_scipy(counts: tuple[int, int, int, int]) -> None:
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    a, b, total_a, total_b = counts
    table = [[a, b], [total_a - a, total_b - b]]
    expected = stats.chi2_contingency(table, correction=False, lambda_="log-likelihood").statistic
    assert log_likelihood(*counts) == pytest.approx(expected, abs=1e-6)


def test_log_likelihood_of_a_term_that_is_nowhere_is_0() -> None:
    assert log_likelihood(0, 0, 100, 200) == 0
    assert not math.isnan(log_likelihood(100, 200, 100, 200))


def key_rows(found: dict[str, Any], kind: str, key_in: str) -> list[str]:
    return [row["term"] for row in found[kind]["key"] if row["key_in"] == key_in]


A = corpus(*["all rights reserved all rights reserved it rained"] * 4, "only here " * 6)
B = corpus(*["it rained and it rained in the town of rain"] * 4)


def test_key_terms_and_their_options(monkeypatch: pytest.MonkeyPatch) -> None:
    found = keyness(A, B, min_likelihood=5)
    assert (found["documents_a"], found["documents_b"]) == (5, 4)
    assert key_rows(found, "words", "a") == ["all", "reserved", "rights"]  # "only" is in one document
    assert key_rows(found, "words", "b") == []
    assert key_rows(found, "bigrams", "a") == ["all rights", "rights reserved"]
    row = found["words"]["key"][0]
    assert (row["frequency_a"], row["frequency_b"], row["documents_a"], row["documents_b"]) == (8, 0, 4, 0)
    assert row["per_million_a"] == round(8e6 / A.words.total, 2)
    monkeypatch.setattr(statistics, "MIN_DOCUMENTS", 1)
    monkeypatch.setattr(statistics, "MIN_FREQUENCY", 6)
    found = keyness(A, B, min_likelihood=0)
    assert key_rows(found, "words", "a") == ["all", "reserved", "rights", "here", "only"]
    monkeypatch.setattr(statistics, "MIN_DOCUMENTS", 3)
    monkeypatch.setattr(statistics, "MIN_FREQUENCY", 1)
    found = keyness(A, B, 1, "log-likelihood", 0)
    assert key_rows(found, "words", "b") == ["and"]
    assert keyness(A, B, min_likelihood=1_000)["words"]["key"] == []
    assert keyness(A, corpus(), min_likelihood=0)["words"]["key"] == []
    texts = [f"word{number % 7} and word{number % 5} are here" for number in range(50)]
    assert keyness(corpus(*texts), B, min_likelihood=0) == keyness(corpus(*reversed(texts)), B, min_likelihood=0)
