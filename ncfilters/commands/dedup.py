"""nc-dedup: documents without those, or without the paragraphs, that have been seen.

nc-clean crawl/*.warc.gz -f jsonl | nc-dedup --state seen.db > corpus.jsonl
nc-dedup --near --prefer longest corpus.jsonl -o distinct.jsonl.zst
nc-dedup merge seen.db other.db
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from ..corpus.deduplication import Deduplication, Samples, TwoPass, careful
from ..errors import RecordError, UsageError, as_usage_errors
from ..record import Record, is_error
from ..selection.formats import format_of
from ..streams.console import exit_status, hint_at_terminal, warn
from ..streams.output_file import COMPRESSED, FileOutput, lock, write_whole
from ..streams.runner import FieldNames, StreamOptions, is_interactive, run, schema_error, standard_output
from . import options

if TYPE_CHECKING:
    from ..corpus.duplicates import DuplicateFinder, WholeFinder
    from ..corpus.state import State
    from ..streams.readers import RecordReader, RecordSource
    from ..streams.writers import ByteOutput, Records

TOOL = "nc-dedup"
DEFAULT_N = 5
# The options of one kind alone, and the kinds.
_OWN = {"threshold": ("near", "ngrams"), "ignore_digits": ("exact", "paragraphs"), "prefer": ("exact", "near")}
# Bytes of documents that are decided on together.
BATCH_BYTES = 1 << 20
# Samples in a report.
SAMPLES = 20
# Bytes of memory of a state; the rest of it is in temporary files.
MEMORY = 1 << 30
# Seconds between two commits of --resume.
INTERVAL = 10.0
# Options that do not change what is written.
_OTHER = frozenset("files quiet verbose unbuffered report state output resume".split())


_KINDS = """
--near: a document that shares most of its 5-grams of words with a kept one (MinHash)
--paragraphs: a paragraph that has been seen; a short one, on the same site
--ngrams N: a paragraph most of whose words lie in N-grams of words that have been seen, as onion has it (default:
    %(const)s)
"""
_OPTIONS = """
how duplicates are found
--threshold SHARE: --near: the least similarity (Jaccard index) of duplicates (default: 0.72); --ngrams: the share of
    seen words above which a paragraph is a duplicate (default: 0.5)
--ignore-digits: digits are equal
--prefer first|longest|best: of several duplicates, keep the first by id, the longest, or that of the highest quality,
    whatever the order of documents: the input is read twice (default: keep what comes first)
