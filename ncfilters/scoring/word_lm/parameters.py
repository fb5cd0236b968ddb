"""The parameters of word n-gram models, and texts as their training texts were: case, accents, digits, and cut into
words or pieces of words.

WordModelParameters("interpolated", 2, "words", limit=4000.0)
ESTIMATORS["interpolated"].boundary      # "<s>", the word before each text
text_normalizer("ccnet", "en.sp.model")(["Été 2024 – déjà"])        # ["▁ ete ▁0000 ▁- ▁deja"]
"""

from __future__ import annotations

import copy
import math
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import ModelError
from ...features.document import ModelInput, running_texts
from ...text.lazy_pattern import lazy_pattern

# The perplexity of a score of 0: the cut-off that PyPlexity's paper (2023) settles on in section 5.1.1.
DEFAULT_LIMIT = 8000.0
# Lengths of n-grams that nc-train estimates: the interpolation weights of PyPlexity are for these.
ORDERS = (2, 3)


@dataclass(frozen=True)
class Estimator:
    """What an estimator expects of texts: the tokenization it uses by default, and the word before each text."""

    tokens: str
    boundary: str


ESTIMATORS = {
    "pyplexity": Estimator("pyplexity", "#"),
    "pyplexity-misaligned": Estimator("pyplexity", "#"),
    "interpolated": Estimator("words", "<s>"),
}
# The tokenizations of `tokenizers.TOKENIZERS`, the first for the models of other programs.
TOKENIZATIONS = ("spaces", "words", "pyplexity")


@dataclass(frozen=True)
class WordModelParameters:
    """How a model computes perplexity: the estimator of its probabilities, the length *n* of its n-grams, how texts are
    tokenized, and the perplexity of a score of 0. Raises ValueError for values that are not accepted."""

    estimator: str
    n: int
    tokens: str
    limit: float = DEFAULT_LIMIT

    def __post_init__(self) -> None:
        if not isinstance(self.estimator, str) or self.estimator not in ESTIMATORS:
            raise ValueError(f"estimator is {self.estimator!r}; known are {', '.join(ESTIMATORS)}")
        if not isinstance(self.n, int) or self.n not in ORDERS:
            raise ValueError(f"n is {self.n}; it must be 2 or 3")
        if self.estimator == "pyplexity-misaligned" and self.n != 3:
            raise ValueError(f"n is {self.n}; the estimator pyplexity-misaligned requires 3")
        if self.tokens not in TOKENIZATIONS:
            raise ValueError(f"tokens is {self.tokens!r}; known are {', '.join(TOKENIZATIONS)}")
        limit = self.limit
        if isinstance(limit, bool) or not isinstance(limit, int | float) or not (limit > 0 and math.isfinite(limit)):
            raise ValueError(f"limit: expected a perplexity above 0, got {limit}")
        object.__setattr__(self, "limit", float(limit))


# ---- texts --------------------------------------------------------------------------------------------------

TextNormalizer = Callable[[Sequence[str]], list[str]]

# Characters that CCNet replaces by ASCII (its text_normalizer.py of 2020). The full-width 1 is not among them: digits
# are replaced before.
CCNET_PUNCTUATION = {
    **dict.fromkeys("„”“«»」「《》", '"'),
    **dict(zip("´’，、∶：–━►。；？！（）【】〈〉％～", "'',,::---.;?!()[]<>%~")),
    "．": ". ",
    "…": "...",
    "—": " - ",
}
# It also deletes control characters.
_CCNET_TABLE = str.maketrans({**CCNET_PUNCTUATION, **dict.fromkeys(map(chr, [*range(32), *range(127, 160)]), "")})
_DIGIT = lazy_pattern(r"\d")


def ccnet(text: str) -> str:
    """A text as CCNet (Wenzek et al. 2020, section 3.3) normalises it for its models: lower case, no accents, digits 0,
    punctuation in ASCII. Lines are normalised one by one, and then joined by spaces."""
    return " ".join(filter(None, map(_ccnet_line, text.split("\n"))))


def _ccnet_line(line: str) -> str:
    line = line.strip().lower()
    if not line.isascii():
        line = "".join([c for c in unicodedata.normalize("NFD", line) if unicodedata.category(c) != "Mn"])
    return _DIGIT.sub("0", line).translate(_CCNET_TABLE)


NORMALIZATIONS: dict[str, Callable[[str], str]] = {"none": str, "lower": str.lower, "ccnet": ccnet}


def text_normalizer(normalization: str = "none", tokens: str | None = None) -> TextNormalizer:
    """A function that normalises texts and separates their tokens by spaces.

    Tokens are those of the tokenization *tokens* (see `tokenizers`), or the pieces of the SentencePiece model in the
    file of that name; without it, texts are not tokenized. Raises ModelError for a file that is no such model.
    """
    normalize = NORMALIZATIONS[normalization]
    split = (_word_splitter if tokens in TOKENIZATIONS else _piece_splitter)(tokens) if tokens else None

    def normalized(texts: Sequence[str]) -> list[str]:
        ready = [normalize(text) for text in texts]
        return [" ".join(words) for words in split(ready)] if split and ready else ready

    return normalized


def _word_splitter(tokens: str) -> Callable[[list[str]], list[list[str]]]:
    from ...text.tokenizers import tokenize  # start-up: the help of nc-score needs no numpy

    return lambda texts: tokenize(texts, tokens).words()


def _piece_splitter(file: str) -> Callable[[list[str]], list[list[str]]]:
    """A function that cuts texts into the pieces of a SentencePiece model. Raises ModelError."""
    try:
        from sentencepiece import SentencePieceProcessor  # an optional dependency
    except ImportError:
        raise ModelError(
            f"{file}: needs the package sentencepiece, which is not installed: pip install 'ncfilters[kenlm]'"
        ) from None
    processor: Any = SentencePieceProcessor()
    try:
        with open(file, "rb") as stream:
            processor.LoadFromSerializedProto(stream.read())
    except OSError as error:
        raise ModelError(f"{file}: {error.strerror}") from None
    except RuntimeError:
        raise ModelError(f"{file}: not a SentencePiece model") from None
    return lambda texts: [processor.encode(text, out_type=str) for text in texts]


def normalized_model(model: Any, normalize: TextNormalizer) -> Any:
    """A copy of a perplexity model that reads normalised texts."""
    out = copy.copy(model)
    evidence = out.evidence

    def of_normalized(documents: Sequence[ModelInput]) -> list[dict[str, list[Any]]]:
        texts = iter(normalize(running_texts(documents)))
        own = [ModelInput.of_texts([text for _, text in zip(one.segments, texts)]) for one in documents]
        fields: list[dict[str, list[Any]]] = evidence(own)
        return fields

    out.evidence = of_normalized
    return out
