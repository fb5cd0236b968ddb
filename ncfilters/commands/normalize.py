"""nc-normalize: HTML to tidy HTML (NCleaner, stage 1).

nc-normalize -f text page.html | lynx -dump -nolist -stdin
"""

from __future__ import annotations

import argparse

from ..page.page_options import PARSERS
from ..page.tidy import normalize_record
from ..streams.runner import per_record, run_filter
from . import options

TOOL = "nc-normalize"


_OPTIONS = f"""
--parser {"|".join(PARSERS)}: HTML parser: lexbor, or the slow reference implementation (default: %(default)s)
--no-markers: write no <h> and <l> before headings and list items, and keep <br>
"""


def option_parser() -> argparse.ArgumentParser:
    parser = options.filter_parser(
        TOOL,
        "HTML to tidy HTML without invisible elements. The input is records, HTML pages, or folders of pages.",
        f"{TOOL} -f text page.html | lynx -dump -nolist -stdin",
    )
    options.add_format(parser, "text")
    options.add_fields(parser, "html")
    options.add(parser, _OPTIONS, parser="lexbor")
    return parser


@options.command(option_parser)
def main(args: argparse.Namespace) -> int:
    process = per_record(lambda record: normalize_record(record, args.parser, args.markers))
    sink = options.text_sink(args, lambda record: record.get("html", ""))
    return run_filter(args.files, process, options.stream_options(TOOL, args, reads_pages=True), sink)
