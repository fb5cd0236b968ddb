"""nc-clean: the whole job in one command, on all cores: archives, pages and records to clean text.

nc-clean page.html
nc-clean crawl/*.warc.gz -o corpus.jsonl.zst
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import NamedTuple

from ..errors import ModelError, UsageError
from ..scoring import registry
from ..scoring.auto import AUTO, AutoScorer
from ..scoring.other_languages import OtherLanguages
from ..scoring.scorer import Scorer
from ..selection import formats
from ..streams.console import StreamReport, exit_status, hint_at_terminal, no_page_message, skipped_message, warn
from ..streams.crawl_source import CrawlSource, Item
from ..streams.field_names import FieldNames
from ..streams.output_file import GZIP_SUFFIX, FileOutput, format_of
from ..streams.output_per_input import OutputPerInput
from ..streams.pool import ParallelOptions, in_parallel
from ..streams.runner import (
    ResultWriter,
    StreamOptions,
    end_output,
    is_interactive,
    per_record,
    report_replaced,
    reported,
    standard_output,
)
from ..streams.signals import Interruption
from ..streams.stages import Stage
from ..streams.writers import ByteOutput, Records, Sink
from . import clean_resume, options, segment, select, select_options, warc
from . import score as score_command
from .clean_job import TOOL, WholeJob, at_death

MAX_JOBS = 1024
# The exit status of a run that a signal ended is higher.
SIGNAL_STATUS = 128
# Bytes of input that a process works on at once: some eight pages, for which numpy is twice as fast as for one.
BATCH_BYTES = 1 << 21


def option_parser() -> argparse.ArgumentParser:
    """The options of the command: those of the stages, and how many processes work."""
    parser = options.filter_parser(
        TOOL,
        "Web archives, pages, folders of both, and records to clean text: nc-warc, nc-segment, nc-score and nc-select "
        "in one command, on all cores.",
        f"{TOOL} crawl.warc.gz -o corpus.jsonl.zst",
    )
    parser.add_argument(
        "-j",
        "--jobs",
        type=_jobs,
        metavar="N",
        help="number of processes that work (default: one for each core; records come out in the same order)",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE|DIR",
        help="write to a file, whose name says format and compression (corpus.jsonl.zst, text.txt.gz), or one file per "
        "document to a folder",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="write a file for each input to the folder of -o, and skip inputs that are complete there",
    )
    score_command.add_model(parser)
    segment.add_options(parser)
    select_options.add_options(parser)
    warc.add_options(parser)
    parser.set_defaults(format=None, form=None, markup=None, metadata=None)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Runs the command and returns its exit status."""
    args = option_parser().parse_intermixed_args(argv)
    complete_form(args)
    # as in nc-score: threads of numpy's linear algebra are of no use to small products
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return exit_status(TOOL, lambda: _resume(args) if args.resume else _start(args))


def complete_form(args: argparse.Namespace) -> None:
    """Sets the output form, which the name of the output may say, and whether markup is recorded for it."""
    args.form = args.form or formats.form_of(args.output or "") or ("markdown" if args.chunks else "plain")
    if args.markup is None:
        args.markup = args.form in formats.MARKUP_FORMS


def _start(args: argparse.Namespace) -> int:
    """All inputs to one output."""
    source = CrawlSource(args.files, warc.page_selection(args))
    file = _output_file(args)
    args.format = args.format or (format_of(file) if file else None) or ("jsonl" if args.chunks else "text")
    args.output, args.to_file = None if file else args.output, bool(file)
    work = _work(args)
    work = work._replace(options=work.options._replace(to_files=bool(file or args.output)))
    if file:
        options.check_are_distinct(args.files, {"-o": file})
    # each record of a compressed WET file is compressed by itself
    output = FileOutput(file, plain=args.gzip) if file else standard_output(work.options)
    status = _run(source, work.sink_of(output), work, is_watched=not file and is_interactive(args.unbuffered))
    if isinstance(output, FileOutput):
        if status > SIGNAL_STATUS or status and work.options.strict:
            output.discard()
            if not work.options.quiet:
                is_strict = status < SIGNAL_STATUS
                why = "a record failed" if is_strict else "the run was interrupted; with --resume, a run goes on"
                warn(TOOL, f"{file}: not written, for {why}")
        else:
            output.close()
    return status


def _resume(args: argparse.Namespace) -> int:
    """Each input that is not complete to an output of its own."""
    selection = warc.page_selection(args)
    pattern = clean_resume.file_pattern(args)
    args.output = None
    work = _work(args)
    settings = clean_resume.settings(args, option_parser().parse_args([]))
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


