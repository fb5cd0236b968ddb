"""What segments have in common with the title and the description of their page, and where those stand: which text is
the page's own.

Part of `features`. A short article among teasers and legal notices is hard to tell by its length or place; but its
words are the title's, and it begins below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..record import SEEN
from ..text.hash_table import MIXER, Keys
from ..text.word_lookup import HashIndex, word_hashes
from . import leading_words
from .document import Head
from .dom_tree import Ints
from .neighbourhood import FAR, logs
from .segment_table import CATEGORIES, Flags, Floats, Segments

# Of title and description: a segment is it if they share so many different words, such a share of the segment's, and
# of its own.
LEAST, OWN, FOUND = (2, 5), (0.6, 0.2), (0.3, 0.4)
# Of a description only words of so many letters count: others are everywhere.
LONG = 4
# Rows for each of them.
ROWS = 8
# What of several is the most likely to be it: headings are, links seldom.
_H1, _HEADING, _LINK, _LINKED = 0.25, 0.15, 0.1, 0.8
# Segments whose words are read at a time.
BLOCK = 1 << 13


def fill(segments: Segments, out: Floats) -> None:
    """Fills the rows of the family `head`: those of the title, then those of the description."""
    out[:] = 0
    found = _shared(segments)
    at, own = found[:2]
    for which, (shared, wanted) in enumerate((found[2:4], found[4:])):
        rows = out[which * ROWS : (which + 1) * ROWS]
        rows[0, at], rows[1, at], rows[2, at] = (
            shared / own,
            shared / np.maximum(wanted, 1),
            2 * shared / (own + wanted),
        )
        rows[:3] = rows[:3].take(segments.same, axis=1)
        likely = np.zeros(len(segments), bool)
        likely[at] = (shared >= LEAST[which]) & (shared >= OWN[which] * own) & (shared >= FOUND[which] * wanted)
        anchor = np.full(len(segments.documents), -1)
        best = _likeliest(segments, rows, np.flatnonzero(likely[segments.same]))
        anchor[segments.document[best]] = best
        here = anchor[segments.document]
        since, there = segments.index - here, here >= 0
        rows[3], rows[4], rows[7] = there, since == 0, there & (since < 0)
        rows[5] = np.where(there, np.clip(since, -50, 100) / 25, -2.4)
        rows[6] = np.where(there & (since >= 0), logs(np.maximum(since, 0)), FAR)


def _shared(segments: Segments) -> Ints:
    """Of the segments that share words with the head of their page, of equal ones the first: which, how many different
    words it has; how many it shares with the title, and how many that has; and the same of the description (shape: 6,
    segments). Single words are no sign."""
    wanted = _Wanted.of(segments.heads)
    read = (
        (segments.same == segments.index)
        & (segments.counts.words > 1)
        & (wanted.sizes.sum(axis=0) > 0)[segments.document]
    )
    places = np.flatnonzero(read)
    found = [wanted.shared(segments, places[start : start + BLOCK]) for start in range(0, len(places), BLOCK)]
    return np.concatenate(found, axis=1) if found else np.zeros((6, 0), np.int64)


@dataclass(frozen=True)
class _Wanted:
    """The words of titles and descriptions: how many different ones each page has of both (`sizes`; shape: 2, pages);
    `keys`, of a page and a word, and whether the word is in its title and description (`which`; shape: 2, keys)."""

    sizes: Ints
    keys: HashIndex
    which: Flags

    @classmethod
    def of(cls, heads: Sequence[Head]) -> _Wanted:
        """The words of so many pages."""
        pages: list[int] = []
        some: list[str] = []
        which: list[tuple[bool, bool]] = []
        for number, head in enumerate(heads):
            title = leading_words.words(head.title)
            described = {word for word in leading_words.words(head.description) if len(word) >= LONG or word > "\u3000"}
            both = title | described
            some += both
            pages += [number] * len(both)
            which += [(word in title, word in described) for word in both]
        page, either = np.array(pages, np.int64), np.array(which, bool).reshape(-1, 2).T
        sizes = np.stack([np.bincount(page[of], minlength=len(heads)) for of in either])
        return cls(sizes, HashIndex(_keys(word_hashes(some), page)), either)

    def shared(self, segments: Segments, places: Ints) -> Ints:
        """The columns of `_shared` of the segments at *places*."""
        found, line = leading_words.read([segments.texts[at] for at in places.tolist()])
        document = segments.document[places]
        at, key = self.keys.find(_keys(found, document[line]))
        # of a segment's words, each once
        line_of, key = np.divmod(np.unique(line[at] * self.which.shape[1] + key), max(self.which.shape[1], 1))
        sharing = np.zeros(len(places), bool)
        sharing[line_of] = True
        own = leading_words.different(found, line, sharing)
        of_title, of_description = (np.bincount(line_of, which[key], len(places))[sharing] for which in self.which)
        size = self.sizes[:, document[sharing]]
        return np.stack([places[sharing], own[sharing], of_title, size[0], of_description, size[1]]).astype(np.int64)


def _keys(words: Keys, page: Ints) -> Keys:
    """Numbers of words of pages."""
    keys: Keys = words ^ (page.astype(np.uint64) * np.uint64(MIXER))
    return keys


def _likeliest(segments: Segments, rows: Floats, likely: Ints) -> Ints:
    """Of the segments that are *likely* the title or description, the likeliest of each document that it shows."""
    origin = CATEGORIES["origin"]
    likely = likely[np.isin(segments.code("origin")[likely], [-1, *map(origin.index, SEEN)])]
    h1 = segments.code("tag")[likely] == CATEGORIES["tag"].index("h1")
    heading = segments.code("type")[likely] == CATEGORIES["type"].index("h")
    linked = segments.links[likely] > _LINKED * segments.chars[likely]
    value = rows[0, likely] + rows[2, likely] + np.where(h1, _H1, heading * _HEADING) - linked * _LINK
    order = np.lexsort((likely, -value))
    document = segments.document[likely[order]]
    best: Ints = likely[order][np.unique(document, return_index=True)[1]]
    return best
