"""Fingerprints of trained models, by which `models/check` says whether the code of today would make the same model.

    header["made"] = of_training(trainer, chosen.digest(), make_trainer, "ngram")

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
from .base import Trainer, json_bytes

WITNESS_FILE = "witness.jsonl"
# Segments whose figures are kept, about, and their decimals.
MAX_SEGMENTS, DECIMALS = 40, 3


def of_training(trainer: Trainer, records: str, make_trainer: Callable[[], Trainer], kind: str) -> dict[str, Any]:
    """The fingerprint of a trainer that has its data: the digests of its *records* and of its `labelled` segments, and
    what `witness` returns for trainers like it."""
    labelled = labelled_digest(trainer)
    return {"records": records, **({"labelled": labelled} if labelled else {}), **witness(make_trainer, kind)}


def labelled_digest(trainer: Trainer) -> str | None:
    """A digest of the labelled segments that a trainer has; None if it learns from something else."""
    digest = hashlib.sha256()
    for page in _pages(trainer):
        own: list[Any] = [page.domain, page.texts, page.types, page.marked, page.words, page.matched, page.gold.policy]
        if page.record:
            fields = [[segment.get(name) for name in READS] for segment in page.record["segments"]]
            own += [page.roles, page.record.get("head"), fields]
        digest.update(json_bytes(own))
    return digest.hexdigest() if _pages(trainer) else None


def _pages(trainer: Trainer) -> Sequence[LabelledPage]:
    pages: Sequence[LabelledPage] = getattr(trainer, "pages", ())
    return pages


def witness(make_trainer: Callable[[], Trainer], kind: str) -> dict[str, Any]:
    """The witness of trainers of that kind (the argument of nc-train): the digest `witness` of its labelled segments,
    if it has any, and its `figures`. Empty if the options need more pages, or if the pages are not installed."""
    try:
        lines = Path(installed_folder(), WITNESS_FILE).read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    records: list[Record] = [json.loads(line) for line in lines]
    if kind == "quality":
        records = _scored(records)
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
        figures = _figures(registry.read_model(path)[1], trainer, records)
    digest = labelled_digest(trainer)
    return {"figures": figures, "witness": digest} if digest else {"figures": figures}


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


def _figures(model: Model, trainer: Trainer, records: Sequence[Record]) -> list[float]:
    """Numbers that change if the model does: what it says of some of the segments of its pages, or of the lines of
    their gold texts; or the parameters of a quality model."""
    if isinstance(model, QualityModel):
        return [round(number, DECIMALS) for number in _numbers(model.header())]
    documents = [
        ModelInput.of_record(page.record) if page.record else ModelInput.of_texts(page.texts)
        for page in _pages(trainer)
    ] or [ModelInput.of_texts(gold_of(record).plain.splitlines()) for record in records]
    rows = [
        row for evidence in model.evidence(documents) for row in zip(*(evidence[field] for field in sorted(evidence)))
    ]
    chosen = rows[:: max(1, len(rows) // MAX_SEGMENTS)]
    return [len(rows), *(round(number, DECIMALS) for row in chosen for number in _numbers(row))]


def _numbers(value: Any) -> Iterator[float]:
    """The numbers in a JSON value, in order."""
    if isinstance(value, dict):
        value = [value[name] for name in sorted(value)]
    if isinstance(value, list | tuple):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)
