"""The kinds of model that nc-train makes: what each learns of a record, and what it makes of all.

learner = LEARNERS["ngram"].of(args)
learner.learn({"gold": "Some text.", "html": "<p>Some text.</p>"})
learner.write(Path("my.model"), {"language": "en"})
"""

from __future__ import annotations

import argparse
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import RecordError
from ..record import Record
from ..scoring import base, registry

if TYPE_CHECKING:
    from ..dataset.labelled_pages import LabelledPage, LabelledPages
    from ..scoring.char_ngram.model import CharNgramModel
    from .ngram_counter import NgramCounter
    from .word_lm_trainer import WordModelOptions


# What is wrong where a class is empty.
WANTED = {
    "clean": "their gold text is empty, or does not stand on them",
    "dirty": "whole pages are wanted, with what their gold text leaves out",
}


class Learner(Protocol):
    """What a kind does with records as they come, and what it makes of them."""

    pages: list[LabelledPage]
    documents: dict[int, Record]

    def learn(self, page: Record) -> Record:
        """Takes in a record. Raises RecordError."""

    def seen(self) -> dict[str, int]:
        """What was learned from, for the card."""

    def trained(self, material: LabelledPages) -> base.Model:
        """A model of some of the pages. Raises ValueError where there is nothing to learn from."""

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        """Writes the model of all; its header. Raises ValueError where there is nothing to learn from, OSError."""


class FromPages:
    """Labelled pages to a pair of character models."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self.pages: list[LabelledPage] = []
        self.documents: dict[int, Record] = {}  # of pages, by their identity

    def learn(self, page: Record) -> Record:
        """Takes in a page with gold."""
        from ..dataset import labelled_pages
        from ..segmentation import segmenter

        if "segments" not in page:
            page = segmenter.segment_record(page)
        self.pages.append(labelled_pages.label_page(page))
        if self._args.scored:
            self.documents[id(self.pages[-1])] = page
        return page

    def seen(self) -> dict[str, int]:
        """Pages, segments and characters of each class."""
        from ..dataset.labelled_pages import LabelledPages

        return LabelledPages(self.pages).counts()

    def trained(self, material: LabelledPages) -> base.Model:
        """The n-gram model."""
        args = self._args
        made = ngram(
            material, args.n, args.q, args.folding, args.characters, args.differential, args.bias, args.context
        )
        if args.fit:
            made = fit(made, material)
        return made

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        """Writes the n-gram model."""
        from ..dataset.labelled_pages import LabelledPages

        normalised = "segments of nc-segment, white space collapsed, NFC; those marked by rules left out"
        return registry.write_model(path, self.trained(LabelledPages(self.pages)), {**about, "normalised": normalised})


class FromStructure(FromPages):
    """Labelled pages to a structure model: words, what is around segments, a network."""

    def learn(self, page: Record) -> Record:
        """Takes in a page with gold."""
        from .. import record
        from ..dataset import labelled_pages
        from ..features import segment_table
        from ..segmentation import segmenter

        if "segments" not in page:
            page = segmenter.segment_record(page)
        if page["segments"]:
            made = labelled_pages.label_page(page, keep_record=True)
            record.check_optional(page["segments"], "segments", segment_table.READS)
            self.pages.append(made)
            self.documents[id(self.pages[-1])] = page
        return page

    def trained(self, material: LabelledPages) -> base.Model:
        """The structure model."""
        from ..streams.console import Progress
        from . import structure_trainer

        args = self._args
        options = structure_trainer.StructureOptions(args.words, args.seed, without=tuple(args.without))
        progress = Progress("nc-train", structure_trainer.STEPS, args.verbose)
        return structure_trainer.train_structure_model(material.pages, options, progress.at)

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        """Writes the structure model."""
        from ..dataset.labelled_pages import LabelledPages

        normalised = "segments of nc-segment; the n-grams as in models of that kind"
        return registry.write_model(path, self.trained(LabelledPages(self.pages)), {**about, "normalised": normalised})


def ngram(
    material: LabelledPages,
    n: int,
    q: float,
    folding: str,
    cells: int,
    differential: bool = False,
    bias: float = 0.0,
    context: float = 0.0,
) -> CharNgramModel:
    """An n-gram model of the material. Raises ValueError for parameters out of range or where a class is empty."""
    from ..dataset.labelled_pages import by_segment
    from ..scoring.char_ngram.alphabet import Alphabet
    from ..scoring.char_ngram.counts import NgramCounts
    from ..scoring.char_ngram.model import CharNgramModel, NgramParameters

    clean, dirty = material.texts(clean=True), material.texts(clean=False)
    if differential:
        clean, dirty = material.gold_texts(), clean + dirty
    else:
        clean, dirty = by_segment(clean), by_segment(dirty)
    if not material.pages:
        raise ValueError("nothing to learn from: no page with gold text")
    for kind, texts in (("clean", clean), ("dirty", dirty)):
        if not texts:
            raise ValueError(f"nothing to learn from: no {kind} segment (pages: {len(material.pages)}): {WANTED[kind]}")
    alphabet = Alphabet(folding, frequent((t for t, _ in (*clean, *dirty)), cells) if folding == "frequent" else "")
    parameters = NgramParameters(n, q, alphabet, bias, context)  # before the long count
    counts = NgramCounts.of_texts(n, alphabet, clean, dirty)
    return CharNgramModel(parameters, counts.differential() if differential else counts)


def fit(trained: CharNgramModel, material: LabelledPages) -> CharNgramModel:
    """The model with the bias and the context that do best on pages of sites held out from like models (see
    `bias_and_context`)."""
    from ..dataset.labelled_pages import LabelledPages
    from .bias_and_context import fit_bias_and_context

    p = trained.parameters

    def scored(pages: list[LabelledPage], held_out: list[LabelledPage]) -> list[Sequence[float]]:
        try:
            like = ngram(
                LabelledPages(pages), p.n, p.q, p.alphabet.folding, len(p.alphabet.characters)
            )
        except ValueError:  # of a class that the other pages have not
            return [[0.0] * len(page.texts) for page in held_out]
        return [like.score_texts(page.texts).tolist() for page in held_out]

    usable = [page for page in material.pages if page.is_usable]
    return trained.with_bias_and_context(*fit_bias_and_context(usable, scored))


def frequent(texts: Iterable[str], cells: int) -> str:
    """The most frequent characters, so many, in the order of their code points."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(text)
    return "".join(sorted(c for c, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:cells]))


