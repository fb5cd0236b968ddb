"""Models of KenLM and of others with its formats, read by the package kenlm: ARPA files and KenLM's binary files.

    header, model = load_language_model(Path("en.arpa.bin"))
    model.perplexities(["all of the text , word by word"])

A text is one sentence whose words are separated by spaces; it must be normalised as the model's training texts were
(see `text_normalizer`). Perplexity is 2 to the power of the cross-entropy in bits per word, </s> included, as in
KenLM's own perplexity().
"""

from __future__ import annotations

import hashlib
import math
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from ...features.document import ModelInput
from ..base import Model
from .interpolated import perplexity_fields
from .parameters import DEFAULT_LIMIT

MAGIC = b"mmap lm http://kheafield.com/code format version "
# KenLM decompresses these; files of other names are binary ones.
ARPA_SUFFIXES = (".arpa", ".arpa.gz", ".arpa.xz", ".arpa.bz2")
# The checksum of a file twice as large is that of its size and of so many bytes at its start and end: it is mapped.
SAMPLED_BYTES = 1 << 25
# In KenLM's messages, the file and the place in its source code precede the cause.
_BEFORE_CAUSE = re.compile(r"^Cannot read model .*?'' \(|threw \w+(?: because `.*?')?\. *")


class KenlmModel(Model):
    """Perplexity of texts by a model that the package kenlm has loaded."""

    kind = "kenlm"
    limit: float = DEFAULT_LIMIT

    def __init__(self, model: Any) -> None:
        self._model = model

    def perplexities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The perplexity of each text (shape: texts). That of a text without words is the limit."""
        bits = np.array([self._bits_per_word(text) for text in texts])
        with np.errstate(over="ignore"):
            perplexities = np.minimum(np.exp2(bits), np.finfo(float).max)
        return np.where(np.isnan(bits), self.limit, perplexities)

    def _bits_per_word(self, text: str) -> float:
        """The cross-entropy of a text, in bits per word; NaN without words."""
        raw = text.encode("utf-8", "surrogatepass")  # a word with half of a surrogate pair is unknown
        words = len(raw.split())
        return -self._model.score(raw) * math.log2(10) / (words + 1) if words else math.nan

    def evidence(self, documents: Sequence[ModelInput]) -> list[dict[str, list[Any]]]:
        """For each document, the `perplexity` and the `score` of its segments (see `perplexity_fields`)."""
        return perplexity_fields(self.perplexities, self.limit, documents)

    def header(self) -> dict[str, Any]:
        return {"n": self._model.order, "limit": self.limit}


def load_language_model(path: Path) -> tuple[dict[str, Any], KenlmModel]:
    """A header as our model files have it, and the model. Raises ModelError."""
    try:
        with path.open("rb") as file:
            head = file.read(len(MAGIC))
            digest = file_checksum(file)
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror}") from None
    if head[:1] == b"\x80":
        raise ModelError(f"{path}: refused: a pickle file, which can run code")
    if head != MAGIC and not path.name.endswith(ARPA_SUFFIXES):
        raise ModelError(f"{path}: not a KenLM binary file")
    model = KenlmModel(_load(path))
    header = {
        "kind": model.kind,
        "language": "",
        "description": f"A model of another program: {path.name}.",
        "parameters": model.header(),
        "arrays": [],
        "sha256": digest,
    }
    return header, model


def file_checksum(file: BinaryIO) -> str:
    """SHA-256 of a file's bytes; of a large file, that of its size, its start and its end."""
    size = file.seek(0, os.SEEK_END)
    digest = hashlib.sha256(str(size).encode() if size > 2 * SAMPLED_BYTES else b"")
    for start in (0, max(SAMPLED_BYTES, size - SAMPLED_BYTES)):
        file.seek(start)
        digest.update(file.read(SAMPLED_BYTES))
    return digest.hexdigest()


def _load(path: Path) -> Any:
    """The model of a file, as the package kenlm has it. Raises ModelError."""
    try:
        import kenlm  # an optional dependency
    except ImportError:
        raise ModelError(
            f"{path}: needs the package kenlm, which is not installed: pip install 'ncfilters[kenlm]'"
        ) from None
    config = kenlm.Config()
    config.show_progress = False
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    try:
        return kenlm.Model(os.fsencode(path), config)
    except (OSError, RuntimeError, ValueError) as error:
        cause = _BEFORE_CAUSE.split(" ".join(str(error).split()))[-1].removesuffix(")")
        raise ModelError(f"{path}: KenLM cannot read it: {cause}") from None
