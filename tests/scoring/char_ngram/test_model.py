"""The n-gram models, held to equation 1 of Evert (2008) as written out slowly here."""

from __future__ import annotations

import math
import random
import unicodedata
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from ncfilters.features.document import Document
from ncfilters.scoring.char_ngram import model as ngram_model
from ncfilters.scoring.char_ngram.alphabet import Alphabet
from ncfilters.scoring.char_ngram.model import CharNgramModel
from ncfilters.scoring.char_ngram.neighbour_smoothing import in_context

Weighted = list[tuple[str, float]]

ASCII = "abcde ABC .,|©\n"
MIXED = "ab AZ 09 .,| éßжΩ中日٣५ \t\u00a0\u3000—“½²😀𝔘\u0301\ue000"
FREQUENT = "abc é中"
EDGE = ""


# ---- the definition, slowly -----------------------------------------------------------------------------------


def folded(name: str, character: str) -> str:
    """The symbol of a character, by the definition of the folding."""
    if character == "\0":
        return EDGE
    if name == "ascii":
        return character if " " <= character <= "~" else " " if ord(character) < 128 else "~"
    if character.isspace():
        character = " "
    if name == "frequent":
        return character if character in FREQUENT else unicodedata.category(character)
    if character.isalpha():
        return "a"
    if character.isdigit():
        return "0"
    return character if " " <= character <= "~" else " " if ord(character) < 128 else "~"


def alphabet(name: str) -> int:
    """How many symbols there are, the edge included."""
    printable = [chr(code) for code in range(0x20, 0x7F)]
    if name == "frequent":
        return 1 + len(FREQUENT) + 30  # Unicode has 30 general categories
    return 1 + len({folded(name, character) for character in printable})


class Slow:
    """One model of equation 1: probabilities from counts, history by history."""

    def __init__(self, n: int, q: float, fold: str, texts: Weighted, less: Weighted = ()) -> None:
        self.n, self.q, self.fold, self.size = n, q, fold, alphabet(fold)
        self.counts: Counter[tuple[str, ...]] = Counter()
        for sign, some in ((1, texts), (-1, less)):
            for text, weight in some:
                for gram in self.grams(text):
                    for order in range(1, n + 1):
                        self.counts[gram[n - order :]] += sign * weight
        self.histories: Counter[tuple[str, ...]] = Counter()
        for gram, count in self.counts.items():
            self.histories[gram[:-1]] += count

    def grams(self, text: str) -> list[tuple[str, ...]]:
        """The n-grams that end in each character of the text and in the edge behind it, n - 1 edges before it."""
        symbols = [EDGE] * (self.n - 1) + [folded(self.fold, character) for character in text] + [EDGE]
        return [tuple(symbols[at : at + self.n]) for at in range(len(symbols) - self.n + 1)]

    def conditional(self, gram: tuple[str, ...]) -> float:
        count, total = self.counts[gram], self.histories[gram[:-1]]
        if len(gram) == 1:
            return min(max((count + 1) / (max(total, 0) + self.size), 1 / (1e9 + self.size)), 1)
        return min(max(count / total, 0), 1) if total > 1e-9 else 0.0

    def probability(self, gram: tuple[str, ...]) -> float:
        """Equation 1."""
        n, q = self.n, self.q
        return (1 - q) / (1 - q**n) * sum(q**k * self.conditional(gram[k:]) for k in range(n))

    def bits(self, text: str) -> float:
        return sum(math.log2(self.probability(gram)) for gram in self.grams(text))


def slow_odds(n: int, q: float, fold: str, clean: Weighted, dirty: Weighted, texts: Sequence[str]) -> list[float]:
    models = Slow(n, q, fold, clean), Slow(n, q, fold, dirty)
    return [models[0].bits(text) - models[1].bits(text) for text in texts]


def folding(name: str) -> Alphabet:
    return Alphabet(name, FREQUENT if name == "frequent" else "")


