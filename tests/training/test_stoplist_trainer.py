"""Stop lists trained on clean texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.scoring.justext import stoplist
from ncfilters.training.stoplist_trainer import StoplistOptions, StoplistTrainer

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
