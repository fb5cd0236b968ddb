"""Fingerprints of trained models: whether the code of today would make the same model from the same data.

    header["made"] = of_training(trainer, digest, make_trainer, "ngram")
    changes(header["made"], witness(make_trainer, "ngram"))    # [] or ["training: …"]

A hash of the source would change with every rewording, and a version would be forgotten. So the code is known by what
it does: the witness is a model that the same trainer, with the same options, makes of a few pages that are part of the
program (`models/witness.jsonl`). The header keeps a digest of the witness' labelled segments, and some of the figures
that it gives them. Other code makes other segments, or other figures. Two digests stand for the data: of the records,
and of the labelled segments that the model has learned from.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from ..dataset.gold import gold_of
from ..dataset.labelled_pages import LabelledPage
from ..errors import RecordError
from ..features.document import ModelInput
from ..features.schema import READS
from ..installed import installed_folder
from ..record import Record
from ..scoring import registry
from ..scoring.base import Model
from ..scoring.quality import QualityModel
from ..segmentation.segmenter import segment_record
from .base import Trainer

WITNESS_FILE = "witness.jsonl"
# Segments whose figures are kept, about, and their decimals.
MAX_SEGMENTS, DECIMALS = 40, 3
# Figures are the same if they differ by at most this share, or by this number if they are below 1: libraries for linear
# algebra round differently on other processors.
TOLERANCE = 0.02


class RecordDigest:
    """A digest of records in order. It does not depend on the order of their fields, nor on how they are stored."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def add(self, record: Record) -> None:
        """Adds a record."""
        self._digest.update(_json(record))
        self._digest.update(b"\n")

    def hexdigest(self) -> str:
        """The digest of the records so far."""
        return self._digest.hexdigest()


def of_training(
    trainer: Trainer, records: RecordDigest, make_trainer: Callable[[], Trainer], kind: str
) -> dict[str, Any]:
    """The fingerprint of a trainer that has its data: the digests of its `records` and of its `labelled` segments, and
    what `witness` returns for trainers like it."""
    out: dict[str, Any] = {"records": records.hexdigest()}
    if digest := labelled_digest(trainer):
        out["labelled"] = digest
    return {**out, **witness(make_trainer, kind)}


def labelled_digest(trainer: Trainer) -> str | None:
    """A digest of the labelled segments that a trainer has; None if it learns from something else."""
    pages: Sequence[LabelledPage] | None = getattr(trainer, "pages", None)
    if not pages:
        return None
    digest = hashlib.sha256()
    for page in pages:
        own: list[Any] = [page.domain, page.texts, page.types, page.marked, page.words, page.matched, page.gold.policy]
        if page.record:
            fields = [[segment.get(name) for name in READS] for segment in page.record["segments"]]
            own += [page.roles, page.record.get("head"), fields]
        digest.update(_json(own))
    return digest.hexdigest()


def witness(make_trainer: Callable[[], Trainer], kind: str) -> dict[str, Any]:
    """The witness of trainers of that kind (the argument of nc-train): the digest `witness` of its labelled segments,
    if it has any, and its `figures`. Empty if the options need more pages, or if the pages are not installed."""
    records = _witness_records(kind)
    if not records:
        return {}
    trainer = make_trainer()
    for record in records:
        with suppress(RecordError):  # some pages are of no use to some trainers
            trainer.add(record)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"witness{registry.SUFFIX}"
        try:
            trainer.write(path, {})
        except ValueError:
            return {}
        model = registry.read_model(path)[1]
        figures = _figures(model, _documents(trainer, records))
    digest = labelled_digest(trainer)
    return {"figures": figures, "witness": digest} if digest else {"figures": figures}


def changes(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """How two fingerprints differ. What one of them lacks is not compared."""
    differ = {name for name in ("records", "labelled", "witness") if name in before.keys() & now.keys()}
    differ = {name for name in differ if before[name] != now[name]}
    out = []
    if "records" in differ:
        out.append("data: the model was trained on other records")
    if differ - {"records"}:
        out.append("segments: the code makes other segments or labels of the same pages")
    if "figures" in before and "figures" in now and (change := _change(before["figures"], now["figures"])):
        out.append(f"training: the code makes another model of the same pages ({change})")
    return out


def _change(first: Sequence[float], second: Sequence[float]) -> str:
    """The difference of the figures of two witnesses, in words; empty if they are the same."""
    if len(first) != len(second):
        return f"{len(second)} figures instead of {len(first)}"
    largest = max((abs(a - b) / max(1, abs(a)) for a, b in zip(first, second)), default=0)
    return f"figures differ by up to {largest:.2g}" if largest > TOLERANCE else ""


def _json(value: Any) -> bytes:
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    except TypeError:  # bytes, large integers, lone surrogates
        return repr(value).encode("utf-8", "surrogatepass")


def _witness_records(kind: str) -> list[Record]:
    """The pages of the witness, as the trainers of that kind read them; none if they are not installed."""
    try:
        lines = Path(installed_folder(), WITNESS_FILE).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    records: list[Record] = [json.loads(line) for line in lines]
    return _scored(records) if kind == "quality" else records


def _scored(records: Sequence[Record]) -> list[Record]:
    """The pages with scores by the length of their segments, twice, because a quality model needs many."""
    out = []
    for shift in (4, 6):
        for record in records:
            page = segment_record(record)
            for segment in page["segments"]:
                segment["score"] = round(len(segment["text"]) ** 0.5 - shift, 2)
            out.append({**page, "url": f"http://{shift}.{page['id']}.example/".replace(" ", "")})
    return out


def _documents(trainer: Trainer, records: Sequence[Record]) -> list[ModelInput]:
    """What the model of the witness scores: its pages, or the lines of their gold texts."""
    pages: Sequence[LabelledPage] = getattr(trainer, "pages", None) or ()
    if pages:
        return [ModelInput.of_record(page.record) if page.record else ModelInput.of_texts(page.texts) for page in pages]
    return [ModelInput.of_texts(gold_of(record).plain.splitlines()) for record in records]


def _figures(model: Model, documents: Sequence[ModelInput]) -> list[float]:
    """Numbers that change if the model does: what it says of some of the segments, or its parameters."""
    if isinstance(model, QualityModel):
        return [round(number, DECIMALS) for number in _numbers(model.header())]
    rows = [
        row for evidence in model.evidence(documents) for row in zip(*(evidence[field] for field in sorted(evidence)))
    ]
    chosen = rows[:: max(1, len(rows) // MAX_SEGMENTS)]
    return [len(rows), *(round(number, DECIMALS) for row in chosen for number in _numbers(row))]


def _numbers(value: Any) -> Iterator[float]:
    """The numbers in a JSON value, in order."""
    if isinstance(value, dict):
        for name in sorted(value):
            yield from _numbers(value[name])
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)