def some_texts(random_: random.Random, characters: str, number: int, longest: int = 40) -> list[str]:
    return ["".join(random_.choices(characters, k=random_.randrange(longest))) for _ in range(number)]


def weighted(random_: random.Random, texts: list[str]) -> Weighted:
    return [(text, random_.choice([1.0, 1.0, 0.5, 3.25])) for text in texts]


FOLDS = ("ascii", "nonlexical", "frequent")


@pytest.fixture(params=range(1, 9))
def n(request: pytest.FixtureRequest) -> int:
    number: int = request.param
    return number


# ---- equation 1 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize("q", [0.01, 0.4, 0.5, 0.95])
def test_scores_are_those_of_equation_1(fold: str, q: float, n: int) -> None:
    rnd = random.Random(f"{fold} {q} {n}")
    clean = weighted(rnd, some_texts(rnd, MIXED, 12) + some_texts(rnd, "abc ", 8))
    dirty = weighted(rnd, some_texts(rnd, MIXED, 12) + some_texts(rnd, "|AB ", 8))
    texts = ["", "a", " ", *some_texts(rnd, MIXED, 15), *some_texts(rnd, ASCII, 15), *(t for t, _ in clean[:5])]
    scores = CharNgramModel.train(n, q, folding(fold), clean, dirty).score_texts(texts)
    assert scores.shape == (len(texts),)
    np.testing.assert_allclose(scores, slow_odds(n, q, fold, clean, dirty, texts), rtol=1e-4, atol=2e-3)


def test_a_model_worked_out_by_hand() -> None:
    # n = 2, q = 1/2, clean "ab", dirty "b"; 96 symbols. "a" is the bigrams (edge a) and (a edge).
    model = CharNgramModel.train(2, 0.5, Alphabet("ascii"), [("ab", 1)], [("b", 1)])
    clean = (1 + 0.5 * 2 / 99) * (0 + 0.5 * 2 / 99)  # P(a|edge) = 1, P(edge|a) = 0, unigrams (1 + 1) / (3 + 96)
    dirty = (0 + 0.5 * 1 / 98) * (0 + 0.5 * 2 / 98)  # neither seen
    assert model.score_texts(["a"])[0] == pytest.approx(math.log2(clean / dirty), abs=1e-4)


def test_the_end_of_a_text_is_predicted() -> None:
    model = CharNgramModel.train(2, 0.5, Alphabet("ascii"), [("aa.", 1)] * 9, [(".aa", 1)] * 9)
    assert model.score_texts(["a."])[0] > 0 > model.score_texts([".a"])[0]
    # only the ends differ here: what both texts begin with, both models began with as often
    model = CharNgramModel.train(2, 0.5, Alphabet("ascii"), [("xyx", 1), ("xyy", 3)], [("xyx", 3), ("xyy", 1)])
    assert model.score_texts(["xy"])[0] > model.score_texts(["xyx"])[0]


def test_the_history_is_edges_at_the_beginning_and_nothing_of_the_text_before() -> None:
    model = CharNgramModel.train(3, 0.5, Alphabet("ascii"), [("ab", 1)], [("cab", 1)])
    alone = model.score_texts(["ab"])[0]
    assert model.score_texts(["c", "ab"])[1] == alone
    assert alone > model.score_texts(["cab"])[0]


@pytest.mark.parametrize("fold", FOLDS)
def test_n_1_is_add_one_unigrams(fold: str) -> None:
    model = CharNgramModel.train(1, 0.5, folding(fold), [("aab", 1)], [("||", 2)])
    size = alphabet(fold)
    a, edge = folded(fold, "a"), EDGE
    clean = Counter([folded(fold, c) for c in "aab"] + [edge])
    dirty = Counter({folded(fold, "|"): 4, edge: 2})
    expected = sum(math.log2((clean[s] + 1) / (4 + size)) - math.log2((dirty[s] + 1) / (6 + size)) for s in (a, edge))
    assert model.score_texts(["a"])[0] == pytest.approx(expected, abs=1e-4)
    assert model.score_texts([""])[0] == pytest.approx(math.log2(2 / (4 + size)) - math.log2(3 / (6 + size)), abs=1e-4)


