"""nc-clean: the whole job in one command, on all cores: archives, pages and records to clean text.

nc-clean page.html
nc-clean crawl/*.warc.gz -o corpus.jsonl.zst
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import NamedTuple

from ..errors import ModelError, RecordError, UsageError, as_usage_errors
from ..record import VERSION, Record, is_error
from ..scoring import registry
from ..scoring.scorer import AUTO, AutoScorer, OtherLanguages, Scorer
from ..selection.formats import MARKUP_FORMS, OUTPUT_FORMS, form_of, format_of
from ..streams import runner
from ..streams.archived_page import ArchivedPage
from ..streams.console import Interruption, StreamReport, hint_at_terminal, warn
from ..streams.crawl_source import PAGE_TOOL, CrawlSource, Item, report_folders
from ..streams.json_lines import WrittenLine, parse_line
from ..streams.output_file import GZIP_SUFFIX, FileOutput
from ..streams.output_per_input import FilePattern, OutputPerInput
from ..streams.pool import ParallelOptions, in_parallel
from ..streams.writers import ByteOutput, Records, Sink
from . import options, segment, select, warc
from . import score as score_command

MAX_JOBS = 1024
# What stands for the name of an input in -o.
INPUT = "{}"
# The exit status of a run that a signal ended is higher.
SIGNAL_STATUS = 128
# Bytes of input that a process works on at once: some eight pages, for which numpy is twice as fast as for one.
BATCH_BYTES = 1 << 21
TOOL = "nc-clean"
# Fields of a written record that are counted.
_COUNTED = ("lang", "lang_probability")


_OPTIONS = """
-j --jobs N: number of processes that work (default: one for each core; records come out in the same order)
-o --output FILE|DIR: write to a file, whose name says format and compression (corpus.jsonl.zst, text.txt.gz), or one
    file per document to a folder
