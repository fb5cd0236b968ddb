"""Duplicates by n-grams of words: documents that are similar to a kept one, and paragraphs most of whose n-grams have
been seen, as onion finds them (Pomikálek 2011, chapter 4).

NearDuplicates(state).find(documents)      # a Verdict on each document, in order

finder = NgramDuplicates(State(None, {}, NgramDuplicates.TABLES, 1 << 28), n=2)
[one.parts.dropped for one in finder.find([{"text": "It rained again."}, {"text": "Now it rained again."}])]
# [[False], [True]]

A word is a run of letters, digits and marks in lower case, or one character of a script without spaces (see `words`).
N-grams are known by their hashes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from ..record import Record
from ..text.tokenizers import MIXER, MIXERS, STEP, hash_spans, tokenize
from ..text.words import words
from .documents import Paragraphs, name_of, paragraphs_of, text_of
from .duplicates import UNIQUE, Features, Parts, Verdict, WholeFinder, normalized

if TYPE_CHECKING:
    from .state import State

Hashes = NDArray[np.uint64]
Lengths = NDArray[np.int64]

# ASCII in lower case, with a space for each character that is in no word.
_WORDS_OF_ASCII = {code: chr(code).lower() if re.match(r"[\w\s]", chr(code), re.ASCII) else " " for code in range(128)}


def hash_words_of(texts: Sequence[str]) -> tuple[Hashes, Lengths]:
    """The hashes of all words, text after text, and the number of words of each text."""
    plain = [text.translate(_WORDS_OF_ASCII) if text.isascii() else " ".join(words(text)) for text in texts]
    spans = tokenize(plain, "spaces")
    return hash_spans(spans.data, spans.starts, spans.ends), spans.lengths


def ngrams(hashes: Hashes, n: int) -> Hashes:
    """The hash of the *n* words from each place on. At the last n - 1 places the words end early.

    It is a sum of words times powers of an odd number, modulo 2**64, then mixed: the order of words matters.
    """
    out = np.zeros(len(hashes), np.uint64)
    for place in range(min(n, len(hashes))):
        out[: len(hashes) - place] += hashes[place:] * np.uint64(pow(MIXER, place, 1 << 64))
    out ^= out >> np.uint64(32)
    out *= np.uint64(MIXERS[0])
    out ^= out >> np.uint64(29)
    return out


# ---- near duplicates ----

# Documents that a band keeps, the first; and candidates that a document is compared with, those that share the most
# bands. So time is linear where thousands of pages share a template.
MAX_IN_BAND, MAX_CANDIDATES = 50, 100

# Bands and rows of the default, which are those of datatrove; and the most values of a signature.
BANDS, ROWS, MAX_VALUES = 14, 8, 128
# The threshold at which half of the pairs share a band, roughly, with these; words of an n-gram.
THRESHOLD, SHINGLE_WORDS = 0.72, 5
# Shingles that are multiplied at a time, so that products stay in the cache.
_BLOCK = 1 << 12

# Hashes of n-grams in the order of the text; one may be there several times.
Shingles = NDArray[np.uint32]


def near_features(documents: Sequence[Record]) -> list[Features]:
    """The names and shingles of documents. Raises RecordError for documents without text."""
    sets = shingle_sets([text_of(document) for document in documents])
    return [(name_of(document), one.tobytes()) for document, one in zip(documents, sets)]


class NearDuplicates(WholeFinder):
    """Finds documents whose similarity to an earlier one that is no duplicate itself reaches the *threshold*.

    Documents are candidates if they share a band of their MinHash signatures. They are compared with documents that
    were kept alone: so each duplicate is within the threshold of the one that stands for it, and no chain of small
    changes makes one cluster of a whole source.
    """

    TABLES = """
CREATE TABLE documents (number INTEGER PRIMARY KEY, name TEXT, shingles BLOB);
CREATE TABLE entries (key INTEGER, document INTEGER, PRIMARY KEY (key, document)) WITHOUT ROWID
"""
    MERGE = """