def whole_job(args: argparse.Namespace, stream_options: StreamOptions) -> tuple[WholeJob, OtherLanguages | None]:
    """The job that the options ask for, and for a single model the count of documents in other languages. Raises
    UsageError."""
    if args.metadata is None:
        has_head = args.format not in ("text", "wet") or formats.OUTPUT_FORMS[args.form].has_metadata
        args.metadata = has_head or bool(args.name)
    try:
        score, others = _scoring(args.model or [AUTO])
    except ModelError as error:
        raise UsageError(str(error)) from None
    selection = select.Selection(args)
    if selection.needs_roles and not score.writes_roles:
        raise UsageError(
            f"--policy, --with and --without need roles, which {args.model[0]} does not write: -m {AUTO} does"
        )
    stages = (
        Stage(segment.TOOL, per_record(segment.processing(args, completes_head=False))),
        Stage(score_command.TOOL, score),
        Stage(select.TOOL, per_record(selection)),
    )
    return WholeJob(stages, stream_options.fields, stream_options.max_record), others


def _scoring(names: list[str]) -> tuple[Scorer | AutoScorer, OtherLanguages | None]:
    """The scoring with these models, and for a single model the count of documents in other languages. Raises
    ModelError and UsageError."""
    if names == [AUTO]:
        return AutoScorer(), None
    if AUTO in names:
        raise UsageError(f"-m {AUTO} cannot be combined with other models")
    models = [registry.load_named(name) for name in names]
    return Scorer(models), OtherLanguages(models[0].name, models[0].language)


# ---- input and output -----------------------------------------------------------------------------------------


class _Work(NamedTuple):
    """What is done, and how results are written."""

    args: argparse.Namespace
    options: StreamOptions
    job: WholeJob
    others: OtherLanguages | None
    sink_of: Callable[[ByteOutput], Sink]


def _work(args: argparse.Namespace) -> _Work:
    """The work that the options ask for. Raises UsageError."""
    stream_options = options.stream_options(TOOL, args)
    job, others = whole_job(args, stream_options)
    job = replace(job, line_of=select.written_line(args))
    settings = partial(clean_resume.settings, args, option_parser().parse_args([]))
    sink_of = select.output_sink(args, settings) or (lambda output: Records(output, args.format))
    return _Work(args, stream_options, job, others, sink_of)


def _run(source: CrawlSource, sink: Sink | OutputPerInput, work: _Work, is_watched: bool) -> int:
    """Passes all items through the job to *sink*, each at once if somebody watches, and returns the exit status."""
    hint_at_terminal(TOOL, work.args.files, work.options.quiet)
    report = StreamReport(
        TOOL,
        work.options.verbose,
        lambda seconds: _progress(source, report.errors, seconds),
        work.options.quiet,
        work.options.to_files or isinstance(sink, OutputPerInput),
    )
    writer = ResultWriter(sink, report)
    kept = None if work.options.fields else _without_content
    jobs = 1 if work.args.url else work.args.jobs or _cores()
    parallel = ParallelOptions(jobs, 1 if is_watched else BATCH_BYTES, kept=kept)
    outputs = sink if isinstance(sink, OutputPerInput) else None
    names = FieldNames(work.options.fields)

    def loop(interruption: Interruption) -> None:
        with closing(in_parallel(islice(source, work.args.number), work.job, at_death, parallel)) as results:
            for item, outcome in interruption.until(results):
                report.count_input()
                names.see(item.content)
                if work.others and outcome.record:
                    work.others.count([outcome.record])
                if outputs:
                    outputs.begin(item.source)
                writer.write(
                    report.records, outcome.record or {}, outcome.error or outcome.record, outcome.tool or segment.TOOL
                )
                if work.options.strict and report.errors:
                    break
            else:
                if outputs and not interruption.status:
                    outputs.complete()
        end_output(sink, interruption)

    status = reported(loop, report)
    if work.options.quiet:
        return status
    if report.records and (message := names.message()):
        warn(TOOL, message)
    report_replaced(sink, work.options)
    _report_folders(source, work.options.verbose)
    if work.others and (message := work.others.message()):
        warn(TOOL, message)
    return status


def _without_content(item: Item) -> Item:
    """What is kept of an item that has a result."""
    return item._replace(content=b"")


def _progress(source: CrawlSource, errors: int, seconds: float) -> str:
    """What a progress line says besides the number of records."""
    line = f", {source.bytes / seconds / 1e6:,.0f} MB/s, {errors:,} error{'' if errors == 1 else 's'}"
    if source.size and source.read:
        line += f", about {seconds * (source.size / source.read - 1):,.0f} s left"
    return line


def _output_file(args: argparse.Namespace) -> str | None:
    """The file to write to; None for standard output and for folders."""
    name: str | None = args.output
    if name is None or name.endswith("/") or os.path.isdir(name):
        return None
    if not (args.format or format_of(name)):
        if suffix := os.path.splitext(name)[1]:
            raise UsageError(f"-o {name}: {suffix} names no format (-f does); to write to a folder: -o {name}/")
        return None
    args.gzip = args.gzip or format_of(name) == "wet" and name.lower().endswith(GZIP_SUFFIX)
    return name


def _report_folders(source: CrawlSource, verbose: bool) -> None:
    for path in source.folders_without_pages:
        warn(TOOL, no_page_message(path))
    if verbose and (folders := source.folders):
        warn(TOOL, skipped_message(sum(folder.skipped for folder in folders)))


def _cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _jobs(text: str) -> int:
    if text.isdecimal() and 0 < int(text) <= MAX_JOBS:
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is not a number of processes, 1 or more")
