"""nc-dedup: documents without those, or without the paragraphs, that have been seen.

nc-clean crawl/*.warc.gz -f jsonl | nc-dedup --state seen.db > corpus.jsonl
nc-dedup --near --two-pass --prefer longest corpus.jsonl -o distinct.jsonl.zst
nc-dedup merge seen.db other.db
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from ..corpus.documents import name_of, text_of
from ..errors import RecordError, UsageError
from ..record import Record, is_error
from ..streams.console import exit_status, hint_at_terminal, warn
from ..streams.runner import StreamOptions, attempt, is_interactive, run, schema_error, standard_output
from ..text.words import words
from . import options

if TYPE_CHECKING:
    from ..corpus.duplicates import DuplicateFinder, Verdict, WholeFinder
    from ..corpus.samples import Samples
    from ..corpus.state import State
    from ..streams.readers import RecordReader
    from ..streams.writers import ByteOutput

TOOL = "nc-dedup"
# Bytes of documents that are decided on together.
BATCH_BYTES = 1 << 20
DEFAULT_MEMORY, DEFAULT_SAMPLES, DEFAULT_N = "1G", 20, 5
# The options of one kind alone, and the kinds.
_OWN = {
    "verify": ("near",),
    "threshold": ("near", "ngrams"),
    "no_smoothing": ("ngrams",),
    "min_words": ("paragraphs",),
    "ignore_digits": ("exact", "paragraphs"),
    "two_pass": ("exact", "near"),
}
# Options that do not change what is written.
_OTHER = frozenset("files memory quiet verbose unbuffered report examples state output resume max_record".split())


def option_parser() -> argparse.ArgumentParser:
    """The options of the command."""
    parser = options.filter_parser(
        TOOL,
        "Drop documents, or paragraphs, that have been seen. `nc-dedup merge STATE OTHER...` adds other states to one.",
        f"nc-clean crawl.warc.gz -f jsonl | {TOOL} --state seen.db > corpus.jsonl",
    )
    options.add_format(parser)
    parser.add_argument("--text-field", metavar="NAME", help="the field with the text (default: text)")
    kinds = parser.add_argument_group("what is a duplicate").add_mutually_exclusive_group()
    kinds.add_argument(
        "--exact",
        dest="kind",
        action="store_const",
        const="exact",
        help="a document whose text has been seen, apart from case, white space and Unicode composition (default)",
    )
    kinds.add_argument(
        "--near",
        dest="kind",
        action="store_const",
        const="near",
        help="a document that shares most of its 5-grams of words with a kept one (MinHash)",
    )
    kinds.add_argument(
        "--paragraphs",
        dest="kind",
        action="store_const",
        const="paragraphs",
        help="a paragraph that has been seen; a short one, on the same site",
    )
    kinds.add_argument(
        "--ngrams",
        type=_ngram_length,
        nargs="?",
        const=DEFAULT_N,
        metavar="N",
        help="a paragraph most of whose words lie in N-grams of words that have been seen, as onion has it "
        "(default: %(const)s)",
    )
    _add_settings(parser.add_argument_group("how duplicates are found"))
    _add_output(parser.add_argument_group("state and output"))
    return parser


def _add_settings(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--threshold",
        type=_share,
        metavar="SHARE",
        help="--near: the least similarity (Jaccard index) of duplicates (default: 0.72); --ngrams: the share of seen "
        "words above which a paragraph is a duplicate (default: 0.5)",
    )
    group.add_argument(
        "--verify",
        choices=("exact", "estimate", "none"),
        help="--near: the similarity of candidates is computed from all 5-grams, estimated from signatures, or not "
        "asked for (default: exact)",
    )
    group.add_argument(
        "--no-smoothing", action="store_true", help="--ngrams: keep paragraphs of up to 20 words between duplicates"
    )
    group.add_argument(
        "--min-words",
        type=_words,
        metavar="N",
        help="--paragraphs: those of fewer words are duplicates on the same site alone (default: 10)",
    )
    group.add_argument("--ignore-digits", action="store_true", help="digits are equal")
    group.add_argument(
        "--two-pass",
        action="store_true",
        help="read the input twice: what is kept does not depend on the order of documents",
    )
    group.add_argument(
        "--prefer",
        choices=("first", "longest", "best"),
        help="with --two-pass, which of several duplicates is kept: the first by id, the longest, or that of the "
        "highest quality (default: first)",
    )


def _add_output(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--state", metavar="FILE", help="what has been seen, for the next run (SQLite)")
    group.add_argument(
        "--memory",
        type=options.size,
        default=DEFAULT_MEMORY,
        metavar="BYTES",
        help="memory of the state (K, M, G; default: %(default)s); the rest of it is in temporary files",
    )
    group.add_argument("--mark", action="store_true", help="mark duplicates instead of dropping them")
    group.add_argument("-o", "--output", metavar="FILE", help="write to FILE, compressed as its suffix says")
    group.add_argument(
        "--resume", action="store_true", help="go on with a run that was ended; requires --state, -o and files"
    )
    group.add_argument("--report", metavar="FILE", help="write an HTML page with samples of duplicates")
    group.add_argument(
        "--examples",
        type=_words,
        default=DEFAULT_SAMPLES,
        metavar="N",
        help="samples of --report (default: %(default)s)",
    )


def _words(text: str) -> int:
    if text.isascii() and text.isdigit() and 0 < int(text) <= 1000:
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 to 1000")


def _ngram_length(text: str) -> int:
    if os.path.exists(text) and not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is a file: before it, give the number: --ngrams {DEFAULT_N} {text}")
    return _words(text)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1
    if 0 < share <= 1:
        return share
    raise argparse.ArgumentTypeError(f"'{text}' is not a share above 0, to 1")


def main(argv: list[str] | None = None) -> int:
    """Runs the command and returns its exit status."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments[:1] == ["merge"]:
        return exit_status(TOOL, lambda: _merge(arguments[1:]))
    args = option_parser().parse_intermixed_args(argv)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads are of no use here
    return exit_status(TOOL, lambda: _run(args))


