"""nc-spark: the whole job on Apache Spark: archives, pages and records to clean text, on many machines.

nc-spark --master spark://host:7077 crawl/*.warc.gz -o corpus
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from ..errors import UsageError, require_library
from ..streams.console import exit_status, warn
from . import clean, options, segment, select_options, warc
from . import score as score_command

if TYPE_CHECKING:
    from ..spark.partition import Job, Work

TOOL = "nc-spark"
FORMATS = ("parquet", "jsonl", "wet")


def option_parser() -> argparse.ArgumentParser:
    """The options of the command: those of Spark, and those of the stages."""
    parser = options.plain_parser(
        TOOL,
        "The whole job of nc-clean on Apache Spark, on many machines: web archives, pages and records to clean text.",
        f"{TOOL} --master spark://host:7077 crawl/*.warc.gz -o corpus",
    )
    parser.add_argument("files", nargs="*", metavar="PATH", help="files, folders, patterns, s3a:// and hdfs:// URIs")
    parser.add_argument("--paths", metavar="FILE", help="read the paths of the inputs from a file, one on each line")
    parser.add_argument("-o", "--output", metavar="DIR", help="folder or URI to write to")
    parser.add_argument(
        "-f", "--format", choices=FORMATS, default="parquet", help="output format (default: %(default)s)"
    )
    parser.add_argument("--gzip", action="store_true", help="compress files of JSON lines and WET")
    parser.add_argument("--overwrite", action="store_true", help="replace what is in the output folder")
    parser.add_argument("--master", metavar="URL", help="Spark's master (default: that of spark-submit, or local[*])")
    parser.add_argument(
        "--conf", action="append", default=[], type=_setting, metavar="KEY=VALUE", help="a setting of Spark"
    )
    parser.add_argument(
        "--split-size",
        type=options.size,
        default="128M",
        metavar="BYTES",
        help="bytes of input for a task; longer files are read in parts (K, M, G; default: %(default)s)",
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="report counts on standard error at the end")
    parser.add_argument(
        "--max-record",
        type=options.size,
        default=options.MAX_RECORD,
        metavar="BYTES",
        help="maximum length of a record; a longer record is an error (K, M, G; default: %(default)s)",
    )
    score_command.add_model(parser)
    segment.add_options(parser)
    select_options.add_options(parser, writes_files=False)
    warc.add_page_options(parser)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Runs the command and returns its exit status."""
    args = option_parser().parse_intermixed_args(argv)

    def start() -> int:
        if args.output is None:
            raise UsageError("-o is missing: the folder or URI to write to")
        if args.gzip and args.format == "parquet":
            raise UsageError("--gzip requires -f jsonl or wet: Parquet is compressed with zstd")
        require_library("pyspark", f"{TOOL} needs", "spark")
        # Spark, which --help does not need
        from ..spark import application, session, storage

        work = work_of(args)
        work.make_job()  # what is wrong with options or models is told before Spark starts
        files = storage.listed([*args.files, *_paths(args.paths)])
        spark = session.session(TOOL, args.master, dict(args.conf))
        to = application.Destination(args.output, args.overwrite, args.gzip)
        try:
            counts = application.run(spark, files, work, to, args.split_size)
        finally:
            spark.stop()
        if args.verbose:
            warn(TOOL, ", ".join(f"{number:,} {name}" for name, number in counts.items()))
        return 1 if counts["errors"] else 0

    return exit_status(TOOL, start)


def work_of(args: argparse.Namespace) -> Work:
    """What executors do."""
    from ..spark.partition import Work  # pyarrow, which --help does not need

    # files are Spark's matter
    others = {
        "output": None,
        "name": None,
        "gzip": False,
        "shard_size": None,
        "strict": False,
        "unbuffered": False,
        "quiet": True,
    }
    return Work(partial(executor_job, argparse.Namespace(**{**vars(args), **others})), args.format)


def executor_job(args: argparse.Namespace) -> Job:
    """The job of an executor. Raises UsageError."""
    from ..spark.partition import Job  # pyarrow, which --help does not need

    stages, _ = clean.whole_job(args, options.stream_options(TOOL, args))
    return Job(stages, clean.at_death, warc.page_selection(args))


def _paths(file: str | None) -> Sequence[str]:
    """The paths that a file lists, a line each."""
    if file is None:
        return []
    try:
        with open(file, encoding="utf-8") as lines:
            return [path for line in lines if (path := line.strip())]
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None


def _setting(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not key or not sign:
        raise argparse.ArgumentTypeError(f"'{text}' is not a setting, KEY=VALUE")
    return key, value
