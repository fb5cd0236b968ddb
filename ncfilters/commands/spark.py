"""nc-spark: the whole job on Apache Spark: archives, pages and records to clean text, on many machines.

nc-spark --master spark://host:7077 crawl/*.warc.gz -o corpus
"""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError, as_usage_errors, require_library
from ..installed import DEFAULT_QUALITY_MODEL
from ..scoring import registry
from ..scoring.scorer import AUTO, GENERAL
from ..streams.console import exit_status, warn
from ..text.language import is_language
from . import clean, options, warc
from . import score as score_command

if TYPE_CHECKING:
    from ..spark.partition import Job, Work

TOOL = "nc-spark"
# Options that are not in the manifest: settings of Spark may be secrets.
_OF_SPARK = ("conf", "master", "overwrite", "paths")
# Options of nc-clean that --clean does not take.
_OF_FILES = "files format jobs model name number output quiet resume strict url verbose".split()
_OPTIONS = """
--paths FILE: read the paths of the inputs from a file, one on each line
-o --output DIR: folder or URI to write to
-f --format parquet|jsonl|wet: output format (default: %(default)s)
--overwrite: replace what is in the output folder
--dedup exact|near: leave out duplicates among all documents, those that nc-dedup --prefer drops
--prefer first|longest|best: with --dedup, which of several duplicates is kept: the first by id, the longest, or that of
    the highest quality (default: first)
--master URL: Spark's master (default: that of spark-submit, or local[*])
--conf KEY=VALUE: a setting of Spark
-v --verbose: report counts on standard error at the end
--clean OPTIONS: what is done, in the words of nc-clean: --clean '--policy article --as markdown --lang en'
"""


def option_parser() -> argparse.ArgumentParser:
    """The options of the command: those of Spark, and those of the stages."""
    parser = options.plain_parser(
        TOOL,
        "The whole job of nc-clean on Apache Spark, on many machines: web archives, pages and records to clean text.",
        f"{TOOL} --master spark://host:7077 crawl/*.warc.gz -o corpus",
    )
    parser.add_argument("files", nargs="*", metavar="PATH", help="files, folders, patterns, s3a:// and hdfs:// URIs")
    conf = {"action": "append", "default": [], "type": _setting}
    options.add(parser, _OPTIONS, format="parquet", conf=conf, clean=_cleaning)
    score_command.add_model(parser)
    instead = "--clean 'OPTIONS' takes it, as all options of nc-clean"
    parser.gone = {name: instead for name in clean.option_parser()._option_string_actions if name.startswith("--")}
    return parser


def arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """What the command line says, with what it says to nc-clean."""
    args = option_parser().parse_intermixed_args(argv)
    out = argparse.Namespace(**{**vars(args.clean or _cleaning("")), **vars(args)})
    del out.clean
    clean.complete_form(out)
    return out


def _cleaning(text: str) -> argparse.Namespace:
    """The options of nc-clean in a text. Raises ArgumentTypeError for those of files and processes."""
    try:
        args = clean.option_parser().parse_intermixed_args(shlex.split(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}': {error}") from None
    standard = vars(clean.option_parser().parse_args([]))
    for name in _OF_FILES:
        if vars(args)[name] != standard[name]:
            raise argparse.ArgumentTypeError(f"'{text}': nc-spark has files, models and formats of its own")
    return argparse.Namespace(**{name: value for name, value in vars(args).items() if name not in _OF_FILES})


def main(argv: list[str] | None = None) -> int:
    args = arguments(argv)
    return exit_status(TOOL, lambda: _run(args))


def _run(args: argparse.Namespace) -> int:
    options.refuse(
        (args.output is None, "-o is missing: the folder or URI to write to"),
        (args.prefer and not args.dedup, "--prefer requires --dedup"),
    )
    require_library("pyspark", f"{TOOL} needs", "spark")
    # Spark, which --help does not need
    from pyspark.errors import PySparkException

    # and these import it
    from ..spark import application, partition

    work = work_of(args)
    work.make_job(None)  # errors of options and models are reported before Spark starts
    settings = options.settings(args, arguments([]))
    settings["options"] = {name: value for name, value in settings["options"].items() if name not in _OF_SPARK}
    models, paths = _model_files(args), list(args.files)
    if args.paths is not None:
        with as_usage_errors(OSError, args.paths), open(args.paths, encoding="utf-8") as lines:
            paths += [path for line in lines if (path := line.strip())]
    files = partition.listed(paths)
    spark = application.session(TOOL, args.master, dict(args.conf))
    try:
        application.send(spark, models)
        counts = application.run(spark, files, work, application.Destination(args.output, args.overwrite))
        inputs = {"files": len(files), "bytes": sum(file.size for file in files)}
        manifest = {**settings, "libraries": {"pyspark": spark.version}, "inputs": inputs, "counts": counts}
        application.write_manifest(spark, args.output, manifest)
    except PySparkException as error:
        warn(TOOL, f"Spark's job failed: {str(error).partition('JVM stacktrace')[0][:2000]}")
        return 1
    finally:
        spark.stop()
    if args.verbose:
        warn(TOOL, ", ".join(f"{number:,} {name}" for name, number in counts.items()))
    return 1 if counts["errors"] else 0


def work_of(args: argparse.Namespace) -> Work:
    # pyarrow, which --help does not need
    from ..spark.deduplication import Dedup
    from ..spark.partition import Work

    # files are Spark's matter
    others = {**dict.fromkeys(("output", "name", "url")), **dict.fromkeys(("gzip", "strict", "unbuffered"), False)}
    others |= {"quiet": True, "elements": options.element_rules(args)}
    dedup = Dedup(args.dedup, args.prefer or "first") if args.dedup else None
    return Work(partial(executor_job, argparse.Namespace(**{**vars(args), **others})), args.format, dedup)


def executor_job(args: argparse.Namespace, folder: str | None) -> Job:
    """The job of an executor that has models in that folder. Raises UsageError."""
    from ..spark.partition import Job  # pyarrow, which --help does not need

    if folder:
        os.environ["NC_MODELS"] = os.pathsep.join(filter(None, [folder, os.environ.get("NC_MODELS")]))
        # a model that was given as a file is in the folder
        sent = {name: os.path.join(folder, os.path.basename(name)) for name in args.model or () if os.sep in name}
        models = [path if os.path.exists(path := sent.get(name, "")) else name for name in args.model or ()]
        args = argparse.Namespace(**{**vars(args), "model": models})
    job = clean.whole_job(args, options.stream_options(TOOL, args))
    return Job(job, clean.at_death, warc.page_selection(args))


def _model_files(args: argparse.Namespace) -> list[Path]:
    """The files of the models that executors may need. Raises UsageError."""
    installed = registry.installed_models()
    names = set(args.model or [AUTO])
    if AUTO in names:
        names |= {
            name for name in installed if name in GENERAL or is_language(name.removeprefix(registry.NGRAM_MODEL_PREFIX))
        }
    if DEFAULT_QUALITY_MODEL in installed:
        names.add(DEFAULT_QUALITY_MODEL)
    files = sorted({Path(registry.find(name)) for name in names - {AUTO}})
    if len({file.name for file in files}) < len(files):
        raise UsageError("two models have files of the same name, which cannot be sent to executors")
    return files


def _setting(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not key or not sign:
        raise argparse.ArgumentTypeError(f"'{text}' is not a setting, KEY=VALUE")
    return key, value
