"""Reads and writes back-off models of n-grams in the ARPA format, which KenLM, SRILM and others use.

    words, orders = read_arpa(open("model.arpa", "rb"), "model.arpa")
    sys.stdout.buffer.writelines(arpa_blocks(words, orders))

A file gives the number of n-grams of each length, and then a line for each n-gram: log10 of its probability, its words,
and log10 of its back-off weight where it can be a history. Reading and writing keep the numbers exactly.
"""

from __future__ import annotations

import io
import lzma
import math
import re
import zlib
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from ...streams.compression import decompress

# Of one length: n-grams as rows of numbers of words, log10 of their probabilities, log10 of their back-off weights.
BackoffOrder = tuple[NDArray[Any], NDArray[np.float64], NDArray[np.float64]]

SUFFIXES = (".arpa", ".arpa.gz", ".arpa.xz", ".arpa.bz2", ".arpa.zst")
# The format's logarithm of 0 (Doug Paul, Lincoln Labs).
ZERO_LOG = -99.0
# KenLM's limit is 6, unless it is built for more.
MAX_ARPA_ORDER = 10
LINES_PER_BLOCK = 1 << 14

_HEADER = re.compile(rb"ngram\s+(\d{1,2})\s*=\s*(\d{1,18})\s*")
_SECTION = re.compile(rb"\\(\d{1,2})-grams:\s*")
# KenLM's spaces; words may contain ASCII's other ones.
_SPACE = re.compile(rb"[\0\t\n\r ]+")
_NO_WORD = re.compile(r"[\0\t\n\r ]|^$")


class ArpaModel(NamedTuple):
    """The words by number, and the n-grams of each length, unigrams first and in the order of the numbers."""

    words: list[str]
    orders: list[BackoffOrder]


def read_arpa_file(path: Path) -> ArpaModel:
    """The model in a file, compressed or not. Raises ModelError and OSError."""
    with path.open("rb", buffering=0) as raw:
        try:
            return read_arpa(decompress(raw)[0], str(path))
        except (EOFError, lzma.LZMAError, zlib.error, ValueError) as error:
            raise ModelError(f"{path}: the compressed content is damaged: {error}") from None
        except OSError as error:
            if error.errno is not None:
                raise
            raise ModelError(f"{path}: the compressed content is damaged: {error}") from None


def read_arpa(stream: BinaryIO | io.BufferedIOBase, name: str) -> ArpaModel:
    """The model in a stream of lines. Raises ModelError, with *name* and the number of the line."""
    lines = _Lines(stream, name)
    sizes = _section_sizes(lines)
    words: dict[bytes, int] = {}
    orders = [_section(lines, order, size, words) for order, size in enumerate(sizes, 1)]
    if lines.line.strip() != b"\\end\\":
        raise lines.error("expected \\end\\")
    return ArpaModel([word.decode("utf-8", "replace") for word in words], orders)


class _Lines:
    """The lines of a stream that are not blank: *line* is the next one, empty at the end."""

    def __init__(self, stream: Any, name: str) -> None:
        self._rest = iter(stream)
        self.name, self.number, self.line = name, 0, b""
        self.take()

    def take(self) -> bytes:
        """Returns the next line and advances."""
        current = self.line
        for line in self._rest:
            self.number += 1
            if line.strip():
                self.line = line
                return current
        self.line = b""
        return current

    def error(self, what: str) -> ModelError:
        """An error in the next line."""
        return ModelError(f"{self.name}: line {self.number}: {what if self.line else 'the file is truncated'}")


def _section_sizes(lines: _Lines) -> list[int]:
    """The number of n-grams of each length."""
    while (line := lines.line).strip() != b"\\data\\":
        if not line or len(line) > 1 << 16 or b"\0" in line:
            raise ModelError(f"{lines.name}: not an ARPA file: \\data\\ is missing")
        lines.take()
    lines.take()
    sizes: list[int] = []
    while header := _HEADER.fullmatch(lines.line):
        if int(header[1]) != len(sizes) + 1 or len(sizes) == MAX_ARPA_ORDER:
            raise lines.error(
                f"n-grams of {int(header[1])} words follow those of {len(sizes)}; at most {MAX_ARPA_ORDER}"
            )
        sizes.append(int(header[2]))
        lines.take()
    if not sizes:
        raise lines.error("expected 'ngram 1=' and a number")
    return sizes


