"""Documents that share most of their n-grams of words with one that was kept.

Documents are candidates if they share a band of their MinHash signatures (see `minhash`), and duplicates if their
similarity reaches the threshold. They are compared with documents that were kept alone: so each duplicate is within the
threshold of the one that stands for it, and no chain of small changes makes one cluster of a whole source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..record import Record
from .documents import name_of, text_of
from .duplicates import UNIQUE, Features, Verdict
from .minhash import THRESHOLD, Bands, Keys, Shingles, best_bands, shingle_sets, similarity
from .state import Row, State

TABLES = """
CREATE TABLE documents (number INTEGER PRIMARY KEY, name TEXT, shingles BLOB);
CREATE TABLE entries (key INTEGER, document INTEGER, PRIMARY KEY (key, document)) WITHOUT ROWID
"""
_FIND = "SELECT entries.key, document FROM json_each(?) JOIN entries ON entries.key = value"
_ADD = "INSERT OR IGNORE INTO entries VALUES (?, ?)"
_DOCUMENTS = "SELECT number, name, shingles FROM json_each(?) JOIN documents ON number = value"
_ADD_DOCUMENT = "INSERT INTO documents VALUES (?, ?, ?)"
_LAST = "SELECT coalesce(max(number), 0) FROM documents"
MERGE = """
INSERT INTO entries SELECT key, document + (SELECT coalesce(max(number), 0) FROM documents) FROM other.entries;
INSERT INTO documents SELECT number + (SELECT coalesce(max(number), 0) FROM documents), name, shingles
FROM other.documents
"""
# Documents that a band keeps, the first; and candidates that a document is compared with, those that share the most
# bands. So time is linear where thousands of pages share a template.
MAX_IN_BAND, MAX_CANDIDATES = 50, 100


class NearOptions(NamedTuple):
    """*n* words of an n-gram; documents are duplicates from the similarity *threshold* on."""

    threshold: float = THRESHOLD
    n: int = 5


def features(documents: Sequence[Record], n: int = NearOptions().n) -> list[Features]:
    """The names and shingles of documents. Raises RecordError for documents without text."""
    sets = shingle_sets([text_of(document) for document in documents], n)
    return [Features(name_of(document), one.tobytes()) for document, one in zip(documents, sets)]


class _Kept(NamedTuple):
    name: str
    shingles: Shingles


class NearDuplicates:
    """Finds documents that are similar to an earlier one that is no duplicate itself."""

    def __init__(self, state: State, options: NearOptions) -> None:
        self._state, self._options = state, options
        self._bands: Bands = best_bands(options.threshold)
        self._last: int = state.rows(_LAST)[0][0]

    def find(self, documents: Sequence[Record]) -> list[Verdict]:
        return self.verdicts(self.features(documents))

    def features(self, documents: Sequence[Record]) -> list[Features]:
        return features(documents, self._options.n)

    def verdicts(self, features: Sequence[Features]) -> list[Verdict]:
        sets = [np.frombuffer(one.content, np.uint32) for one in features]
        bands = self._bands.of(sets)
        keys, place_of, counts = np.unique(bands, return_inverse=True, return_counts=True)
        buckets = self._buckets(keys)
        # most keys are those of one document, which the others need not look up
        shared_keys: NDArray[np.bool_] = np.isin(keys, list(buckets)) | np.greater(counts, 1)
        is_shared = shared_keys[place_of.reshape(bands.shape)]
        has_shared: NDArray[np.bool_] = np.asarray(is_shared.any(axis=1))
        numbers = np.zeros(bands.shape, np.int64)  # of the documents that bands keep
        new: dict[int, _Kept] = {}
        out = []
        for place, (one, shingles) in enumerate(zip(features, sets)):
            verdict, shared = UNIQUE, []
            if has_shared[place]:
                shared = [buckets.setdefault(key, []) for key in bands[place, is_shared[place]].tolist()]
                verdict = self._verdict(shingles, Counter(chain.from_iterable(shared)), new)
            out.append(verdict)
            if not verdict.is_duplicate:
                self._last += 1
                new[self._last] = _Kept(one.name, shingles)
                numbers[place] = self._last
                if shared:
                    numbers[place, is_shared[place]] *= [_add(self._last, bucket) for bucket in shared]
        self._state.add(_ADD_DOCUMENT, [(number, one.name, one.shingles.data) for number, one in new.items()])
        order = np.argsort(bands, axis=None)  # neighbours share pages of the table
        order = order[numbers.flat[order] > 0]
        self._state.add(_ADD, list(zip(bands.flat[order].tolist(), numbers.flat[order].tolist())))
        return out

    def _buckets(self, keys: Keys) -> dict[int, list[int]]:
        """The documents that are kept in each of the bands."""
        out: dict[int, list[int]] = {}
        for key, number in self._state.rows(_FIND, str(keys.tolist())):
            out.setdefault(key, []).append(number)
        return out

    def _verdict(self, shingles: Shingles, shared: Counter[int], new: Mapping[int, _Kept]) -> Verdict:
        """The verdict from how many bands each document shares; *new* are those that the state does not have yet."""
        best = UNIQUE
        candidates = sorted(shared, key=lambda number: (-shared[number], number))[:MAX_CANDIDATES]
        stored = [number for number in candidates if number not in new]
        kept = {
            number: _Kept(name, np.frombuffer(content, np.uint32)) for number, name, content in self._stored(stored)
        }
        for number in candidates:
            name, others = new.get(number) or kept[number]
            similar = similarity(shingles, others)
            if similar >= self._options.threshold and (best.similarity is None or similar > best.similarity):
                best = Verdict(True, name, similar)
        return best

    def _stored(self, numbers: list[int]) -> list[Row]:
        return self._state.rows(_DOCUMENTS, str(numbers)) if numbers else []


def _add(number: int, bucket: list[int]) -> bool:
    """Adds a document to those that a band keeps, and returns whether there was room."""
    if len(bucket) == MAX_IN_BAND:
        return False
    bucket.append(number)
    return True
