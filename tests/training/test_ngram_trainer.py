"""N-gram models: what they learn from labelled pages; counts of n-grams."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from invented import CHINESE, MENU, PAGES, labelled, sentence
from word_lm_corpus import invented_texts, places

from ncfilters.dataset import labelled_pages
from ncfilters.dataset.labelled_pages import count_labels, gold_texts, texts_of
from ncfilters.features.document import ModelInput
from ncfilters.scoring import registry
from ncfilters.scoring.char_ngram.model import CharNgramModel
from ncfilters.scoring.word_lm.interpolated import CodedCounts
from ncfilters.training import word_trainers
from ncfilters.training.ngram_trainer import NgramOptions, make_trainer, train_ngram
from ncfilters.training.word_trainers import NgramCounter, WordModelOptions


@pytest.mark.parametrize("differential", [False, True], ids=["labels", "differential"])
@pytest.mark.parametrize(("fold", "n"), [("ascii", 3), ("nonlexical", 6), ("frequent", 3)])
def test_a_model_separates_the_classes(fold: str, n: int, differential: bool) -> None:
    made = train_ngram(labelled(PAGES), NgramOptions(n, 0.5, fold, 30, differential))
    rnd = random.Random("new")
    clean = ModelInput.of_texts([sentence(rnd) for _ in range(8)])
    dirty = ModelInput.of_texts(MENU)
    got_clean, got_dirty = (found["score"] for found in made.evidence([clean, dirty]))
    assert min(got_clean) > 0
    assert max(got_dirty) < (0 if fold != "nonlexical" or not differential else min(got_clean))


def test_differential_counts_are_page_minus_gold(monkeypatch: pytest.MonkeyPatch) -> None:
    # if the gold text has exactly the clean segments, both methods count the same, apart from the weights
    monkeypatch.setattr(labelled_pages, "SEGMENT_WEIGHT", 0.0)
    material = labelled(PAGES)
    assert sorted(gold_texts(material)) == sorted(texts_of(material, True))
    some, other = (
        train_ngram(material, NgramOptions(3, 0.5, "ascii", 0, differential)) for differential in (False, True)
    )
    sample = [ModelInput.of_texts([*MENU, sentence(random.Random(3))])]
    assert some.evidence(sample)[0]["score"] == pytest.approx(other.evidence(sample)[0]["score"], abs=0.02)


def test_differential_counts_are_page_minus_gold_and_may_be_negative() -> None:
    more = [{**some, "gold": some["gold"] + "\n\nGold that stands on no page"} for some in PAGES]
    material = labelled(more)
    made = train_ngram(material, NgramOptions(3, 0.5, "ascii", 0, True))
    assert isinstance(made, CharNgramModel)
    assert (made.counts.dirty < 0).any()
    joined = [{**some, "gold": some["gold"].replace("\n\n", " ")} for some in PAGES]
    some, other = (train_ngram(labelled(pages), NgramOptions(3, 0.5, "ascii", 0, True)) for pages in (PAGES, joined))
    rnd = random.Random("new")
    sample = [ModelInput.of_texts([sentence(rnd) for _ in range(8)])]
    assert other.evidence(sample)[0]["score"] == pytest.approx(some.evidence(sample)[0]["score"], rel=0.3)


def test_frequent_characters_and_chinese_pages() -> None:
    made = train_ngram(labelled([CHINESE] * 2), NgramOptions(2, 0.5, "frequent", 3))
    every = CHINESE["gold"] + "".join(text for text, _ in texts_of(labelled([CHINESE]), False))
    kept = made.header()["characters"]
    assert len(kept) == 3 and list(kept) == sorted(kept)
    assert min(every.count(c) for c in kept) >= max(every.count(c) for c in every if c not in kept)
    segments = [{"text": "登录"}, {"text": "大桥关闭。"}, {"text": "首页"}]
    trained = train_ngram(
        labelled([{"segments": segments, "gold": "大桥关闭。"}] * 3), NgramOptions(2, 0.5, "frequent", 50)
    )
    assert trained.header()["characters"]
    clean, dirty = trained.evidence([ModelInput.of_texts(["大桥关闭。", "登录"])])[0]["score"]
    assert clean > 0 > dirty


def test_empty_classes_and_wrong_options_are_errors() -> None:
    all_clean = labelled([{"segments": [{"text": "text"}], "gold": "text"}])
    with pytest.raises(ValueError, match=r"no dirty segment \(pages: 1\)"):
        train_ngram(all_clean, NgramOptions(3, 0.5, "ascii", 0))
    with pytest.raises(ValueError, match="no page with gold text"):
        train_ngram(labelled([]), NgramOptions(3, 0.5, "ascii", 0))
    for wrong in ({"n": 9}, {"q": 1.0}, {"characters": -1}, {"context": -1.0}):
        with pytest.raises(ValueError):
            NgramOptions(**wrong)


@pytest.mark.parametrize(("n", "q"), [(0, 0.5), (9, 0.5), (3, 0.0), (3, 1.0)])
def test_options_out_of_range_are_errors(n: int, q: float) -> None:
    with pytest.raises(ValueError, match="[nq] is "):
        train_ngram(labelled(PAGES[:2]), NgramOptions(n, q, "ascii", 0))


@pytest.mark.parametrize("keep", [False, True])
def test_the_trainer_counts_and_writes_its_pages(keep: bool, tmp_path: Path) -> None:
    trainer = make_trainer(NgramOptions(2), keep_records=keep)
    for page in PAGES:
        trainer.add(dict(page))
    assert trainer.counts() == count_labels(labelled(PAGES))
    assert [page.record is not None for page in trainer.pages] == [keep] * len(PAGES)
    header = trainer.write(tmp_path / "x.model", {"language": "en"})
    assert header["language"] == "en" and header["normalised"].startswith("segments of nc-segment")
    model = registry.load(str(tmp_path / "x.model"))
    assert model.header() == train_ngram(labelled(PAGES), NgramOptions(2)).header()


Counts = list[dict[tuple[str, ...], int]]


def decoded(table: CodedCounts) -> list[int]:
    """The counts by place; the last is that of unknown n-grams."""
    codes, book = table
    values = codes if book is None else book[codes]
    assert values[-1] == 0
    return [int(value) for value in values[:-1]]


def naive(texts: list[str], n: int) -> Counts:
    """The same, counted one by one: n - 1 boundaries precede each text, of which the last is a history."""
    out: list[Counter[tuple[str, ...]]] = [Counter() for _ in range(n)]
    for words in filter(None, map(str.split, texts)):
        run = ["#"] * (n - 1) + words
        for order in range(1, n + 1):
            first = n - 1 if order == n else n - 2
            out[order - 1].update(
                tuple(run[at - order + 1 : at + 1]) for at in range(first, len(run)) if at >= order - 1
            )
    return [dict(some) for some in out]


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("codes", [1, 1 << 16])
def test_counts_are_those_of_a_naive_count(n: int, codes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_trainers, "MAX_CODES", codes)
    texts = [*invented_texts(150), "one", "", "# x #"]
    counter = NgramCounter(WordModelOptions(n))
    counter.add(texts)
    trie, tables = counter.build_trie()
    for counts, table in zip(naive(texts, n), tables):
        found = decoded(table)
        at = places(trie, counts)
        assert sorted(at) == list(range(len(found)))
        assert [found[place] for place in at] == list(counts.values())