def _section(lines: _Lines, order: int, size: int, words: dict[bytes, int]) -> BackoffOrder:
    """The n-grams of one length. Unigrams are added to *words*; words of longer n-grams are looked up there."""
    ids, probabilities, weights = array("I"), array("d"), array("d")
    heading = _SECTION.fullmatch(lines.line)
    if heading and int(heading[1]) == order:
        lines.take()
    elif size:
        raise lines.error(f"expected \\{order}-grams:")
    for _ in range(size):
        fields = _fields(lines, order)
        probabilities.append(_logarithm(lines, fields[0], 0.0))
        weights.append(_logarithm(lines, fields[-1], math.inf) if len(fields) > order + 1 else 0.0)
        if order == 1:
            number = len(words)
            if words.setdefault(_word(fields[1]), number) != number:
                raise lines.error(f"the word {_quoted(fields[1])} occurs twice")
            ids.append(number)
        else:
            try:
                ids.extend([words[word] for word in fields[1 : order + 1]])
            except KeyError:
                ids.extend([_word_number(lines, words, word) for word in fields[1 : order + 1]])
        lines.take()
    rows = np.frombuffer(ids, np.uint32) if size else np.zeros(0, np.uint32)
    return rows.reshape(-1, order), np.array(probabilities), np.array(weights)


def _fields(lines: _Lines, order: int) -> list[bytes]:
    """The fields of the next line, that of an n-gram."""
    line = lines.line
    unusual = b"\v" in line or b"\f" in line or b"\0" in line  # bytes.split differs from KenLM on these
    fields = _SPACE.split(line.strip(b"\0\t\n\r ")) if unusual else line.split()
    if order < len(fields) < order + 3:
        return fields
    if _SECTION.fullmatch(line) or line.strip() == b"\\end\\":
        raise lines.error(f"fewer {order}-grams than \\data\\ announces")
    raise lines.error(f"expected {order + 1} fields, or {order + 2} with a back-off weight, got {len(fields)}")


def _logarithm(lines: _Lines, text: bytes, maximum: float) -> float:
    """A finite logarithm up to *maximum*."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if value == -math.inf:
        return ZERO_LOG
    if value <= maximum and value < math.inf:
        return value
    raise lines.error(f"{_quoted(text)} is not a logarithm of a {'weight' if maximum else 'probability'}")


def _quoted(text: bytes) -> str:
    return repr(text.decode("utf-8", "replace"))


def _word(word: bytes) -> bytes:
    """A word, the unknown word in the spelling of KenLM."""
    return b"<unk>" if word == b"<UNK>" else word


def _word_number(lines: _Lines, words: dict[bytes, int], word: bytes) -> int:
    if (number := words.get(_word(word))) is None:
        raise lines.error(f"the word {_quoted(word)} is not among the unigrams")
    return number


# ---- writing ------------------------------------------------------------------------------------------------


def arpa_blocks(words: Sequence[str], orders: Sequence[BackoffOrder]) -> Iterator[bytes]:
    """A model as an ARPA file, in blocks of lines, n-grams in the order of their words' UTF-8. Raises ValueError for
    words that the format does not allow."""
    for word in words:
        if _NO_WORD.search(word):
            raise ValueError(f"the word {word!r} is not allowed in an ARPA file: it is empty or contains a space")
    sizes = "".join(f"ngram {order}={len(rows)}\n" for order, (rows, _, _) in enumerate(orders, 1))
    yield f"\\data\\\n{sizes}\n".encode()
    rank = np.empty(len(words), np.int64)
    rank[sorted(range(len(words)), key=lambda at: words[at].encode("utf-8", "replace"))] = np.arange(len(words))
    for order, (ids, probabilities, weights) in enumerate(orders, 1):
        yield f"\\{order}-grams:\n".encode()
        ranks = rank[ids]
        ascending = np.lexsort([ranks[:, at] for at in range(order - 1, -1, -1)])
        for start in range(0, len(ascending), LINES_PER_BLOCK):
            block = ascending[start : start + LINES_PER_BLOCK]
            texts = (" ".join([words[at] for at in row]) for row in ids[block].tolist())
            columns = [shortest_decimals(probabilities[block]), texts]
            columns += [shortest_decimals(weights[block])] if order < len(orders) else []
            yield ("\n".join(map("\t".join, zip(*columns))) + "\n").encode("utf-8", "replace")
        yield b"\n"
    yield b"\\end\\\n"


def shortest_decimals(values: NDArray[Any]) -> list[str]:
    """Numbers in the fewest digits that tell them apart: as floats of four bytes where they are such, else of eight."""
    values = np.where(np.isneginf(values), ZERO_LOG, values) + 0.0  # adding 0 turns -0.0 into 0.0
    narrow = values.astype(np.float32)
    if (narrow == values).all():
        return [text.removesuffix(".0") for text in narrow.astype(str).tolist()]
    return [f"{value:.15g}" for value in values.tolist()]
