"""nc-score: segments in, evidence for each out (NCleaner, stage 4).

    nc-segment crawl.jsonl | nc-score -m en -m ncleaner-nonlexical | jq '.segments[].scores'

`score` is in bits: the log2 odds that the segment is clean rather than boilerplate; above 0 it is clean.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence

from . import model, record, stream
from .record import Record, RecordError

TOOL = "nc-score"

# Bytes of input scored at once: enough for table look-ups to be cheap, little enough to stay in the cache.
BATCH = 1 << 18


def scorer(
    models: Sequence[tuple[str, model.Model]], signatures: Sequence[str] = ()
) -> Callable[[list[Record]], list[Record | RecordError]]:
    """A function that scores the segments of many documents at once, in place.

    The first model's fields go on each segment; with several models, each one's score also into `scores`, by its name.
    What judged it goes into the record's `models`: *signatures*.
    """

    checked = _checked_scores if len(models) > 1 else _checked

    def work(documents: list[Record]) -> list[Record | RecordError]:
        results = [stream.attempt(checked, document) for document in documents]
        good = [document["segments"] for document in results if not isinstance(document, RecordError)]
        for number, (name, scoring) in enumerate(models):
            for segments, fields in zip(good, scoring.evidence(good)):
                if not number:
                    for field, values in fields.items():
                        for segment, value in zip(segments, values):
                            segment[field] = value
                if len(models) > 1:
                    for segment, value in zip(segments, fields["score"]):
                        segment.setdefault("scores", {})[name] = value
        if signatures:
            for document in results:
                if not isinstance(document, RecordError):
                    document["models"] = list(signatures)
        return results

    return work


def _checked(document: Record) -> Record:
    record.parts(document, "segments", {"text": (str,)})
    return document


def _checked_scores(document: Record) -> Record:
    """Checked also for the field that several models write into."""
    record.check_optional(_checked(document)["segments"], "segments", {"scores": (dict,)})
    return document


def options() -> argparse.ArgumentParser:
    """What the command understands."""
    parser = stream.parser(
        TOOL,
        "Evidence for each segment: is it clean text or boilerplate?",
        f"nc-segment crawl.jsonl | {TOOL} -m en | nc-select",
    )
    stream.add_format(parser)
    parser.add_argument(
        "-m",
        "--model",
        action="append",
        metavar="NAME|PATH",
        help="a model by name or file; may be given again (default: en)",
    )
    parser.add_argument("--list-models", action="store_true", help="say what models there are")
    return parser


def list_models() -> str:
    """A line for each model: name, kind, language, what it is."""
    rows = []
    for name, path in model.names().items():
        try:
            header = model.read(path)[0]
            rows.append((name, header["kind"], header.get("language", ""), header.get("description", "")))
        except model.ModelError as error:
            rows.append((name, "damaged", "", str(error)))
    widths = [max(map(len, column)) for column in list(zip(*rows))[:3]] if rows else []
    return "".join("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]]) + "\n" for row in rows)


def main(argv: list[str] | None = None) -> int:
    """The command; the exit status."""
    args = options().parse_intermixed_args(argv)
    # numpy's linear algebra starts threads that table look-ups never use: a tenth of a second of CPU
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    def start() -> int:
        if args.list_models:
            print(list_models(), end="")
            return 0
        try:
            paths = [(name, model.find(name)) for name in args.model or ["en"]]
            loaded = [(name, path, *model.load_from(path)) for name, path in paths]
        except model.ModelError as error:
            raise stream.UsageError(str(error)) from None
        work = scorer(
            [(name, scoring) for name, _, _, scoring in loaded],
            [model.signature(model.bare(path), header) for _, path, header, _ in loaded],
        )
        return stream.filtered(TOOL, args, work, batch_bytes=BATCH)

    return stream.guarded(TOOL, start)