--resume: write a file for each input to the folder of -o, and skip inputs that are complete there
--markup: record links, code, tables and other markup for any form (default: for markdown, html and xml)
"""


def option_parser() -> argparse.ArgumentParser:
    """The options of the command: those of the stages, and how many processes work."""
    parser = options.filter_parser(
        TOOL,
        "Web archives, pages, folders of both, and records to clean text: nc-warc, nc-segment, nc-score and nc-select "
        "in one command, on all cores.",
        f"{TOOL} crawl.warc.gz -o corpus.jsonl.zst",
    )
    options.add(parser, _OPTIONS, jobs=options.number("a number of processes, 1 or more", 1, MAX_JOBS))
    score_command.add_model(parser)
    segment.add_options(parser)
    select.add_options(parser)
    warc.add_options(parser)
    parser.set_defaults(format=None, form=None, metadata=None, markup=None)
    return parser


@options.command(option_parser)
def main(args: argparse.Namespace) -> int:
    complete_form(args)
    return _resume(args) if args.resume else _start(args)


def complete_form(args: argparse.Namespace) -> None:
    """Sets the output form, which the name of the output may say, and whether markup is recorded for it."""
    args.form = args.form or form_of(args.output or "") or ("markdown" if args.chunks else "plain")
    if args.markup is None:
        args.markup = args.form in MARKUP_FORMS


def _start(args: argparse.Namespace) -> int:
    """All inputs to one output."""
    source = CrawlSource(args.files, warc.page_selection(args))
    file = _output_file(args)
    args.format = args.format or (format_of(file) if file else None) or ("jsonl" if args.chunks else "text")
    args.output, args.to_file = None if file else args.output, bool(file)
    work = _work(args)
    if not file:
        sink = work.sink_of(runner.standard_output(work.options))
        return _run(source, sink, work, is_watched=runner.is_interactive(args.unbuffered))
    options.check_are_distinct(args.files, {"-o": file})
    output = FileOutput(file, plain=args.gzip)  # each record of a compressed WET file is compressed by itself
    status = _run(source, work.sink_of(output), work, is_watched=False)
    if status <= SIGNAL_STATUS and not (status and args.strict):
        output.close()
        return status
    output.discard()
    if not args.quiet:
        is_strict = status < SIGNAL_STATUS
        why = "a record failed" if is_strict else "the run was interrupted; with --resume, a run goes on"
        warn(TOOL, f"{file}: not written, for {why}")
    return status


def _resume(args: argparse.Namespace) -> int:
    """Each input that is not complete to an output of its own."""
    selection = warc.page_selection(args)
    pattern = _file_pattern(args)
    args.output = None
    work = _work(args)
    settings = options.settings(args, option_parser().parse_args([]))
    with closing(OutputPerInput(args.files, pattern, settings, work.sink_of)) as outputs:
        if args.verbose:
            warn(TOOL, f"{outputs.skipped} of {outputs.skipped + len(outputs.remaining)} files are complete already")
        if not outputs.remaining:
            return 0
        status = _run(CrawlSource(outputs.remaining, selection), outputs, work, is_watched=args.unbuffered)
        for path in outputs.changed:
            warn(TOOL, f"{path}: changed while it was read: its output is not complete")
        return status or int(bool(outputs.changed))


# ---- the work -------------------------------------------------------------------------------------------------


def whole_job(args: argparse.Namespace, stream: runner.StreamOptions) -> WholeJob:
    """The job that the options ask for. Raises UsageError."""
    if args.metadata is None:
        has_head = args.format not in ("text", "wet") or OUTPUT_FORMS[args.form].has_metadata
        args.metadata = has_head or bool(args.name)
    names, others = args.model or [AUTO], None
    score: Scorer | AutoScorer
    if AUTO in names and len(names) > 1:
        raise UsageError(f"-m {AUTO} cannot be combined with other models")
    with as_usage_errors(ModelError):
        if names == [AUTO]:
            score = AutoScorer()
        else:
            models = [registry.load_named(name) for name in names]
            score, others = Scorer(models), OtherLanguages(models[0].name, models[0].language)
    selection = select.Selection(args)
    if selection.needs_roles and not score.writes_roles:
        raise UsageError(
            f"--policy, --with and --without need roles, which {args.model[0]} does not write: -m {AUTO} does"
        )
    segmented = segment.processing(args, completes_head=False, in_table=True)
    stages = (
        # the first stage writes the version of the schema, as a filter does
        runner.Stage(segment.TOOL, runner.per_record(lambda record: _with_version(segmented(record)))),
        runner.Stage(score_command.TOOL, score),
        runner.Stage(select.TOOL, runner.per_record(selection)),
    )
    return WholeJob(stages, stream.fields, stream.max_record, others)


# ---- input and output -----------------------------------------------------------------------------------------


class _Work(NamedTuple):
    """What is done, and how results are written."""

    args: argparse.Namespace
    options: runner.StreamOptions
    job: WholeJob
    sink_of: Callable[[ByteOutput], Sink]


def _work(args: argparse.Namespace) -> _Work:
    """The work that the options ask for. Raises UsageError."""
    stream = options.stream_options(TOOL, args)
    job = replace(whole_job(args, stream), line_of=select.written_line(args))
    settings = partial(options.settings, args, option_parser().parse_args([]))
    sink_of = select.output_sink(args, settings) or (lambda output: Records(output, args.format))
    return _Work(args, stream, job, sink_of)


def _run(source: CrawlSource, sink: Sink | OutputPerInput, work: _Work, is_watched: bool) -> int:
    """Passes all items through the job to *sink*, each at once if somebody watches, and returns the exit status."""

    def progress(seconds: float) -> str:
        line = f", {source.bytes / seconds / 1e6:,.0f} MB/s, {report.errors:,} error{'' if report.errors == 1 else 's'}"
        if source.size and source.read:
            line += f", about {seconds * (source.size / source.read - 1):,.0f} s left"
        return line

    args, others = work.args, work.job.others
    hint_at_terminal(TOOL, args.files, args.quiet)
    to_files = work.options.to_files or isinstance(sink, OutputPerInput)
    report = StreamReport(TOOL, args.verbose, progress, args.quiet, to_files)
    writer = runner.ResultWriter(sink, report)
    kept = None if work.options.fields else lambda item: item._replace(content=b"")  # of one with a result
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    jobs = 1 if args.url else args.jobs or cores
    parallel = ParallelOptions(jobs, 1 if is_watched else BATCH_BYTES, kept=kept)
    outputs = sink if isinstance(sink, OutputPerInput) else None
    names = runner.FieldNames(work.options.fields)

    def loop(interruption: Interruption) -> None:
        with closing(in_parallel(islice(source, args.number), work.job, at_death, parallel)) as results:
            for item, outcome in interruption.until(results):
                report.count_input()
                names.see(item.content)
                if others and outcome.record:
                    others.count([outcome.record])
                if outputs:
                    outputs.begin(item.source)
                writer.write(report.records, outcome._replace(tool=outcome.tool or segment.TOOL))
                if args.strict and report.errors:
                    break
            else:
                if outputs and not interruption.status:
                    outputs.complete()
        runner.end_output(sink, interruption)

    status = runner.reported(loop, report)
    if args.quiet:
        return status
    if report.records and (message := names.message()):
        warn(TOOL, message)
    runner.report_replaced(sink, work.options)
    report_folders(TOOL, source.folders, args.verbose)
    if others and (message := others.message()):
        warn(TOOL, message)
    return status


def _output_file(args: argparse.Namespace) -> str | None:
    """The file to write to; None for standard output and for folders."""
    name: str | None = args.output
    if name is None or name.endswith("/") or os.path.isdir(name):
        return None
    if not (args.format or format_of(name)):
        if suffix := os.path.splitext(name)[1]:
            raise UsageError(f"-o {name}: {suffix} names no format (-f does); to write to a folder: -o {name}/")
        return None
    args.gzip = format_of(name) == "wet" and name.lower().endswith(GZIP_SUFFIX)
    return name


def _file_pattern(args: argparse.Namespace) -> FilePattern:
    """The names of the outputs of --resume; sets the format that they ask for. Raises UsageError."""
    if args.output is None:
        raise UsageError(f"--resume requires -o DIR, or a name with {INPUT} for that of the input")
    if args.number is not None or args.name:
        raise UsageError("--resume cannot be combined with -n and --name")
    folder, name = os.path.split(args.output)
    if INPUT not in name:
        if os.path.isfile(args.output) or format_of(name) and not os.path.isdir(args.output):
            example = os.path.join(folder, INPUT + ".jsonl.zst")
            raise UsageError(f"-o {args.output}: --resume writes a file for each input; name a folder, or {example}")
        args.format = args.format or "text"
        suffix = {"text": OUTPUT_FORMS["plain" if args.all else args.form].suffix, "wet": ".warc.wet"}
        return FilePattern(args.output, suffix.get(args.format, f".{args.format}"), False)
    stem, suffix = name.split(INPUT, 1)
    if stem or not suffix.startswith("."):
        raise UsageError(f"-o {args.output}: a name begins with {INPUT} and has a suffix, such as {INPUT}.jsonl.zst")
    args.format = args.format or format_of(name) or "text"
    args.gzip = args.format == "wet" and suffix.lower().endswith(GZIP_SUFFIX)
    return FilePattern(folder or ".", suffix, args.gzip)


# ---- what happens to an item: reading, segmentation, scoring and selection -------------------------------------------


@dataclass(frozen=True)
class WholeJob:
    """What happens to items: the *stages*, after they are parsed or decoded, to at most *max_record* bytes, and fields
    are renamed (*fields*: ours → theirs). *others* counts documents in other languages than that of a single model.
    *line_of* makes the bytes that are written of a record, if these are all that is needed of it."""

    stages: tuple[runner.Stage, ...]
    fields: Mapping[str, str]
    max_record: int
    others: OtherLanguages | None = None
    line_of: Callable[[Record], bytes] | None = None

    def __call__(self, items: Sequence[Item]) -> list[runner.Outcome]:
        read = list(map(self._read, items))
        good = [outcome.record for outcome in read if outcome.record is not None and not outcome.error]
        results = iter(runner.through(self.stages, good))
        return [self._written(outcome if outcome.error else next(results)) for outcome in read]

    def _written(self, outcome: runner.Outcome) -> runner.Outcome:
        """The outcome with a line instead of a record: less to send to another process, which has less to do."""
        record = outcome.record
        if self.line_of is None or record is None or outcome.error or is_error(record):
            return outcome
        _with_version(record)
        out = WrittenLine({name: record[name] for name in _COUNTED if name in record})
        try:
            out.line = self.line_of(record)
        except Exception:  # who writes it says why
            return outcome
        return runner.Outcome(out)

    def _read(self, item: Item) -> runner.Outcome:
        record = item.record(self.max_record, keeps_utf8=True)
        if isinstance(record, RecordError):
            return runner.Outcome(record.record, record, item.tool)
        if item.tool != PAGE_TOOL:
            _with_version(record)
        runner.FieldNames(self.fields).rename(record)
        return runner.Outcome(record)


def _with_version(record: Record) -> Record:
    record.setdefault("nc", VERSION)
    return record


def at_death(item: Item, how: str) -> runner.Outcome:
    """The outcome of an item with which processes died. Nothing is decoded, for that may be why."""
    content = item.content
    if isinstance(content, bytes):
        content = parse_line(content)
    fields = content.record if isinstance(content, RecordError | ArchivedPage) else content
    return runner.Outcome(fields, RecordError(f"the process that worked on it {how}"), TOOL)
