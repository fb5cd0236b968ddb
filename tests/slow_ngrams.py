"""Equation 1 of Evert (2008) by its definition, slowly, and texts to compare models on."""

from __future__ import annotations

import math
import random
import unicodedata
from collections import Counter
from collections.abc import Sequence

from ncfilters.scoring.char_ngram.ngrams import Alphabet

FOLDS = ("ascii", "nonlexical", "frequent")
Weighted = list[tuple[str, float]]

ASCII = "abcde ABC .,|©\n"
MIXED = "ab AZ 09 .,| éßжΩ中日٣५ \t\u00a0\u3000—“½²😀𝔘\u0301\ue000"
FREQUENT = "abc é中"
EDGE = ""


def folded(name: str, character: str) -> str:
    """The symbol of a character, by the definition of the folding."""
    if character == "\0":
        return EDGE
    if name == "ascii":
        return character if " " <= character <= "~" else " " if ord(character) < 128 else "~"
    if character.isspace():
        character = " "
    if name == "frequent":
        return character if character in FREQUENT else unicodedata.category(character)
    if character.isalpha():
        return "a"
    if character.isdigit():
        return "0"
    return character if " " <= character <= "~" else " " if ord(character) < 128 else "~"


def alphabet(name: str) -> int:
    """How many symbols there are, the edge included."""
    printable = [chr(code) for code in range(0x20, 0x7F)]
    if name == "frequent":
        return 1 + len(FREQUENT) + 30  # Unicode has 30 general categories
    return 1 + len({folded(name, character) for character in printable})


class Slow:
    """One model of equation 1: probabilities from counts, history by history."""

    def __init__(self, n: int, q: float, fold: str, texts: Weighted, less: Weighted = ()) -> None:
        self.n, self.q, self.fold, self.size = n, q, fold, alphabet(fold)
        self.counts: Counter[tuple[str, ...]] = Counter()
        for sign, some in ((1, texts), (-1, less)):
            for text, weight in some:
                for gram in self.grams(text):
                    for order in range(1, n + 1):
                        self.counts[gram[n - order :]] += sign * weight
        self.histories: Counter[tuple[str, ...]] = Counter()
        for gram, count in self.counts.items():
            self.histories[gram[:-1]] += count

    def grams(self, text: str) -> list[tuple[str, ...]]:
        """The n-grams that end in each character of the text and in the edge behind it, n - 1 edges before it."""
        symbols = [EDGE] * (self.n - 1) + [folded(self.fold, character) for character in text] + [EDGE]
        return [tuple(symbols[at : at + self.n]) for at in range(len(symbols) - self.n + 1)]

    def conditional(self, gram: tuple[str, ...]) -> float:
        count, total = self.counts[gram], self.histories[gram[:-1]]
        if len(gram) == 1:
            return min(max((count + 1) / (max(total, 0) + self.size), 1 / (1e9 + self.size)), 1)
        return min(max(count / total, 0), 1) if total > 1e-9 else 0.0

    def probability(self, gram: tuple[str, ...]) -> float:
        """Equation 1."""
        n, q = self.n, self.q
        return (1 - q) / (1 - q**n) * sum(q**k * self.conditional(gram[k:]) for k in range(n))

    def bits(self, text: str) -> float:
        return sum(math.log2(self.probability(gram)) for gram in self.grams(text))


def slow_odds(n: int, q: float, fold: str, clean: Weighted, dirty: Weighted, texts: Sequence[str]) -> list[float]:
    models = Slow(n, q, fold, clean), Slow(n, q, fold, dirty)
    return [models[0].bits(text) - models[1].bits(text) for text in texts]


def folding(name: str) -> Alphabet:
    return Alphabet(name, FREQUENT if name == "frequent" else "")


def some_texts(random_: random.Random, characters: str, number: int, longest: int = 40) -> list[str]:
    return ["".join(random_.choices(characters, k=random_.randrange(longest))) for _ in range(number)]


def weighted(random_: random.Random, texts: list[str]) -> Weighted:
    return [(text, random_.choice([1.0, 1.0, 0.5, 3.25])) for text in texts]
