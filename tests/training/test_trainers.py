"""What trainers have in common, which records they learn from, and the small ones: stop lists and quality."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from invented import PAGES, labelled

from ncfilters.errors import RecordError
from ncfilters.scoring import registry
from ncfilters.scoring.justext import stoplist
from ncfilters.training.base import PageTrainer, Trainer, no_progress
from ncfilters.training.chosen_records import Choice, ChosenRecords
from ncfilters.training.ngram_trainer import NgramOptions, NgramTrainer
from ncfilters.training.quality_trainer import QualityTrainer
from ncfilters.training.stoplist_trainer import StoplistOptions, StoplistTrainer
from ncfilters.training.structure_trainer import StructureOptions, StructureTrainer
from ncfilters.training.word_lm_trainer import WordModelOptions, WordModelTrainer


def test_trainers_count_and_train_on_their_pages() -> None:
    page = {**PAGES[0], "segments": [{"text": "A page.", "score": 1.0}], "gold": "A page."}
    trainers: list[Trainer] = [
        NgramTrainer(NgramOptions()), StructureTrainer(StructureOptions()), WordModelTrainer(WordModelOptions()),
        StoplistTrainer(StoplistOptions()), QualityTrainer(),
    ]  # fmt: skip
    for trainer in trainers:
        assert trainer.add(dict(page))["id"] == page["id"]
        assert 1 in trainer.counts().values()
    trainers: list[PageTrainer] = [NgramTrainer(NgramOptions()), WordModelTrainer(WordModelOptions(), keep_pages=True)]
    for trainer in trainers:
        for page in PAGES[:2]:
            trainer.add(dict(page))
        assert [page.key for page in trainer.pages] == [page.key for page in labelled(PAGES[:2]).pages]
        assert trainer.train(labelled(PAGES[:3])).header()
    assert no_progress(10, "folds")(1) is None


class Listing:
    """A trainer that keeps the ids of its records."""

    def __init__(self) -> None:
        self.ids: list[Any] = []

    def add(self, record: dict[str, Any]) -> dict[str, Any]:
        if record["id"] == "bad":
            raise RecordError("gold: missing")
        self.ids.append(record["id"])
        return record

    def counts(self) -> dict[str, int]:
        return {"pages": len(self.ids)}

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        return about


def chosen(records: list[dict[str, Any]], choice: Choice) -> tuple[list[Any], list[str], str]:
    trainer = Listing()
    out = ChosenRecords(trainer, choice)
    for record in records:
        assert out.add(record) is record
    return trainer.ids, out.finish(), out.digest.hexdigest()


RECORDS = [{"id": n, "lang": "el" if n % 2 else "pl", "url": f"http://site{n}.example/"} for n in range(10)]


def test_records_are_chosen_by_language_and_site() -> None:
    assert chosen(RECORDS, Choice("el"))[0] == [1, 3, 5, 7, 9]
    assert chosen([{"id": 1}], Choice("el"))[0] == []
    assert chosen([{"id": 1}], Choice())[0] == [1]
    ids, errors, _ = chosen(RECORDS, Choice("el", 3))
    assert len(ids) == 3 and not errors and {1, 3, 5, 7, 9} > set(ids)
    assert chosen([{"id": "bad"}, {"id": 2}], Choice(max_pages=9))[:2] == ([2], ["bad: gold: missing"])
    polish = [record for record in RECORDS if record["lang"] == "pl"]
    assert chosen(RECORDS, Choice("pl"))[2] == chosen(polish, Choice())[2]
    assert chosen(RECORDS, Choice("el"))[2] != chosen(polish, Choice())[2]
    assert chosen(polish[::-1], Choice())[2] != chosen(polish, Choice())[2]


ABOUT = {"description": "", "language": "", "credits": ["A", "B"], "seen": {"texts": 2}, "command": "x"}


def test_the_list_has_its_words_and_their_coverage(tmp_path: Path) -> None:
    trainer = StoplistTrainer(StoplistOptions(size=2))
    trainer.add({"text": "the cat and the dog and the bird"})
    trainer.add({"gold": "The end"})
    assert trainer.counts() == {"texts": 2, "characters": 39}
    trainer.write(tmp_path / "x.txt", ABOUT)
    words, about = stoplist.read_stoplist(tmp_path / "x.txt")
    assert words == {"the", "and"}
    assert (about["credits"], about["words"], about["coverage"], about["kind"]) == ("A\nB", "2", "0.6", "stoplist")


def test_a_count_repeats_the_text(tmp_path: Path) -> None:
    trainer = StoplistTrainer(StoplistOptions(size=1))
    trainer.add({"text": "rare"})
    trainer.add({"text": "often", "count": 3})
    assert trainer.write(tmp_path / "x.txt", ABOUT)["coverage"] == 0.75


@pytest.mark.parametrize("count", [0, -1, 1.5, True, "3", None])
def test_a_count_is_a_whole_number_from_1_on(count: Any) -> None:
    with pytest.raises(RecordError, match="^count: expected"):
        StoplistTrainer(StoplistOptions()).add({"text": "x", "count": count})


@pytest.mark.parametrize("text", [None, "", " \n", "***"])
def test_no_word_is_an_error(text: str | None, tmp_path: Path) -> None:
    trainer = StoplistTrainer(StoplistOptions())
    if text is not None:
        trainer.add({"text": text})
    with pytest.raises(ValueError, match="^no training data: (no text|the texts contain no word)"):
        trainer.write(tmp_path / "x", ABOUT)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("wrong", [{"size": 0}, {"coverage": 1.5}, {"size": None}])
def test_options_out_of_range_are_errors(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        StoplistOptions(**wrong)


WORDS = "the bridge was closed for repair until May and the ferry ran every hour".split()


def page(number: int) -> dict[str, Any]:
    """A scored page of one of seven sites, most of whose kept segments are gold text."""
    rnd = random.Random(number)
    texts = [" ".join(rnd.choices(WORDS, k=rnd.randint(4, 30))) + "." for _ in range(rnd.randint(3, 9))]
    wrong = [f"menu{rnd.randint(0, 9)} login{rnd.randint(0, 9)}" for _ in range(rnd.randint(0, 4))]
    segments = [{"text": text, "score": 5.0} for text in texts + wrong] + [{"text": "Contact", "score": -9.0}]
    url = f"http://s{number % 7}.example/"
    return {"id": number, "url": url, "segments": segments, "gold": "\n\n".join(texts)}


def test_the_model_has_its_goodness_on_other_sites(tmp_path: Path) -> None:
    trainer = QualityTrainer()
    for number in range(80):
        trainer.add(page(number))
    trainer.add({"segments": [{"text": "Contact", "score": -9.0}], "gold": "Contact"})
    assert trainer.counts() == {"pages": 81, "pages left out, without kept text or gold": 1, "sites": 7}
    header = trainer.write(tmp_path / "q.model", {"language": "en"})
    assert header["kind"] == "quality" and set(header["held out"]) == {"R²", "standard error", "correlation"}
    assert registry.load_quality(str(tmp_path / "q.model")).pages == 80


def test_pages_without_scores_or_too_few_are_errors(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="score"):
        QualityTrainer().add({"segments": [{"text": "x"}], "gold": "x"})
    trainer = QualityTrainer()
    trainer.add(page(1))
    with pytest.raises(ValueError, match="too few pages"):
        trainer.write(tmp_path / "q.model", {})
