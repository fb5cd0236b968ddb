"""Invented sentences, and the models that KenLM makes of them (see data/harbour.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ncfilters.scoring.word_lm.interpolated import InterpolatedModel
from ncfilters.scoring.word_lm.ngram_trie import NgramTrie
from ncfilters.training.word_trainers import train_word_model, word_parameters

DATA = Path(__file__).resolve().parent / "data"
SENTENCES = (DATA / "harbour.txt").read_text(encoding="utf-8").splitlines()


def train(texts: Iterable[str], n: int = 2, estimator: str = "pyplexity", **options: Any) -> InterpolatedModel:
    """The word model of texts, with these of the `word_parameters`."""
    return train_word_model(texts, word_parameters(n, estimator, **options))


def places(trie: NgramTrie, ngrams: Iterable[tuple[str, ...]]) -> list[int]:
    """The places of n-grams of one length."""
    return [int(trie.find(np.array([[trie.place(word) for word in ngram]]))[0]) for ngram in ngrams]


def invented_texts(number: int, seed: int = 1) -> list[str]:
    """Texts of up to 14 of 200 words, whose frequency decreases."""
    rng = random.Random(seed)
    words = [f"w{at}é" for at in range(200)]
    return [" ".join(rng.choices(words, range(200, 0, -1), k=rng.randrange(15))) for _ in range(number)]
