"""Trains structure models: vocabularies, a network, its calibration, and a classifier of whole pages.

    pages = [label_page(record, keep_record=True) for record in records]
    model = train_structure_model(pages, StructureOptions(words=False))

The calibration and the page classifier, logistic regressions, are fitted to scores of held-out sites: a network that
was trained without the fold of a page scores it.

Pages with content are the training pages whose gold text has words: those of the default content policy, if there are
any. Pages without content are those whose gold text is empty. As they are rare, each page with content also serves as
one without, after its clean segments are removed: the rest of an article without its text is similar to a login wall.
Both classes have the same weight: the odds are those at even prior odds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ..dataset.labelled_pages import LabelledPage, fold_places, label_page
from ..features.document import ModelInput, is_flat
from ..features.schema import READS
from ..features.segment_table import build_table
from ..record import Record, check_optional
from ..roles import DEFAULT_POLICY, POLICIES
from ..scoring.structure.attribution import INPUTS, input_contributions, largest_contributions
from ..scoring.structure.inference import AVERAGES, SHARED
from ..scoring.structure.model import StructureModel
from ..scoring.structure.network import POOLED_GROUPS, Network, StructureParameters, TrainingMeans, smooth_logits
from ..scoring.structure.outputs import (
    CHARACTER_FEATURES,
    CONTENT_FEATURES,
    SMOOTHED_GROUP,
    TYPE_FEATURES,
    PageClassifier,
    content_features,
    type_features,
)
from ..segmentation.segmenter import segment_record
from ..text.scripts import primary
from .augmentation import fragments, portals
from .base import PageTrainer, ProgressReport, no_progress
from .examples import Example, NameVocabulary, TrainingPage, build_examples, build_vocabulary, normalize
from .examples import StructureOptions as StructureOptions
from .ngram_trainer import NgramOptions, train_ngram
from .optimizer import Batch, train_network

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

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
# Pages of each class, and pages for the means: more of them make no difference.
MAX_CLASS_PAGES, MAX_MEAN_PAGES = 1000, 300
# Ridge penalties, chosen on held-out sites of the development pages.
CONTENT_RIDGE, TYPES_RIDGE = 1e-3, 3e-2
# A type that fewer pages have is not learned.
MIN_TYPE_PAGES = 10
# Inputs of a regression are normalised by their standard deviation, or by this if theirs is smaller.
MIN_DEVIATION = 1e-3


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


@dataclass(frozen=True)
class Trained:
    """The *parameters* of a structure model, the *pages* they were trained on, and their *examples*.

    The scores of held-out sites: the *fold* of each page; the *networks*, each trained without one fold; and the
    smoothed *logits* of each page's segments (shape: segments, policies) by the network without its fold.
    """

    parameters: StructureParameters
    pages: Sequence[TrainingPage]
    examples: Sequence[Example]
    fold: NDArray[np.int64]
    networks: Sequence[Network]
    logits: Sequence[Floats]

    def log_odds(self, place: int) -> Floats:
        """The calibrated log odds of a page's segments under the first policy."""
        return np.ascontiguousarray(self.parameters.calibrate(self.logits[place])[:, 0])


def train_structure_model(
    labelled: Sequence[LabelledPage],
    options: StructureOptions,
    progress: Callable[[int], None] = lambda steps_done: None,
) -> StructureModel:
    """A model of labelled pages that have kept their records. Page types are in the records' field `page_type`.

    *progress* is called with the number of steps done, of STEPS. Raises ValueError if a class is empty, or if the pages
    are of fewer than two sites.
    """
    pages = [TrainingPage.of_labelled(page) for page in labelled]
    fold = _folds(labelled, options.seed)
    vocabulary = build_vocabulary(pages, options)
    examples, source = _augmented(pages, fold, vocabulary, options)
    means, scales = normalize(examples, options)
    known = {page.gold.policy for page in labelled}
    policies = tuple(policy for policy in POLICIES if policy in known)
    passes, surroundings = options.passes or PASSES[options.words], "around" not in options.without
    train = partial(train_network, policies=policies, passes=passes, seed=options.seed, surroundings=surroundings)
    logits: list[Floats] = [np.zeros((0, 0), np.float32)] * len(pages)
    networks: list[Network] = []
    for number in range(int(fold.max()) + 1):
        network = train([examples[place] for place in np.flatnonzero(fold[source] != number).tolist()])
        for place in np.flatnonzero(fold == number).tolist():
            example = examples[place]
            own = network.logits(Batch.of([example], network))[:, : len(policies)]
            logits[place] = smooth_logits(own, example.groups[_SMOOTHED], example.chars) if surroundings else own
        networks.append(network)
        progress(number + 1)
    originals = examples[: len(pages)]
    parameters = StructureParameters(
        vocabulary.names,
        vocabulary.phrases,
        means,
        scales,
        train(examples),
        TrainingMeans.zeros(len(vocabulary.names)),
        _calibrations(labelled, originals, logits, policies),
        surroundings,
    )
    trained = Trained(parameters, pages, originals, fold, networks, logits)
    typical, weighs = training_means(trained)
    model = StructureModel.of_parameters(
        train_ngram(labelled, NgramOptions(*PLAIN_TEXT_MODEL[options.words])),
        replace(parameters, training_means=typical),
        train_page_classifier(trained),
        {**({"without": list(options.without)} if options.without else {}), "weighs": weighs},
    )
    progress(STEPS)
    return model