# ---- what the options ask for --------------------------------------------------------------------------------


class _Kind(NamedTuple):
    """A kind of duplicates: the settings that its state depends on, the statements of its tables, and its finder."""

    settings: Record
    tables: str
    finder: Callable[[State], DuplicateFinder]


def _kind(args: argparse.Namespace) -> _Kind:
    # start-up: each kind needs its module alone, and exact duplicates no numpy
    if args.kind == "exact":
        from ..corpus import exact_duplicates  # start-up: as above

        return _Kind(
            {"ignore digits": args.ignore_digits},
            exact_duplicates.TABLES,
            lambda state: exact_duplicates.ExactDuplicates(state, args.ignore_digits),
        )
    if args.kind == "paragraphs":
        from ..corpus import paragraph_duplicates  # start-up: as above

        min_words = args.min_words or paragraph_duplicates.MIN_WORDS
        return _Kind(
            {"min words": min_words, "ignore digits": args.ignore_digits},
            paragraph_duplicates.TABLES,
            lambda state: paragraph_duplicates.ParagraphDuplicates(state, min_words, args.ignore_digits),
        )
    if args.kind == "near":
        from ..corpus import minhash, near_duplicates  # start-up: as above

        near = near_duplicates.NearOptions(args.threshold or minhash.THRESHOLD, verify=args.verify or "exact")
        return _Kind(
            {"threshold": near.threshold, "n": near.n},
            near_duplicates.TABLES,
            lambda state: near_duplicates.NearDuplicates(state, near),
        )
    from ..corpus import ngram_duplicates  # start-up: as above

    rules = ngram_duplicates.NgramRules(
        args.ngrams,
        args.threshold or ngram_duplicates.THRESHOLD,
        None if args.no_smoothing else ngram_duplicates.MAX_GAP,
    )
    return _Kind({"n": rules.n}, ngram_duplicates.TABLES, lambda state: ngram_duplicates.NgramDuplicates(state, rules))


def _check(args: argparse.Namespace) -> None:
    """Raises UsageError for options that exclude each other."""
    args.kind = args.kind or ("ngrams" if args.ngrams else "exact")
    for name, kinds in _OWN.items():
        if getattr(args, name) and args.kind not in kinds:
            option = "--" + name.replace("_", "-")
            raise UsageError(f"{option} requires {' or '.join('--' + kind for kind in kinds)}")
    if args.prefer and not args.two_pass:
        raise UsageError("--prefer requires --two-pass")
    if args.two_pass and not (args.files and all(map(os.path.isfile, args.files))):
        raise UsageError("--two-pass reads its input twice: give files")
    if args.resume and not (args.state and args.output and args.files and all(map(os.path.isfile, args.files))):
        raise UsageError("--resume requires --state, -o and files as input")
    if args.resume and (args.two_pass or args.report):
        raise UsageError(f"--resume cannot be combined with --{'two-pass' if args.two_pass else 'report'}")


# ---- the work ------------------------------------------------------------------------------------------------


