"""Trains the classifier of whole pages in a structure model: logistic regressions, fitted by L-BFGS.

    trained = TrainedParameters(parameters, pages, examples, held_out)
    classifier = train_page_classifier(trained)
    means, weighs = training_means(trained)

Pages with content are the training pages whose gold text has words: those of the default content policy, if there are
any. Pages without content are those whose gold text is
empty. As they are rare, each page with content also serves as one without, after its clean segments are removed: the
rest of an article without its text is similar to a login wall. Both classes have the same weight: the odds are those at
even prior odds. The scores that the regressions read come from networks that have not seen the site of the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ..features.document import ModelInput
from ..features.segment_table import SegmentTable, build_table
from ..roles import DEFAULT_POLICY
from ..scoring.structure.attribution import INPUTS, input_contributions, largest_contributions
from ..scoring.structure.inference import AVERAGES, SHARED
from ..scoring.structure.model import is_flat
from ..scoring.structure.network import Inputs, Network, StructureParameters, TrainingMeans
from ..scoring.structure.outputs import (
    CHARACTER_FEATURES,
    CONTENT_FEATURES,
    TYPE_FEATURES,
    PageClassifier,
    content_features,
    type_features,
)
from ..text.language_tags import primary
from .examples import Example, TrainingPage

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

# Pages of each class, and pages for the means: more of them make no difference.
MAX_CLASS_PAGES, MAX_MEAN_PAGES = 1000, 300
# Ridge penalties, chosen on held-out sites of the development pages.
CONTENT_RIDGE, TYPES_RIDGE = 1e-3, 3e-2
# A type that fewer pages have is not learned.
MIN_TYPE_PAGES = 10
# Inputs of a regression are normalised by their standard deviation, or by this if theirs is smaller.
MIN_DEVIATION = 1e-3


@dataclass(frozen=True)
class HeldOut:
    """The smoothed *logits* of each page's segments (shape: segments, policies) by a network that was trained without
    the page's fold; the *networks*, one for each fold; and the *fold* of each page."""

    logits: Sequence[Floats]
    networks: Sequence[Network]
    fold: NDArray[np.int64]


@dataclass(frozen=True)
class TrainedParameters:
    """The *parameters* of a structure model, the *pages* they were trained on, their *examples* and held-out scores."""

    parameters: StructureParameters
    pages: Sequence[TrainingPage]
    examples: Sequence[Example]
    held_out: HeldOut

    def fold_parameters(self) -> list[StructureParameters]:
        """For each fold the parameters with the network that has not seen it."""
        return [replace(self.parameters, network=network) for network in self.held_out.networks]

    def inputs(self, places: Sequence[int]) -> Iterator[tuple[int, SegmentTable, Inputs]]:
        """The pages at these places, as the network reads them."""
        for place in places:
            table = build_table(self.pages[place].document)
            yield place, table, self.parameters.inputs(table)


