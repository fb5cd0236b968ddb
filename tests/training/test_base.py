"""What trainers have in common: pages, chosen records, and fingerprints: what changes them, and what does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from invented import PAGES, labelled

from ncfilters import installed
from ncfilters.commands.train import option_parser, take_first_values, witness_trainer
from ncfilters.errors import RecordError
from ncfilters.segmentation import rules
from ncfilters.training import base, ngram_trainer, optimizer, structure_trainer
from ncfilters.training.base import ChosenRecords, Trainer, fingerprint, no_progress
from ncfilters.training.ngram_trainer import NgramOptions
from ncfilters.training.quality_trainer import QualityTrainer
from ncfilters.training.structure_trainer import StructureOptions
from ncfilters.training.word_trainers import StoplistTrainer, WordModelTrainer, word_parameters


def test_trainers_count_and_train_on_their_pages() -> None:
    page = {**PAGES[0], "segments": [{"text": "A page.", "score": 1.0}], "gold": "A page."}
    of_pages = ngram_trainer.make_trainer(NgramOptions()), structure_trainer.make_trainer(StructureOptions())
    words = WordModelTrainer(word_parameters())
    trainers: list[Trainer] = [*of_pages, words, StoplistTrainer(), QualityTrainer()]
    for trainer in trainers:
        trainer.add(dict(page))
        assert 1 in trainer.counts().values()
    for trainer in (ngram_trainer.make_trainer(NgramOptions()), WordModelTrainer(word_parameters(), keep_pages=True)):
        for page in PAGES[:2]:
            trainer.add(dict(page))
        assert [page.key for page in trainer.pages] == [page.key for page in labelled(PAGES[:2])]
        assert trainer.train(labelled(PAGES[:3])).header()
    assert no_progress(10, "folds")(1) is None


class Listing:
    """A trainer that keeps the ids of its records."""

    def __init__(self) -> None:
        self.ids: list[Any] = []

    def add(self, record: dict[str, Any]) -> None:
        if record["id"] == "bad":
            raise RecordError("gold: missing")
        self.ids.append(record["id"])

    def counts(self) -> dict[str, int]:
        return {"pages": len(self.ids)}

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        return about


def chosen(
    records: list[dict[str, Any]], lang: str | None = None, max_pages: int | None = None
) -> tuple[list[Any], list[str], str]:
    trainer = Listing()
    out = ChosenRecords(trainer, lang, max_pages)
    for record in records:
        assert out.add(record) is record
    return trainer.ids, out.finish(), out.digest()


RECORDS = [{"id": n, "lang": "el" if n % 2 else "pl", "url": f"http://site{n}.example/"} for n in range(10)]


def test_records_are_chosen_by_language_and_site() -> None:
    assert chosen(RECORDS, "el")[0] == [1, 3, 5, 7, 9]
    assert chosen([{"id": 1}], "el")[0] == []
    assert chosen([{"id": 1}])[0] == [1]
    ids, errors, _ = chosen(RECORDS, "el", 3)
    assert len(ids) == 3 and not errors and {1, 3, 5, 7, 9} > set(ids)
    assert chosen([{"id": "bad"}, {"id": 2}], max_pages=9)[:2] == ([2], ["bad: gold: missing"])
    polish = [record for record in RECORDS if record["lang"] == "pl"]
    assert chosen(RECORDS, "pl")[2] == chosen(polish)[2]
    assert chosen(RECORDS, "el")[2] != chosen(polish)[2]
    assert chosen(polish[::-1])[2] != chosen(polish)[2]


# ---- fingerprints ---------------------------------------------------------------------------------------------


def witness(*words: str) -> dict[str, Any]:
    args = option_parser().parse_args([*words])
    take_first_values(args)
    return base.witness(witness_trainer(args), args.kind)


@pytest.mark.parametrize("kind", ["ngram", "word", "quality"])  # structure: tests/test_models.py
def test_each_kind_has_a_witness_that_is_the_same_again(kind: str) -> None:
    first, second = witness(kind), witness(kind)
    assert first == second
    assert len(first["figures"]) > 10
    assert ("witness" in first) == (kind == "ngram")


def test_other_options_make_other_figures() -> None:
    one, other = witness("ngram"), witness("ngram", "-q", "0.9")
    assert one["witness"] == other["witness"] and one["figures"] != other["figures"]


def test_other_segments_make_another_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    # the compiled rules cannot be changed here
    monkeypatch.setattr("ncfilters.segmentation.segmenter.mark_boilerplate", rules.mark_boilerplate)
    before = witness("ngram")
    monkeypatch.setattr(rules, "MAX_ISLAND_CHARS", 40)
    assert witness("ngram")["witness"] != before["witness"]


def test_another_optimizer_makes_another_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(structure_trainer.PASSES, True, 1)
    before = witness("structure")
    monkeypatch.setattr(optimizer, "RATE", 4e-3)
    after = witness("structure")
    assert after["witness"] == before["witness"] and after["figures"] != before["figures"]


def test_options_that_need_more_pages_have_no_witness(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ngram_trainer, "train_ngram", lambda pages, options: (_ for _ in ()).throw(ValueError("few")))
    assert witness("ngram") == {}
    monkeypatch.setattr(base, "installed_folder", lambda: tmp_path)
    assert witness("word") == {}
    assert Path(installed.installed_folder(), base.WITNESS_FILE).exists()


def test_digest_of_records() -> None:
    def digest(*records: dict[str, Any]) -> str:
        out = ChosenRecords(StoplistTrainer())
        for record in records:
            out.add({"text": "", **record})
        return out.digest()

    assert digest({"id": 1, "html": "x"}) == digest({"html": "x", "id": 1})
    assert len({digest(), digest({}), digest({}, {}), digest({"id": 1}), digest({"id": "1"})}) == 5
    assert digest({"html": "\ud800"}) != digest({"html": b"\xff"})


def test_fingerprint_of_a_training() -> None:
    trainer = ngram_trainer.make_trainer(NgramOptions())
    found = fingerprint(trainer, "digest", lambda: ngram_trainer.make_trainer(NgramOptions()), "ngram")
    assert list(found) == ["records", "figures", "witness"]
    trainer.add({"html": "<p>Some text, and more.</p><p>Menu", "gold": "Some text, and more."})
    again = fingerprint(trainer, "digest", lambda: ngram_trainer.make_trainer(NgramOptions()), "ngram")
    assert list(again) == ["records", "labelled", "figures", "witness"]
    assert again["figures"] == found["figures"]
