"""The trainer of character n-gram models: one model of clean text and one of boilerplate (Evert 2008).

model = train_ngram(LabelledPages(pages), NgramOptions(n=3, q=0.5))
model.score_texts(["The bridge is closed."])    # log2 odds of clean against boilerplate
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dataset.labelled_pages import LabelledPage, LabelledPages, by_segment, folds, label_page
from ..record import Record
from ..scoring import registry
from ..scoring.char_ngram.model import CharNgramModel, CharNgramParameters
from ..scoring.char_ngram.ngrams import Alphabet, CharNgramCounts

# The text of a model, as its header describes it.
NORMALISED = "segments of nc-segment, white space collapsed, NFC; those marked by rules left out"
# Possible causes of an empty class.
_HINTS = {
    "clean": "their gold text is empty or is not on the page",
    "dirty": "the pages must be whole, with the parts that the gold text leaves out",
}

# The grid of bias and context, in bits. Steps widen as their effect shrinks.
BIASES = (-9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0, 12.0, 15.0, 20.0, 25.0, 30.0, 40.0)
CONTEXTS = (0.0, 5.0, 10.0, 15.0, 20.0, 30.0, 45.0, 60.0, 90.0)
FOLDS = 5


@dataclass(frozen=True)
class NgramOptions:
    """The parameters of an n-gram model and how they are chosen.

    The *characters* most frequent characters make the alphabet of the folding `frequent`; other foldings ignore them.
    With *differential*, segments are not labelled: dirty counts are those of the page minus those of its gold text.
    With *fit*, *bias* and *context* are fitted to held-out sites. Raises ValueError for parameters out of range.
    """

    n: int = 3
    q: float = 0.5
    folding: str = "ascii"
    characters: int = 200
    differential: bool = False
    bias: float = 0.0  # bits
    context: float = 0.0  # bits
    fit: bool = False

    def __post_init__(self) -> None:
        if self.characters < 0:
            raise ValueError(f"{self.characters} frequent characters: must not be negative")
        CharNgramParameters(self.n, self.q, Alphabet(self.folding), self.bias, self.context)


class NgramTrainer:
    """Trains an n-gram model on labelled pages. With *keep_records*, pages keep their records."""

    def __init__(self, options: NgramOptions, keep_records: bool = False) -> None:
        self._options, self._keep_records = options, keep_records
        self.pages: list[LabelledPage] = []

    def add(self, record: Record) -> Record:
        """Adds a page with gold text; returns the record that is kept, if any. Raises RecordError."""
        page = label_page(record, self._keep_records)
        self.pages.append(page)
        return page.record or record

    def counts(self) -> dict[str, int]:
        """The numbers of pages, and of segments and characters of each class."""
        return LabelledPages(self.pages).counts()

    def train(self, pages: LabelledPages) -> CharNgramModel:
        """A model of some of the pages. Raises ValueError if a class is empty."""
        return train_ngram(pages, self._options)

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        """Writes the model of all pages; its header. Raises ValueError if a class is empty, and OSError."""
        return registry.write_model(path, self.train(LabelledPages(self.pages)), {**about, "normalised": NORMALISED})


def train_ngram(pages: LabelledPages, options: NgramOptions) -> CharNgramModel:
    """An n-gram model of the pages. Raises ValueError if a parameter is out of range or a class is empty."""
    clean, dirty = pages.texts(clean=True), pages.texts(clean=False)
    if options.differential:
        clean, dirty = pages.gold_texts(), clean + dirty
    else:
        clean, dirty = by_segment(clean), by_segment(dirty)
    if not pages.pages:
        raise ValueError("no training data: no page with gold text")
    for kind, texts in (("clean", clean), ("dirty", dirty)):
        if not texts:
            raise ValueError(f"no training data: no {kind} segment (pages: {len(pages.pages)}): {_HINTS[kind]}")
    characters = ""
    if options.folding == "frequent":
        characters = frequent_characters((text for text, _ in (*clean, *dirty)), options.characters)
    alphabet = Alphabet(options.folding, characters)
    # before the long count, because it checks the size of the alphabet
    parameters = CharNgramParameters(options.n, options.q, alphabet, options.bias, options.context)
    counts = CharNgramCounts.of_texts(options.n, alphabet, clean, dirty)
    model = CharNgramModel(parameters, counts.differential() if options.differential else counts)
    return _with_fitted_bias(model, pages, options) if options.fit else model


def frequent_characters(texts: Iterable[str], number: int) -> str:
    """The *number* most frequent characters of the texts, in the order of their code points."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(text)
    return "".join(sorted(c for c, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:number]))


