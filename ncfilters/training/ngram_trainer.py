"""The trainer of character n-gram models: one model of clean text and one of boilerplate (Evert 2008).

model = train_ngram(LabelledPages(pages), NgramOptions(n=3, q=0.5))
model.score_texts(["The bridge is closed."])    # log2 odds of clean against boilerplate
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..dataset.labelled_pages import LabelledPage, LabelledPages, by_segment, label_page
from ..record import Record
from ..scoring import registry
from ..scoring.char_ngram.alphabet import Alphabet
from ..scoring.char_ngram.counts import CharNgramCounts
from ..scoring.char_ngram.model import CharNgramModel, CharNgramParameters
from .bias_and_context import fit_bias_and_context

# The text of a model, as its header describes it.
NORMALISED = "segments of nc-segment, white space collapsed, NFC; those marked by rules left out"
# Possible causes of an empty class.
_HINTS = {
    "clean": "their gold text is empty or is not on the page",
    "dirty": "the pages must be whole, with the parts that the gold text leaves out",
}


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
