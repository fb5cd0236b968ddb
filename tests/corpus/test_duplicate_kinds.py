"""The ways of finding duplicates: exact, near, by n-grams, paragraphs, in two passes."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus.finders import KINDS, finder_of, state_of

from bench.dedup import VOCABULARY, made_documents, onion
from ncfilters.corpus import duplicates, ngram_duplicates
from ncfilters.corpus.deduplication import Deduplication, Samples, TwoPass
from ncfilters.corpus.documents import paragraphs_of
from ncfilters.corpus.duplicates import UNIQUE, ExactDuplicates, ParagraphDuplicates, Parts, Verdict
from ncfilters.corpus.ngram_duplicates import (
    MAX_IN_BAND,
    Bands,
    NearDuplicates,
    NgramDuplicates,
    best_bands,
    shingle_sets,
    similarity,
)
from ncfilters.errors import RecordError, UsageError
from ncfilters.text.words import words


# ---- exact_duplicates ----
def texts(*given: str) -> list[dict[str, str]]:
    return [{"id": f"{number}", "text": text} for number, text in enumerate(given)]


def test_exact_duplicates_of_documents_and_segments() -> None:
    found = ExactDuplicates(state_of("exact")).find(texts("a b", "c", "A  b", "c", "d"))
    assert [one.of for one in found] == [None, None, "0", "1", None]
    assert found[2].similarity == 1
    segments = {"id": "s", "segments": [{"text": "a"}, {"text": "menu", "keep": False}, {"text": "b"}]}
    assert ExactDuplicates(state_of("exact")).find([*texts("a b"), segments])[1].of == "0"
    pages = texts("Page 1 of 9", "Page 2 of 9")
    assert not ExactDuplicates(state_of("exact")).find(pages)[1].is_duplicate
    assert ExactDuplicates(state_of("exact"), ignore_digits=True).find(pages)[1].is_duplicate
    finder = ExactDuplicates(state_of("exact"))
    first, second = ((name, bytes(8) + name.encode() * 8) for name in "ab")
    assert [one.is_duplicate for one in finder.verdicts([first, second, second, first])] == [False, False, False, True]
    assert [one.is_duplicate for one in finder.verdicts([second, first])] == [False, True]


# ---- minhash ----
@pytest.mark.parametrize("similar", [0.5, 0.65, 0.72, 0.8, 0.95])
def test_pairs_share_a_band_as_often_as_theory_says(similar: float) -> None:
    made, bands, pairs, size = np.random.default_rng(1), Bands(14, 8), 2500, 200
    common = round(2 * size * similar / (1 + similar))
    made_sets = [made.integers(0, 1 << 32, 2 * size - common, dtype=np.uint32) for _ in range(pairs)]
    first = bands.of([one[:size] for one in made_sets])
    second = bands.of([np.r_[one[:common], one[size:]] for one in made_sets])
    found = (first == second).any(axis=1).mean()
    exact = common / (2 * size - common)
    # four standard deviations
    assert found == pytest.approx(bands.chance(exact), abs=4 * (0.25 / pairs) ** 0.5)


def test_signatures_and_similarities_of_sets() -> None:
    keys = Bands(2, 3).of([np.array([1, 2, 3], np.uint32), np.array([], np.uint32)])
    assert keys.tolist() == [[-2137245212407579705, 7130000782960916306], [-7513670758573645077, 3209481017453438880]]
    one, other = np.array([1, 2, 2, 3], np.uint32), np.array([3, 2, 4], np.uint32)
    assert similarity(one, other) == 0.5
    assert similarity(one, one) == 1
    assert similarity(one, one[:0]) == 0
    assert similarity(one[:0], one[:0]) == 1
    many = np.arange(10_000, dtype=np.uint32)
    bands = Bands(4, 2)
    parts = [bands.signature(many[start : start + 3000]) for start in range(0, 10_000, 3000)]
    assert bands.signature(many).tolist() == np.min(parts, axis=0).tolist()
    sets = shingle_sets(["", "It rained.", "it RAINED", "a b c d e f"])
    assert [len(one) for one in sets] == [0, 1, 1, 2]
    assert sets[1] == sets[2]
    signs = shingle_sets(["!!!", "???", " !!!"])
    assert [len(one) for one in signs] == [1, 1, 1] and signs[0] == signs[2] != signs[1]


@pytest.mark.parametrize(("threshold", "bands"), [(0.72, (14, 8)), (0.5, (25, 5)), (0.8, (9, 14)), (0.9, (5, 25))])
def test_bands_for_a_threshold(threshold: float, bands: tuple[int, int]) -> None:
    found = best_bands(threshold)
    assert (found.count, found.rows) == bands
    assert found.chance(threshold - 0.15) < 0.5 < found.chance(min(threshold + 0.1, 1))


# ---- near_duplicates ----
def chain(count: int, length: int = 200, step: int = 20) -> list[dict[str, str]]:
    """Documents each of which lacks the first words of the one before, and has others at its end."""
    made = random.Random(1)
    words = [made.choice(VOCABULARY) for _ in range(length + count * step)]
    return [{"id": f"{at}", "text": " ".join(words[at * step : at * step + length])} for at in range(count)]


def test_a_chain_is_no_cluster() -> None:
    documents = chain(1000)
    sets = shingle_sets([one["text"] for one in documents])
    assert 0.8 < similarity(sets[0], sets[1]) < 0.85 and similarity(sets[0], sets[50]) == 0
    found = NearDuplicates(state_of("near")).find(documents)
    assert sum(not one.is_duplicate for one in found) > 100
    for document, verdict in zip(documents, found):
        if verdict.of is not None:
            assert not found[int(verdict.of)].is_duplicate
            assert similarity(sets[int(verdict.of)], sets[int(document["id"])]) == verdict.similarity >= 0.72


@pytest.mark.parametrize("threshold", [0.6, 0.8, 0.9])
def test_duplicates_reach_the_threshold(threshold: float) -> None:
    documents = [one for step in (4, 8, 16, 30, 60) for one in chain(2, step=step)]
    sets = shingle_sets([one["text"] for one in documents])
    finder = NearDuplicates(state_of("near"), threshold)
    for place in range(0, len(documents), 2):
        verdict = NearDuplicates(state_of("near"), threshold).find(documents[place : place + 2])[1]
        similar = similarity(sets[place], sets[place + 1])
        if verdict.is_duplicate:
            assert similar >= threshold
        elif similar > threshold + 0.08:
            pytest.fail(f"{similar} is not found at {threshold}")
    assert finder.find([]) == []


def test_near_duplicates_are_verified_and_the_most_similar_named() -> None:
    documents = chain(2, step=34)  # similarity 0.70
    assert not NearDuplicates(state_of("near"), 0.72).find(documents)[1].is_duplicate
    first, second, third = chain(3, step=30)
    found = NearDuplicates(state_of("near"), 0.5).find([first, third, second])
    assert found[1].of is None or found[1].of == "0"
    copy = {"id": "copy", "text": third["text"]}
    finder = NearDuplicates(state_of("near"))
    assert finder.find([first, third, copy])[2].of == "2"


def test_pages_of_one_template_take_linear_time() -> None:
    template = " ".join(VOCABULARY[:100])
    made = random.Random(2)
    documents = [{"id": f"{n}", "text": template + " " + " ".join(made.choices(VOCABULARY, k=60))} for n in range(400)]
    state = state_of("near")
    finder = NearDuplicates(state, 0.72)
    for start in range(0, 400, 100):
        assert not any(one.is_duplicate for one in finder.find(documents[start : start + 100]))
    fullest = state.rows("SELECT max(n) FROM (SELECT count(*) AS n FROM entries GROUP BY key)")[0][0]
    assert 10 < fullest <= MAX_IN_BAND


# ---- ngram_duplicates ----
def decided(texts: list[dict[str, Any]], n: int = 2, threshold: float = 0.5) -> list[tuple[bool, list[bool]]]:
    found = NgramDuplicates(state_of("ngrams"), n, threshold).find(texts)
    return [(one.is_duplicate, list(one.parts.dropped) if one.parts else []) for one in found]


@pytest.mark.parametrize("n", [1, 2, 5, 8])
@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.9])
@pytest.mark.parametrize("gap", [-1, 20])
def test_decisions_are_those_of_the_definition(
    n: int, threshold: float, gap: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ngram_duplicates, "MAX_GAP", gap)
    documents = made_documents(120, n)
    tokens = [[words(paragraph) for paragraph in one["text"].split("\n")] for one in documents]
    assert decided(documents, n, threshold) == onion(tokens, n, threshold, gap)


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
    found = NgramDuplicates(state_of("ngrams"), 2).find([{"text": first}, {"text": second}])[1]
    assert found.parts and list(found.parts.dropped) == bad


# ---- paragraph_duplicates ----
LONG = "This notice stands on all pages of this site, whichever page you read."
OTHER = "These are the words of one page alone, and nobody else has written them."


def dropped(*documents: dict[str, Any], **options: Any) -> list[list[bool]]:
    finder = ParagraphDuplicates(state_of("paragraphs"), **options)
    return [list(one.parts.dropped) for one in finder.find(documents) if one.parts]


def page(text: str, host: str = "a.example") -> dict[str, Any]:
    return {"id": host, "url": f"http://{host}/1", "text": text}


def test_which_paragraphs_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    # long paragraphs go anywhere short ones on their site
    pages = [
        page(f"{LONG}\nShare this"),
        page(f"Share this\n{LONG}\n{OTHER}", "b.example"),
        page(f"{OTHER}2\nshare  this"),
    ]
    assert dropped(*pages) == [[False, False], [False, True, False], [False, True]]
    # short paragraphs of two sites do not mix
    assert dropped(page("M hello there.", "x.co"), page("Hello there.", "x.com"))[1] == [False]
    # short paragraphs of an unknown site stay
    assert dropped({"text": "Share this"}, {"text": "Share this"}) == [[False], [False]]
    # the limit of short paragraphs
    pages = [page("one two three"), page("one two three", "b.example")]
    monkeypatch.setattr(duplicates, "MIN_WORDS", 3)
    assert dropped(*pages) == [[False], [True]]
    monkeypatch.setattr(duplicates, "MIN_WORDS", 4)
    assert dropped(*pages) == [[False], [False]]
    monkeypatch.undo()
    # repetitions in a document and digits
    assert dropped(page(f"{LONG}\n{LONG}\nEasy run.\nEasy run.")) == [[False, True, False, False]]
    pages = [page(f"{LONG} 1"), page(f"{LONG} 2")]
    assert dropped(*pages) == [[False], [False]]
    assert dropped(*pages, ignore_digits=True) == [[False], [True]]


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


def test_a_document_that_is_left_without_words_is_a_duplicate() -> None:
    finder = ParagraphDuplicates(state_of("paragraphs"))
    found = finder.find(
        [page(f"{LONG}\n{OTHER}"), page(f"{OTHER}\n---\n{LONG}", "b.example"), page("---", "c.example")]
    )
    assert [(one.is_duplicate, one.of) for one in found] == [(False, None), (True, "a.example"), (False, None)]
    assert found[1].parts and found[1].parts.words == 27


# ---- paragraphs ----
@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("", [""]), ("a\nb", ["a", "b"]), ("a\nb\n\nc", ["a\nb", "c"]),
        ("a\n\u2022 b\n\u2022 c\nd", ["a", "\u2022 b\n\u2022 c", "d"]), ("- a\n\n- b\n\nc", ["- a\n\n- b", "c"]),
        ("1. a\n2. b", ["1. a\n2. b"]),
        (
            "1. a\n\n   more of it\n\n   ```\n   x\n\n   y\n   ```\n\n2. b",
            ["1. a\n\n   more of it\n\n   ```\n   x\n\n   y\n   ```\n\n2. b"],
        ),
        ("```py\na\n\nb\n```\n\nc", ["```py\na\n\nb\n```", "c"]),
        ("~~~~\na\n\n~~~\n\n~~~~\n\nc", ["~~~~\na\n\n~~~\n\n~~~~", "c"]),
        ("```\nnever\n\nclosed", ["```\nnever\n\nclosed"]),
    ],
)  # fmt: skip
def test_paragraphs_of_text(text: str, texts: list[str]) -> None:
    paragraphs = paragraphs_of({"text": text})
    assert paragraphs.texts == texts
    assert paragraphs.without([False] * len(texts)) == {"text": text}
    assert paragraphs.without([True] * len(texts)) == {"text": ""}


def test_paragraphs_of_segments_and_their_marks() -> None:
    segments: list[dict[str, Any]] = [
        {"text": "Title", "type": "h", "tag": "h1"}, {"text": "one", "type": "l"},
        {"text": "menu", "type": "l", "keep": False}, {"text": "two", "type": "l"},
        {"text": "x", "type": "p", "table": 1}, {"text": "y", "type": "p", "table": 1}, {"text": "p", "type": "p"},
        {"text": "q", "type": "p"},
    ]  # fmt: skip
    paragraphs = paragraphs_of({"segments": segments})
    assert paragraphs.texts == ["Title", "one\ntwo", "x\ny", "p", "q"]
    left = paragraphs.without([False, True, True, False, False])["segments"]
    assert [one["text"] for one in left] == ["Title", "menu", "p", "q"]
    marked = paragraphs.marked([None, None, {"duplicate": "x"}, None, None])["segments"]
    assert ["duplicate" in one for one in marked] == [False] * 4 + [True] * 2 + [False] * 2
    assert "duplicate" not in segments[4]
    text = "\u00e9\u00e9\nsecond\nthird"
    marked = paragraphs_of({"text": text}).marked([None, {"duplicate": "x"}, None])
    [part] = marked["duplicate_parts"]
    assert text[part["start"] : part["end"]] == "second" and part["duplicate"] == "x"


@pytest.mark.parametrize(
    ("dropped", "all_dropped"),
    [
        # of: # A, a, ## B, b, # C, # D, d
        ("0100000", "0100000"), ("0101000", "1111000"), ("0001000", "0011000"), ("0000001", "0000011"),
        ("0000000", "0000000"), ("1000100", "0000100"), ("1110000", "0100000"),
    ],
)  # fmt: skip
def test_headings_go_with_their_text(dropped: str, all_dropped: str) -> None:
    paragraphs = paragraphs_of({"text": "# A\n\na\n\n## B\n\nb\n\n# C\n\n# D\n\nd"})
    assert paragraphs.with_headings([flag == "1" for flag in dropped]) == [flag == "1" for flag in all_dropped]


# ---- two_pass ----
def kept(documents: list[dict[str, Any]], kind: str, preference: Any, batch: int = 20) -> set[str]:
    state = state_of(kind)
    passes = TwoPass(KINDS[kind](state), state, preference)
    batches = [documents[start : start + batch] for start in range(0, len(documents), batch)]
    for some in batches:
        passes.collect(some)
    passes.decide()
    out = set()
    for some in batches:
        verdicts = passes.find(some)
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


def test_inputs_that_changed_are_errors() -> None:
    state = state_of("exact")
    passes = TwoPass(KINDS["exact"](state), state, "first")
    passes.collect([{"text": "a"}])
    passes.decide()
    with pytest.raises(UsageError, match="changed"):
        passes.find([{"text": "a"}] * 2)
    state = state_of("exact")
    passes = TwoPass(KINDS["exact"](state), state, "first")
    passes.collect([{"id": "a", "text": "a"}, {"id": "b", "text": "b"}])
    passes.decide()
    passes.find([{"id": "a", "text": "a"}])
    with pytest.raises(UsageError, match="changed"):
        passes.finish()
    with pytest.raises(UsageError, match="changed"):
        passes.find([{"id": "c", "text": "b"}])


# ---- duplicates ----
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
    state.merge(state_of(kind, tmp_path / "b"), KINDS[kind].MERGE)
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


# ---- deduplication ----
DOCUMENTS_OF_DEDUPLICATION: list[dict[str, Any]] = [{"id": "a", "text": "x y"}, {"id": "b", "text": "x y"}]
COPY = Verdict(True, "a", 0.98765)


def test_duplicates_are_dropped_marked_or_lose_paragraphs() -> None:
    work = Deduplication("near", lambda documents: [UNIQUE, COPY])
    assert work(DOCUMENTS_OF_DEDUPLICATION) == [DOCUMENTS_OF_DEDUPLICATION[0], None]
    assert work.summary() == "2 documents, 1 duplicate (50.0 %), 2 words in duplicates"
    marks = {"duplicate": "near", "duplicate_of": "a", "similarity": 0.988}
    assert (
        Deduplication("near", lambda documents: [UNIQUE, COPY], True)(DOCUMENTS_OF_DEDUPLICATION)[1]
        == DOCUMENTS_OF_DEDUPLICATION[1] | marks
    )
    document = {"id": "a", "text": "one\ntwo"}
    parts = Parts(paragraphs_of(document), [True, False], [{"duplicate": "paragraphs"}, None], 1)
    samples = Samples(3)
    work = Deduplication("paragraphs", lambda documents: [Verdict(parts=parts)], samples=samples)
    assert work([document]) == [{"id": "a", "text": "two"}]
    assert work.summary() == "1 document, 0 duplicates (0.0 %), 1 duplicate paragraph, 1 word in duplicates"
    assert "one" in samples.html("")
