"""nc-corpus: from documents to a corpus: statistics, filters by published rules.

    nc-clean crawl.warc.gz -f jsonl | nc-corpus filter --rules gopher,c4 --drop > corpus.jsonl
    nc-corpus stats corpus.jsonl --report corpus.html

A verb reads documents, records with `text` or `segments`, in the one stream loop.
"""

from __future__ import annotations

import argparse
import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ..errors import UsageError, as_usage_errors, require_library
from ..record import Record, is_error
from ..streams.console import warn
from ..streams.runner import Nowhere, per_record, run_filter
from . import options

if TYPE_CHECKING:  # start-up
    from ..evaluation.tables import Table
    from ..streams.output_file import FileOutput
    from ..streams.writers import Output, Records, Sink

TOOL = "nc-corpus"
# Words and bigrams of a corpus that are counted; the rarest of more are forgotten.
TERMS = 500_000
RECORD_FORMATS = ("jsonl", "msgpack")
# verb → the formats of its output, the default first; None is the format of the input
FORMATS: dict[str, tuple[str | None, ...]] = {
    "stats": ("table", "markdown", "json"),
    "keyness": ("table", "markdown", "tsv", "json"),
    "filter": (None, *RECORD_FORMATS),
    "split": RECORD_FORMATS,
    "vertical": ("text",),
    "conllu": ("text",),
}
# The parts of a split, and the part of records that failed.
PARTS, FAILED = ("train", "dev", "test"), "failed"
# option → the verbs that have it
VERBS_OF = {
    "rules": ("filter",),
    "drop": ("filter",),
    "report": ("stats",),
    "sort": ("keyness",),
    **dict.fromkeys(("output", "by", "shares", "seed"), ("split",)),
}


def filter_documents(args: argparse.Namespace) -> int:
    """Marks or drops documents that break published rules. Raises UsageError."""
    from ..corpus.rules import SETS, Filtering, chosen  # start-up: NumPy

    with as_usage_errors(ValueError, "--rules"):
        filtering = Filtering(chosen(",".join(SETS) if args.rules is None else args.rules), args.drop)
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
        from ..evaluation.plots import write_corpus_page  # optional: matplotlib

        write_corpus_page(facts, args.report)
    else:
        from ..evaluation.tables import corpus_tables  # start-up

        _write(args.format, facts, corpus_tables(facts))
    return status


def compare_corpora(args: argparse.Namespace) -> int:
    """Writes the key words and bigrams of two corpora. Raises UsageError and OSError."""
    from ..corpus.statistics import CorpusTerms, keyness  # start-up
    from ..streams.readers import open_inputs

    if len(args.files) != 2:
        raise UsageError(f"keyness: two corpora are needed, A and B, not {len(args.files)}")
    corpora = CorpusTerms(TERMS), CorpusTerms(TERMS)
    open_inputs(args.files)  # both must be there before the first is read
    status = 0
    for name, terms in zip(args.files, corpora):
        status = max(status, _read(args, [name], terms.add)[0])
        if status > 1 or status and args.strict:
            return status
    facts = keyness(*corpora, args.number, args.sort or "log-ratio", args.min_likelihood)
    if not args.quiet:
        for kind in ("words", "bigrams"):
            if lost := facts[kind]["undercount"]:
                warn(TOOL, f"{kind}: frequencies may be up to {lost:,} too low: only {TERMS:,} are counted")
    from ..evaluation import tables  # start-up

    _write(args.format, facts, tables.keyness_tables(facts, args.files), tables.keyness_facts(facts))
    return status


def split_documents(args: argparse.Namespace) -> int:
    """Writes documents to files to train, tune and test on. Raises UsageError and OSError."""
    if not args.output:
        raise UsageError("split: -o DIR is required")
    part = partial(part_of, by=args.by or "site", shares=args.shares or (98, 1, 1), seed=args.seed or 0)
    sinks: list[PartSink] = []

    def checked(document: Record) -> Record:
        part(document)
        return document

    def part_sink(_: Output) -> Sink:
        with as_usage_errors(OSError, args.output):
            os.makedirs(args.output, exist_ok=True)
        sinks.append(PartSink(part, args.output, args.format or "jsonl"))
        return sinks[0]

    status = run_filter(args.files, per_record(checked), options.stream_options(TOOL, args), part_sink)
    for line in () if args.quiet else sinks[0].report():
        warn(TOOL, line)
    return status


def part_of(document: Record, by: str, shares: Sequence[float], seed: int) -> str:
    """One of PARTS, by the hash of a document's site (`site`; of its text, if it has none) or text (`hash`). *shares*
    are of PARTS, in any unit; another *seed* gives another split. Raises RecordError for a document without either."""
    import xxhash  # start-up: split alone needs these

    from ..corpus.documents import site_of, text_of  # start-up: as above

    key = (site_of(document) if by == "site" else "") or text_of(document)
    place = xxhash.xxh3_64_intdigest(key.encode("utf-8", "surrogatepass"), seed) / 2**64
    ends = [end / sum(shares) for end in accumulate(shares)]
    return PARTS[min(bisect_right(ends, place), len(PARTS) - 1)]


