"""nc-corpus: from documents to a corpus: statistics, filters by published rules.

    nc-clean crawl.warc.gz -f jsonl | nc-corpus filter --rules gopher,c4 --drop > corpus.jsonl
    nc-corpus stats corpus.jsonl --report corpus.html

A verb reads documents, records with `text` or `segments`, in the one stream loop.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ..errors import UsageError, require_library
from ..record import Record, is_error
from ..streams.console import exit_status, warn
from ..streams.runner import per_record, run_filter
from . import corpus_options, options

if TYPE_CHECKING:  # start-up
    from ..evaluation.report.tables import Table

TOOL = "nc-corpus"
# Words and bigrams of a corpus that are counted; the rarest of more are forgotten.
TERMS = 500_000
# Terms that are compared: how often they occur in the corpus where they are key, and in how many documents of it.
MIN_FREQUENCY, MIN_DOCUMENTS = 5, 3


def filter_documents(args: argparse.Namespace) -> int:
    """Marks or drops documents that break published rules. Raises UsageError."""
    from ..corpus.filtering import Filtering  # start-up: NumPy
    from ..corpus.rules import SETS, chosen

    try:
        filtering = Filtering(chosen(",".join(SETS) if args.rules is None else args.rules), args.drop)
    except ValueError as error:
        raise UsageError(f"--rules: {error}") from None
    status = run_filter(args.files, per_record(filtering.mark), options.stream_options(TOOL, args))
    if not args.quiet:
        for line in filtering.report():
            warn(TOOL, line)
    return status


def count_documents(args: argparse.Namespace) -> int:
    """Writes the counts of a corpus, as tables, as JSON or as an HTML report. Raises UsageError and OSError."""
    from ..corpus.statistics import Statistics  # start-up: NumPy

    options.check_are_distinct(args.files, {"--report": args.report})
    if args.report:
        require_library("matplotlib", "--report needs", "plots")
    statistics = Statistics()
    status, statistics.failed = _read(args, args.files, statistics.add)
    facts = statistics.facts(args.number)
    if args.report:
        from ..evaluation.report import corpus_html  # optional: matplotlib

        corpus_html.write(facts, args.report)
    elif args.format == "json":
        _write([_json(facts)])
    else:
        from ..evaluation.report.corpus_tables import corpus_tables  # start-up

        _write_tables(corpus_tables(facts), args.format)
    return status


def compare_corpora(args: argparse.Namespace) -> int:
    """Writes the key words and bigrams of two corpora. Raises UsageError and OSError."""
    from ..corpus.keyness import KeyOptions, keyness  # start-up
    from ..corpus.term_counts import CorpusTerms
    from ..streams.inputs import open_inputs

    if len(args.files) != 2:
        raise UsageError(f"keyness: two corpora are needed, A and B, not {len(args.files)}")
    corpora = CorpusTerms(TERMS), CorpusTerms(TERMS)
    open_inputs(args.files)  # both must be there before the first is read
    status = 0
    for name, terms in zip(args.files, corpora):
        status = max(status, _read(args, [name], terms.add)[0])
        if status > 1 or status and args.strict:
            return status
    chosen = KeyOptions(MIN_FREQUENCY, MIN_DOCUMENTS, args.min_likelihood, args.number, args.sort or "log-ratio")
    facts = keyness(*corpora, chosen)
    if not args.quiet:
        for kind in ("words", "bigrams"):
            if lost := facts[kind]["undercount"]:
                warn(TOOL, f"{kind}: frequencies may be up to {lost:,} too low: only {TERMS:,} are counted")
    if args.format == "json":
        _write([_json(facts)])
        return status
    from ..evaluation.report import corpus_tables, export  # start-up

    if args.format == "tsv":
        _write(export.tsv_lines(corpus_tables.keyness_facts(facts)))
    else:
        _write_tables(corpus_tables.keyness_tables(facts, args.files), args.format)
    return status


def split_documents(args: argparse.Namespace) -> int:
    """Writes documents to files to train, tune and test on. Raises UsageError and OSError."""
    from ..corpus.splitting import PartSink, Splitter  # start-up: xxhash
    from ..streams.writers import Output, Sink

    if not args.output:
        raise UsageError("split: -o DIR is required")
    splitter = Splitter(args.by or "site", args.shares or (98, 1, 1), args.seed or 0)
    sinks: list[PartSink] = []

    def checked(document: Record) -> Record:
        splitter.part_of(document)
        return document

    def part_sink(_: Output) -> Sink:
        try:
            os.makedirs(args.output, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{args.output}: {error.strerror}") from None
        sinks.append(PartSink(splitter, args.output, args.format or "jsonl"))
        return sinks[0]

    status = run_filter(args.files, per_record(checked), options.stream_options(TOOL, args), part_sink)
    for line in () if args.quiet else sinks[0].report():
        warn(TOOL, line)
    return status


def write_tokens(args: argparse.Namespace) -> int:
    """Writes vertical text or CoNLL-U. Raises UsageError and OSError."""
    from ..corpus.documents import segments_of  # start-up
    from ..selection.forms.conllu import conllu
    from ..selection.forms.vertical import vertical_sentences
    from ..streams.writers import Text

    form = conllu if args.verb == "conllu" else vertical_sentences

    def write(document: Record) -> Record:
        return {"text": form(segments_of(document), document)}

    def text(record: Record) -> str:
        return "" if is_error(record) else str(record["text"])

    stream = options.stream_options(TOOL, args)
    return run_filter(args.files, per_record(write), stream, lambda output: Text(output, text))


# verb → what it does
VERBS: dict[str, Callable[[argparse.Namespace], int]] = {
    "stats": count_documents,
    "keyness": compare_corpora,
    "filter": filter_documents,
    "split": split_documents,
    "vertical": write_tokens,
    "conllu": write_tokens,
}


def option_parser() -> argparse.ArgumentParser:
    """The options of the command."""
    return corpus_options.option_parser(TOOL, VERBS)


def main(argv: list[str] | None = None) -> int:
    """Runs the command and returns its exit status."""
    args = option_parser().parse_intermixed_args(argv)

    def start() -> int:
        corpus_options.check(args)
        return VERBS[args.verb](args)

    return exit_status(TOOL, start)


# ---- what verbs share -------------------------------------------------------------------------------------------


class _Failures:
    """A sink that counts the records that failed, and discards all."""

    count = 0

    def write(self, record: Record) -> None:
        self.count += is_error(record)

    def close(self) -> None:
        pass


def _read(args: argparse.Namespace, files: list[str], function: Callable[[Record], Record]) -> tuple[int, int]:
    """Passes all documents to *function*. Returns the exit status, and how many records failed."""
    failures = _Failures()
    stream = options.stream_options(TOOL, args)._replace(to_files=True)
    return run_filter(files, per_record(function), stream, lambda _: failures), failures.count


def _write(lines: Iterable[str]) -> None:
    """Writes lines to standard output. Raises OSError."""
    from ..streams.writers import Output  # start-up: orjson

    out = Output(watched=False)
    for line in lines:
        out.write(line.encode("utf-8", "replace"))
    out.flush()


def _write_tables(found: Iterable[Table], form: str | None) -> None:
    """Writes tables with an empty line between them. Raises OSError."""
    from ..evaluation.report.tables import table_lines  # start-up

    _write(["\n".join("".join(table_lines(table, form or "table")) for table in found)])


def _json(facts: object) -> str:
    """Facts as one line of JSON."""
    import json  # start-up: not for --help

    return json.dumps(facts, ensure_ascii=False) + "\n"