class FromTexts(ABC):
    """Clean text to what is counted of it: gold text, or the `text` of records without gold."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._seen = Counter({"texts": 0, "characters": 0})
        self.pages: list[LabelledPage] = []
        self.documents: dict[int, Record] = {}

    def learn(self, page: Record) -> Record:
        """Takes in a page with gold, or a text."""
        from ..dataset import gold, labelled_pages

        if "gold" not in page and isinstance(page.get("text"), str):
            text = gold.gold_of({"gold": page["text"]}).plain  # cleaned files may have CleanEval markup
        else:
            if self._args.cv:
                self.pages.append(labelled_pages.label_page(page))
            text = gold.gold_of(page).plain
        self._take(text, page)
        self._seen.update(texts=1, characters=len(text))
        return page

    @abstractmethod
    def _take(self, text: str, page: Record) -> None:
        """Learns of a text."""

    def seen(self) -> dict[str, int]:
        """Texts and their characters."""
        return dict(self._seen)


class Words(FromTexts):
    """To a word n-gram model. Texts are counted as they come, and not kept."""

    def __init__(self, args: argparse.Namespace) -> None:
        super().__init__(args)
        self._counting: NgramCounter | None = None

    def _take(self, text: str, page: Record) -> None:
        found = self._sentences(text)
        self._seen.update(sentences=len(found))
        self._counter().add(found)

    def _counter(self) -> NgramCounter:
        from .word_lm_trainer import word_counter

        if self._counting is None:
            self._counting = word_counter(word_model_options(self._args))
        return self._counting

    def _sentences(self, text: str) -> list[str]:
        """The sentences of a text, none of more than a line."""
        lines = [line for line in text.splitlines() if line and not line.isspace()]
        if self._args.lines:
            return lines
        from ..segmentation.sentences import split_text

        return [sentence for line in lines for sentence in split_text(line, self._args.language)]

    def trained(self, material: LabelledPages) -> base.Model:
        """The model of some pages' gold text."""
        from .word_lm_trainer import train_word_model

        texts = (sentence for page in material.pages for sentence in self._sentences(page.gold.plain))
        return train_word_model(texts, word_model_options(self._args))

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        """Writes the word model."""
        from ..streams import console
        from .word_lm_trainer import estimate_model

        args = self._args
        with self._counter() as counter:
            made = estimate_model(counter, word_model_options(args))
            if why := made.header().get("fallback discounts"):
                console.warn("nc-train", f"discounts of 0.5, 1 and 1.5, not those of the texts, {why}")
            normalised = "one sentence a line" if args.lines else "sentences of texts, none of more than a line"
            return registry.write_model(path, made, {**about, "normalised": normalised})


