"""Trains structure models: vocabularies, a network, its calibration, and a classifier of whole pages.

    pages = [label_page(record, keep_record=True) for record in records]
    model = train_structure_model(pages, StructureOptions(words=False))

The calibration and the page classifier are fitted to scores of held-out sites: a network that was trained without the
fold of a page scores it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ..dataset.labelled_pages import LabelledPage, fold_places, label_page
from ..features.schema import READS
from ..record import Record, check_optional
from ..roles import POLICIES
from ..scoring.structure.model import StructureModel
from ..scoring.structure.network import POOLED_GROUPS, Network, StructureParameters, TrainingMeans, smooth_logits
from ..scoring.structure.outputs import SMOOTHED_GROUP
from ..segmentation.segmenter import segment_record
from . import augmentation, page_classifier_trainer
from .base import PageTrainer, ProgressReport, no_progress
from .examples import Example, NameVocabulary, TrainingPage, build_examples, build_vocabulary, normalize
from .examples import StructureOptions as StructureOptions
from .ngram_trainer import NgramOptions, train_ngram
from .optimizer import Batch, NetworkOptions, train_network

Floats = NDArray[np.float32]

MAX_FOLDS = 5
# Steps that `train_structure_model` reports as done: one network for each fold, and the final one.
STEPS = MAX_FOLDS + 1
# The input of a model, as its header describes it.
NORMALISED = "segments of nc-segment; the n-grams as in models of that kind"
# Chosen by cross-validation on the development sets, with words and without: passes over the pages, and the weight of a
# portal, relative to a page.
PASSES, PORTAL_WEIGHT = {True: 8, False: 5}, {True: 0.4, False: 1.0}
# n, q and folding of the n-gram model for plain text, with words and without.
PLAIN_TEXT_MODEL = {True: (3, 0.5, "ascii"), False: (6, 0.4, "nonlexical")}
# Of the calibration: if the labels of held-out pages are separable, no finite factor is the best.
MAX_FACTOR = 2.0
_FIT = {"xatol": 1e-4, "fatol": 1e-8}
_SMOOTHED = POOLED_GROUPS.index(SMOOTHED_GROUP)


def make_trainer(options: StructureOptions, progress: ProgressReport = no_progress) -> PageTrainer:
    """A trainer of structure models on labelled pages and their records."""

    def train(pages: Sequence[LabelledPage]) -> StructureModel:
        return train_structure_model(pages, options, progress(STEPS, "folds"))

    return PageTrainer(_labelled, train, NORMALISED)


def _labelled(record: Record) -> LabelledPage | None:
    """The labelled page of a record; None for one without segments. Raises RecordError."""
    if "segments" not in record:
        record = segment_record(record)
    if not record["segments"]:
        return None
    page = label_page(record, keep_record=True, partial=True)
    check_optional(record["segments"], "segments", READS)
    return page


def train_structure_model(
    pages: Sequence[LabelledPage], options: StructureOptions, progress: Callable[[int], None] = lambda steps_done: None
) -> StructureModel:
    """A model of labelled pages that have kept their records. Page types are in the records' field `page_type`.

    *progress* is called with the number of steps done, of STEPS. Raises ValueError if a class is empty, or if the pages
    are of fewer than two sites.
    """
    return _train([TrainingPage.of_labelled(page) for page in pages], options, progress)


def _train(pages: Sequence[TrainingPage], options: StructureOptions, progress: Callable[[int], None]) -> StructureModel:
    fold, folds = _folds(pages, options.seed)
    vocabulary = build_vocabulary(pages, options)
    examples, source = _augmented(pages, fold, vocabulary, options)
    means, scales = normalize(examples, options)
    network_options = _network_options(vocabulary, pages, options)
    held_out = _held_out(examples, _Folds(fold, fold[source], folds), network_options, progress)
    originals = examples[: len(pages)]
    labelled = [place for place, page in enumerate(pages) if page.labelled.known is None]
    calibrations = _calibrations(originals, labelled, held_out, network_options.policies)
    network, no_means = train_network(examples, network_options), TrainingMeans.zeros(len(vocabulary.names))
    words = vocabulary.names, vocabulary.phrases
    parameters = StructureParameters(
        *words, means, scales, network, no_means, calibrations, "around" not in options.without
    )
    trained = page_classifier_trainer.TrainedParameters(parameters, pages, originals, held_out)
    training_means, weighs = page_classifier_trainer.training_means(trained)
    model = StructureModel.of_parameters(
        train_ngram([page.labelled for page in pages], NgramOptions(*PLAIN_TEXT_MODEL[options.words])),
        replace(parameters, training_means=training_means),
        page_classifier_trainer.train_page_classifier(trained),
        {**({"without": list(options.without)} if options.without else {}), "weighs": weighs},
    )
    progress(STEPS)
    return model


def _calibrations(
    examples: Sequence[Example],
    places: Sequence[int],
    held_out: page_classifier_trainer.HeldOut,
    policies: Sequence[str],
) -> dict[str, tuple[float, float]]:
    """For each content policy the calibration on its pages among those at *places*."""
    out = {}
    for column, policy in enumerate(policies):
        own = [place for place in places if examples[place].policy == policy]
        out[policy] = fit_calibration(
            np.concatenate([held_out.logits[place][:, column] for place in own]),
            np.concatenate([examples[place].labels for place in own]),
            np.concatenate([examples[place].weights for place in own]),
        )
    return out


def fit_calibration(logits: NDArray[Any], labels: NDArray[Any], weights: NDArray[Any]) -> tuple[float, float]:
    """Platt scaling (1999): the factor and the shift of *logits* that minimise the weighted cross-entropy of *labels*
    (0 or 1), rounded to four decimals. The logits must come from models that have not seen the labels."""
    logits = logits.astype(np.float64)
    weights = weights / weights.sum()

    def loss(parameters: Any) -> float:
        scaled = logits * parameters[0] + parameters[1]
        return float(((np.logaddexp(0, scaled) - labels * scaled) * weights).sum())

    factor, shift = minimize(loss, [1.0, 0.0], method="Nelder-Mead", options=_FIT).x.tolist()
    if factor > MAX_FACTOR:  # the shift for a larger factor does not fit
        factor = MAX_FACTOR
        shift = minimize(lambda free: loss([factor, free[0]]), [0.0], method="Nelder-Mead", options=_FIT).x[0]
    return round(factor, 4), round(float(shift), 4)


def _network_options(
    vocabulary: NameVocabulary, pages: Sequence[TrainingPage], options: StructureOptions
) -> NetworkOptions:
    known = {page.labelled.gold.policy for page in pages}
    return NetworkOptions(
        len(vocabulary.names),
        len(vocabulary.phrases),
        options.passes or PASSES[options.words],
        tuple(policy for policy in POLICIES if policy in known),
        options.seed,
        "around" not in options.without,
    )


@dataclass(frozen=True)
class _Folds:
    """The fold of each page, the fold of each example, and the number of folds."""

    pages: NDArray[np.int64]
    examples: NDArray[np.int64]
    number: int


def _folds(pages: Sequence[TrainingPage], seed: int) -> tuple[NDArray[np.int64], int]:
    """The fold of each page, and the number of folds. Raises ValueError for fewer than two sites."""
    domains = [page.labelled.domain for page in pages]
    sites = len({domain or number for number, domain in enumerate(domains)})  # as `fold_places` counts them
    if sites < 2:
        raise ValueError(f"pages of {sites} sites: calibration on held-out sites needs at least 2")
    places = fold_places(domains, min(MAX_FOLDS, sites), seed)
    fold = np.empty(len(pages), np.int64)
    for number, some in enumerate(places):
        fold[some] = number
    return fold, len(places)


def _augmented(
    pages: Sequence[TrainingPage], fold: NDArray[np.int64], vocabulary: NameVocabulary, options: StructureOptions
) -> tuple[list[Example], list[int]]:
    """The examples of the pages, then those of data augmentation; and for each the page that it comes from."""
    examples, source = build_examples(pages, vocabulary), list(range(len(pages)))
    if "fragments" not in options.without:
        variants = augmentation.fragments(pages, options.seed)
        examples += build_examples([variant.page for variant in variants], vocabulary)
        source += [variant.source for variant in variants]
    if "portals" not in options.without:
        variants = augmentation.portals(pages, fold.tolist(), options.seed)
        portals = build_examples([variant.page for variant in variants], vocabulary)
        for portal in portals:
            portal.weights *= np.float32(PORTAL_WEIGHT[options.words])
        examples += portals
        source += [variant.source for variant in variants]
    return examples, source


def _held_out(
    examples: Sequence[Example], folds: _Folds, options: NetworkOptions, progress: Callable[[int], None]
) -> page_classifier_trainer.HeldOut:
    """The logits under each policy that each page gets from a network that is trained without its fold."""
    logits: list[Floats] = [np.zeros((0, 0), np.float32)] * len(folds.pages)
    networks: list[Network] = []
    for number in range(folds.number):
        others = [examples[place] for place in np.flatnonzero(folds.examples != number).tolist()]
        network = train_network(others, options)
        for place in np.flatnonzero(folds.pages == number).tolist():
            example = examples[place]
            own = network.logits(Batch.of([example], network))[:, : len(options.policies)]
            if options.surroundings:
                own = smooth_logits(own, example.groups[_SMOOTHED], example.chars)
            logits[place] = own
        networks.append(network)
        progress(number + 1)
    return page_classifier_trainer.HeldOut(logits, networks, folds.pages)
