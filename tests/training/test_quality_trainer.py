"""Quality models trained on pages with gold text and scores."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.scoring import registry
from ncfilters.training.quality_trainer import QualityTrainer

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


def test_segments_without_scores_are_an_error() -> None:
    with pytest.raises(RecordError, match="score"):
        QualityTrainer().add({"segments": [{"text": "x"}], "gold": "x"})


def test_too_few_pages_are_an_error(tmp_path: Path) -> None:
    trainer = QualityTrainer()
    trainer.add(page(1))
    with pytest.raises(ValueError, match="too few pages"):
        trainer.write(tmp_path / "q.model", {})
