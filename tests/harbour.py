"""Invented sentences, counted slowly, and what KenLM's programs made of them (see data/harbour.md)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from ncfilters.training.kneser_ney import Counts

DATA = Path(__file__).resolve().parent / "data"
SENTENCES = (DATA / "harbour.txt").read_text(encoding="utf-8").splitlines()
Figures = dict[tuple[str, ...], tuple[float, float]]


def counted(sentences: list[str], n: int) -> tuple[list[str], list[Counts]]:
    """The words by number, and n-grams of each length up to n with their counts, between <s> and </s>."""
    words: dict[str, int] = {"<s>": 0, "</s>": 1}
    counts: list[Counter[tuple[int, ...]]] = [Counter() for _ in range(n)]
    for sentence in sentences:
        ids = [0, *(words.setdefault(word, len(words)) for word in sentence.split()), 1]
        for order in range(1, n + 1):
            counts[order - 1].update(tuple(ids[at : at + order]) for at in range(len(ids) - order + 1))
    tables = [(np.array(list(some), np.uint32), np.array(list(some.values()))) for some in counts]
    return list(words), tables


def figures(path: Path) -> Figures:
    """What an ARPA file says of each n-gram, read the plainest way: log10 probability and back-off weight."""
    out: Figures = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split("\t")
        if len(fields) > 1:
            out[tuple(fields[1].split(" "))] = (float(fields[0]), float(fields[2]) if len(fields) > 2 else 0.0)
    return out
