"""The kinds of model that nc-train knows, and the trainer that its options describe.

    trainer = KINDS["ngram"].trainer(args)

Each kind imports its own trainer alone: others take longer to start, or need libraries that are not installed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import require_library
from ..streams import console

if TYPE_CHECKING:
    from ..training.base import StepsDone, Trainer

TOOL = "nc-train"
# Options of which nc-train --tune takes several values.
LISTS = ("n", "q", "folding")


@dataclass(frozen=True)
class Kind:
    """A kind of model: its trainer, the default of -n, whether plain text will do, why it has no --cv,
    and whether its header can hold a fingerprint."""

    trainer: Callable[[argparse.Namespace], Trainer]
    default_n: int | None = None
    plain: bool = False
    no_cv: str = ""
    has_fingerprint: bool = True


def _ngram(args: argparse.Namespace) -> Trainer:
    from ..training.ngram_trainer import NgramOptions, NgramTrainer  # only this kind

    _require_alignment()
    given = {name: getattr(args, name) for name in ("q", "folding", "characters", "differential", "bias", "context")}
    # a model may read more of a page than its text
    return NgramTrainer(NgramOptions(args.n, **given, fit=args.fit), bool(args.scored or args.model))


def _structure(args: argparse.Namespace) -> Trainer:
    _require_alignment()
    require_library("scipy", "the kind structure needs")
    from ..training.structure_trainer import StructureOptions, StructureTrainer  # only this kind

    def progress(total: int, unit: str) -> StepsDone:
        return console.Progress(TOOL, total, args.verbose, unit).at

    if args.n is not None:
        raise ValueError("-n: structure models have n-grams of their own")
    return StructureTrainer(StructureOptions(args.words, args.seed, without=tuple(args.without)), progress)


def _word(args: argparse.Namespace) -> Trainer:
    from ..training.word_lm_trainer import SentenceOptions, WordModelOptions, WordModelTrainer  # only this kind

    if args.cv is not None:
        _require_alignment()
    given = {name: getattr(args, name) for name in ("estimator", "perplexity_limit")}
    model = WordModelOptions(args.n, **given)
    return WordModelTrainer(model, SentenceOptions(args.lines, args.language), args.cv is not None)


def _stoplist(args: argparse.Namespace) -> Trainer:
    from ..training.stoplist_trainer import StoplistOptions, StoplistTrainer  # only this kind

    size = 500 if args.n is None and args.coverage is None else args.n
    return StoplistTrainer(StoplistOptions(size, args.coverage, args.name))


def _quality(args: argparse.Namespace) -> Trainer:
    _require_alignment()
    from ..training.quality_trainer import QualityTrainer  # only this kind

    return QualityTrainer()


def _require_alignment() -> None:
    require_library("rapidfuzz", "labelling pages needs")


KINDS = {
    "ngram": Kind(_ngram, default_n=3),
    "structure": Kind(_structure),
    "word": Kind(_word, default_n=2, plain=True),
    "stoplist": Kind(
        _stoplist,
        plain=True,
        no_cv="a stop list scores no pages and cannot be cross-validated",
        has_fingerprint=False,  # its header is comments
    ),
    "quality": Kind(_quality, no_cv="quality models are always validated on held-out sites"),
}


def take_first_values(args: argparse.Namespace) -> dict[str, list[Any]]:
    """Replaces the values of n, q and folding by the first of each, or by the default of the kind; returns those that
    were given, by the names that `TuneOptions` has for them."""
    given = {f"{name}s": values for name in LISTS if (values := getattr(args, name))}
    for name, default in zip(LISTS, (KINDS[args.kind].default_n, 0.5, "ascii")):
        setattr(args, name, (getattr(args, name) or [default])[0])
    return given


def witness_trainer(args: argparse.Namespace) -> Callable[[], Trainer]:
    """Makes trainers with the options of the command, for the witness of its model (see `training.fingerprint`)."""
    options = argparse.Namespace(**{**vars(args), "verbose": False, "cv": None, "scored": None, "model": None})
    return lambda: KINDS[args.kind].trainer(options)
