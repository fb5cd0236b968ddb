"""Back-off models of n-grams in the ARPA format, which KenLM, SRILM and others read and write.

    words, orders = read(open("model.arpa", "rb"), "model.arpa")
    sys.stdout.buffer.writelines(written(words, orders))

A file says how many n-grams of each length there are, and has then a line for each: log10 of its probability, its
words, and, where it may be a history, log10 of its back-off weight. Numbers go through reading and writing unchanged.
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
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from ...streams.compression import unpacked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    # Of one length: n-grams as rows of numbers of words, log10 of probabilities, log10 of back-off weights.
    Order = tuple[NDArray[Any], NDArray[np.float64], NDArray[np.float64]]

SUFFIXES = (".arpa", ".arpa.gz", ".arpa.xz", ".arpa.bz2", ".arpa.zst")
# What stands for the logarithm of 0 (the format's authors', of Doug Paul's at Lincoln Labs).
NEVER = -99.0
# KenLM's limit, unless it is built for more, is 6.
MOST = 10
# Lines written at a time.
BLOCK = 1 << 14

_HEADER = re.compile(rb"ngram\s+(\d{1,2})\s*=\s*(\d{1,18})\s*")
_SECTION = re.compile(rb"\\(\d{1,2})-grams:\s*")
# What KenLM takes for a space; of ASCII's, others may stand in words.
_SPACE = re.compile(rb"[\0\t\n\r ]+")
_NO_WORD = re.compile(r"[\0\t\n\r ]|^$")


class ArpaError(Exception):
    """A file that is no model; says which, where and why."""


class Arpa(NamedTuple):
    """The words by number, and the n-grams of each length, those of one word first and in the order of numbers."""

    words: list[str]
    orders: list[Order]


def read_file(path: Path) -> Arpa:
    """The model in a file, compressed or not. Raises ArpaError and OSError."""
    with path.open("rb", buffering=0) as raw:
        try:
            return read(unpacked(raw)[0], str(path))
        except (EOFError, lzma.LZMAError, zlib.error, ValueError) as error:
            raise ArpaError(f"{path}: the compressed content is damaged: {error}") from None
        except OSError as error:
            if error.errno is not None:
                raise
            raise ArpaError(f"{path}: the compressed content is damaged: {error}") from None


def read(stream: BinaryIO | io.BufferedIOBase, name: str) -> Arpa:
    """The model in a stream of lines. Raises ArpaError, with *name* and the line."""
    lines = _Lines(stream, name)
    sizes = _sizes(lines)
    words: dict[bytes, int] = {}
    orders = [_section(lines, order, size, words) for order, size in enumerate(sizes, 1)]
    if lines.line.strip() != b"\\end\\":
        raise lines.error("\\end\\ is wanted")
    return Arpa([word.decode("utf-8", "replace") for word in words], orders)


class _Lines:
    """The lines of a stream that have content: *line* is the next of them, empty at the end."""

    def __init__(self, stream: Any, name: str) -> None:
        self._rest = iter(stream)
        self.name, self.number, self.line = name, 0, b""
        self.take()

    def take(self) -> bytes:
        """The next line, which then is the one after it."""
        taken = self.line
        for line in self._rest:
            self.number += 1
            if line.strip():
                self.line = line
                return taken
        self.line = b""
        return taken

    def error(self, what: str) -> ArpaError:
        """An error that says where it is: in the next line."""
        return ArpaError(f"{self.name}: line {self.number}: {what if self.line else 'the file is cut short'}")


def _sizes(lines: _Lines) -> list[int]:
    """How many n-grams there are of each length."""
    while (line := lines.line).strip() != b"\\data\\":
        if not line or len(line) > 1 << 16 or b"\0" in line:
            raise ArpaError(f"{lines.name}: no ARPA file: \\data\\ is missing")
        lines.take()
    lines.take()
    sizes: list[int] = []
    while found := _HEADER.fullmatch(lines.line):
        if int(found[1]) != len(sizes) + 1 or len(sizes) == MOST:
            raise lines.error(f"n-grams of {int(found[1])} words, after {len(sizes)}; at most {MOST}")
        sizes.append(int(found[2]))
        lines.take()
    if not sizes:
        raise lines.error("'ngram 1=' and a number is wanted")
    return sizes


def _section(lines: _Lines, order: int, size: int, words: dict[bytes, int]) -> Order:
    """The n-grams of one length. Single words are added to *words*, others looked up."""
    import numpy as np

    ids, probabilities, weights = array("I"), array("d"), array("d")
    heading = _SECTION.fullmatch(lines.line)
    if heading and int(heading[1]) == order:
        lines.take()
    elif size:
        raise lines.error(f"\\{order}-grams: is wanted")
    for _ in range(size):
        fields = _fields(lines, order)
        probabilities.append(_logarithm(lines, fields[0], 0.0))
        weights.append(_logarithm(lines, fields[-1], math.inf) if len(fields) > order + 1 else 0.0)
        if order == 1:
            number = len(words)
            if words.setdefault(_word(fields[1]), number) != number:
                raise lines.error(f"the word {_shown(fields[1])} is there twice")
            ids.append(number)
        else:
            try:
                ids.extend([words[word] for word in fields[1 : order + 1]])
            except KeyError:
                ids.extend([_known(lines, words, word) for word in fields[1 : order + 1]])
        lines.take()
    rows = np.frombuffer(ids, np.uint32) if size else np.zeros(0, np.uint32)
    return rows.reshape(-1, order), np.array(probabilities), np.array(weights)


def _fields(lines: _Lines, order: int) -> list[bytes]:
    """The fields of the next line, an n-gram's."""
    line = lines.line
    odd = b"\v" in line or b"\f" in line or b"\0" in line
    fields = _SPACE.split(line.strip(b"\0\t\n\r ")) if odd else line.split()
    if order < len(fields) < order + 3:
        return fields
    if _SECTION.fullmatch(line) or line.strip() == b"\\end\\":
        raise lines.error(f"fewer {order}-grams than \\data\\ says")
    raise lines.error(f"{len(fields)} fields where there are {order + 1}, or {order + 2} with a back-off weight")