def test_n_1_does_not_know_q_or_order() -> None:
    clean, dirty = [("clean text", 1.0)], [("Home | About", 1.0)]
    some, other = (CharNgramModel.train(1, q, Alphabet("ascii"), clean, dirty) for q in (0.1, 0.9))
    texts = ["text clean", "about"]
    assert some.score_texts(texts).tolist() == other.score_texts(texts).tolist()
    assert some.score_texts(["ab"])[0] == pytest.approx(some.score_texts(["ba"])[0], abs=1e-4)


def test_both_classes_alike_score_zero(n: int) -> None:
    texts = [("Some text, and some more.", 1.0), ("x", 0.5)]
    model = CharNgramModel.train(n, 0.5, Alphabet("ascii"), texts, texts)
    np.testing.assert_allclose(model.score_texts(["Some text", "never seen: QQQ", ""]), 0, atol=1e-5)


def test_classes_swapped_scores_turned(n: int) -> None:
    clean, dirty = [("A sentence of text.", 1.0)], [("Home | About | Contact", 2.0)]
    texts = ["A home", "Contact text.", ""]
    there = CharNgramModel.train(n, 0.4, Alphabet("ascii"), clean, dirty).score_texts(texts)
    back = CharNgramModel.train(n, 0.4, Alphabet("ascii"), dirty, clean).score_texts(texts)
    np.testing.assert_allclose(there, -back, rtol=1e-5, atol=1e-5)


def test_a_weight_is_a_number_of_times() -> None:
    texts = ["One text.", "one | two", "1 2 3"]
    folding_ = Alphabet("ascii")
    once = CharNgramModel.train(4, 0.5, folding_, [("One text", 3), ("two", 1)], [("1 | 2", 2)])
    often = CharNgramModel.train(4, 0.5, folding_, [("One text", 1)] * 3 + [("two", 1)], [("1 | 2", 1)] * 2)
    np.testing.assert_allclose(once.score_texts(texts), often.score_texts(texts), rtol=1e-6)


def test_a_text_of_weight_zero_teaches_nothing() -> None:
    folding_ = Alphabet("ascii")
    with_it = CharNgramModel.train(3, 0.5, folding_, [("clean", 1), ("Home", 0)], [("Home", 1)])
    without = CharNgramModel.train(3, 0.5, folding_, [("clean", 1)], [("Home", 1)])
    np.testing.assert_allclose(with_it.score_texts(["clean", "Home"]), without.score_texts(["clean", "Home"]))


def test_nothing_to_learn_from_is_a_model_without_an_opinion() -> None:
    model = CharNgramModel.train(3, 0.5, Alphabet("ascii"), [], [])
    assert model.score_texts(["text", ""]).tolist() == [0, 0]


@pytest.mark.parametrize("batch", [1, 7, 100])
def test_counting_in_batches_changes_nothing(batch: int) -> None:
    rnd = random.Random(batch)
    texts = weighted(rnd, some_texts(rnd, MIXED, 60))
    keys, counts = ngram_model.count(3, Alphabet("ascii"), texts, batch)
    whole_keys, whole = ngram_model.count(3, Alphabet("ascii"), texts)
    assert keys.tolist() == whole_keys.tolist() == sorted(set(keys.tolist()))
    np.testing.assert_allclose(counts, whole, rtol=1e-6)


def test_counts_are_those_of_the_definition(n: int) -> None:
    rnd = random.Random(n)
    texts = weighted(rnd, some_texts(rnd, ASCII, 30))
    fold = Alphabet("ascii")
    keys, counts = ngram_model.count(n, fold, texts)
    slow: Counter[int] = Counter()
    for text, weight in texts:
        for gram in Slow(n, 0.5, "ascii", []).grams(text):
            key = 0
            for symbol in gram:
                key = key * fold.size + fold.symbols.index(symbol)
            slow[key] += weight
    assert keys.tolist() == sorted(slow)
    np.testing.assert_allclose(counts, [slow[key] for key in keys.tolist()], rtol=1e-6)


