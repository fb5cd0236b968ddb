"""The n-grams of a word model by length; each is found through the n-gram that is one word shorter.

    trie, _ = NgramTrie.build(["the", "cat"], [np.array([[0, 1]])])
    trie.ending_places(np.array([0, 1]), np.array([0]))     # of the words; of the bigrams that end in them

An n-gram is represented by its place in the table of its length. The place of an unknown n-gram is the size of the
table. Values (counts, probabilities) are kept outside, in arrays indexed by place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...text.hash_table import CompactTable, NgramMixer, NgramTable, Places, Vocabulary

# N-grams of one length, a row each; columns are numbers of words.
NgramRows = NDArray[Any]


class NgramTrie:
    """The vocabulary, and a table of n-grams for each length from 2."""

    def __init__(self, vocabulary: Vocabulary, tables: Sequence[NgramTable]) -> None:
        self.vocabulary, self.tables = vocabulary, list(tables)

    @property
    def n(self) -> int:
        """The length of the longest n-grams."""
        return len(self.tables) + 1

    def sizes(self) -> list[int]:
        """The number of n-grams of each length."""
        return [len(self.vocabulary), *map(len, self.tables)]

    @classmethod
    def build(cls, words: Sequence[str], orders: Sequence[NgramRows]) -> tuple[NgramTrie, list[Places]]:
        """The trie of distinct *words* and of n-grams of two words, three and so on, whose rows number the words; and
        for each length from 1, which word or row is at each place.

        Raises ValueError for a duplicate n-gram, and for one whose history is no n-gram.
        """
        vocabulary, order = Vocabulary.of([word.encode("utf-8", "replace") for word in words])
        place = np.empty(len(words), np.int64)
        place[order] = np.arange(len(words))
        trie, order_of_length = cls(vocabulary, []), [order]
        for rows in orders:
            ids = place[rows]
            histories = trie.find(ids[:, :-1])
            if (missing := histories == trie.sizes()[-1]).any():
                raise ValueError(
                    f"the n-gram {_first_text(words, rows, missing)!r} has a history that is not an n-gram"
                )
            table, order = NgramTable.of(NgramMixer(trie.sizes()[-1], len(words)), histories, ids[:, -1])
            if (table.find(histories, ids[:, -1])[order] != np.arange(len(order))).any():
                raise ValueError(f"an n-gram of {rows.shape[1]} words occurs twice")
            trie.tables.append(table)
            order_of_length.append(order)
        return trie, order_of_length

    def find(self, ids: NgramRows) -> Places:
        """The places of n-grams of one length, given as rows of places of words (shape: n-grams × length)."""
        places: Places = ids[:, 0].astype(np.int64)
        for column in range(1, ids.shape[1]):
            places = self.tables[column - 1].find(places, ids[:, column])
        return places

    def ending_places(self, words: Places, starts: Places, boundary: Sequence[int] = ()) -> list[Places]:
        """For each length, the place of the n-gram that ends at each word (shape: words).

        *words* are those of several texts in a row. At *starts*, where texts start, the place of an n-gram of 2 words
        and more is that in *boundary*, or unknown.
        """
        out = [words]
        for order, table in enumerate(self.tables):
            before = np.empty_like(words)
            before[:1] = self.sizes()[order]
            before[1:] = out[-1][:-1]
            places = table.find(before, words)
            places[starts] = boundary[order] if boundary else len(table)
            out.append(places)
        return out

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file."""
        words = self.vocabulary
        out = {"starts1": words.buckets.starts, "rests1": words.buckets.rests, "ends": words.ends}
        out["spelling"] = words.spelling
        for order, table in enumerate(self.tables, 2):
            out |= {f"starts{order}": table.buckets.starts, f"rests{order}": table.buckets.rests}
        return out

    @classmethod
    def from_parts(cls, n: int, arrays: dict[str, NDArray[Any]]) -> NgramTrie:
        """The trie of a file's arrays. Raises KeyError or ValueError where they do not fit together."""
        buckets = CompactTable(64, arrays["starts1"], arrays["rests1"])
        trie = cls(Vocabulary(buckets, arrays["ends"], arrays["spelling"]), [])
        for order in range(2, n + 1):
            mixing = NgramMixer(trie.sizes()[-1], len(buckets))
            starts, rests = arrays[f"starts{order}"], arrays[f"rests{order}"]
            trie.tables.append(NgramTable(mixing, CompactTable(mixing.bits, starts, rests)))
        for table in (buckets, *(longer.buckets for longer in trie.tables)):
            table.check()
        return trie


def _first_text(words: Sequence[str], rows: NgramRows, selected: NDArray[np.bool_]) -> str:
    return " ".join(words[number] for number in rows[np.flatnonzero(selected)[0]].tolist())