def _folds(pages: Sequence[LabelledPage], seed: int) -> NDArray[np.int64]:
    """The fold of each page. Raises ValueError for fewer than two sites."""
    domains = [page.domain for page in pages]
    sites = len({domain or number for number, domain in enumerate(domains)})  # as `fold_places` counts them
    if sites < 2:
        raise ValueError(f"pages of {sites} sites: calibration on held-out sites needs at least 2")
    fold = np.empty(len(pages), np.int64)
    for number, some in enumerate(fold_places(domains, min(MAX_FOLDS, sites), seed)):
        fold[some] = number
    return fold


def _augmented(
    pages: Sequence[TrainingPage], fold: NDArray[np.int64], vocabulary: NameVocabulary, options: StructureOptions
) -> tuple[list[Example], list[int]]:
    """The examples of the pages, then those of data augmentation; and for each the page that it comes from."""
    examples, source = build_examples(pages, vocabulary), list(range(len(pages)))
    if "fragments" not in options.without:
        variants = fragments(pages, options.seed)
        examples += build_examples(list(variants.values()), vocabulary)
        source += variants
    if "portals" not in options.without:
        variants = portals(pages, fold.tolist(), options.seed)
        made = build_examples(list(variants.values()), vocabulary)
        for portal in made:
            portal.weights *= np.float32(PORTAL_WEIGHT[options.words])
        examples += made
        source += variants
    return examples, source


# ---- calibration ------------------------------------------------------------------------------------------------


