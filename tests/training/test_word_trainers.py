"""Word models trained from text: options are checked, and memory does not change the model."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from word_lm_corpus import invented_texts, places, train

from ncfilters.errors import RecordError
from ncfilters.features.document import ModelInput
from ncfilters.scoring import registry
from ncfilters.scoring.justext import stoplist
from ncfilters.scoring.word_lm.interpolated import CodedCounts
from ncfilters.training import word_trainers
from ncfilters.training.word_trainers import (
    NgramCounter,
    StoplistTrainer,
    WordModelTrainer,
    train_word_model,
    word_parameters,
)

CORPUS = ["The cat sat on the mat.", "The dog sat on the cat."]


@pytest.mark.parametrize("n", [2, 3])
def test_batches_do_not_change_the_model_file(n: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = invented_texts(200)
    for name, some, size in (("one", texts, 1 << 24), ("some", texts[::-1], 500), ("each", texts, 1)):
        monkeypatch.setattr(word_trainers, "BATCH_SIZE", size)
        registry.write_model(tmp_path / name, train(some, n), {})
    assert (tmp_path / "one").read_bytes() == (tmp_path / "some").read_bytes() == (tmp_path / "each").read_bytes()


def test_the_order_of_texts_does_not_change_the_file(tmp_path: Path) -> None:
    for name, texts in (("a", CORPUS), ("b", CORPUS[::-1])):
        registry.write_model(tmp_path / name, train(iter(texts), 3), {})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_options_have_defaults() -> None:
    assert train_word_model(CORPUS, word_parameters()).header() == train(CORPUS, 2, "pyplexity").header()


def test_unknown_estimators_are_refused() -> None:
    with pytest.raises(ValueError, match="estimator is 'good-turing'"):
        word_parameters(estimator="good-turing")


@pytest.mark.parametrize("texts", [[], [""], ["\n", " "]])
def test_texts_without_words_are_refused(texts: list[str]) -> None:
    with pytest.raises(ValueError, match="no training data"):
        train(texts)


# ---- the trainer ----------------------------------------------------------------------------------------------
def test_gold_text_and_plain_text_make_the_same_model(tmp_path: Path) -> None:
    models = []
    for records in (
        [
            {"gold": "Some text here.", "html": "<p>Not this"},
            {"gold": {"markup": "URL: http://x/\n<h>Another\n<p>text."}},
        ],
        [{"text": "Some text here."}, {"text": "\n\nAnother\n\n\ntext."}],
        [{"text": "Some text here."}, {"text": "URL: http://x/\n<h>Another\n<p>text."}],
    ):
        trainer = WordModelTrainer(word_parameters(n=2), language="en")
        for record in records:
            trainer.add(dict(record))
        trainer.write(tmp_path / "x.model", {})
        assert trainer.counts()["texts"] == 2
        models.append(registry.load(str(tmp_path / "x.model")))
    sample = [ModelInput.of_texts(["Some text", "another text.", "Not this", "h Another p text", "URL"])]
    scores = [model.evidence(sample)[0]["perplexity"] for model in models]
    assert scores[0] == scores[1] == scores[2]
    assert max(scores[0][:2]) < min(scores[0][2:])


@pytest.mark.parametrize("lines", [False, True])
def test_each_line_has_its_own_beginning(lines: bool, tmp_path: Path) -> None:
    options = word_parameters(n=2, estimator="interpolated")
    trainer = WordModelTrainer(options, lines, "en")
    trainer.add({"text": "one two\n\n three\n \nfour"})
    assert trainer.counts() == {"texts": 1, "characters": 22, "sentences": 3}
    trainer.write(tmp_path / "x.model", {})
    found = registry.load(str(tmp_path / "x.model")).evidence([ModelInput.of_texts(["three", "two"])])
    first, other = found[0]["perplexity"]
    assert first == pytest.approx(1 / (0.8 * 1 / 3 + 0.2 * 1 / 4 + 1e-6), rel=1e-6)
    assert other == pytest.approx(1 / (0.2 * 1 / 4 + 1e-6), rel=1e-6)


@pytest.mark.parametrize("text", [None, "", " \n"])
def test_no_word_is_an_error(text: str | None, tmp_path: Path) -> None:
    trainer = WordModelTrainer(word_parameters())
    if text is not None:
        trainer.add({"text": text})
    with pytest.raises(ValueError, match="^no training data: the texts contain no word"):
        trainer.write(tmp_path / "x", {})
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("keep", [False, True])
def test_pages_with_gold_are_kept_to_cross_validate(keep: bool) -> None:
    trainer = WordModelTrainer(word_parameters(), keep_pages=keep)
    trainer.add({"id": "1", "html": "<p>A page.", "gold": "A page."})
    trainer.add({"text": "A text."})
    assert [page.key for page in trainer.pages] == ["1"] * keep


# ---- counts ---------------------------------------------------------------------------------------------------


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
    counter = NgramCounter(word_parameters(n))
    counter.add(texts)
    trie, tables = counter.build_trie()
    for counts, table in zip(naive(texts, n), tables):
        found = decoded(table)
        at = places(trie, counts)
        assert sorted(at) == list(range(len(found)))
        assert [found[place] for place in at] == list(counts.values())


# ---- stop lists -----------------------------------------------------------------------------------------------


ABOUT = {"description": "", "language": "", "credits": ["A", "B"], "seen": {"texts": 2}, "command": "x"}


def test_the_list_has_its_words_and_their_coverage(tmp_path: Path) -> None:
    trainer = StoplistTrainer(size=2)
    trainer.add({"text": "the cat and the dog and the bird"})
    trainer.add({"gold": "The end"})
    assert trainer.counts() == {"texts": 2, "characters": 39}
    trainer.write(tmp_path / "x.txt", ABOUT)
    words, about = stoplist.read_stoplist(tmp_path / "x.txt")
    assert words == {"the", "and"}
    assert (about["credits"], about["words"], about["coverage"], about["kind"]) == ("A\nB", "2", "0.6", "stoplist")


@pytest.mark.parametrize("count", [0, -1, 1.5, True, "3", None])
def test_a_count_is_a_whole_number_from_1_on(count: Any) -> None:
    with pytest.raises(RecordError, match="^count: expected"):
        StoplistTrainer().add({"text": "x", "count": count})


@pytest.mark.parametrize("text", [None, "", " \n", "***"])
def test_no_word_makes_no_list(text: str | None, tmp_path: Path) -> None:
    trainer = StoplistTrainer()
    if text is not None:
        trainer.add({"text": text})
    with pytest.raises(ValueError, match="^no training data: (no text|the texts contain no word)"):
        trainer.write(tmp_path / "x", ABOUT)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("wrong", [{"size": 0}, {"coverage": 1.5}, {"size": None}])
def test_options_out_of_range_are_errors(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        StoplistTrainer(**wrong)
