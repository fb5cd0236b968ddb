"""Texts made what a model of words was trained on: normalised, and cut into words or pieces of words.

prepare = preparation("ccnet", sentencepiece="en.sp.model")
prepare(["Été 2024 – déjà"])        # ["▁ ete ▁0000 ▁- ▁deja"]
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...features.document import Document

if TYPE_CHECKING:
    pass

Prepare = Callable[[Sequence[str]], list[str]]

# Characters that CCNet writes in ASCII (its text_normalizer.py of 2020; a full-width 1 is a digit before it gets here).
PUNCTUATION = {
    **dict.fromkeys("„”“«»」「《》", '"'),
    **dict.fromkeys("´’", "'"),
    **dict.fromkeys("，、", ","),
    **dict.fromkeys("∶：", ":"),
    **dict.fromkeys("–━►", "-"),
    "。": ".",
    "．": ". ",
    "…": "...",
    "—": " - ",
    "；": ";",
    "？": "?",
    "！": "!",
    "（": "(",
    "）": ")",
    "【": "[",
    "】": "]",
    "〈": "<",
    "〉": ">",
    "％": "%",
    "～": "~",
}
# Besides, characters that do not print are left out.
_TABLE = str.maketrans({**PUNCTUATION, **dict.fromkeys([*map(chr, range(32)), *map(chr, range(127, 160))], "")})
_DIGIT = re.compile(r"\d")


class PreparationError(Exception):
    """A model of pieces of words that cannot be had; says which and why."""


def ccnet(text: str) -> str:
    """A text as CCNet (Wenzek et al. 2020, section 3.3) gives it to its models: lower case, no accents, digits 0,
    punctuation in ASCII. Each line is taken by itself, as there, and then they are joined by spaces."""
    return " ".join(filter(None, map(_line, text.split("\n"))))


def _line(line: str) -> str:
    line = line.strip().lower()
    if not line.isascii():
        line = "".join([c for c in unicodedata.normalize("NFD", line) if unicodedata.category(c) != "Mn"])
    return _DIGIT.sub("0", line).translate(_TABLE)


NORMALISE: dict[str, Callable[[str], str]] = {"none": str, "lower": str.lower, "ccnet": ccnet}


def preparation(normalise: str = "none", tokens: str | None = None, sentencepiece: str | None = None) -> Prepare:
    """A function that prepares texts: normalises them, and cuts them as *tokens* says (see `tokens`), or into the
    pieces of a SentencePiece model's file; what it returns has spaces between words. Raises PreparationError."""
    normal = NORMALISE[normalise]
    split = _pieces(sentencepiece) if sentencepiece is not None else _cut(tokens) if tokens else None

    def prepare(texts: Sequence[str]) -> list[str]:
        ready = [normal(text) for text in texts]
        return [" ".join(words) for words in split(ready)] if split and ready else ready

    return prepare


def _cut(tokens: str) -> Callable[[list[str]], list[list[str]]]:
    from ...text.tokenizers import cut

    return lambda texts: cut(texts, tokens).words()


def _pieces(file: str) -> Callable[[list[str]], list[list[str]]]:
    """What cuts texts into pieces. Raises PreparationError."""
    try:
        from sentencepiece import SentencePieceProcessor
    except ImportError:
        raise PreparationError(
            f"{file}: the package sentencepiece is wanted, and not installed: pip install 'ncfilters[kenlm]'"
        ) from None
    processor: Any = SentencePieceProcessor()
    try:
        with open(file, "rb") as stream:
            processor.LoadFromSerializedProto(stream.read())
    except OSError as error:
        raise PreparationError(f"{file}: {error.strerror}") from None
    except RuntimeError:
        raise PreparationError(f"{file}: no SentencePiece model") from None
    return lambda texts: [processor.encode(text, out_type=str) for text in texts]


class Prepared:
    """A model of perplexity whose texts are prepared before."""

    def __init__(self, scoring: Any, prepare: Prepare) -> None:
        self._scoring, self._prepare = scoring, prepare
        self.kind = scoring.kind

    @property
    def limit(self) -> float:
        """The perplexity of a score of 0."""
        limit: float = self._scoring.limit
        return limit

    @limit.setter
    def limit(self, limit: float) -> None:
        self._scoring.limit = limit

    def evidence(self, documents: Sequence[Document]) -> list[dict[str, list[Any]]]:
        """As the model's."""
        texts = iter(self._prepare([segment["text"] for document in documents for segment in document.segments]))
        ready = [Document.of_texts([text for _, text in zip(document.segments, texts)]) for document in documents]
        found: list[dict[str, list[Any]]] = self._scoring.evidence(ready)
        return found

    def header(self) -> dict[str, Any]:
        """As the model's."""
        header: dict[str, Any] = self._scoring.header()
        return header

    def arrays(self) -> dict[str, Any]:
        """As the model's."""
        arrays: dict[str, Any] = self._scoring.arrays()
        return arrays
