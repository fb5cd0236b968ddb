"""How the structure kind of model learns: labelled pages to vocabularies, a network, a calibration.

    model = fit(pages, documents)

The odds that it is calibrated on are of networks that lack a fold of the sites each: they have not seen a page's site.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dataset.labelled_pages import LabelledPage, LabelledPages, folds
from ..features import feature_groups, matrix
from ..features.document import Document
from ..features.phrase_vocabulary import Phrases
from ..features.schema import OF_SCRIPTS
from ..scoring.structure import embeddings
from ..scoring.structure import model as structure_model
from ..scoring.structure.embeddings import step_names
from ..scoring.structure.network import CLIP, HIDDEN, Dropout, Floats, Inputs, Network, Pools
from . import augmentation, page_classifier_trainer
from .learners import ngram

FOLDS = 5
# Names and phrases that so many sites have at least; rarer ones would be learned by heart.
NAME_SITES, WORD_SITES, MOST_NAMES, MOST_WORDS = 15, 20, 4000, 4000
# Chosen by cross-validation on the development sets: more passes or less left out, and sites are learned by heart.
PAGES_A_STEP, RATE, DECAY, LEFT_OUT, NAMES_LEFT_OUT = 8, 3e-3, 0.3, 0.2, 0.3
# With words and without: passes over the pages, and what a portal counts for, of what a page does.
PASSES, PORTAL_WEIGHT = {True: 6, False: 4}, {True: 0.4, False: 1.0}
# A segment weighs as the square root of its words, at most so many; those of long pages less.
MOST_WORDS_COUNTED, PAGE_WEIGHT = 400, 0.8


@dataclass
class Example:
    """A page as the network reads it, its labels and what each is worth."""

    numbers: Floats
    names: Any
    own: Any
    heading: Any
    groups: list[NDArray[np.int64]]
    lengths: Floats
    labels: Floats
    worth: Floats


# n, q and folding of the n-gram model for plain text: with words, and without.
PLAIN = {True: (3, 0.5, "ascii"), False: (6, 0.4, "nonlexical")}
# Of a calibration: where held-out pages are told apart without an error, no factor would be too large.
MOST_FACTOR = 2.0
_ALIKE = structure_model.GROUPS.index(structure_model.ALIKE)
# What `fit` is told to have done: each fold, and the whole.
STEPS = FOLDS + 1


@dataclass(frozen=True)
class Settings:
    """What is to be trained: with words or without, seed and passes (None: as many as are best); *without* which groups
    of what there is to read (see `ablation`)."""

    words: bool = True
    seed: int = 0
    passes: int | None = None
    without: tuple[str, ...] = ()


def fit(
    pages: Sequence[LabelledPage],
    documents: Sequence[Document],
    settings: Settings,
    progress: Callable[[int], None] = lambda done: None,
    types: Sequence[str | None] = (),
) -> structure_model.StructureModel:
    """A model of labelled pages and their segments; of whole pages, too, whose *types* may be known. Raises ValueError
    where a class is empty or there are no two sites."""
    sites = len({page.domain or number for number, page in enumerate(pages)})  # as `folds` deals them
    if sites < 2:
        raise ValueError(f"pages of {sites} sites: 2 or more are wanted, to hold one against the other")
    parts = folds(pages, min(FOLDS, sites), settings.seed)
    place = {id(page): number for number, part in enumerate(parts) for page in part}
    fold = np.array([place[id(page)] for page in pages])
    names, phrases = vocabularies(pages, documents, settings)
    sources = [augmentation.Source(*source) for source in zip(pages, documents, fold.tolist())]
    made, made_of = _with_variants(sources, names, phrases, settings)
    whole, fold_of = len(pages), fold[made_of]
    means, scales = normalised(made, settings)
    held_out: list[Floats] = [np.zeros(0, np.float32)] * whole
    networks = []
    for number in range(len(parts)):
        network = train([made[at] for at in np.flatnonzero(fold_of != number)], len(names), len(phrases), settings)
        for at in np.flatnonzero(fold == number).tolist():
            logits = network.logits(batch([made[at]], network))
            held_out[at] = structure_model.evened(logits, made[at].groups[_ALIKE], made[at].lengths, settings.without)
        networks.append(network)
        progress(number + 1)
    calibration = calibrated(held_out, made[:whole])
    network = train(made, len(names), len(phrases), settings)
    n, q, folding = PLAIN[settings.words]
    plain = ngram(LabelledPages(pages), n, q, folding, 0)
    model = structure_model.StructureModel(plain, list(names), list(phrases), means, scales, network, calibration)
    if settings.without:
        model.about["without"] = list(settings.without)
    trained = page_classifier_trainer.Trained(model, networks, fold, documents)
    has_text = [page.gold_words > 0 if page.is_usable else None for page in pages]
    # of pages in other languages, a model of types would say what it has learned of letters
    known = types if settings.words else ()
    model.whole = page_classifier_trainer.of_pages(trained, made[:whole], held_out, has_text, known)
    model.typical, model.about["weighs"] = page_classifier_trainer.usual(trained, made[:whole])
    progress(STEPS)
    return model


def _with_variants(
    sources: Sequence[augmentation.Source], names: dict[str, int], phrases: dict[str, int], settings: Settings
) -> tuple[list[Example], list[int]]:
    """The pages as the network reads them, then their variants; and of each, which page it was made of."""

    def read(some: Sequence[augmentation.Source] | Sequence[augmentation.Variant]) -> list[Example]:
        return examples([v.page for v in some], [v.document for v in some], names, phrases)

    made, numbers = read(sources), list(range(len(sources)))
    for kind, make, weight in (
        ("fragments", augmentation.fragments, 1.0),
        ("portals", augmentation.portals, PORTAL_WEIGHT[settings.words]),
    ):
        if kind not in settings.without:
            some = make(sources, settings.seed)
            for example in read(some):
                example.worth *= np.float32(weight)
                made.append(example)
            numbers += [variant.source for variant in some]
    return made, numbers


def vocabularies(
    pages: Sequence[LabelledPage], documents: Sequence[Document], settings: Settings
) -> tuple[dict[str, int], dict[str, int]]:
    """The names on paths and the phrases that enough sites have."""
    names: Counter[str] = Counter()
    phrases: Counter[str] = Counter()
    sites: dict[str, tuple[set[str], set[str]]] = {}
    for page, document in zip(pages, documents):
        seen = sites.setdefault(page.domain, (set(), set()))
        segments = matrix.read([document])
        if "names" not in settings.without:
            seen[0].update(chain.from_iterable(step_names(segments.tree.steps)))
        if "head" not in settings.without:
            seen[0].update(document.head.names)
        if settings.words and "words" not in settings.without:
            seen[1].update(chain.from_iterable(matrix.phrases(segments)))
    for seen in sites.values():
        names.update(seen[0])
        phrases.update(seen[1])
    return _most(names, NAME_SITES, MOST_NAMES), _most(phrases, WORD_SITES, MOST_WORDS)


def _most(counts: Counter[str], least: int, most: int) -> dict[str, int]:
    found = sorted((-count, name) for name, count in counts.items() if count >= least)[:most]
    return {name: place for place, (_, name) in enumerate(sorted(found))}


def examples(
    pages: Sequence[LabelledPage], documents: Sequence[Document], names: dict[str, int], phrases: dict[str, int]
) -> list[Example]:
    """The pages as the network reads them, their numbers not yet normalised."""
    weights, known_phrases = _set_weights(pages), Phrases(phrases)
    out = []
    for page, document in zip(pages, documents):
        segments = matrix.read([document])
        words = np.array(page.words, np.float32)
        matched = np.array(page.matched, np.float32)
        worth = np.sqrt(np.minimum(words, MOST_WORDS_COUNTED))
        worth *= np.float32(weights[_set_of(page)] / (worth.sum() + 1) ** PAGE_WEIGHT if page.is_usable else 0)
        own, heading = _phrase_rows(segments, known_phrases, len(phrases))
        out.append(
            Example(
                matrix.numbers(segments),
                _name_rows(segments, names),
                own,
                heading,
                [*(segments.groups[name] for name in structure_model.GROUPS), np.zeros(len(document), np.int64)],
                segments.chars,
                ((matched >= 0.5 * words) & (words > 0)).astype(np.float32),
                worth.astype(np.float32),
            )
        )
    return out


def _set_of(page: LabelledPage) -> str:
    """What a page belongs to: what stands before the first slash of its id."""
    return page.key.partition("/")[0] if "/" in page.key else ""


def _set_weights(pages: Sequence[LabelledPage]) -> dict[str, float]:
    """Sets of many pages weigh less a page: as the square root of their number."""
    counts = Counter(map(_set_of, pages))
    return {name: float((max(counts.values()) / count) ** 0.5) for name, count in counts.items()}


def _name_rows(segments: matrix.Segments, names: dict[str, int]) -> Any:
    """A sparse row for each segment: the names on its path and what each counts, and those of its page's head."""
    from scipy import sparse

    tree = segments.tree
    of_steps = [[names[name] for name in step if name in names] for step in step_names(tree.steps)]
    of_heads = [[names[name] for name in head.names if name in names] for head in segments.heads]
    columns: list[int] = []
    values: list[float] = []
    ends = [0]
    for node, document in zip(segments.node.tolist(), segments.document.tolist()):
        weight = 1.0
        columns += of_heads[document]
        values += [weight] * len(of_heads[document])
        while True:
            places = of_steps[tree.step[node]]
            columns += places
            values += [weight] * len(places)
            if not tree.depth[node]:
                break
            node, weight = tree.parent[node], weight * float(embeddings.DECAY)
        ends.append(len(columns))
    shape = (len(ends) - 1, max(len(names), 1))
    return sparse.csr_matrix((np.array(values, np.float32), np.array(columns, np.int64), np.array(ends)), shape=shape)