state and output
--state FILE: what has been seen, for the next run (SQLite)
--mark: mark duplicates instead of dropping them
-o --output FILE: write to FILE, compressed as its suffix says
--resume: go on with a run that was ended; requires --state, -o and files
--report FILE: write an HTML page with samples of duplicates
"""


def option_parser() -> argparse.ArgumentParser:
    parser = options.filter_parser(
        TOOL,
        "Drop documents, or paragraphs, that have been seen. `nc-dedup merge STATE OTHER...` adds other states to one.",
        f"nc-clean crawl.warc.gz -f jsonl | {TOOL} --state seen.db > corpus.jsonl",
    )
    options.add_format(parser)
    options.add_fields(parser, "text")
    what = "by default a document whose text has been seen, apart from case, white space and Unicode composition"
    kinds = parser.add_argument_group("what is a duplicate", what).add_mutually_exclusive_group()
    length = options.number("a number from 1 to 1000", 1, 1000, before_file=f"--ngrams {DEFAULT_N}")
    options.add(
        kinds,
        _KINDS,
        near={"dest": "kind", "action": "store_const", "const": "near"},
        paragraphs={"dest": "kind", "action": "store_const", "const": "paragraphs"},
        ngrams={"type": length, "nargs": "?", "const": DEFAULT_N},
    )
    options.add(parser, _OPTIONS, threshold=options.number("a share above 0, to 1", sys.float_info.min, 1, float))
    return parser


def main(argv: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if argv is None else argv
    if arguments[:1] == ["merge"]:
        return exit_status(TOOL, lambda: _merge(arguments[1:]))
    return _run(argv)


# ---- what the options ask for --------------------------------------------------------------------------------


def _check(args: argparse.Namespace) -> None:
    """Sets `kind`. Raises UsageError for options that exclude each other."""
    args.kind = args.kind or ("ngrams" if args.ngrams else "exact")
    for name, kinds in _OWN.items():
        if getattr(args, name) and args.kind not in kinds:
            option = "--" + name.replace("_", "-")
            wanted = ("exact duplicates" if kind == "exact" else f"--{kind}" for kind in kinds)
            raise UsageError(f"{option} is for {' and '.join(wanted)}")
    has_files = bool(args.files) and all(map(os.path.isfile, args.files))
    can_resume = args.state and args.output and has_files
    options.refuse(
        (args.prefer and not has_files, "--prefer reads its input twice: give files"),
        (args.resume and not can_resume, "--resume requires --state, -o and files as input"),
        (args.state == "", "--state: the name of the file is empty"),
    )
    written = {"--state": args.state, "-o": args.output, "--report": args.report}
    options.check_are_distinct(args.files, written)
    name, is_packed = args.output or "", os.path.splitext(args.output or "")[1] in COMPRESSED
    has_records = format_of(name) in (None, "jsonl", "msgpack")
    options.refuse(
        (name and not has_records, f"-o {name}: nc-dedup writes records, as JSON lines or MessagePack"),
        (args.resume and is_packed, f"-o {name}: with --resume the output is not compressed"),
        (args.resume and args.prefer, "--resume cannot be combined with --prefer"),
        (args.resume and args.report, "--resume cannot be combined with --report"),
    )


def _finder(kind: str) -> Any:
    """The class of what finds duplicates of a kind."""
    if kind in ("exact", "paragraphs"):
        from ..corpus import duplicates  # start-up: each kind needs its module alone, and exact duplicates no numpy

        return duplicates.ExactDuplicates if kind == "exact" else duplicates.ParagraphDuplicates
    from ..corpus import ngram_duplicates  # start-up: as above

    return ngram_duplicates.NearDuplicates if kind == "near" else ngram_duplicates.NgramDuplicates


def _opened(args: argparse.Namespace) -> tuple[State, DuplicateFinder]:
    """The state, and what finds duplicates with it. Raises UsageError."""
    from ..corpus.state import State  # start-up: as above

    kind = _finder(args.kind)
    given: Record
    if args.kind in ("exact", "paragraphs"):
        given, settings = {"ignore_digits": args.ignore_digits}, {"ignore digits": args.ignore_digits}
    else:
        given = settings = {"threshold": args.threshold or kind.THRESHOLD}
    if args.kind == "ngrams":  # a state has n-grams alone
        given, settings = {**given, "n": args.ngrams}, {"n": args.ngrams}
    state = State(args.state, {"kind": args.kind, **kind.SETTINGS, **settings}, kind.TABLES, MEMORY)
    return state, kind(state, **given)


# ---- the work ------------------------------------------------------------------------------------------------


@options.command(option_parser)
def _run(args: argparse.Namespace) -> int:
    _check(args)
    state, finder = _opened(args)
    stream = options.stream_options(TOOL, args, BATCH_BYTES)
    samples = Samples(SAMPLES) if args.report else None
    if not args.resume and not (run_before := state.meta().get("run") or {"complete": True})["complete"]:
        raise UsageError(f"{args.state}: has an unfinished run, to {run_before['output']}: go on with --resume")
    passes = _two_passes(args, finder, state, stream) if args.prefer else None
    work = Deduplication(args.kind, passes.find if passes else finder.find, args.mark, samples)
    try:
        status = _resumable(args, work, state, stream) if args.resume else _once(args, work, state, stream, passes)
    finally:
        state.close()
    if not args.quiet:
        warn(TOOL, work.summary())
    if samples:
        write_whole(args.report, [samples.html(work.summary()).encode("utf-8", "replace")])
    return status


def _two_passes(args: argparse.Namespace, finder: DuplicateFinder, state: State, stream: StreamOptions) -> TwoPass:
    """The decision on all documents, after the first pass."""
    passes = TwoPass(cast("WholeFinder", finder), state, args.prefer)

    def collect(documents: list[Record]) -> list[Record | None]:
        passes.collect(documents)
        return [None] * len(documents)

    for batch in _batches(args.files, stream):
        careful(batch, collect)
    passes.decide()
    return passes


def _batches(files: Sequence[str], stream: StreamOptions) -> Iterator[list[Record]]:
    """The records of a pass that writes nothing, in batches: those that the second pass has no errors for."""
    from ..streams.console import Interruption  # start-up: as above

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
    from ..streams.readers import RecordReader, open_inputs  # start-up: as above

    return RecordReader(open_inputs(files), stream.max_record)


def _once(
    args: argparse.Namespace, work: Deduplication, state: State, stream: StreamOptions, passes: TwoPass | None
) -> int:
    """A run whose state is committed when its output is complete, and has all of its input."""
    from ..streams.writers import Records  # start-up: as above

    source = _source(args.files, stream)
    hint_at_terminal(TOOL, args.files, stream.quiet)
    output: ByteOutput = FileOutput(args.output) if args.output else standard_output(stream)
    sink = Records(output, lambda: _format(args, source))
    if not args.output and is_interactive(stream.unbuffered):
        stream = stream._replace(batch_bytes=0)
    is_complete = False
    try:
        status = run(source, work, sink, stream)
        if _is_complete(sink, source, status, stream):
            if passes:
                passes.finish()
            is_complete = True
    finally:
        if isinstance(output, FileOutput):
            (output.close if is_complete else output.discard)()
    if is_complete:
        state.commit({})
    elif args.state and not stream.quiet:
        warn(TOOL, f"{args.state}: as it was before, for the input or the output is not complete")
    return status


def _is_complete(sink: Records, source: RecordReader, status: int, stream: StreamOptions) -> bool:
    """Whether all of the input has been read, and all of the output written. Records may have failed."""
    return sink.is_closed and not source.has_failed and (status == 0 or status == 1 and not stream.strict)


def _format(args: argparse.Namespace, source: RecordReader) -> str:
    return args.format or (args.output and format_of(args.output)) or source.format or "jsonl"


# ---- runs that go on after they were ended, at whatever moment ------------------------------------------------


def _resumable(args: argparse.Namespace, work: Deduplication, state: State, stream: StreamOptions) -> int:
    """A run that commits its state and its output as it goes: the state has the number of records that were read and of
    bytes that were written. What was written after that is cut off when the run goes on."""
    from ..streams.writers import Records  # start-up: as above

    stats = [(name, os.stat(name)) for name in args.files]
    settings = {
        "inputs": [[os.path.abspath(name), stat.st_size] for name, stat in stats],
        "output": os.path.abspath(args.output),
        "options": {name: value for name, value in sorted(vars(args).items()) if name not in _OTHER},
    }
    output = ResumableOutput(args.output, state, settings)
    if output.is_complete:
        if not stream.quiet:
            warn(TOOL, f"{args.output}: complete already")
        return 0
    work.counts.update(output.counts)
    source = _source(args.files, stream)
    checkpoints = _Checkpoints(source, output, work)
    sink = Records(output, lambda: _format(args, source))
    status = run(checkpoints, checkpoints.process, sink, stream)
    if _is_complete(sink, source, status, stream):
        output.complete(checkpoints.given, work.counts)
    return status


class ResumableOutput:
    """The file of a run as a `ByteOutput`. It has a temporary name beside *path* until the run is complete. *settings*
    are what the output depends on. Raises UsageError if it cannot be created, or does not fit the state."""

    def __init__(self, path: str, state: State, settings: Record) -> None:
        folder, name = os.path.split(path)
        self._path, self._part = path, os.path.join(folder, f".{name}.part")
        self._state, self._run = state, settings
        kept = state.meta().get("run") or {"complete": True}
        is_same = all(kept.get(name) == value for name, value in settings.items())
        if not kept["complete"] and not is_same:
            raise UsageError(f"the state has an unfinished run, to {kept.get('output')}: --resume with its options")
        self.is_complete = bool(kept["complete"]) and is_same and not os.path.exists(self._part)
        if kept["complete"] and kept.get("output") == settings["output"] and os.path.exists(path) and not is_same:
            raise UsageError(f"{path}: has the output of an earlier run, of other inputs or with other options")
        if self.is_complete and not os.path.exists(path):
            raise UsageError(f"{path}: was complete, and is gone; its documents have been seen")
        self.records: int = kept["records"] if is_same else 0
        self._size: int = kept["bytes"] if is_same else 0
        self.counts: dict[str, int] = kept["counts"] if is_same else {}
        if self.is_complete:
            return
        with as_usage_errors(OSError, self._part):
            self._file = open(self._part, "r+b" if is_same else "a+b")  # noqa: SIM115 (closed by `complete`)
            lock(self._file, f"{path}: another process is writing it")
            if os.fstat(self._file.fileno()).st_size < self._size:
                raise UsageError(f"{self._part}: shorter than the state says: {self._size:,} bytes")
            self._file.seek(self._size)
            self._file.truncate()
        if not is_same:
            self.commit(0, {})

    def write(self, data: bytes) -> None:
        self._file.write(data)

    def flush(self) -> None:
        self._file.flush()

    def commit(self, records: int, counts: dict[str, int], complete: bool = False) -> None:
        """Makes the output so far permanent, and the state with it. Raises OSError and UsageError."""
        self._file.flush()
        os.fsync(self._file.fileno())
        run = {**self._run, "records": records, "bytes": self._file.tell(), "counts": counts, "complete": complete}
        self._state.commit({"run": run})

    def complete(self, records: int, counts: dict[str, int]) -> None:
        """Ends the run: the output has its name. Raises OSError and UsageError."""
        self.commit(records, counts, True)
        self._file.close()
        os.replace(self._part, self._path)


class _Checkpoints:
    """A source of records that commits when *work* is done with all that it has given. It skips those of the run
    before."""

    def __init__(self, source: RecordSource, output: ResumableOutput, work: Deduplication) -> None:
        self._source, self._output, self._work = source, output, work
        self.given = self._processed = 0
        self._last = time.monotonic()

    @property
    def bytes(self) -> int:
        return self._source.bytes

    def __iter__(self) -> Iterator[Record | RecordError]:
        for item in self._source:
            self.given += 1
            if self.given <= self._output.records:
                continue
            yield item
            if self._processed == self.given and time.monotonic() - self._last > INTERVAL:
                self._output.commit(self.given, self._work.counts)
                self._last = time.monotonic()

    def process(self, records: list[Record]) -> Sequence[Record | RecordError | None]:
        """The results of a batch, which has all records up to the last one that was given."""
        out = self._work(records)
        self._processed = self.given
        return out


# ---- merging -------------------------------------------------------------------------------------------------


def _merge(names: Sequence[str]) -> int:
    """Adds the entries of all other states to the first one. Raises UsageError."""
    if {"-h", "--help"} & set(names):
        print(option_parser().format_help(), end="")
        return 0
    if len(names) < 2 or any(name.startswith("-") for name in names):
        raise UsageError("merge: the state to add to, and others, are needed: nc-dedup merge seen.db other.db")
    from ..corpus.state import State  # start-up: as above

    if len({os.path.realpath(name) for name in names}) < len(names):
        raise UsageError("merge: one of the states is there twice")
    state = State(names[0], None, "", MEMORY)
    for name in names[1:]:
        state.merge(State(name, None, "", MEMORY), _finder(state.settings["kind"]).MERGE)
    state.close()
    return 0