class _Work:
    """What the stage does to batches of documents, and its counts."""

    def __init__(self, args: argparse.Namespace, decide: Callable[[list[Record]], Sequence[Verdict]]):
        self._args, self._decide = args, decide
        self.counts = dict.fromkeys(("documents", "duplicates", "paragraphs", "words"), 0)
        self.samples: Samples | None = None

    def __call__(self, documents: list[Record]) -> list[Record | RecordError | None]:
        """The documents, without duplicates or with marks."""
        return careful(documents, lambda good: list(map(self._result, good, self._decide(good))))

    def _result(self, document: Record, verdict: Verdict) -> Record | None:
        parts = verdict.parts
        self._count(document, verdict)
        if self.samples:
            self._sample(document, verdict, self.samples)
        if not self._args.mark:
            if verdict.is_duplicate:
                return None
            return parts.paragraphs.without(parts.dropped) if parts and any(parts.dropped) else document
        if parts and any(parts.dropped):
            document = parts.paragraphs.marked(parts.marks)
        return document | _mark(self._args.kind, verdict) if verdict.is_duplicate else document

    def _count(self, document: Record, verdict: Verdict) -> None:
        self.counts["documents"] += 1
        self.counts["duplicates"] += verdict.is_duplicate
        if verdict.parts:
            self.counts["words"] += verdict.parts.words
            self.counts["paragraphs"] += sum(verdict.parts.dropped)
        elif verdict.is_duplicate:
            self.counts["words"] += len(words(text_of(document)))

    def _sample(self, document: Record, verdict: Verdict, samples: Samples) -> None:
        from ..corpus.samples import Sample  # start-up: as above

        name, parts = name_of(document), verdict.parts
        if parts:
            for text, mark in zip(parts.paragraphs.texts, parts.marks):
                if mark:
                    samples.add(Sample(name, mark.get("duplicate_of"), mark.get("similarity"), text))
        elif verdict.is_duplicate:
            samples.add(Sample(name, verdict.of, verdict.similarity, text_of(document)))
        if not verdict.is_duplicate:
            samples.remember(name, text_of(document))

    def summary(self) -> str:
        """What was found, in one line."""
        count = self.counts
        share = 100 * count["duplicates"] / max(count["documents"], 1)
        out = (
            f"{_counted(count['documents'], 'document')}, {_counted(count['duplicates'], 'duplicate')} ({share:.1f} %)"
        )
        if self._args.kind in ("paragraphs", "ngrams"):
            out += f", {_counted(count['paragraphs'], 'duplicate paragraph')}"
        return f"{out}, {_counted(count['words'], 'word')} in duplicates"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _mark(kind: str, verdict: Verdict) -> Record:
    out: Record = {"duplicate": kind}
    if verdict.of is not None:
        out["duplicate_of"] = verdict.of
    if verdict.similarity is not None:
        out["similarity"] = round(verdict.similarity, 3)
    return out


def careful(
    documents: list[Record], function: Callable[[list[Record]], list[Record | None]]
) -> list[Record | RecordError | None]:
    """The results of *function*, which changes nothing if it raises RecordError; errors for documents without text."""
    try:
        return [*function(documents)]
    except RecordError:
        checked = [attempt(lambda document: {"text": text_of(document)}, document) for document in documents]
    results = iter(function([one for one, text in zip(documents, checked) if not isinstance(text, RecordError)]))
    return [one if isinstance(one, RecordError) else next(results) for one in checked]


def _run(args: argparse.Namespace) -> int:
    _check(args)
    from ..corpus.state import State  # start-up: as above

    kind = _kind(args)
    state = State(args.state, {"kind": args.kind, **kind.settings}, kind.tables, args.memory)
    finder = kind.finder(state)
    stream = options.stream_options(TOOL, args, BATCH_BYTES)
    work = _Work(args, _decision(args, finder, state, stream))
    if args.report:
        from ..corpus.samples import Samples  # start-up: as above

        work.samples = Samples(args.examples)
    try:
        status = _resumable(args, work, state, stream) if args.resume else _once(args, work, state, stream)
    finally:
        state.close()
    if not args.quiet:
        warn(TOOL, work.summary())
    if work.samples:
        _write(args.report, work.samples.html(work.summary()))
    return status


def _decision(
    args: argparse.Namespace, finder: DuplicateFinder, state: State, stream: StreamOptions
) -> Callable[[list[Record]], Sequence[Verdict]]:
    """What decides on documents. With --two-pass, the first pass is over when this returns."""
    if not args.two_pass:
        return finder.find
    from ..corpus.two_pass import TwoPass  # start-up: as above

    passes = TwoPass(cast("WholeFinder", finder), state, args.prefer or "first")

    def collect(documents: list[Record]) -> list[Record | None]:
        passes.collect(documents)
        return [None] * len(documents)

    for batch in _batches(args.files, stream):
        careful(batch, collect)
    passes.decide()
    return passes.next_verdicts