def _phrase_rows(segments: matrix.Segments, phrases: Phrases, size: int) -> tuple[Any, Any]:
    from scipy import sparse

    own, own_at, heading, heading_at = phrases.indices(segments)
    rows, columns = len(segments.texts), max(size, 1)
    made = [
        sparse.csr_matrix((np.full(len(places), embeddings.WORTH_OF_WORDS), places, starts), shape=(rows, columns))
        for places, starts in ((own, own_at), (heading, heading_at))
    ]
    return made[0], made[1]


def normalised(made: Sequence[Example], settings: Settings) -> tuple[Floats, Floats]:
    """Means and scales of the numbers, which are normalised in place; with the scale 0, those left out are all 0."""
    names = matrix.NAMES
    rows = sum(len(example.numbers) for example in made)
    mean = sum(example.numbers.sum(0, dtype=np.float64) for example in made) / rows
    square = sum((example.numbers.astype(np.float64) ** 2).sum(0) for example in made) / rows
    means = mean.astype(np.float32)
    scales = (1 / np.sqrt(np.maximum(square - mean**2, 1e-6))).astype(np.float32)
    scales[feature_groups.columns(settings.without, names)] = 0
    if not settings.words:
        scales[[name in OF_SCRIPTS for name in names]] = 0
    for example in made:
        example.numbers = np.clip((example.numbers - means) * scales, -CLIP, CLIP)
    return means, scales


