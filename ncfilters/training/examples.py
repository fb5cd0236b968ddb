"""Labelled pages as training examples of a structure model: vocabularies, inputs of the network, labels and weights.

pages = [TrainingPage.of_labelled(page) for page in labelled_pages]
vocabulary = build_vocabulary(pages, StructureOptions())
examples = build_examples(pages, vocabulary)
means, scales = normalize(examples, StructureOptions())
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..dataset.labelled_pages import LabelledPage
from ..dataset.labelling import CLEAN_SHARE
from ..features.document import ModelInput
from ..features.matrix import feature_matrix
from ..features.phrase_vocabulary import PhraseIndex, segment_phrases
from ..features.schema import NAMES, SCRIPT_DEPENDENT, left_out_columns
from ..features.segment_table import SegmentTable, build_table
from ..roles import ROLES
from ..scoring.structure.embeddings import DECAY, PHRASE_WEIGHT, step_names
from ..scoring.structure.inference import MAX_DEVIATION
from ..scoring.structure.network import pooled_groups
from ..scoring.structure.outputs import segment_chars

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
# A matrix of scipy.sparse, in compressed sparse rows; scipy has no types.
SparseRows = Any

MAX_NAMES, MAX_PHRASES = 4000, 4000
# A segment counts as the square root of its words, of which at most MAX_WORDS count. The weights of a page sum up to
# about its total to the power of 1 - PAGE_EXPONENT, so that long pages do not dominate.
MAX_WORDS, PAGE_EXPONENT = 400, 0.8
# The weight of a kind of page is its number of pages to this power.
KIND_EXPONENT = 0.7
# The factor of the weight of a page whose gold has snippets alone: they are few. Of 1 and 3, that with the better
# figures on held-out sites.
SNIPPETS_WEIGHT = 3.0
# Roles of which a page has few and short segments, and the factor of their weights.
RARE_ROLES, RARE_ROLE_WEIGHT = ("title", "byline", "date", "caption"), 20.0
# The factor of the weights of segments that may have one of several roles: each of them is a weak label.
SEVERAL_ROLES_WEIGHT = 0.3


@dataclass(frozen=True)
class StructureOptions:
    """How a structure model is trained.

    *words*: whether it reads words. *seed*: of the initial weights, the order of examples, dropout, augmentation and
    folds. *passes* over the pages (None: the number that cross-validation chose). *without*: groups of features to
    leave out (see `feature_groups`). A name or phrase that fewer sites have is not in the vocabularies: the model would
    memorise the site.
    """

    words: bool = True
    seed: int = 0
    passes: int | None = None
    without: tuple[str, ...] = ()
    min_name_sites: int = 15
    min_phrase_sites: int = 20


@dataclass(frozen=True)
class TrainingPage:
    """A labelled page, the document that models read of it, and its type if that is known, such as `article`."""

    labelled: LabelledPage
    document: ModelInput
    page_type: str | None = None

    @classmethod
    def of_labelled(cls, page: LabelledPage) -> TrainingPage:
        """A labelled page that has kept its record."""
        assert page.record is not None
        page_type = page.record.get("page_type")
        return cls(page, ModelInput.of_record(page.record), page_type if isinstance(page_type, str) else None)


@dataclass(frozen=True)
class NameVocabulary:
    """The columns of *names* (on paths and of heads) and of *phrases*."""

    names: dict[str, int]
    phrases: dict[str, int]


class PageWords(NamedTuple):
    """The words of each segment, how many of them are *matched* by gold text, and the words of the *gold* text."""

    words: Floats
    matched: Floats
    gold: float


@dataclass
class Example:
    """The inputs of a page and what the network is to learn from it, one row or number for each segment.

    *numbers*: the feature matrix. *names*, *phrases*, *heading_phrases*: sparse rows over the vocabularies. *groups*:
    for each kind of pool (`network.POOLS`) the group. *chars*: the length of the text. *labels*: 1 for clean, 0 for
    boilerplate, under the content *policy* of this name. *weights*: of the segment in the loss. *words*: what the
    expected F of the page is computed from. *roles*: 1 for each of ROLES that the gold standard allows (shape:
    segments, ROLES). *role_weights*: in the loss of roles.
    """

    numbers: Floats
    names: SparseRows
    phrases: SparseRows
    heading_phrases: SparseRows
    groups: list[Ints]
    chars: Floats
    labels: Floats
    weights: Floats
    words: PageWords
    policy: str
    roles: Floats
    role_weights: Floats


def build_vocabulary(pages: Sequence[TrainingPage], options: StructureOptions) -> NameVocabulary:
    """The names and phrases that occur on enough sites, without the groups of features that are left out."""
    sites: dict[str, tuple[set[str], set[str]]] = {}
    for page in pages:
        names, phrases = sites.setdefault(page.labelled.domain, (set(), set()))
        table = build_table(page.document)
        if "names" not in options.without:
            names.update(chain.from_iterable(step_names(table.places.elements.names)))
        if "head" not in options.without:
            names.update(page.document.head.names)
        if options.words and "words" not in options.without:
            phrases.update(chain.from_iterable(segment_phrases(table)))
    return NameVocabulary(
        _most_frequent([names for names, _ in sites.values()], options.min_name_sites, MAX_NAMES),
        _most_frequent([phrases for _, phrases in sites.values()], options.min_phrase_sites, MAX_PHRASES),
    )


def _most_frequent(sites: Sequence[set[str]], min_sites: int, size: int) -> dict[str, int]:
    """The *size* most frequent entries of at least *min_sites* sites, numbered by their rank."""
    counts = Counter(chain.from_iterable(sites))
    ranked = sorted((-count, name) for name, count in counts.items() if count >= min_sites)[:size]
    return {name: place for place, (_, name) in enumerate(ranked)}


def build_examples(pages: Sequence[TrainingPage], vocabulary: NameVocabulary) -> list[Example]:
    """The examples of pages, their numbers not yet normalised."""
    page_weights, phrases = _page_weights(pages), PhraseIndex(vocabulary.phrases)
    examples = []
    for page, page_weight in zip(pages, page_weights):
        table = build_table(page.document)
        words = np.array(page.labelled.words, np.float32)
        matched = np.array(page.labelled.matched, np.float32)
        weights = np.sqrt(np.minimum(words, MAX_WORDS))
        gold_words = float(max(page.labelled.gold_words, matched.sum()))
        if page.labelled.known is not None:  # the known labels count, and no F of the page
            gold_words = 0.0
            weights *= np.array(page.labelled.known)
            page_weight *= SNIPPETS_WEIGHT
        weights *= np.float32(page_weight / (weights.sum() + 1) ** PAGE_EXPONENT if page.labelled.is_usable else 0)
        roles = role_matrix(page.labelled.roles)
        own, heading = _phrase_rows(table, phrases, len(vocabulary.phrases))
        examples.append(
            Example(
                feature_matrix(table),
                name_rows(table, vocabulary.names),
                own,
                heading,
                pooled_groups(table),
                np.asarray(segment_chars(table)),
                ((matched >= CLEAN_SHARE * words) & (words > 0)).astype(np.float32),
                weights,
                PageWords(words, matched, gold_words),
                page.labelled.gold.policy,
                roles,
                _role_weights(weights, roles),
            )
        )
    return examples


def role_matrix(masks: Sequence[int]) -> Floats:
    """1 for each of ROLES that a bit mask (see `labelling`) allows (shape: segments, ROLES)."""
    bits = np.array(masks, np.int64).reshape(-1, 1) >> np.arange(len(ROLES))
    return (bits & 1).astype(np.float32)


def _role_weights(weights: Floats, roles: Floats) -> Floats:
    """The weights of segments in the loss of roles. A segment of one known role, of which a page has few and short
    ones, counts RARE_ROLE_WEIGHT times; one of several roles SEVERAL_ROLES_WEIGHT times; one of any role not at all."""
    allowed = roles.sum(axis=1)
    rare = (allowed == 1) & (roles[:, [ROLES.index(name) for name in RARE_ROLES]].sum(axis=1) > 0)
    factors = np.select([rare, allowed <= 1, allowed < len(ROLES)], [RARE_ROLE_WEIGHT, 1.0, SEVERAL_ROLES_WEIGHT], 0.0)
    out: Floats = weights * factors.astype(np.float32)
    return out


def _page_weights(pages: Sequence[TrainingPage]) -> list[float]:
    """The weight of each page, on average 1. Kinds of page (by content policy and type) have the weight of their number
    of pages to the power of KIND_EXPONENT, so that many pages of news do not outweigh few of forums, shops and lists;
    within a kind, corpora have that of its square root. The corpus of a page is the part of its key before the first
    slash."""
    kinds = [(page.labelled.gold.policy, page.page_type) for page in pages]
    corpora = [page.labelled.key.partition("/")[0] if "/" in page.labelled.key else "" for page in pages]
    cells = list(zip(kinds, corpora))
    of_kinds, of_cells = Counter(kinds), Counter(cells)
    roots = {kind: sum(count**0.5 for (other, _), count in of_cells.items() if other == kind) for kind in of_kinds}
    total = sum(count**KIND_EXPONENT for count in of_kinds.values())
    return [
        len(pages) * of_kinds[kind] ** KIND_EXPONENT / (total * roots[kind] * of_cells[kind, corpus] ** 0.5)
        for kind, corpus in cells
    ]


def name_rows(table: SegmentTable, names: dict[str, int]) -> SparseRows:
    """The names on the path of each segment, those further up counting less, and the names of its page's head (shape:
    segments, names)."""
    tree = table.places
    of_steps = [[names[name] for name in step if name in names] for step in step_names(tree.elements.names)]
    of_head = [names[name] for name in table.head.names if name in names]
    columns: list[int] = []
    values: list[float] = []
    ends = [0]
    for place in np.asarray(tree.place).tolist():
        node, weight = tree.nodes[place], 1.0
        columns += of_head
        values += [weight] * len(of_head)
        while True:
            places = of_steps[tree.elements.name[node]]
            columns += places
            values += [weight] * len(places)
            if not tree.elements.depth[node]:
                break
            node, weight = tree.elements.parent[node], weight * DECAY
        ends.append(len(columns))
    shape = (len(ends) - 1, max(len(names), 1))
    return sparse.csr_matrix((np.array(values, np.float32), np.array(columns, np.int64), np.array(ends)), shape=shape)


def _phrase_rows(table: SegmentTable, phrases: PhraseIndex, size: int) -> tuple[SparseRows, SparseRows]:
    """The phrases of each segment, and those of the heading above it (shape: segments, phrases)."""
    found = [[number for number in phrases.numbers(text) if number >= 0] for text in table.texts]
    above = [found[at] if at >= 0 else [] for at in np.asarray(table.heading).tolist()]
    rows = []
    for numbers in (found, above):
        ends = np.cumsum([0, *map(len, numbers)])
        places = np.fromiter(chain.from_iterable(numbers), np.int32, int(ends[-1]))
        values = np.full(len(places), PHRASE_WEIGHT, np.float32)
        rows.append(sparse.csr_matrix((values, places, ends), shape=(len(table), max(size, 1))))
    return rows[0], rows[1]


def normalize(examples: Sequence[Example], options: StructureOptions) -> tuple[Floats, Floats]:
    """Normalises the numbers of examples in place to mean 0 and standard deviation 1; returns the means and the scales,
    1 / standard deviation. A feature that is left out has the scale 0."""
    rows = sum(len(example.numbers) for example in examples)
    mean = sum(example.numbers.sum(0, dtype=np.float64) for example in examples) / rows
    square = sum((example.numbers.astype(np.float64) ** 2).sum(0) for example in examples) / rows
    means = mean.astype(np.float32)
    scales = (1 / np.sqrt(np.maximum(square - mean**2, 1e-6))).astype(np.float32)
    scales[left_out_columns(options.without, NAMES)] = 0
    if not options.words:
        scales[[name in SCRIPT_DEPENDENT for name in NAMES]] = 0
    for example in examples:
        example.numbers = np.clip((example.numbers - means) * scales, -MAX_DEVIATION, MAX_DEVIATION)
    return means, scales
