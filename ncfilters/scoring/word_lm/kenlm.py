"""Models in files of other programs, used as they are: KenLM's binary files, by the package kenlm, and ARPA files.

    header, model = loaded(Path("en.arpa.bin"))
    model.perplexities(["all of the text , word by word"])

A text is a sentence, its words apart by spaces: what else was done to the texts that the model is of is to be done to
it before (see `preparing`). Perplexity is 2 to the power of the cross-entropy in bits per word, the end of the sentence
being one: that of KenLM's own perplexity().
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ...errors import ModelError
from ...features.document import Document
from ..base import Model
from . import arpa

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAGIC = b"mmap lm http://kheafield.com/code format version "
# The perplexity of a score of 0, unless told otherwise: PyPlexity's. CCNet's classes end at some hundreds.
LIMIT = 8000.0
# Files above this size have a checksum of that many bytes, in as many pieces: they are mapped to memory, not read.
WHOLE, PIECES = 1 << 26, 1 << 10
# What KenLM says: the place in its program, and then why.
_WHY = re.compile(r"threw \w+(?: because `.*?')?\. *(.*?)\)?$")


class Kenlm:
    """Perplexity of texts by a model that KenLM has loaded."""

    kind = "kenlm"

    def __init__(self, loaded: Any, limit: float = LIMIT) -> None:
        self._model, self.limit = loaded, limit

    def perplexities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The perplexity of each text (shape: texts). One without words has the limit: it says nothing."""
        import numpy as np

        found = np.array([self._bits(text) for text in texts])
        with np.errstate(over="ignore"):
            perplexities = np.minimum(np.exp2(found), np.finfo(float).max)
        return np.where(np.isnan(found), self.limit, perplexities)

    def _bits(self, text: str) -> float:
        """The cross-entropy of a text, in bits per word; NaN without words."""
        import math

        raw = text.encode("utf-8", "surrogatepass")  # half of a surrogate pair is in no word that is known
        words = len(raw.split())
        return -self._model.score(raw) * math.log2(10) / (words + 1) if words else math.nan

    def evidence(self, documents: Sequence[Document]) -> list[dict[str, list[Any]]]:
        """For each document, the `perplexity` of its segments and the `score`, log2 of limit / perplexity (bits)."""
        from .perplexity import fields

        return fields(self.perplexities, self.limit, documents)

    def header(self) -> dict[str, Any]:
        """The parameters."""
        return {"n": self._model.order, "limit": self.limit}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """None: they are KenLM's."""
        return {}


def loaded(path: Path) -> tuple[dict[str, Any], Model]:
    """The header of a file, as it would be if it were one of ours, and the model. Raises ModelError."""
    try:
        with path.open("rb") as file:
            head = file.read(len(MAGIC))
            digest = _checksum(file)
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror}") from None
    if head[:1] == b"\x80":
        raise ModelError(f"{path}: a pickle, which could run code")
    found = _arpa(path) if path.name.endswith(arpa.SUFFIXES) else _kenlm(path, head)
    header = {
        "kind": found.kind,
        "language": "",
        "description": f"A model of another program's: {path.name}.",
        "parameters": found.header(),
        "arrays": [],
        "sha256": digest,
    }
    return header, found


def _kenlm(path: Path, head: bytes) -> Model:
    """The model of a binary file that begins with *head*. Raises ModelError."""
    if head != MAGIC:
        raise ModelError(f"{path}: no binary file of KenLM")
    try:
        import kenlm
    except ImportError:
        raise ModelError(
            f"{path}: the package kenlm is wanted, and not installed: pip install 'ncfilters[kenlm]'"
        ) from None
    config = kenlm.Config()
    config.show_progress = False
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    try:
        return Kenlm(kenlm.Model(os.fsencode(path), config))
    except (OSError, RuntimeError, ValueError) as error:
        said = " ".join(str(error).split())
        why = _WHY.search(said)
        raise ModelError(f"{path}: KenLM cannot read it: {why[1] if why else said}") from None


def _arpa(path: Path) -> Model:
    """The model of an ARPA file. Raises ModelError."""
    from .backoff import Backoff

    try:
        words, orders = arpa.read_file(path)
        return Backoff.of(words, orders, "arpa", "spaces", LIMIT, exact=True)
    except (arpa.ArpaError, ValueError) as error:
        raise ModelError(str(error) if isinstance(error, arpa.ArpaError) else f"{path}: {error}") from None


def _checksum(file: BinaryIO) -> str:
    """What stands for a file: of all of it, or of its size and of pieces that stand evenly in it, the last at its
    end."""
    size = file.seek(0, os.SEEK_END)
    digest = hashlib.sha256()
    if size <= WHOLE:
        file.seek(0)
        digest.update(file.read())
        return digest.hexdigest()
    digest.update(str(size).encode())
    piece = WHOLE // PIECES
    for number in range(PIECES):
        file.seek((size - piece) * number // (PIECES - 1))
        digest.update(file.read(piece))
    return digest.hexdigest()
