"""nc-warc: WARC and WET files, HTML pages, and folders of both to records.

nc-warc crawl.warc.gz | nc-segment | nc-score | nc-select
"""

from __future__ import annotations

import argparse
import re

from ..errors import UsageError
from ..streams.console import hint_at_terminal
from ..streams.crawl_source import CrawlRecords, CrawlSource, report_folders
from ..streams.html_pages import HTML_TYPES, PageSelection
from ..streams.runner import run, standard_output
from . import options

TOOL = "nc-warc"


def option_parser() -> argparse.ArgumentParser:
    parser = options.filter_parser(
        TOOL,
        "WARC and WET files, HTML pages, and folders of both to records.",
        "nc-warc crawl.warc.gz | nc-segment | nc-score | nc-select",
    )
    options.add_format(parser, default="jsonl")
    add_options(parser)
    text = f"--mime TYPE,…: select these content types; * is a wild card (default: {', '.join(HTML_TYPES)}, "
    options.add(parser, text + "and text/plain of WET files)")
    return parser


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that select pages, which nc-clean has, too."""
    text = """
-n --number N: stop after N records
--url-match REGEX: select pages of archives and folders whose URL (of files: id) contains a match
"""
    options.add(parser, text, number=options.count)
    parser.set_defaults(mime=None)


def page_selection(args: argparse.Namespace) -> PageSelection:
    """The pages that the options select. Raises UsageError."""
    try:
        url = re.compile(args.url_match) if args.url_match else None
    except re.error as error:
        raise UsageError(f"--url-match: {error}") from None
    mime = tuple(args.mime.lower().replace(" ", "").split(",")) if args.mime else None
    return PageSelection(options.max_record(), mime, url)


@options.command(option_parser)
def main(args: argparse.Namespace) -> int:
    from ..streams.writers import Records  # orjson, which --help does not need

    selection = page_selection(args)
    source = CrawlSource(args.files, selection, archives_alone=True)
    stream_options = options.stream_options(TOOL, args)
    hint_at_terminal(TOOL, args.files, args.quiet)
    sink = Records(standard_output(stream_options), args.format or "jsonl")
    records = CrawlRecords(source, selection.max_record, args.number)
    status = run(records, lambda records: records, sink, stream_options)
    report_folders(TOOL, source.folders, args.verbose, quiet=True)
    return status
