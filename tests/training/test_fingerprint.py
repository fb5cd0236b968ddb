"""Fingerprints: what changes them, and what does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ncfilters import installed
from ncfilters.commands.train import option_parser, take_first_values, witness_trainer
from ncfilters.segmentation import rules
from ncfilters.training import base, ngram_trainer, optimizer, structure_trainer
from ncfilters.training.base import ChosenRecords, fingerprint
from ncfilters.training.ngram_trainer import NgramOptions
from ncfilters.training.word_trainers import StoplistTrainer


def made(*words: str) -> dict[str, Any]:
    args = option_parser().parse_args([*words])
    take_first_values(args)
    return base.witness(witness_trainer(args), args.kind)


@pytest.mark.parametrize("kind", ["ngram", "word", "quality"])  # structure: tests/test_models.py
def test_each_kind_has_a_witness_that_is_the_same_again(kind: str) -> None:
    first, second = made(kind), made(kind)
    assert first == second
    assert len(first["figures"]) > 10
    assert ("witness" in first) == (kind == "ngram")


def test_other_options_make_other_figures() -> None:
    one, other = made("ngram"), made("ngram", "-q", "0.9")
    assert one["witness"] == other["witness"] and one["figures"] != other["figures"]


def test_other_segments_make_another_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    # the compiled rules cannot be changed here
    monkeypatch.setattr("ncfilters.segmentation.segmenter.mark_boilerplate", rules.mark_boilerplate)
    before = made("ngram")
    monkeypatch.setattr(rules, "MAX_ISLAND_CHARS", 40)
    assert made("ngram")["witness"] != before["witness"]


def test_another_optimizer_makes_another_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(structure_trainer.PASSES, True, 1)
    before = made("structure")
    monkeypatch.setattr(optimizer, "RATE", 4e-3)
    after = made("structure")
    assert after["witness"] == before["witness"] and after["figures"] != before["figures"]


def test_options_that_need_more_pages_have_no_witness(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ngram_trainer, "train_ngram", lambda pages, options: (_ for _ in ()).throw(ValueError("few")))
    assert made("ngram") == {}
    monkeypatch.setattr(base, "installed_folder", lambda: tmp_path)
    assert made("word") == {}
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