# ---- tables, batches ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize("dense_cells", [1, 100, 10_000])
def test_hashed_tables_score_as_dense_ones(fold: str, dense_cells: int, n: int) -> None:
    rnd = random.Random(n)
    fold_ = folding(fold)
    parts = ngram_model.merged(
        *(
            ngram_model.count(n, fold_, weighted(rnd, some_texts(rnd, characters, 80, 120)))
            for characters in (MIXED + "abcabc   ", MIXED + "|AB0")
        )
    )
    texts = ["", *some_texts(rnd, MIXED, 60, 200)]
    dense = CharNgramModel(n, 0.5, fold_, *parts)
    hashed = CharNgramModel(n, 0.5, fold_, *parts, dense_cells=dense_cells)
    np.testing.assert_allclose(hashed.score_texts(texts), dense.score_texts(texts), rtol=1e-5, atol=1e-3)


def test_small_tables_are_really_hashed() -> None:
    parts = ngram_model.merged(
        ngram_model.count(3, Alphabet("ascii"), [("abc", 1)]), ngram_model.count(3, Alphabet("ascii"), [("x", 1)])
    )
    few, many = (CharNgramModel(3, 0.5, Alphabet("ascii"), *parts, dense_cells=cells) for cells in (100, 1 << 20))
    assert [order for order, _ in few._hashed] == [3, 2]
    assert not many._hashed


@pytest.mark.parametrize("fold", FOLDS)
def test_a_batch_scores_as_its_texts_alone(fold: str, n: int) -> None:
    rnd = random.Random(n)
    model = CharNgramModel.train(
        n, 0.5, folding(fold), weighted(rnd, some_texts(rnd, MIXED, 40)), weighted(rnd, some_texts(rnd, ASCII, 40))
    )
    texts = [*some_texts(rnd, MIXED, 50, 300), "", *some_texts(rnd, ASCII, 50), "", ""]
    alone = [float(model.score_texts([text])[0]) for text in texts]
    assert model.score_texts(texts).tolist() == pytest.approx(alone, rel=1e-6, abs=1e-4)
    np.testing.assert_allclose(model.score_texts(texts[::-1])[::-1], alone, rtol=1e-6, atol=1e-4)


