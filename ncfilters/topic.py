"""What segments have in common with the title and the description of their page, and where those stand: which text is
the page's own.

Part of `features`. A short article among teasers and legal notices is hard to tell by its length or place; but its
words are the title's, and it begins below it.
"""

from __future__ import annotations

import re

import numpy as np

from .ancestry import Ints
from .batch import CATEGORIES, Floats, Segments
from .characters import SEPARATOR, joined, spacing
from .record import SEEN
from .surroundings import FAR, logs

# Characters of a text whose words are read.
READ = 200
# Of title and description: a segment is it if they share so many different words, such a share of the segment's, and
# of its own.
LEAST, OWN, FOUND = (2, 5), (0.6, 0.2), (0.3, 0.4)
# Of a description only words of so many letters count: others are everywhere.
LONG = 4
# Rows for each of them.
ROWS = 8
# What of several is the most likely to be it: headings are, links seldom.
_H1, _HEADING, _LINK, _LINKED = 0.25, 0.15, 0.1, 0.8
# Small letters and digits of ASCII as they are, a space for all else.
_SPACED = spacing(lambda c: c.isalnum() or c == SEPARATOR)
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")


def words(text: str) -> set[str]:
    """The different words of a text, in small letters: runs of letters and digits; of Chinese and Japanese, the
    characters."""
    return set(_WORD.findall(text.lower()))


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
        rows[5], rows[6] = -2.4, FAR
        for anchor in _likeliest(segments, rows, np.flatnonzero(likely[segments.same])).tolist():
            first = int(segments.first[anchor])
            page = rows[:, first : int(segments.last[anchor]) + 1]
            since = np.arange(page.shape[1]) - (anchor - first)
            page[3], page[4] = 1, since == 0
            page[5] = np.clip(since, -50, 100) / 25
            page[6] = np.where(since >= 0, logs(np.maximum(since, 0)), FAR)
            page[7] = since < 0


def _shared(segments: Segments) -> Ints:
    """Of the segments that share words with the head of their page, of equal ones the first: which, how many different
    words it has; how many it shares with the title, and how many that has; and the same of the description (shape: 6,
    segments). Single words are no sign."""
    out: list[int] = []
    read = (segments.same == segments.index) & (segments.counts.words > 1)
    ends = np.cumsum(segments.documents).tolist()
    for head, start, end in zip(segments.heads, [0, *ends], ends):
        title = words(head.title)
        described = {word for word in words(head.description) if len(word) >= LONG or word > "\u3000"}
        wanted = title | described
        if not wanted:
            continue
        places = (start + np.flatnonzero(read[start:end])).tolist()
        data = joined([segments.texts[at][:READ] for at in places]).encode("utf-8", "surrogatepass")
        sizes = len(title), len(described)
        for at, line in zip(places, data.translate(_SPACED).decode("utf-8", "surrogatepass").split(SEPARATOR)):
            if line.isascii():
                some = line.split()
            else:
                line = line.lower()
                if not any(word in line for word in wanted):  # most have none, and a pattern takes its time
                    continue
                some = _WORD.findall(line)
            if shared := wanted.intersection(some):
                of_title, of_description = len(title & shared), len(described & shared)
                out += (at, len(set(some)), of_title, sizes[0], of_description, sizes[1])
    table: Ints = np.array(out, np.int64).reshape(-1, 6).T
    return table


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
