"""Converts models of other programs to word models, and back-off models to ARPA files.

model, counts = convert_model(Path("bigrams-bnc.st"))    # from PyPlexity's file
sys.stdout.buffer.writelines(arpa_file("my.model", model))
"""

from __future__ import annotations

import errno
import os
from array import array
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from ...streams.compression import decompress
from . import storable
from .arpa import arpa_blocks, read_arpa_file
from .backoff import BackoffModel
from .interpolated import InterpolatedModel
from .parameters import WordModelParameters


def convert_model(
    path: Path, tokens: str = "spaces", estimator: str = "pyplexity"
) -> tuple[InterpolatedModel | BackoffModel, dict[str, int]]:
    """The word model of an ARPA file or of a file of PyPlexity's, and the number of n-grams of each length in it, and
    of entries left out.

    *tokens* says how texts are tokenized for the model of an ARPA file, *estimator* how the probabilities of
    PyPlexity's file are interpolated. Raises ModelError.
    """
    try:
        with path.open("rb", buffering=0) as raw:
            stream, head = decompress(raw)
            if head.startswith(storable.MAGIC):
                return _of_storable(stream, str(path), estimator)
        if head[:1] == b"\x80":
            raise ModelError(f"{path}: refused: a pickle file, which can run code")
        if head.startswith(b"mmap lm "):
            raise ModelError(f"{path}: a KenLM binary file: score with it directly, or import its ARPA file")
        return _of_arpa(path, tokens)
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror or os.strerror(errno.EIO)}") from None
    except ValueError as error:
        raise ModelError(f"{path}: {error}") from None


def arpa_file(name: str, model: Any) -> Iterator[bytes]:
    """A back-off model as an ARPA file, in blocks of lines. Raises ModelError for other models, and ValueError for
    words that the format does not allow."""
    if model.kind != "word":
        raise ModelError(f"{name}: a model of kind '{model.kind}'; only word models have ARPA files")
    if not isinstance(model, BackoffModel):
        raise ModelError(
            f"{name}: its estimator is '{getattr(model, 'estimator', '')}': its probabilities do not sum to 1, and it "
            "has no end of texts, so it is no back-off model; KenLM's lmplz trains one"
        )
    return arpa_blocks(*model.ngrams())


def _of_arpa(path: Path, tokens: str) -> tuple[BackoffModel, dict[str, int]]:
    words, orders = read_arpa_file(path)
    counts = {_length_name(order): len(rows) for order, (rows, _, _) in enumerate(orders, 1)}
    return BackoffModel.build(words, orders, WordModelParameters("arpa", tokens)), counts


def _length_name(order: int) -> str:
    return "single words" if order == 1 else f"n-grams of {order} words"


# ---- PyPlexity's files ----------------------------------------------------------------------------------------


def _of_storable(stream: Any, name: str, estimator: str) -> tuple[InterpolatedModel, dict[str, int]]:
    """The model of PyPlexity's tables: of bigrams and unigrams, or of trigrams, bigrams and unigrams.

    Keys with another number of words (separated by single spaces) are left out: PyPlexity never looks them up.
    """
    longest, tables = storable.read_hashes(stream, name)
    if longest not in (2, 3):
        for batches in tables:  # errors in them are more informative
            deque(batches, 0)
        raise ValueError(
            f"expected tables of bigrams and unigrams, or of trigrams, bigrams and unigrams, got an array of {longest}"
        )
    numbers: dict[bytes, int] = {}
    orders = [_ngram_rows(batches, order, numbers) for order, batches in zip(range(longest, 0, -1), tables)][::-1]
    counts = {_length_name(order): len(values) for order, (_, values, _) in enumerate(orders, 1)}
    if left_out := sum(number for *_, number in orders):
        counts["left out, of another number of words or no UTF-8"] = left_out
    ngrams = [(rows, values) for rows, values, _ in orders]
    if longest == 3:
        ngrams[1] = _with_histories(*ngrams[1], ngrams[2][0][:, :-1], len(numbers))
    parameters = WordModelParameters(estimator, "pyplexity")
    return InterpolatedModel.of_probabilities([word.decode() for word in numbers], ngrams, parameters), counts


def _ngram_rows(
    batches: storable.Batches, order: int, numbers: dict[bytes, int]
) -> tuple[NDArray[Any], NDArray[Any], int]:
    """The n-grams of a table as rows of numbers of words, their values, and the number of entries that are no n-grams
    of this length. New words are added to *numbers*."""
    ids, probabilities, left_out = array("I"), array("d"), 0
    for keys, values in batches:
        for key, value in zip(keys, values):
            words = key.split(b" ")
            try:
                if len(words) != order:
                    raise ValueError
                row = [numbers[word] if word in numbers else _add_word(word, numbers) for word in words]
            except ValueError:
                left_out += 1
                continue
            ids.extend(row)
            probabilities.append(value)
    rows = np.frombuffer(ids, np.uint32) if ids else np.zeros(0, np.uint32)
    return rows.reshape(-1, order), np.array(probabilities), left_out


def _add_word(word: bytes, numbers: dict[bytes, int]) -> int:
    """The number of a new word. Raises ValueError for an empty word, and for one that is not UTF-8."""
    if not word.decode():
        raise ValueError
    return numbers.setdefault(word, len(numbers))


def _with_histories(
    rows: NDArray[Any], values: NDArray[Any], histories: NDArray[Any], words: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Bigrams and their values, with the histories of trigrams added that are not among them; their value is 0."""
    keys, needed = (some[:, 0].astype(np.uint64) * np.uint64(words) + some[:, 1] for some in (rows, histories))
    missing = np.setdiff1d(needed, keys)
    added = np.stack([missing // np.uint64(words), missing % np.uint64(words)], axis=1).astype(rows.dtype)
    return np.concatenate([rows, added]), np.concatenate([values, np.zeros(len(added))])
