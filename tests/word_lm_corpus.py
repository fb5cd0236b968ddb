"""Invented sentences, and the models that KenLM makes of them (see data/harbour.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ncfilters.scoring.word_lm.interpolated import InterpolatedModel
from ncfilters.training.word_lm_trainer import WordModelOptions, train_word_model

DATA = Path(__file__).resolve().parent / "data"
SENTENCES = (DATA / "harbour.txt").read_text(encoding="utf-8").splitlines()
NgramValues = dict[tuple[str, ...], tuple[float, float]]


def train(texts: Iterable[str], n: int = 2, estimator: str = "pyplexity", **options: Any) -> InterpolatedModel:
    """The word model of texts, with these of the `WordModelOptions`."""
    return train_word_model(texts, WordModelOptions(n, estimator, **options))


def arpa_values(path: Path) -> NgramValues:
    """log10 of the probability and of the back-off weight of each n-gram in an ARPA file."""
    out: NgramValues = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split("\t")
        if len(fields) > 1:
            out[tuple(fields[1].split(" "))] = (float(fields[0]), float(fields[2]) if len(fields) > 2 else 0.0)
    return out


def invented_texts(number: int, seed: int = 1) -> list[str]:
    """Texts of up to 14 of 200 words, whose frequency decreases."""
    rng = random.Random(seed)
    words = [f"w{at}é" for at in range(200)]
    return [" ".join(rng.choices(words, range(200, 0, -1), k=rng.randrange(15))) for _ in range(number)]