INSERT INTO entries SELECT key, document + (SELECT coalesce(max(number), 0) FROM documents) FROM other.entries;
INSERT INTO documents SELECT number + (SELECT coalesce(max(number), 0) FROM documents), name, shingles
FROM other.documents
"""
    SETTINGS: Mapping[str, int] = {"n": SHINGLE_WORDS}
    THRESHOLD = THRESHOLD

    def __init__(self, state: State, threshold: float = THRESHOLD) -> None:
        self._state, self._threshold = state, threshold
        self._bands = best_bands(threshold)
        self._last = state.last_document()

    def features(self, documents: Sequence[Record]) -> list[Features]:
        return near_features(documents)

    def verdicts(self, features: Sequence[Features]) -> list[Verdict]:
        sets = [np.frombuffer(content, np.uint32) for _, content in features]
        bands = self._bands.of(sets)
        keys, place_of, counts = np.unique(bands, return_inverse=True, return_counts=True)
        buckets: dict[int, list[int]] = {}  # the documents that are kept in each of the bands
        for key, number in self._state.entries(keys.tolist()):
            buckets.setdefault(key, []).append(number)
        # most keys are those of one document, which the others need not look up
        shared_keys: NDArray[np.bool_] = np.isin(keys, list(buckets)) | np.greater(counts, 1)
        is_shared = shared_keys[place_of.reshape(bands.shape)]
        numbers = np.zeros(bands.shape, np.int64)  # of the documents that bands keep
        new: dict[int, tuple[str, Shingles]] = {}
        out = []
        for place, ((name, _), shingles) in enumerate(zip(features, sets)):
            verdict, shared = UNIQUE, []
            if is_shared[place].any():
                shared = [buckets.setdefault(key, []) for key in bands[place, is_shared[place]].tolist()]
                verdict = self._verdict(shingles, Counter(chain.from_iterable(shared)), new)
            out.append(verdict)
            if not verdict.is_duplicate:
                self._last += 1
                new[self._last] = name, shingles
                has_room = [len(bucket) < MAX_IN_BAND for bucket in shared]
                numbers[place] = self._last
                if shared:
                    numbers[place, is_shared[place]] *= has_room
                for bucket in (bucket for bucket, is_kept in zip(shared, has_room) if is_kept):
                    bucket.append(self._last)
        documents = [(number, name, shingles.data) for number, (name, shingles) in new.items()]
        self._state.add("INSERT INTO documents VALUES (?, ?, ?)", documents)
        order = np.argsort(bands, axis=None)  # neighbours share pages of the table
        order = order[numbers.flat[order] > 0]
        rows = list(zip(bands.flat[order].tolist(), numbers.flat[order].tolist()))
        self._state.add("INSERT OR IGNORE INTO entries VALUES (?, ?)", rows)
        return out

    def _verdict(self, shingles: Shingles, shared: Counter[int], new: Mapping[int, tuple[str, Shingles]]) -> Verdict:
        """The verdict from how many bands each document shares; *new* are those that the state does not have yet."""
        best = UNIQUE
        candidates = sorted(shared, key=lambda number: (-shared[number], number))[:MAX_CANDIDATES]
        stored = self._state.rows(
            "SELECT number, name, shingles FROM json_each(?) JOIN documents ON number = value",
            str([number for number in candidates if number not in new]),
        )
        kept = {number: (name, np.frombuffer(content, np.uint32)) for number, name, content in stored}
        for number in candidates:
            name, others = new.get(number) or kept[number]
            similar = similarity(shingles, others)
            if similar >= self._threshold and (best.similarity is None or similar > best.similarity):
                best = Verdict(True, name, similar)
        return best


def shingle_sets(texts: Sequence[str]) -> list[Shingles]:
    """The shingles of each text. A text of fewer than SHINGLE_WORDS has one, and so has a text of signs alone."""
    n = SHINGLE_WORDS
    hashes, lengths = hash_words_of(texts)
    out, end = [], 0
    every = (ngrams(hashes, n) >> np.uint64(32)).astype(np.uint32)
    for text, length in zip(texts, lengths.tolist()):
        start, end = end, end + length
        if length >= n:
            out.append(every[start : end - n + 1])
        elif length:
            out.append((ngrams(hashes[start:end], n)[:1] >> np.uint64(32)).astype(np.uint32))
        else:
            signs = normalized(text)
            out.append(np.array([xxhash.xxh32_intdigest(signs)] if signs else [], np.uint32))
    return out


def similarity(one: Shingles, other: Shingles) -> float:
    """The Jaccard index of two sets: the share of their union that both have. Two empty sets are equal."""
    one, other = np.unique(one), np.unique(other)
    common = len(np.intersect1d(one, other, assume_unique=True))
    return common / union if (union := len(one) + len(other) - common) else 1.0


def best_bands(threshold: float) -> Bands:
    """The bands that lose and find in vain the least, as areas under `chance` on each side of *threshold* (Zhu et al.
    2016, section 4), with at most `MAX_VALUES` values; the default for its threshold."""
    if threshold == THRESHOLD:
        return Bands(BANDS, ROWS)
    below, above = np.linspace(0, threshold, 100), np.linspace(threshold, 1, 100)

    def lost(bands: Bands) -> float:
        return float(bands.chance(below).mean() * threshold + (1 - bands.chance(above)).mean() * (1 - threshold))

    return min((Bands(MAX_VALUES // rows, rows) for rows in range(1, MAX_VALUES + 1)), key=lost)


class Bands:
    """Signatures of *count* bands of *rows* values each."""

    def __init__(self, count: int, rows: int) -> None:
        self.count, self.rows = count, rows
        self._factors = (_odd(count * rows, 2) >> np.uint64(32)).astype(np.uint32).reshape(-1, 1) | np.uint32(1)
        self._powers = _odd(rows, 1)

    def chance(self, similar: Any) -> Any:
        """The probability that two sets of this similarity share a band."""
        return 1 - (1 - np.asarray(similar) ** self.rows) ** self.count

    def of(self, sets: Sequence[Shingles]) -> NDArray[np.int64]:
        """The keys of the bands of sets (a row for each set)."""
        values = np.empty((len(sets), self.count * self.rows), np.uint64)
        for place, shingles in enumerate(sets):
            values[place] = self.signature(shingles)
        keys = values.reshape(len(sets), self.count, self.rows) @ self._powers
        keys += np.arange(self.count, dtype=np.uint64)
        keys *= np.uint64(MIXERS[1])
        keys ^= keys >> np.uint64(31)
        return keys.view(np.int64)

    def signature(self, shingles: Shingles) -> Shingles:
        """The least of the hashes of a set under each of the hash functions. These are products modulo 2**32 with odd
        factors (Dietzfelbinger et al. 1997), and equal on all machines."""
        least = np.full(len(self._factors), 0xFFFFFFFF, np.uint32)
        for start in range(0, len(shingles), _BLOCK):
            products = self._factors * shingles[start : start + _BLOCK]
            np.minimum(least, products.min(axis=1), out=least)
        return least


def _odd(count: int, start: int) -> NDArray[np.uint64]:
    """Odd random numbers (splitmix64, Steele, Lea and Flood 2014)."""
    out: NDArray[np.uint64] = np.arange(start, start + count, dtype=np.uint64) * np.uint64(STEP)
    for shift, mixer in zip((30, 27), MIXERS):
        out ^= out >> np.uint64(shift)
        out *= np.uint64(mixer)
    out |= np.uint64(1)
    return out


# ---- paragraphs by n-grams ----

NGRAMS = "ngrams"
# The most words of kept paragraphs between duplicates that go with them (smoothing).
MAX_GAP = 20


class NgramDuplicates:
    """Finds paragraphs of which more than the share *threshold* of the words lie in seen n-grams of *n* words that end
    in them, and documents, whose words are those of their paragraphs.

    An n-gram is seen if it ends at an earlier word of the document, or in a kept paragraph of an earlier one. N-grams
    run on from paragraph to paragraph. Kept paragraphs of few words between duplicates go, too.

    Differences from onion: words are those of `words`, in lower case, where it takes lines of a vertical file as they
    are; the beginning and the end of a document are no duplicates, where its smoothing takes them for such, so that it
    drops every document of 20 words; a document goes by its share, too, where it goes if all its paragraphs do.
    """

    TABLES = "CREATE TABLE entries (key INTEGER PRIMARY KEY)"
    MERGE = "INSERT OR IGNORE INTO entries SELECT key FROM other.entries"
    SETTINGS: Mapping[str, int] = {}
    THRESHOLD = 0.5

    def __init__(self, state: State, n: int = SHINGLE_WORDS, threshold: float = THRESHOLD) -> None:
        self._state, self._n, self._threshold = state, n, threshold

    def find(self, documents: Sequence[Record]) -> list[Verdict]:
        """The verdict on each document and its paragraphs. Raises RecordError for documents without text."""
        cut = [paragraphs_of(document) for document in documents]
        hashes, lengths = hash_words_of([text for one in cut for text in one.texts])
        of_document, text, word = [], 0, 0
        for one in cut:
            counts = lengths[text : text + len(one.texts)]
            text, size = text + len(one.texts), int(counts.sum())
            keys = ngrams(hashes[word : word + size], self._n)[: max(size - self._n + 1, 0)].view(np.int64)
            of_document.append((one, counts, keys))
            word += size
        wanted = np.unique(np.concatenate([np.empty(0, np.int64), *(keys for _, _, keys in of_document)]))
        seen = {key for (key,) in self._state.entries(wanted.tolist())}
        new: set[int] = set()
        out = [self._of_document(*one, seen, new) for one in of_document]
        self._state.add("INSERT OR IGNORE INTO entries VALUES (?)", [(key,) for key in sorted(new)])
        return out

    def _of_document(
        self, paragraphs: Paragraphs, lengths: Lengths, keys: NDArray[np.int64], seen: set[int], new: set[int]
    ) -> Verdict:
        _, first = np.unique(keys, return_index=True)
        is_seen = np.ones(len(keys), bool)
        is_seen[first] = [key in seen or key in new for key in keys[first].tolist()]
        covered = _covered(is_seen, self._n, lengths)
        shares = covered / np.maximum(lengths, 1)
        duplicate = shares > self._threshold
        places = np.flatnonzero(duplicate).tolist()
        for one, other in zip(places, places[1:]):
            if lengths[one + 1 : other].sum() <= MAX_GAP:
                duplicate[one + 1 : other] = True
        share = float(covered.sum() / max(int(lengths.sum()), 1))
        is_duplicate = share > self._threshold
        if not is_duplicate:
            # an n-gram belongs to the paragraph in which it ends
            kept = ~np.repeat(duplicate, lengths)[self._n - 1 :]
            new.update(keys[kept].tolist())
        dropped = duplicate | np.array(paragraphs.with_headings(duplicate.tolist()), bool)
        marks: list[Record | None] = [
            {"duplicate": NGRAMS, "similarity": round(float(one), 3)} if gone else None
            for one, gone in zip(shares, dropped)
        ]
        is_duplicate = is_duplicate or bool(dropped.any() and not lengths[~dropped].sum())
        gone = int(lengths.sum() if is_duplicate else lengths[dropped].sum())
        parts = Parts(paragraphs, dropped.tolist(), marks, gone)
        return Verdict(is_duplicate, None, share if is_duplicate else None, parts)


def _covered(is_seen: NDArray[np.bool_], n: int, lengths: Lengths) -> Lengths:
    """How many words of each paragraph lie in seen n-grams that end in it."""
    out, ends = np.zeros(len(lengths), np.int64), np.cumsum(lengths)
    if not is_seen.any():
        return out
    last = np.flatnonzero(is_seen) + n - 1  # the word in which each ends
    paragraph = np.searchsorted(ends, last, side="right")
    starts = np.maximum(last - n + 1, (ends - lengths)[paragraph])
    # words from the end of the n-gram before in the same paragraph
    after = np.where(np.r_[False, paragraph[1:] == paragraph[:-1]], np.r_[0, last[:-1] + 1], 0)
    np.add.at(out, paragraph, last + 1 - np.maximum(starts, after))
    return out