def _logarithm(lines: _Lines, text: bytes, most: float) -> float:
    """A finite logarithm up to *most*."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if value == -math.inf:
        return NEVER
    if value <= most and value < math.inf:
        return value
    raise lines.error(f"{_shown(text)} is no logarithm of a {'weight' if most else 'probability'}")


def _shown(text: bytes) -> str:
    return repr(text.decode("utf-8", "replace"))


def _word(word: bytes) -> bytes:
    """A word; what is not known has one name."""
    return b"<unk>" if word == b"<UNK>" else word


def _known(lines: _Lines, words: dict[bytes, int], word: bytes) -> int:
    """The number of a word."""
    if (number := words.get(_word(word))) is None:
        raise lines.error(f"the word {_shown(word)} is not among the single words")
    return number


# ---- writing ------------------------------------------------------------------------------------------------


def written(words: Sequence[str], orders: Sequence[Order]) -> Iterator[bytes]:
    """A model as an ARPA file, in blocks, n-grams in the order of their words' UTF-8. Raises ValueError for words that
    cannot stand in one."""
    import numpy as np

    for word in words:
        if _NO_WORD.search(word):
            raise ValueError(f"the word {word!r} cannot stand in an ARPA file: it is empty or has a space")
    sizes = "".join(f"ngram {order}={len(some[0])}\n" for order, some in enumerate(orders, 1))
    yield f"\\data\\\n{sizes}\n".encode()
    rank = np.empty(len(words), np.int64)
    rank[sorted(range(len(words)), key=lambda at: words[at].encode("utf-8", "replace"))] = np.arange(len(words))
    for order, (ids, probabilities, weights) in enumerate(orders, 1):
        yield f"\\{order}-grams:\n".encode()
        ranks = rank[ids]
        ascending = np.lexsort([ranks[:, at] for at in range(order - 1, -1, -1)])
        for start in range(0, len(ascending), BLOCK):
            some = ascending[start : start + BLOCK]
            texts = (" ".join([words[at] for at in row]) for row in ids[some].tolist())
            columns = [printed(probabilities[some]), texts, *([printed(weights[some])] if order < len(orders) else [])]
            yield ("\n".join(map("\t".join, zip(*columns))) + "\n").encode("utf-8", "replace")
        yield b"\n"
    yield b"\\end\\\n"


def printed(values: NDArray[Any]) -> list[str]:
    """Numbers in as few digits as tell them apart, among those of four bytes if they are, or else of eight."""
    import numpy as np

    values = np.where(np.isneginf(values), NEVER, values) + 0.0  # no -0
    narrow = values.astype(np.float32)
    if (narrow == values).all():
        return [text.removesuffix(".0") for text in narrow.astype(str).tolist()]
    return [f"{value:.15g}" for value in values.tolist()]