class PartSink:
    """Writes documents to the files of their parts in a folder, and records that failed to that of FAILED, if there are
    any. The files have their names when they are complete."""

    def __init__(self, part: Callable[[Record], str], folder: str, output_format: str) -> None:
        self._part, self._folder, self._format = part, folder, output_format
        self.counts: Counter[str] = Counter()
        self._is_discarded = False
        self._files: list[FileOutput] = []
        self._sinks = {part: self._opened(part) for part in PARTS}

    def _opened(self, part: str) -> Records:
        # start-up: split alone needs these
        from ..streams.output_file import FileOutput
        from ..streams.writers import Records

        self._files.append(FileOutput(os.path.join(self._folder, f"{part}.{self._format}")))
        return Records(self._files[-1], self._format)

    def write(self, record: Record) -> None:
        part = FAILED if is_error(record) else self._part(record)
        if part not in self._sinks:
            self._sinks[part] = self._opened(part)
        self._sinks[part].write(record)
        self.counts[part] += 1

    def close(self) -> None:
        for file in self._files:
            file.close()

    def discard(self) -> None:
        self._is_discarded = True
        for file in self._files:
            file.discard()

    def report(self) -> Iterator[str]:
        if self._is_discarded:
            yield f"{self._folder}: not written, for the run was interrupted"
            return
        total = sum(self.counts[part] for part in PARTS)
        for part in PARTS:
            count = self.counts[part]
            yield f"{part}: {count:,} of {total:,} documents ({100 * count / max(total, 1):.1f} %)"


def write_tokens(args: argparse.Namespace) -> int:
    """Writes vertical text or CoNLL-U. Raises UsageError and OSError."""
    from ..corpus.documents import segments_of  # start-up
    from ..selection.forms.vertical import conllu, vertical_sentences
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


_OPTIONS = """
-n --number N: the number of sites (stats), or of words and bigrams of each corpus (keyness; default: %(default)s)
filter
--rules NAMES: sets of rules (c4, gopher, fineweb) or single rules such as gopher.words, separated by commas (default:
    all sets)
--drop: drop documents that break a rule, instead of marking them
stats
--report FILE: write one HTML page with tables and plots, instead of tables
keyness
--sort log-ratio|log-likelihood: sort by the size of the difference, or by the evidence for it (default: log-ratio)
--min-likelihood X: only terms with at least this log-likelihood (default: %(default)s, which is p < 0.0001)
split
-o --output DIR: the folder of train.jsonl, dev.jsonl and test.jsonl
--by site|hash: documents of one site, or of one text, stay together (default: site)
--shares N,N,N: the shares of the parts (default: 98,1,1)
--seed N: another number gives another split (default: 0)
"""


def option_parser() -> argparse.ArgumentParser:
    verb = {
        "choices": list(VERBS),
        "help": "count documents (stats), compare two corpora (keyness), mark or drop documents by published "
        "rules (filter), write them to files to train and test on (split), or as tokens (vertical, conllu)",
    }
    parser = options.filter_parser(
        TOOL, "From documents to a corpus.", f"{TOOL} filter --drop new.jsonl > corpus.jsonl", [("verb", verb)]
    )
    formats = list(dict.fromkeys(name for names in FORMATS.values() for name in names if name))
    what = "output format (default: filter: the format of the first input; stats and keyness: table)"
    parser.add_argument("-f", "--format", choices=formats, help=what)
    options.add_fields(parser, "text")
    number = {"type": options.count, "default": 20}
    options.add(parser, _OPTIONS, number=number, min_likelihood=15.13, shares=_shares, seed=options.count)
    return parser


@options.command(option_parser)
def main(args: argparse.Namespace) -> int:
    _check(args)
    return VERBS[args.verb](args)


def _check(args: argparse.Namespace) -> None:
    """Raises UsageError for options and formats that the verb does not have."""
    for name, verbs in VERBS_OF.items():
        value = getattr(args, name)
        if value is not None and value is not False and args.verb not in verbs:
            raise UsageError(f"{args.verb}: --{name.replace('_', '-')} is an option of {', '.join(verbs)}")
    if args.format not in (None, *FORMATS[args.verb]):
        known = ", ".join(name for name in FORMATS[args.verb] if name)
        raise UsageError(f"{args.verb}: -f {args.format}: formats are {known}")


def _shares(text: str) -> tuple[float, ...]:
    if not re.fullmatch(r"[0-9]{1,6}(,[0-9]{1,6}){2}", text) or not re.search("[1-9]", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not three shares such as 98,1,1")
    return tuple(map(float, text.split(",")))


# ---- what verbs share -------------------------------------------------------------------------------------------


def _read(args: argparse.Namespace, files: list[str], function: Callable[[Record], Record]) -> tuple[int, int]:
    """Passes all documents to *function*. Returns the exit status, and how many records failed."""
    sink = Nowhere()
    stream = options.stream_options(TOOL, args)._replace(to_files=True)
    return run_filter(files, per_record(function), stream, lambda _: sink), sink.failed


def _write(
    form: str | None, facts: dict[str, Any], tables: Iterable[Table], rows: Sequence[dict[str, Any]] = ()
) -> None:
    """Writes facts as JSON, as rows of tsv, or as tables with an empty line between them. Raises OSError."""
    # start-up
    import json

    from ..evaluation.tables import table_lines, tsv_lines  # start-up: as above
    from ..streams.writers import Output

    if form == "json":
        text = json.dumps(facts, ensure_ascii=False) + "\n"
    elif form == "tsv":
        text = "".join(tsv_lines(rows))
    else:
        text = "\n".join("".join(table_lines(table, form or "table")) for table in tables)
    out = Output(watched=False)
    out.write(text.encode("utf-8", "replace"))
    out.flush()