def test_chunks_join_without_a_seam(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    rnd = random.Random(n)
    model = CharNgramModel.train(
        n, 0.5, Alphabet("ascii"), [(t, 1) for t in some_texts(rnd, ASCII, 40)], [("a | b", 1)]
    )
    texts = some_texts(rnd, ASCII, 30)
    whole = model.score_texts(texts).tolist()
    monkeypatch.setattr(ngram_model, "CHUNK", 5)
    assert model.score_texts(texts).tolist() == whole


def test_no_texts_no_scores() -> None:
    model = CharNgramModel.train(3, 0.5, Alphabet("ascii"), [("a", 1)], [("b", 1)])
    assert model.score_texts([]).tolist() == []
    assert model.evidence([]) == []
    assert model.evidence([Document([]), Document([])]) == [{"score": []}, {"score": []}]


def test_evidence_goes_by_document_and_is_rounded() -> None:
    model = CharNgramModel.train(3, 0.5, Alphabet("ascii"), [("Some clean text", 1)], [("Home | About", 1)])
    texts = ["Some text", "Home", "", "About | clean"]
    scores = [round(float(score), 2) for score in model.score_texts(texts)]
    documents = [Document.of_texts(part) for part in (texts[:2], [], texts[2:4])]
    assert model.evidence(documents) == [{"score": scores[:2]}, {"score": []}, {"score": scores[2:]}]


# ---- differential training ------------------------------------------------------------------------------------


def differential(n: int, q: float, fold: str, clean: Weighted, dump: Weighted) -> CharNgramModel:
    keys, clean_counts, dump_counts = ngram_model.merged(
        ngram_model.count(n, folding(fold), clean), ngram_model.count(n, folding(fold), dump)
    )
    return CharNgramModel(n, q, folding(fold), keys, clean_counts, dump_counts - clean_counts)


@pytest.mark.parametrize("dense_cells", [1, 1 << 20])
def test_dump_less_clean_is_dirty(n: int, dense_cells: int) -> None:
    clean, dirty = [("Some clean text.", 1.0), ("More of it.", 2.0)], [("Home | About", 1.0), ("Text", 4.0)]
    less = differential(n, 0.5, "ascii", clean, clean + dirty)
    less = CharNgramModel(n, 0.5, less.folding, less.keys, less.clean, less.dirty, dense_cells)
    plain = CharNgramModel.train(n, 0.5, Alphabet("ascii"), clean, dirty)
    texts = ["Some text", "Home is where", "", "xyz"]
    np.testing.assert_allclose(less.score_texts(texts), plain.score_texts(texts), rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("dense_cells", [1, 1 << 20])
@pytest.mark.parametrize("fold", FOLDS)
def test_estimates_from_negative_counts_are_clamped(n: int, fold: str, dense_cells: int) -> None:
    rnd = random.Random(n)
    clean, dump = (
        [(text, 1.0) for text in some_texts(rnd, ASCII, 25)] + [("a" * n + then, 45.0 + more)]
        for then, more in (("b", 0.0), ("c", 5.0))
    )
    made = differential(n, 0.5, fold, clean, dump)
    assert (made.dirty < 0).any()
    model = CharNgramModel(n, 0.5, made.folding, made.keys, made.clean, made.dirty, dense_cells)
    slow = Slow(n, 0.5, fold, clean), Slow(n, 0.5, fold, dump, less=clean)
    assert n == 1 or any(count > slow[1].histories[gram[:-1]] > 0 for gram, count in slow[1].counts.items())
    texts = ["", *some_texts(rnd, ASCII, 25)]
    scores = model.score_texts(texts)
    assert np.isfinite(scores).all()
    np.testing.assert_allclose(scores, [slow[0].bits(t) - slow[1].bits(t) for t in texts], rtol=1e-4, atol=2e-3)


def test_nothing_left_of_a_class_still_scores() -> None:
    model = differential(3, 0.5, "ascii", [("all of it is clean", 5.0)], [("all", 1.0)])
    assert np.isfinite(model.score_texts(["all of it", "", "zzz"])).all()


# ---- foldings -------------------------------------------------------------------------------------------------


def symbols(fold: Alphabet, text: str) -> list[str]:
    return [fold.symbols[code] for code in fold.codes(text)]


@pytest.mark.parametrize("fold", FOLDS)
def test_every_character_folds_by_definition(fold: str) -> None:
    fold_ = folding(fold)
    characters = [chr(code) for code in range(0x30000) if not 0xD800 <= code < 0xE000]
    expected = [folded(fold, character) for character in characters]
    assert symbols(fold_, "".join(characters)) == expected
    # one by one as in a text, and after the others were learned
    for code in [*range(0x500), 0x3000, 0x4E2D, 0x1F600, 0x1D518, 0x10FFFF]:
        assert symbols(fold_, chr(code)) == [folded(fold, chr(code))]


@pytest.mark.parametrize("fold", FOLDS)
def test_ascii_text_folds_alike_alone_and_in_other_company(fold: str) -> None:
    text = "".join(map(chr, range(128)))
    assert symbols(folding(fold), text) == symbols(folding(fold), text + "ж")[:-1]


def test_non_lexical_folds_letters_and_digits_of_every_script() -> None:
    assert symbols(Alphabet("nonlexical"), "Zéж中ω한ا 3٣५! —😀") == list("aaaaaaa 000! ~~")


def test_frequent_keeps_its_characters_and_folds_the_rest_by_category() -> None:
    assert symbols(Alphabet("frequent", "аб"), "абв А1,") == ["а", "б", "Ll", "Zs", "Lu", "Nd", "Po"]


def test_frequent_keeps_more_characters_than_a_byte_counts() -> None:
    many = "".join(chr(0x4E00 + at) for at in range(600))
    fold = Alphabet("frequent", many)
    assert fold.size == 631
    assert symbols(fold, many + "龥A") == [*many, "Lo", "Lu"]
    model = CharNgramModel.train(3, 0.5, fold, [(many, 1)], [("abc", 1)])
    clean, dirty = model.score_texts([many[50:60], "bc"])
    assert clean > 0 > dirty


@pytest.mark.parametrize("name", FOLDS)
def test_a_folding_is_rebuilt_from_its_header(name: str) -> None:
    header = folding(name).header()
    again = Alphabet(header["folding"], header.get("characters", ""))
    assert again.codes(MIXED).tolist() == folding(name).codes(MIXED).tolist()


def test_an_unknown_folding_is_named() -> None:
    with pytest.raises(ValueError, match="unknown folding 'latin'.*ascii"):
        Alphabet("latin")


# ---- odd texts ------------------------------------------------------------------------------------------------


@pytest.fixture(params=FOLDS)
def trained(request: pytest.FixtureRequest) -> CharNgramModel:
    return CharNgramModel.train(3, 0.5, folding(request.param), [("Some clean text, é.", 1)], [("Home | About 😀", 1)])


@pytest.mark.parametrize("text", ["", " ", "\n", "\ud800", "a\udfffb", "𐍈😀", "\U0010ffff", "\ufffe", "\x7f\x80"])
def test_odd_texts_score_by_definition(trained: CharNgramModel, text: str) -> None:
    fold = trained.folding.name
    slow = slow_odds(3, 0.5, fold, [("Some clean text, é.", 1)], [("Home | About 😀", 1)], [text])
    assert trained.score_texts([text])[0] == pytest.approx(slow[0], rel=1e-4, abs=1e-3)


def test_a_lone_surrogate_folds_as_what_is_not_ascii() -> None:
    assert symbols(Alphabet("ascii"), "\ud800é") == ["~", "~"]


@pytest.mark.parametrize("where", ["\0", "a\0b", "\0\0\0\0\0", "end\0", "\0é"])
def test_nul_in_a_text_is_an_edge_and_hurts_no_neighbour(trained: CharNgramModel, where: str) -> None:
    before, odd, after = trained.score_texts(["Some text", where, "Home"])
    assert [before, after] == trained.score_texts(["Some text", "Home"]).tolist()
    fold = trained.folding.name
    slow = slow_odds(3, 0.5, fold, [("Some clean text, é.", 1)], [("Home | About 😀", 1)], [where])
    assert odd == pytest.approx(slow[0], rel=1e-4, abs=1e-3)


def test_a_text_of_a_megabyte(trained: CharNgramModel) -> None:
    part = "Some clean text, é. Home | About 😀 "
    times = 1_000_000 // len(part.encode()) + 1
    once, twice, long = trained.score_texts([part, part * 2, part * times]).astype(float)
    assert long == pytest.approx(once + (times - 1) * (twice - once), rel=1e-4)
    assert trained.score_texts([part * times])[0] == long


# ---- bias and context -----------------------------------------------------------------------------------------


def with_fit(trained: CharNgramModel, bias: float, context: float) -> CharNgramModel:
    parts = trained.n, trained.q, trained.folding, trained.keys, trained.clean, trained.dirty
    return CharNgramModel(*parts, bias=bias, context=context)


def test_the_bias_is_taken_from_each_score(trained: CharNgramModel) -> None:
    document = Document.of_texts(["Some clean text.", "Home"])
    before, after = (with_fit(trained, bias, 0).evidence([document])[0]["score"] for bias in (0, 2.5))
    assert after == pytest.approx([score - 2.5 for score in before])


def test_the_context_is_that_of_the_document(trained: CharNgramModel) -> None:
    segments = [{"text": "Home"}, {"text": "a b", "rule": "bars"}, {"text": "Some clean text."}]
    documents = [Document(segments), Document([]), Document.of_texts(["x"])]
    plain = [found["score"] for found in with_fit(trained, 1, 0).evidence(documents)]
    found = [found["score"] for found in with_fit(trained, 1, 3).evidence(documents)]
    assert found[0] == pytest.approx(in_context(plain[0], [False, True, False], 3), abs=0.01)
    assert found[0] != pytest.approx(plain[0], abs=0.5)
    assert found[1:] == [[], pytest.approx(in_context(plain[2], [False], 3), abs=0.01)]


def test_bias_and_context_come_back_from_the_header_and_older_models_have_none(trained: CharNgramModel) -> None:
    fitted = with_fit(trained, 3, 15)
    assert {"bias": 3, "context": 15}.items() <= fitted.header().items()
    back = CharNgramModel.from_parts(fitted.header(), fitted.arrays())
    assert (back.bias, back.context) == (3, 15)
    assert not {"bias", "context"} & set(trained.header())
    assert CharNgramModel.from_parts(trained.header(), trained.arrays()).context == 0


@pytest.mark.parametrize(("bias", "context"), [(float("nan"), 0), (float("inf"), 0), (0, -1), (0, float("nan"))])
def test_bias_and_context_out_of_range(trained: CharNgramModel, bias: float, context: float) -> None:
    with pytest.raises(ValueError, match="bias is .*context"):
        with_fit(trained, bias, context)


# ---- parameters -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [0, -1, 9, 100])
def test_n_out_of_range(bad: int) -> None:
    nothing = np.zeros(0, np.int64), np.zeros(0, np.float32), np.zeros(0, np.float32)
    with pytest.raises(ValueError, match=f"n is {bad}: from 1 to 8"):
        CharNgramModel(bad, 0.5, Alphabet("ascii"), *nothing)
    with pytest.raises(ValueError, match=f"n is {bad}: from 1 to 8"):
        CharNgramModel.check(bad, 0.5, Alphabet("ascii"))


@pytest.mark.parametrize("bad", [0, -1])
def test_training_with_n_out_of_range(bad: int) -> None:
    with pytest.raises(ValueError, match=f"n is {bad}: from 1 to 8"):
        CharNgramModel.train(bad, 0.5, Alphabet("ascii"), [("a", 1)], [("b", 1)])


@pytest.mark.parametrize("bad", [0, 1, -0.5, 1.5, float("nan"), float("inf")])
def test_q_out_of_range(bad: float) -> None:
    with pytest.raises(ValueError, match="q is .*: between 0 and 1"):
        CharNgramModel.train(3, bad, Alphabet("ascii"), [("a", 1)], [("b", 1)])


def test_n_too_long_for_the_alphabet() -> None:
    many = Alphabet("frequent", "".join(chr(0x4E00 + at) for at in range(3000)))
    with pytest.raises(ValueError, match="n is 6: too long for an alphabet of 3031 characters"):
        CharNgramModel.check(6, 0.5, many)
    CharNgramModel.check(5, 0.5, many)


@pytest.mark.parametrize("fold", FOLDS)
def test_the_longest_n_grams_of_the_largest_keys(fold: str) -> None:
    fold_ = folding(fold)
    last = fold_.symbols[-1] if fold != "frequent" else "\u0378"  # not assigned: Cn, the last category
    assert fold_.codes(last).tolist() == [fold_.size - 1]
    model = CharNgramModel.train(8, 0.5, fold_, [(last * 20, 1)], [("a", 1)])
    assert model.keys.max() == fold_.size**8 - 1
    assert model.score_texts([last * 9])[0] == pytest.approx(
        slow_odds(8, 0.5, fold, [(last * 20, 1)], [("a", 1)], [last * 9])[0], rel=1e-4
    )


def test_scoring_leaves_no_trace(trained: CharNgramModel) -> None:
    texts = ["Some", "é 😀 新", "|"]
    first = trained.score_texts(texts).tolist()
    trained.score_texts(["ё" * 100, "", "\ud800"])
    assert trained.score_texts(texts).tolist() == first