def _calibrations(
    pages: Sequence[LabelledPage], examples: Sequence[Example], logits: Sequence[Floats], policies: Sequence[str]
) -> dict[str, tuple[float, float]]:
    """For each content policy the calibration on its pages, without those of which only snippets are known."""
    out = {}
    for column, policy in enumerate(policies):
        own = [place for place, page in enumerate(pages) if page.known is None and page.gold.policy == policy]
        out[policy] = fit_calibration(
            np.concatenate([logits[place][:, column] for place in own]),
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


# ---- the page classifier ----------------------------------------------------------------------------------------


def train_page_classifier(trained: Trained) -> PageClassifier | None:
    """The classifier of pages with and without content, and of page types where they are known. None if no page has
    structure."""
    pages = trained.pages
    structured = [place for place, page in enumerate(pages) if not is_flat(page.document.segments)]
    labelled = [
        place for place in structured if pages[place].labelled.is_usable and pages[place].labelled.known is None
    ]
    if not labelled:
        return None
    # the log odds of segments that the features are computed from are those under the default policy
    labelled = [place for place in labelled if pages[place].labelled.gold.policy == DEFAULT_POLICY] or labelled
    with_text = _evenly([place for place in labelled if pages[place].labelled.gold_words > 0], MAX_CLASS_PAGES)
    without_text = _evenly([place for place in labelled if pages[place].labelled.gold_words <= 0], MAX_CLASS_PAGES)
    content = [
        content_features(build_table(pages[place].document), trained.log_odds(place))
        for place in with_text + without_text
    ]
    for place in with_text:
        boilerplate = np.flatnonzero(trained.examples[place].labels == 0).tolist()
        if boilerplate:
            document = pages[place].document
            rest = build_table(ModelInput([document.segments[at] for at in boilerplate], document.head))
            held_out = replace(trained.parameters, network=trained.networks[trained.fold[place]])
            logits = held_out.smooth(held_out.network.logits(held_out.inputs(rest)), rest)
            content.append(content_features(rest, np.ascontiguousarray(held_out.calibrate(logits)[:, 0])))
    types = page_types(pages)
    typed = [place for place in structured if types[place]]
    return fit_page_classifier(
        np.array(content),
        np.arange(len(content)) < len(with_text),
        np.array([_type_features(trained, place) for place in typed]).reshape(-1, TYPE_FEATURES),
        [types[place] for place in typed],
    )


def page_types(pages: Sequence[TrainingPage]) -> list[str | None]:
    """The type of each page. In a language of which no page has a type, pages whose gold text is an article are
    articles: their scripts and the lengths of their words must not make them something else."""
    languages = [primary((page.labelled.record or {}).get("lang")) for page in pages]
    known = {language for page, language in zip(pages, languages) if page.page_type}
    return [
        page.page_type or ("article" if page.labelled.gold.policy == "article" and language not in known else None)
        for page, language in zip(pages, languages)
    ]


def _evenly(places: Sequence[int], size: int) -> list[int]:
    """The places, or about *size* of them at even distances."""
    return list(places[:: -(-len(places) // size) or 1])


def _type_features(trained: Trained, place: int) -> list[float]:
    """The features of a page that distinguish page types."""
    table = build_table(trained.pages[place].document)
    inputs, log_odds = trained.parameters.inputs(table), trained.log_odds(place)
    _, activations = trained.parameters.network.forward(inputs)
    characters = np.ascontiguousarray(inputs.numbers[:, :CHARACTER_FEATURES]).ravel()
    hidden = np.ascontiguousarray(activations.first).ravel()
    return list(type_features(table, characters, hidden, log_odds, content_features(table, log_odds)))


def fit_page_classifier(
    content: Doubles, has_content: NDArray[np.bool_], rows: Doubles, types: Sequence[str | None]
) -> PageClassifier:
    """The regressions: of *content* (shape: pages, CONTENT_FEATURES) on *has_content*; of *rows* (shape: other pages,
    TYPE_FEATURES) on *types*, None if the type is not known. If one class has no page, the odds are always even."""
    odds = np.zeros((len(CONTENT_FEATURES) + 1, 2))
    if 0 < has_content.sum() < len(has_content):
        odds = fit_logistic(content, has_content.astype(np.int64), 2, CONTENT_RIDGE, balanced=True)
    names = sorted({name for name in types if name is not None and types.count(name) >= MIN_TYPE_PAGES})
    if len(names) < 2:
        return PageClassifier(odds[:, 1] - odds[:, 0], [], [])
    of_known_type = [place for place, name in enumerate(types) if name in names]
    labels = np.array([names.index(str(types[place])) for place in of_known_type])
    return PageClassifier(
        odds[:, 1] - odds[:, 0], names, fit_logistic(rows[of_known_type], labels, len(names), TYPES_RIDGE).ravel()
    )


def fit_logistic(
    rows: Doubles, labels: NDArray[np.int64], classes: int, ridge: float, *, balanced: bool = False
) -> Doubles:
    """The weights of a multinomial logistic regression of *labels* on *rows*, with a *ridge* penalty (shape: columns
    + 1, classes); the last row has the intercepts. *balanced*: classes have the same weight, whatever their numbers of
    rows."""
    means, scales = rows.mean(axis=0), 1 / np.maximum(rows.std(axis=0), MIN_DEVIATION)
    scaled = (rows - means) * scales
    targets = np.eye(classes)[labels]
    weights = 1 / np.bincount(labels, minlength=classes)[labels] if balanced else np.ones(len(labels))
    weights = (weights / weights.sum())[:, None]

    def loss(flat: Doubles) -> tuple[float, Doubles]:
        parameters = flat.reshape(-1, classes)
        logs = scaled @ parameters[:-1] + parameters[-1]
        logs = logs - logs.max(axis=1, keepdims=True)
        logs = logs - np.log(np.exp(logs).sum(axis=1, keepdims=True))
        errors = (np.exp(logs) - targets) * weights
        gradient = np.vstack([scaled.T @ errors + 2 * ridge * parameters[:-1], errors.sum(axis=0)])
        return float(-(targets * logs * weights).sum() + ridge * (parameters[:-1] ** 2).sum()), gradient.ravel()

    start = np.zeros((rows.shape[1] + 1) * classes)
    fitted = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500}).x.reshape(-1, classes)
    out: Doubles = np.vstack([fitted[:-1] * scales[:, None], fitted[-1] - (means * scales) @ fitted[:-1]])
    return out


# ---- attribution ------------------------------------------------------------------------------------------------


def training_means(trained: Trained) -> tuple[TrainingMeans, dict[str, float]]:
    """The means over the segments of training pages that attribution subtracts, and the inputs that move the odds most,
    with their mean absolute contributions (bits)."""
    parameters = trained.parameters
    bits = np.float32(parameters.calibration[0] / log(2))
    places = _evenly(range(len(trained.examples)), MAX_MEAN_PAGES)
    rows = sum(len(trained.examples[place].labels) for place in places)
    names = sum(np.asarray(trained.examples[place].names.sum(axis=0)).ravel() for place in places) / rows
    inputs_of = [parameters.inputs(build_table(trained.pages[place].document)) for place in places]
    passes = [(inputs, parameters.network.forward(inputs)[1]) for inputs in inputs_of]
    combined = sum(activations.combined.sum(axis=0, dtype=np.float64) for _, activations in passes)
    means = replace(
        parameters.training_means,
        names=np.asarray(names, np.float32)[: len(parameters.names)],
        averages=(combined[-SHARED * AVERAGES :] / rows).astype(np.float32),
    )
    gradient_sums: Any = 0
    contribution_sums: Any = 0
    for inputs, activations in passes:
        contributions, gradients = input_contributions(parameters, means, inputs, activations)
        contribution_sums = contribution_sums + np.abs(contributions * bits).sum(axis=0, dtype=np.float64)
        gradient_sums = gradient_sums + gradients.sum(axis=0, dtype=np.float64)
    weighs = largest_contributions(dict(zip(INPUTS, (contribution_sums / rows).tolist())))
    return replace(means, gradients=(gradient_sums / rows).astype(np.float32)), weighs