class StopWords(FromTexts):
    """To a stop list. A record may be a row of a frequency table: the word as `text`, and its `count`."""

    def __init__(self, args: argparse.Namespace) -> None:
        super().__init__(args)
        self._texts: list[str] = []
        self._times: list[int] = []

    def learn(self, page: Record) -> Record:
        """Takes in a page with gold, or a text, as often as its `count` says."""
        times = page.get("count", 1)
        if not isinstance(times, int) or isinstance(times, bool) or times < 1:
            raise RecordError("field 'count': how often the text was seen, a whole number of at least 1, is wanted")
        page = super().learn(page)
        self._times.append(times)
        return page

    def _take(self, text: str, page: Record) -> None:
        self._texts.append(text)

    def trained(self, material: LabelledPages) -> base.Model:
        """There is no model of pages: a list judges nothing by itself."""
        raise ValueError("a stop list cannot be cross-validated: leave --cv out")

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        """Writes the list."""
        from ..scoring.justext import stoplist

        if not any(map(str.strip, self._texts)):
            raise ValueError("nothing to learn from: no text")
        counts = stoplist.count_words(self._texts, self._times)
        words = stoplist.most_frequent_words(counts, self._args.size, self._args.coverage)
        header = {
            **about,
            "name": self._args.name,
            "credits": "\n".join(about["credits"]),
            "seen": ", ".join(f"{number} {what}" for what, number in about["seen"].items()),
            "words counted": counts.total(),
            "words": len(words),
            "coverage": round(stoplist.coverage_of(counts, words), 4),
        }
        stoplist.write_stoplist(path, words, {"kind": "stoplist", **header})
        return header


class FromScored:
    """Scored segments and gold to a model of quality."""

    def __init__(self, args: argparse.Namespace) -> None:
        from ..selection.policies import policy

        self._decide = policy()
        self.pages: list[LabelledPage] = []
        self.documents: dict[int, Record] = {}
        self._seen = 0
        self._rows: list[list[float]] = []
        self._precisions: list[float] = []
        self._sites: list[str] = []

    def learn(self, page: Record) -> Record:
        """Takes in a page with gold and scored segments."""
        from ..dataset import gold
        from . import quality_regression

        found = quality_regression.quality_example(page, self._decide)
        self._seen += 1
        if found:
            self._rows.append(found[0])
            self._precisions.append(found[1])
            self._sites.append(gold.domain(page))
        return page

    def seen(self) -> dict[str, int]:
        """Pages and their sites."""
        left_out = {"pages left out, without kept text or gold": self._seen - len(self._rows)}
        return {"pages": self._seen, **left_out, "sites": len(set(self._sites))}

    def trained(self, material: LabelledPages) -> base.Model:
        """It is held against pages of other sites whenever it is trained."""
        raise ValueError("quality is always cross-validated: leave --cv out")

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        """Writes the model."""
        from . import quality_regression

        fitted = quality_regression.fit(self._rows, self._precisions)
        held_out = quality_regression.held_out_predictions(self._rows, self._precisions, self._sites)
        about |= {
            "normalised": "segments as they were scored; word precision of those above 0, without a rule",
            "held out": quality_regression.goodness_of_fit(held_out, self._precisions),
        }
        return registry.write_model(path, fitted, about)


def check_ngram(args: argparse.Namespace) -> None:
    """Raises ValueError for parameters that make no n-gram model of any text."""
    from ..scoring.char_ngram.alphabet import Alphabet
    from ..scoring.char_ngram.model import NgramParameters

    if args.characters < 0:
        raise ValueError(f"--characters {args.characters}: from 0 on")
    NgramParameters(args.n, args.q, Alphabet(args.folding), args.bias, args.context)


def check_structure(args: argparse.Namespace) -> None:
    """Raises ValueError for parameters that other kinds have."""
    if args.n:
        raise ValueError("-n: a structure model has n-grams of its own")


def check_word(args: argparse.Namespace) -> None:
    """Raises ValueError for parameters that make no word model, and where there is no folder for what does not fit in
    memory."""
    word_model_options(args)
    if args.temp is not None and not Path(args.temp).is_dir():
        raise ValueError(f"--temp {args.temp}: no such folder")


def word_model_options(args: argparse.Namespace) -> WordModelOptions:
    """The options of a word model. Raises ValueError for parameters out of range."""
    from .word_lm_trainer import WordModelOptions

    return WordModelOptions(
        n=args.n,
        estimator=args.estimator,
        tokens=args.tokens,
        perplexity_limit=args.perplexity_limit,
        min_count=args.min_count,
        memory=args.memory,
        temp=args.temp,
    )


def check_stoplist(args: argparse.Namespace) -> None:
    """Raises ValueError for a size or share that cannot be."""
    from ..scoring.justext import stoplist

    stoplist.most_frequent_words({"a": 1}, args.size, args.coverage)


def check_quality(args: argparse.Namespace) -> None:
    """Any parameters will do: there are none."""


@dataclass(frozen=True)
class Kind:
    """A kind: its learner, what must hold of its parameters, and what the options mean for it that others share."""

    of: Callable[[argparse.Namespace], Learner]
    check: Callable[[argparse.Namespace], None]
    n: int = 0
    plain: bool = False  # whether plain text will do


LEARNERS = {
    "ngram": Kind(FromPages, check_ngram, n=3),
    "structure": Kind(FromStructure, check_structure),
    "word": Kind(Words, check_word, n=2, plain=True),
    "stoplist": Kind(StopWords, check_stoplist, plain=True),
    "quality": Kind(FromScored, check_quality),
}
