"""What all trainers have in common."""

from __future__ import annotations

from invented import PAGES, labelled

from ncfilters.training.base import PageTrainer, Trainer, no_progress
from ncfilters.training.ngram_trainer import NgramOptions, NgramTrainer
from ncfilters.training.quality_trainer import QualityTrainer
from ncfilters.training.stoplist_trainer import StoplistOptions, StoplistTrainer
from ncfilters.training.structure_trainer import StructureOptions, StructureTrainer
from ncfilters.training.word_lm_trainer import WordModelOptions, WordModelTrainer


def test_trainers_count_added_records() -> None:
    page = {**PAGES[0], "segments": [{"text": "A page.", "score": 1.0}], "gold": "A page."}
    trainers: list[Trainer] = [
        NgramTrainer(NgramOptions()),
        StructureTrainer(StructureOptions()),
        WordModelTrainer(WordModelOptions()),
        StoplistTrainer(StoplistOptions()),
        QualityTrainer(),
    ]
    for trainer in trainers:
        assert trainer.add(dict(page))["id"] == page["id"]
        assert 1 in trainer.counts().values()


def test_page_trainers_train_on_some_of_their_pages() -> None:
    trainers: list[PageTrainer] = [NgramTrainer(NgramOptions()), WordModelTrainer(WordModelOptions(), keep_pages=True)]
    for trainer in trainers:
        for page in PAGES[:2]:
            trainer.add(dict(page))
        assert [page.key for page in trainer.pages] == [page.key for page in labelled(PAGES[:2]).pages]
        assert trainer.train(labelled(PAGES[:3])).header()


def test_no_progress_reports_nothing() -> None:
    assert no_progress(10, "folds")(1) is None