def train(made: Sequence[Example], names: int, phrases: int, settings: Settings) -> Network:
    """A network of examples, by Adam with decoupled decay of weights, the rate falling as a cosine."""
    random = np.random.default_rng(settings.seed)
    network = Network.initial(made[0].numbers.shape[1], max(names, 1), max(phrases, 1), settings.seed)
    if "around" in settings.without:  # weights of 0 on both sides of the averages stay so: no slope gets through
        network.weights["shared"][:] = network.weights["second"][HIDDEN:] = 0
    adam = Adam(network.weights)
    dropout = Dropout(LEFT_OUT, random)
    worth = float(np.mean(np.concatenate([example.worth for example in made])))
    steps = (settings.passes or PASSES[settings.words]) * (len(made) // PAGES_A_STEP)
    for number in range(steps):
        if not number % (len(made) // PAGES_A_STEP):
            order = random.permutation(len(made))
        at = number % (len(made) // PAGES_A_STEP) * PAGES_A_STEP
        some = [made[place] for place in order[at : at + PAGES_A_STEP]]
        entered = batch(some, network, random)
        labels = np.concatenate([example.labels for example in some])
        weights = np.concatenate([example.worth for example in some]) / worth
        logits, passed = network.forward(entered, dropout)
        errors = (_odds_to_shares(logits) - labels) * weights / len(labels)
        slopes, below = network.slopes(entered, passed, errors.astype(np.float32))
        slopes["names"], slopes["words"] = entered.back(below)
        adam.step(slopes, RATE * min(1.0, number / 100) * (0.5 + 0.5 * float(np.cos(np.pi * number / steps))) + 1e-6)
    return network


def _odds_to_shares(logits: Floats) -> Floats:
    shares: Floats = (1 / (1 + np.exp(-np.clip(logits, -30, 30)))).astype(np.float32)
    return shares


@dataclass
class Batch(Inputs):
    """Inputs of some pages, and the rows of names and phrases they were made of."""

    rows: tuple[Any, Any, Any]

    def back(self, slopes: Floats) -> tuple[Floats, Floats]:
        """The slopes by the vectors of names and of words from those by what was made of them."""
        names, own, heading = self.rows
        first, second = self.names.shape[1], self.words.shape[1] // 2
        words = own.T @ slopes[:, first : first + second] + heading.T @ slopes[:, first + second :]
        return names.T @ slopes[:, :first], words


def batch(some: Sequence[Example], network: Network, random: np.random.Generator | None = None) -> Batch:
    """Some pages as one input; with *random*, some names and words are left out."""
    from scipy import sparse

    rows = [sparse.vstack(parts, "csr") for parts in zip(*((e.names, e.own, e.heading) for e in some))]
    if random is not None:
        for row in rows:
            row.data = row.data * (random.random(len(row.data)) >= NAMES_LEFT_OUT) / np.float32(1 - NAMES_LEFT_OUT)
            row.data = row.data.astype(np.float32)
    names, own, heading = rows
    lengths = np.concatenate([example.lengths for example in some])
    sizes = np.array([len(example.labels) for example in some])
    starts = np.cumsum(sizes) - sizes
    first, last = np.repeat(starts, sizes), np.repeat(starts + sizes - 1, sizes)
    groups = []
    for parts in zip(*(example.groups for example in some)):
        counts = [int(part.max()) + 1 if len(part) else 0 for part in parts]
        offsets = np.cumsum([0, *counts[:-1]])
        groups.append(np.concatenate([part + offset for part, offset in zip(parts, offsets)]))
    weights = np.log1p(lengths).astype(np.float32) + np.float32(0.1)
    vectors = network.weights
    return Batch(
        np.concatenate([example.numbers for example in some]),
        names @ vectors["names"],
        np.hstack([own @ vectors["words"], heading @ vectors["words"]]),
        Pools.of(weights, groups, first, last),
        (names, own, heading),
    )


class Adam:
    """Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019), on *weights* in place."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self._weights = weights
        self._means = {name: np.zeros_like(weight) for name, weight in weights.items()}
        self._squares = {name: np.zeros_like(weight) for name, weight in weights.items()}
        self._steps = 0

    def step(self, slopes: dict[str, Any], rate: float) -> None:
        """Moves the weights against their slopes."""
        self._steps += 1
        for name, slope in slopes.items():
            mean, square, weight = self._means[name], self._squares[name], self._weights[name]
            mean += np.float32(0.1) * (slope - mean)
            square += np.float32(0.001) * (slope * slope - square)
            moved = mean / (1 - 0.9**self._steps) / (np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8)
            shrunk = 0 if name.endswith("_bias") else DECAY * (3 if name in ("names", "words") else 1)
            weight -= (rate * (moved + shrunk * weight)).astype(np.float32)


def calibrated(held_out: Iterable[Floats], made: Sequence[Example]) -> tuple[float, float]:
    """Factor and shift of logits with which they are the odds seen on pages of sites held out (Platt 1999)."""
    from scipy.optimize import minimize

    logits = np.concatenate(list(held_out)).astype(np.float64)
    labels = np.concatenate([example.labels for example in made])
    worth = np.concatenate([example.worth for example in made])
    worth = worth / worth.sum()

    def loss(parameters: Any) -> float:
        found = logits * parameters[0] + parameters[1]
        return float(((np.logaddexp(0, found) - labels * found) * worth).sum())

    found = minimize(loss, [1.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-4, "fatol": 1e-8})
    return round(min(float(found.x[0]), MOST_FACTOR), 4), round(float(found.x[1]), 4)
