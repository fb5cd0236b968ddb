"""Model files for tests: small n-gram models, a kind of model made up here, and files taken apart and put together."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ncfilters.features.document import ModelInput
from ncfilters.scoring import registry
from ncfilters.scoring.base import Model
from ncfilters.scoring.char_ngram.model import CharNgramModel, CharNgramParameters
from ncfilters.scoring.char_ngram.ngrams import Alphabet
from ncfilters.scoring.file_format import MAGIC
from ncfilters.scoring.inspection import write_card

ABOUT = {
    "description": "For tests — é.", "language": "en", "credits": ["A corpus, CC0", "Another, CC BY 4.0"],
    "seen": {"pages": 1497, "pages left out": 3}, "command": "nc-train ngram",
}  # fmt: skip


def trained(
    n: int = 3, q: float = 0.5, fold: str = "ascii", characters: str = "", menu: str = "Home | About"
) -> CharNgramModel:
    """A model of a few segments."""
    return CharNgramModel.train(
        CharNgramParameters(n, q, Alphabet(fold, characters)),
        [("The text that somebody wrote.", 1.0), ("Then the other text.", 1.0)],
        [(menu, 1.0), ("Log in", 1.0), ("Home", 0.5)],
    )


def written(path: Path, model: Any, **about: Any) -> Path:
    """The path of a model file with its card, as nc-train writes them."""
    write_card(path, registry.write_model(path, model, {**ABOUT, **about}))
    return path


def taken_apart(path: Path) -> tuple[dict[str, Any], bytes]:
    """The header of a model file and the bytes of its arrays."""
    data = path.read_bytes()
    end = data.index(b"\n\n")
    return json.loads(data[len(MAGIC) : end]), data[end + 2 :]


def put_together(path: Path, header: dict[str, Any], packed: bytes) -> None:
    """Writes a model file with a correct checksum, whatever else is wrong."""
    text = json.dumps({key: value for key, value in header.items() if key != "sha256"}, sort_keys=True)
    header = {**header, "sha256": hashlib.sha256(text.encode() + packed).hexdigest()}
    path.write_bytes(MAGIC + json.dumps(header).encode() + b"\n\n" + packed)


class Oracle(Model):
    """A kind of model that does not report what it has learned. `registry.KINDS` needs the entry ORACLE_ENTRY."""

    kind = "oracle"

    def __init__(self, numbers: list[float]) -> None:
        self.numbers = numbers

    @classmethod
    def from_parts(cls, header: dict[str, Any], arrays: dict[str, Any]) -> Oracle:
        return cls(arrays["numbers"].tolist())

    def evidence(self, documents: Sequence[ModelInput]) -> list[dict[str, list[Any]]]:
        return [{"score": [self.numbers[0]] * len(document)} for document in documents]

    def header(self) -> dict[str, Any]:
        return {"depth": 2}

    def arrays(self) -> dict[str, Any]:
        return {"numbers": np.array(self.numbers, np.float32)}


ORACLE_ENTRY = "model_files:Oracle"