def _with_fitted_bias(model: CharNgramModel, pages: LabelledPages, options: NgramOptions) -> CharNgramModel:
    """The model with the bias and context that are best for sites held out from models with the same options."""
    held_out_options = replace(options, fit=False, bias=0.0, context=0.0)

    def score(training: list[LabelledPage], held_out: list[LabelledPage]) -> list[Sequence[float]]:
        try:
            held_out_model = train_ngram(LabelledPages(training), held_out_options)
        except ValueError:  # the other pages lack a class
            return [[0.0] * len(page.texts) for page in held_out]
        return [held_out_model.score_texts(page.texts).tolist() for page in held_out]

    usable = [page for page in pages.pages if page.is_usable]
    return model.with_bias_and_context(*fit_bias_and_context(usable, score))


def fit_bias_and_context(
    pages: Sequence[LabelledPage],
    score_held_out: Callable[[list[LabelledPage], list[LabelledPage]], list[Sequence[float]]],
) -> tuple[float, float]:
    """The bias and the context (bits) with the best mean F of the words kept, cross-validated by site.

    *score_held_out* trains a model on its first pages and returns the scores of the segments of its second. (0, 0)
    where all pages are of one site.
    """
    sites = len({page.domain for page in pages})
    if sites < 2:
        return 0.0, 0.0
    parts = folds(pages, min(FOLDS, sites))
    grid = np.zeros((len(BIASES), len(CONTEXTS)))
    for held_out in parts:
        rest = [page for part in parts if part is not held_out for page in part]
        for page, scores in zip(held_out, score_held_out(rest, held_out)):
            grid += word_f_grid(page, scores)
    # the mean of a cell and its neighbours, because the maximum of a grid of few pages is noisy
    padded = np.pad(grid, 1, mode="edge")
    smooth = sum(padded[i : i + grid.shape[0], j : j + grid.shape[1]] for i in range(3) for j in range(3))
    bias, context = np.unravel_index(int(np.argmax(smooth)), grid.shape)
    return BIASES[bias], CONTEXTS[context]


def word_f_grid(page: LabelledPage, scores: Sequence[float]) -> NDArray[Any]:
    """The F of words on a page (0 to 1) for each bias and context (shape: biases, contexts), given the scores of its
    segments (bits)."""
    biases, contexts = np.array(BIASES)[:, None], np.array(CONTEXTS)
    own = [np.where(mark, -contexts, score - biases) for score, mark in zip(scores, page.marked)]
    before = np.zeros((len(own), len(BIASES), len(CONTEXTS)))
    message = np.broadcast_to(-contexts, before.shape[1:])
    for at, score in enumerate(own):
        before[at] = message
        message = np.clip(score + message, -contexts, contexts)
    kept, matched = np.zeros(message.shape), np.zeros(message.shape)
    message = np.broadcast_to(-contexts, message.shape)
    for at in range(len(own) - 1, -1, -1):
        if not page.marked[at]:
            keep = own[at] + before[at] + message > 0
            kept += keep * page.words[at]
            matched += keep * page.matched[at]
        message = np.clip(own[at] + message, -contexts, contexts)
    f: NDArray[Any] = 2 * matched / np.maximum(kept + page.gold_words, 1)
    return f
