"""Paragraphs most of whose n-grams of words have been seen, as onion finds them (Pomikálek 2011, chapter 4).

finder = NgramDuplicates(State(None, {}, TABLES, 1 << 28), NgramRules(n=2))
[one.parts.dropped for one in finder.find([{"text": "It rained again."}, {"text": "Now it rained again."}])]
# [[False], [True]]

An n-gram is seen if it ends at an earlier word of the document, or in a kept paragraph of an earlier one. N-grams run
on from paragraph to paragraph. A paragraph is a duplicate if more than a threshold of its words lie in seen n-grams
that end in it; so is a document, whose words are those of its paragraphs. Kept paragraphs of few words between
duplicates go, too (smoothing).

Differences from the program: words are those of `words`, in lower case, where it takes lines of a vertical file as they
are; the beginning and the end of a document are no duplicates, where its smoothing takes them for such, so that it
drops every document of 20 words; a document goes by its share, too, where it goes if all its paragraphs do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..record import Record
from .duplicates import Parts, Verdict
from .paragraphs import Paragraphs, paragraphs_of
from .state import State
from .word_ngrams import Lengths, hash_words_of, ngrams

KIND = "ngrams"
TABLES = "CREATE TABLE entries (key INTEGER PRIMARY KEY)"
_FIND = "SELECT entries.key FROM json_each(?) JOIN entries ON entries.key = value"
_ADD = "INSERT OR IGNORE INTO entries VALUES (?)"
MERGE = "INSERT OR IGNORE INTO entries SELECT key FROM other.entries"
N, THRESHOLD, MAX_GAP = 5, 0.5, 20

Keys = NDArray[np.int64]


class NgramRules(NamedTuple):
    """*n* words of an n-gram; the share of seen words *above* which a paragraph is a duplicate; the most words of kept
    paragraphs between duplicates that go with them, None without smoothing."""

    n: int = N
    threshold: float = THRESHOLD
    max_gap: int | None = MAX_GAP


class NgramDuplicates:
    def __init__(self, state: State, rules: NgramRules) -> None:
        self._state, self._rules = state, rules

    def find(self, documents: Sequence[Record]) -> list[Verdict]:
        """The verdict on each document and its paragraphs. Raises RecordError for documents without text."""
        cut = [paragraphs_of(document) for document in documents]
        hashes, lengths = hash_words_of([text for one in cut for text in one.texts])
        of_document, text, word = [], 0, 0
        for one in cut:
            counts = lengths[text : text + len(one.texts)]
            text, size = text + len(one.texts), int(counts.sum())
            keys = ngrams(hashes[word : word + size], self._rules.n)[: max(size - self._rules.n + 1, 0)].view(np.int64)
            of_document.append((one, counts, keys))
            word += size
        seen = self._seen([keys for _, _, keys in of_document])
        new: set[int] = set()
        out = [self._of_document(*one, seen, new) for one in of_document]
        self._state.add(_ADD, [(key,) for key in sorted(new)])
        return out

    def _seen(self, keys: Sequence[Keys]) -> set[int]:
        """The n-grams that kept paragraphs of earlier batches have."""
        every = np.unique(np.concatenate(keys)) if keys else np.empty(0, np.int64)
        return {key for (key,) in self._state.rows(_FIND, str(every.tolist()))}

    def _of_document(
        self, paragraphs: Paragraphs, lengths: Lengths, keys: Keys, seen: set[int], new: set[int]
    ) -> Verdict:
        _, first = np.unique(keys, return_index=True)
        is_seen = np.ones(len(keys), bool)
        is_seen[first] = [key in seen or key in new for key in keys[first].tolist()]
        ends = np.cumsum(lengths)
        covered = _covered(is_seen, self._rules.n, lengths, ends)
        shares = covered / np.maximum(lengths, 1)
        duplicate = shares > self._rules.threshold
        if self._rules.max_gap is not None:
            _smooth(duplicate, lengths, self._rules.max_gap)
        share = float(covered.sum() / max(int(lengths.sum()), 1))
        is_duplicate = share > self._rules.threshold
        if not is_duplicate:
            # an n-gram belongs to the paragraph in which it ends
            kept = ~np.repeat(duplicate, lengths)[self._rules.n - 1 :]
            new.update(key for key, is_kept in zip(keys.tolist(), kept.tolist()) if is_kept)
        dropped = duplicate | np.array(paragraphs.with_headings(duplicate.tolist()), bool)
        marks: list[Record | None] = [
            {"duplicate": KIND, "similarity": round(float(one), 3)} if gone else None
            for one, gone in zip(shares, dropped)
        ]
        is_duplicate = is_duplicate or bool(dropped.any() and not lengths[~dropped].sum())
        parts = Parts(
            paragraphs, dropped.tolist(), marks, int(lengths.sum() if is_duplicate else lengths[dropped].sum())
        )
        return Verdict(is_duplicate, None, share if is_duplicate else None, parts)


def _covered(is_seen: NDArray[np.bool_], n: int, lengths: Lengths, ends: Lengths) -> Lengths:
    """How many words of each paragraph lie in seen n-grams that end in it."""
    out = np.zeros(len(lengths), np.int64)
    if not is_seen.any():
        return out
    last = np.flatnonzero(is_seen) + n - 1  # the word in which each ends
    paragraph = np.searchsorted(ends, last, side="right")
    starts = np.maximum(last - n + 1, (ends - lengths)[paragraph])
    # words from the end of the n-gram before in the same paragraph
    after = np.where(np.r_[False, paragraph[1:] == paragraph[:-1]], np.r_[0, last[:-1] + 1], 0)
    np.add.at(out, paragraph, last + 1 - np.maximum(starts, after))
    return out


def _smooth(duplicate: NDArray[np.bool_], lengths: Lengths, max_gap: int) -> None:
    """Marks runs of kept paragraphs of at most *max_gap* words between two duplicates."""
    places = np.flatnonzero(duplicate).tolist()
    for one, other in zip(places, places[1:]):
        if lengths[one + 1 : other].sum() <= max_gap:
            duplicate[one + 1 : other] = True
