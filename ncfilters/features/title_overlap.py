"""Features of the overlap of segments with the title and the description of their page.

    out = np.empty((len(FAMILIES["head"]), len(table)), np.float32)
    fill_title_overlap(table, out)

They help to find the page's own text: a short article among teasers and legal notices is hard to tell by its length or
position, but it shares words with the title and begins below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..record import SEEN
from ..text.hash_table import MIXER, Keys
from ..text.word_lookup import HashIndex, word_hashes
from .categories import CATEGORIES
from .document import Head
from .dom_tree import Ints
from .leading_words import count_distinct, distinct_words, leading_word_hashes
from .neighbourhood import NO_DISTANCE, log_counts
from .segment_table import Flags, Floats, SegmentTable

# A segment may be the title (or the description) if it shares at least so many distinct words with it, this share of
# its own, and this share of those of the title (or the description).
MIN_SHARED, MIN_SHARE_OF_SEGMENT, MIN_SHARE_OF_HEAD = (2, 5), (0.6, 0.2), (0.3, 0.4)
# Shorter words of a description do not count: they are too frequent.
MIN_WORD_LETTERS = 4
# Features of the title, and of the description.
ROWS = 8
# Of several candidates, h1 and headings are preferred; links are not: those with this share of linked characters.
H1_BONUS, HEADING_BONUS, LINK_PENALTY, LINKED_SHARE = 0.25, 0.15, 0.1, 0.8
# Segments whose words are hashed at a time.
BLOCK_SEGMENTS = 1 << 13


def fill_title_overlap(table: SegmentTable, out: Floats) -> None:
    """Fills the rows of the family `head`: the features of the title, then those of the description."""
    out[:] = 0
    shared_words = _shared_words(table)
    at, own = shared_words[:2]
    for which, (shared, size) in enumerate((shared_words[2:4], shared_words[4:])):
        rows = out[which * ROWS : (which + 1) * ROWS]
        rows[0, at], rows[1, at], rows[2, at] = shared / own, shared / np.maximum(size, 1), 2 * shared / (own + size)
        rows[:3] = rows[:3].take(table.same, axis=1)
        candidate = np.zeros(len(table), bool)
        candidate[at] = (
            (shared >= MIN_SHARED[which])
            & (shared >= MIN_SHARE_OF_SEGMENT[which] * own)
            & (shared >= MIN_SHARE_OF_HEAD[which] * size)
        )
        anchor = np.full(len(table.sizes), -1)
        best = _best_candidates(table, rows, np.flatnonzero(candidate[table.same]))
        anchor[table.document[best]] = best
        here = anchor[table.document]
        since, there = table.index - here, here >= 0
        rows[3], rows[4], rows[7] = there, since == 0, there & (since < 0)
        rows[5] = np.where(there, np.clip(since, -50, 100) / 25, -2.4)
        rows[6] = np.where(there & (since >= 0), log_counts(np.maximum(since, 0)), NO_DISTANCE)


def _shared_words(table: SegmentTable) -> Ints:
    """The words that segments share with the head of their page (shape: 6, segments that share any).

    The rows: the index of the segment, its distinct words, those shared with the title, those of the title, those
    shared with the description, those of the description. Equal segments of a page are represented by the first one.
    Segments of one word are left out: their overlap is not informative.
    """
    heads = _HeadWords.of(table.heads)
    which = (table.same == table.index) & (table.counts.words > 1) & (heads.sizes.sum(axis=0) > 0)[table.document]
    places = np.flatnonzero(which)
    blocks = [
        heads.shared(table, places[start : start + BLOCK_SEGMENTS]) for start in range(0, len(places), BLOCK_SEGMENTS)
    ]
    return np.concatenate(blocks, axis=1) if blocks else np.zeros((6, 0), np.int64)


@dataclass(frozen=True)
class _HeadWords:
    """The words of titles and descriptions. `sizes`: the number of distinct ones of each page (shape: 2, pages).
    `keys`: a key for each page and word. `which`: whether the word is in the title, and whether it is in the
    description (shape: 2, keys)."""

    sizes: Ints
    keys: HashIndex
    which: Flags

    @classmethod
    def of(cls, heads: Sequence[Head]) -> _HeadWords:
        """The words of the heads of pages."""
        pages: list[int] = []
        words: list[str] = []
        which: list[tuple[bool, bool]] = []
        for number, head in enumerate(heads):
            title = distinct_words(head.title)
            description = {
                word
                for word in distinct_words(head.description)
                if len(word) >= MIN_WORD_LETTERS or word > "\u3000"  # East Asian words are single characters
            }
            both = title | description
            words += both
            pages += [number] * len(both)
            which += [(word in title, word in description) for word in both]
        page, in_either = np.array(pages, np.int64), np.array(which, bool).reshape(-1, 2).T
        sizes = np.stack([np.bincount(page[flags], minlength=len(heads)) for flags in in_either])
        return cls(sizes, HashIndex(_page_keys(word_hashes(words), page)), in_either)

    def shared(self, table: SegmentTable, places: Ints) -> Ints:
        """The columns of `_shared_words` of the segments at *places*."""
        hashes, line = leading_word_hashes([table.texts[at] for at in places.tolist()])
        document = table.document[places]
        at, key = self.keys.find(_page_keys(hashes, document[line]))
        # each distinct word of a segment once
        line_of, key = np.divmod(np.unique(line[at] * self.which.shape[1] + key), max(self.which.shape[1], 1))
        sharing = np.zeros(len(places), bool)
        sharing[line_of] = True
        own = count_distinct(hashes, line, sharing)
        title, description = (np.bincount(line_of, which[key], len(places))[sharing] for which in self.which)
        sizes = self.sizes[:, document[sharing]]
        return np.stack([places[sharing], own[sharing], title, sizes[0], description, sizes[1]]).astype(np.int64)


def _page_keys(hashes: Keys, page: Ints) -> Keys:
    """A key for each pair of a word and a page."""
    keys: Keys = hashes ^ (page.astype(np.uint64) * np.uint64(MIXER))
    return keys


def _best_candidates(table: SegmentTable, rows: Floats, candidates: Ints) -> Ints:
    """The best visible candidate for the title or the description in each document that has one."""
    origin = CATEGORIES["origin"]
    candidates = candidates[np.isin(table.category("origin")[candidates], [-1, *map(origin.index, SEEN)])]
    h1 = table.category("tag")[candidates] == CATEGORIES["tag"].index("h1")
    heading = table.category("type")[candidates] == CATEGORIES["type"].index("h")
    linked = table.links[candidates] > LINKED_SHARE * table.chars[candidates]
    bonus = np.where(h1, H1_BONUS, heading * HEADING_BONUS)
    value = rows[0, candidates] + rows[2, candidates] + bonus - linked * LINK_PENALTY
    order = np.lexsort((candidates, -value))
    document = table.document[candidates[order]]
    best: Ints = candidates[order][np.unique(document, return_index=True)[1]]
    return best
