"""The n-grams of a word model, from single words to the longest, each found from the one a word shorter.

    trie = Trie.of(["the", "cat"], [np.array([[0, 1]])])[0]
    trie.ending(np.array([0, 1]))            # places of "the", "cat"; and of nothing, then of "the cat"

What stands for an n-gram is its place in the table of its length; that of one that is not there is the number of all.
Values are kept beside, in arrays by place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...text.hash_table import Buckets, Mixing, Places, Table
from ...text.word_hash import Vocabulary

Ids = NDArray[Any]


class Trie:
    """The words and the n-grams of two words and more, a table for each length."""

    def __init__(self, vocabulary: Vocabulary, tables: Sequence[Table]) -> None:
        self.vocabulary, self.tables = vocabulary, list(tables)

    @property
    def n(self) -> int:
        """The length of the longest n-grams."""
        return len(self.tables) + 1

    def sizes(self) -> list[int]:
        """How many n-grams of each length there are."""
        return [len(self.vocabulary), *map(len, self.tables)]

    @classmethod
    def of(cls, words: Sequence[str], orders: Sequence[Ids]) -> tuple[Trie, list[Places]]:
        """The trie of distinct words and n-grams of two words, three and so on, each a row of numbers of words; and,
        for words and each length, which of them stands at each place.

        Raises ValueError for an n-gram that is there twice, or whose beginning is not there as an n-gram.
        """
        vocabulary, order = Vocabulary.of([word.encode("utf-8", "replace") for word in words])
        place = np.empty(len(words), np.int64)
        place[order] = np.arange(len(words))
        trie, orders_of = cls(vocabulary, []), [order]
        for ids in orders:
            found = place[ids]
            histories = trie.places(found[:, :-1])
            if (lost := histories == trie.sizes()[-1]).any():
                raise ValueError(f"{_spelled(words, ids, lost)!r} is there, but not the n-gram it begins with")
            table, order = Table.of(Mixing(trie.sizes()[-1], len(words)), histories, found[:, -1])
            if (table.find(histories, found[:, -1])[order] != np.arange(len(order))).any():
                raise ValueError(f"an n-gram of {ids.shape[1]} words is there twice")
            trie.tables.append(table)
            orders_of.append(order)
        return trie, orders_of

    def places(self, ids: Ids) -> Places:
        """The places of n-grams of one length, each a row of places of words."""
        found: Places = ids[:, 0].astype(np.int64)
        for column in range(1, ids.shape[1]):
            found = self.tables[column - 1].find(found, ids[:, column])
        return found

    def ending(self, words: Places, edges: Places, edge: Sequence[int] = ()) -> list[Places]:
        """For each length, the place of the n-gram that ends at each of the *words* of texts one after the other. At
        *edges*, where texts begin, it is that of *edge* for 2 words and more, or none."""
        out = [words]
        for order, table in enumerate(self.tables):
            before = np.empty_like(words)
            before[:1] = self.sizes()[order]
            before[1:] = out[-1][:-1]
            found = table.find(before, words)
            found[edges] = edge[order] if edge else len(table)
            out.append(found)
        return out

    def listed(self) -> list[Places]:
        """For each length, all n-grams as rows of places of words, by place. Raises ValueError where it is damaged."""
        out = [np.arange(len(self.vocabulary))[:, None]]
        for table in self.tables:
            histories, words = table.entries()
            if (histories >= len(out[-1])).any() or (words >= len(self.vocabulary)).any():
                raise ValueError("n-grams of words that are not there")
            out.append(np.concatenate([out[-1][histories], words[:, None]], axis=1))
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
    def from_parts(cls, n: int, arrays: dict[str, NDArray[Any]]) -> Trie:
        """The trie of a file's arrays. Raises KeyError or ValueError where they do not fit."""
        buckets = Buckets(64, arrays["starts1"], arrays["rests1"])
        trie = cls(Vocabulary(buckets, arrays["ends"], arrays["spelling"]), [])
        for order in range(2, n + 1):
            mixing = Mixing(trie.sizes()[-1], len(buckets))
            starts, rests = arrays[f"starts{order}"], arrays[f"rests{order}"]
            trie.tables.append(Table(mixing, Buckets(mixing.bits, starts, rests)))
        return trie


def _spelled(words: Sequence[str], ids: Ids, wrong: NDArray[np.bool_]) -> str:
    return " ".join(words[at] for at in ids[np.flatnonzero(wrong)[0]].tolist())