def _batches(files: Sequence[str], stream: StreamOptions) -> Iterator[list[Record]]:
    """The records of a pass that writes nothing, in batches: those that the second pass has no errors for."""
    from ..streams.field_names import FieldNames  # start-up: as above
    from ..streams.signals import Interruption

    source, names = _source(files, stream), FieldNames(stream.fields)
    batch: list[Record] = []
    done = 0
    with Interruption() as interruption:
        for item in interruption.until(source):
            if isinstance(item, RecordError) or is_error(item):
                continue
            names.rename(item)
            if schema_error(item) is None:
                batch.append(item)
            if source.bytes - done > stream.batch_bytes:
                yield batch
                batch, done = [], source.bytes
    if interruption.status:
        raise SystemExit(interruption.status)
    yield batch


def _source(files: Sequence[str], stream: StreamOptions) -> RecordReader:
    from ..streams.inputs import open_inputs  # start-up: as above
    from ..streams.readers import RecordReader

    return RecordReader(open_inputs(files), stream.max_record)


class _EndingSink:
    """Records that know whether their output was completed."""

    def __init__(self, output: ByteOutput, output_format: Callable[[], str]) -> None:
        from ..streams.writers import Records  # start-up: as above

        self._records, self._output = Records(output, output_format), output
        self.is_complete = False

    def write(self, record: Record) -> None:
        self._records.write(record)

    def close(self) -> None:
        self._records.close()
        if close := getattr(self._output, "close", None):
            close()
        self.is_complete = True


def _once(args: argparse.Namespace, work: _Work, state: State, stream: StreamOptions) -> int:
    """A run whose state is committed when its output is complete."""
    from ..streams.output_file import FileOutput  # start-up: as above

    source = _source(args.files, stream)
    hint_at_terminal(TOOL, args.files, stream.quiet)
    output: ByteOutput = FileOutput(args.output) if args.output else standard_output(stream)
    sink = _EndingSink(output, lambda: _format(args, source))
    if not args.output and is_interactive(stream.unbuffered):
        stream = stream._replace(batch_bytes=0)
    status = run(source, work, sink, stream)
    if sink.is_complete and (status == 0 or status == 1 and not stream.strict):
        state.commit({})
    return status


def _resumable(args: argparse.Namespace, work: _Work, state: State, stream: StreamOptions) -> int:
    """A run that commits its state and its output as it goes."""
    from .dedup_resume import Checkpoints, ResumableOutput  # start-up: as above

    output = ResumableOutput(args.output, state, _settings(args))
    if output.is_complete:
        if not stream.quiet:
            warn(TOOL, f"{args.output}: complete already")
        return 0
    work.counts.update(output.counts)
    source = _source(args.files, stream)
    checkpoints = Checkpoints(source, output, lambda: work.counts)
    sink = _EndingSink(output, lambda: _format(args, source))
    status = run(checkpoints, checkpoints.watched(work), sink, stream)
    if sink.is_complete and (status == 0 or status == 1 and not stream.strict):
        output.complete(checkpoints.given, work.counts)
    return status


def _format(args: argparse.Namespace, source: RecordReader) -> str:
    from ..streams.output_file import format_of  # start-up: as above

    return args.format or (args.output and format_of(args.output)) or source.format or "jsonl"


def _settings(args: argparse.Namespace) -> Record:
    """What the output of a run depends on."""
    stats = [(name, os.stat(name)) for name in args.files]
    return {
        "inputs": [[os.path.abspath(name), stat.st_size, stat.st_mtime_ns] for name, stat in stats],
        "output": os.path.abspath(args.output),
        "options": {name: value for name, value in sorted(vars(args).items()) if name not in _OTHER},
    }


def _write(path: str, page: str) -> None:
    from ..streams.output_file import FileOutput  # start-up: as above

    output = FileOutput(path)
    output.write(page.encode("utf-8", "replace"))
    output.close()


# ---- merging -------------------------------------------------------------------------------------------------


def _merge(names: Sequence[str]) -> int:
    """Adds the entries of all other states to the first one. Raises UsageError."""
    if len(names) < 2 or any(name.startswith("-") for name in names):
        raise UsageError("merge: the state to add to, and others, are needed: nc-dedup merge seen.db other.db")
    # start-up: as above
    from ..corpus import exact_duplicates, near_duplicates, ngram_duplicates, paragraph_duplicates
    from ..corpus.state import State

    memory = options.size(DEFAULT_MEMORY)
    state = State(names[0], None, "", memory)
    statements = {
        "exact": exact_duplicates.MERGE,
        "near": near_duplicates.MERGE,
        "paragraphs": paragraph_duplicates.MERGE,
        "ngrams": ngram_duplicates.MERGE,
    }[state.settings["kind"]]
    for name in names[1:]:
        state.merge(State(name, None, "", memory), statements)
    state.close()
    return 0