def train_page_classifier(trained: TrainedParameters) -> PageClassifier | None:
    """The classifier of pages with and without content, and of page types where they are known. None if no page has
    structure."""
    pages = trained.pages
    structured = [place for place, page in enumerate(pages) if not is_flat(page.document)]
    labelled = [
        place for place in structured if pages[place].labelled.is_usable and pages[place].labelled.known is None
    ]
    if not labelled:
        return None
    # the log odds of segments that the features are computed from are those under the default policy
    own = [place for place in labelled if pages[place].labelled.gold.policy == DEFAULT_POLICY]
    labelled = own or labelled
    with_text = _evenly([place for place in labelled if pages[place].labelled.gold_words > 0], MAX_CLASS_PAGES)
    without_text = _evenly([place for place in labelled if pages[place].labelled.gold_words <= 0], MAX_CLASS_PAGES)
    content = [_content_features(trained, place) for place in with_text]
    empty = [_content_features(trained, place) for place in without_text]
    fold_parameters = trained.fold_parameters()
    for place in with_text:
        boilerplate = np.flatnonzero(trained.examples[place].labels == 0)
        if len(boilerplate):
            held_out = fold_parameters[trained.held_out.fold[place]]
            empty.append(_boilerplate_features(held_out, pages[place].document, boilerplate))
    types = page_types(pages)
    typed = [place for place in structured if types[place]]
    return fit_page_classifier(
        np.concatenate([*content, *empty]),
        np.arange(len(content) + len(empty)) < len(content),
        _type_features(trained, typed),
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


def _content_features(trained: TrainedParameters, place: int) -> Doubles:
    """The features of a page that distinguish pages with content (shape: 1, CONTENT_FEATURES)."""
    table = build_table(trained.pages[place].document)
    return _of_odds(table, trained.parameters.calibrate(trained.held_out.logits[place]))


def _boilerplate_features(parameters: StructureParameters, document: ModelInput, kept: NDArray[np.int64]) -> Doubles:
    """The same features of a page of which only the segments *kept* are left."""
    table = build_table(ModelInput([document.segments[at] for at in kept.tolist()], document.head))
    logits = parameters.network.logits(parameters.inputs(table))
    return _of_odds(table, parameters.calibrate(parameters.smooth(logits, table)))


def _of_odds(table: SegmentTable, log_odds: Floats) -> Doubles:
    return np.array([content_features(table, np.ascontiguousarray(log_odds[:, 0]))])


def _type_features(trained: TrainedParameters, places: Sequence[int]) -> Doubles:
    """The features of pages that distinguish page types (shape: pages, TYPE_FEATURES)."""
    rows = [np.zeros((0, TYPE_FEATURES))]
    for place, table, inputs in trained.inputs(places):
        log_odds = np.ascontiguousarray(trained.parameters.calibrate(trained.held_out.logits[place])[:, 0])
        _, activations = trained.parameters.network.forward(inputs)
        characters = np.ascontiguousarray(inputs.numbers[:, :CHARACTER_FEATURES]).ravel()
        hidden = np.ascontiguousarray(activations.first).ravel()
        content = content_features(table, log_odds)
        rows.append(np.array([type_features(table, characters, hidden, log_odds, content)]))
    return np.concatenate(rows)


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


def training_means(trained: TrainedParameters) -> tuple[TrainingMeans, dict[str, float]]:
    """The means over the segments of training pages that attribution subtracts, and the inputs that move the odds most,
    with their mean absolute contributions (bits)."""
    network = trained.parameters.network
    bits = np.float32(trained.parameters.calibration[0] / log(2))
    places = _evenly(range(len(trained.examples)), MAX_MEAN_PAGES)
    rows = sum(len(trained.examples[place].labels) for place in places)
    names = sum(np.asarray(trained.examples[place].names.sum(axis=0)).ravel() for place in places) / rows
    passes = [(inputs, network.forward(inputs)[1]) for _, _, inputs in trained.inputs(places)]
    combined = sum(activations.combined.sum(axis=0, dtype=np.float64) for _, activations in passes)
    means = replace(
        trained.parameters.training_means,
        names=np.asarray(names, np.float32)[: len(trained.parameters.names)],
        averages=(combined[-SHARED * AVERAGES :] / rows).astype(np.float32),
    )
    gradient_sums: Any = 0
    contribution_sums: Any = 0
    for inputs, activations in passes:
        contributions, gradients = input_contributions(trained.parameters, means, inputs, activations)
        contribution_sums = contribution_sums + np.abs(contributions * bits).sum(axis=0, dtype=np.float64)
        gradient_sums = gradient_sums + gradients.sum(axis=0, dtype=np.float64)
    weighs = largest_contributions(dict(zip(INPUTS, (contribution_sums / rows).tolist())))
    return replace(means, gradients=(gradient_sums / rows).astype(np.float32)), weighs
