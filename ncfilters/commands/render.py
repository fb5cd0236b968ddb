"""nc-render: HTML to visual blocks, in reading order (NCleaner, stage 2).

nc-render page.jsonl | jq -r '.blocks[].text'
"""

from __future__ import annotations

import argparse

from ..errors import UsageError
from ..page.blocks import visual_blocks
from ..page.profiles import dump_record, render_record
from ..record import Record
from ..streams.runner import per_record, run_filter
from . import options

TOOL = "nc-render"


_OPTIONS = """
--as blocks|text: form of the page: blocks, or a plain-text dump in the field text (default: blocks; with -f text: text)
--width N: columns of a plain-text dump; 0 does not wrap lines (default: %(default)s)
"""


def option_parser() -> argparse.ArgumentParser:
    parser = options.filter_parser(
        TOOL,
        "HTML to visual blocks, or to a plain-text dump. The input is records, HTML pages, or folders of pages.",
        f"{TOOL} -f text page.html | less",
    )
    options.add_format(parser, "text")
    options.add_url(parser)
    options.add_fields(parser, "html")
    options.add(parser, _OPTIONS, **{"as": {"dest": "form"}}, width=visual_blocks.DEFAULT_WIDTH)
    return parser


@options.command(option_parser)
def main(args: argparse.Namespace) -> int:
    if args.format == "text" and args.form == "blocks":
        raise UsageError("--as blocks cannot be combined with -f text, which prints plain-text dumps")
    if 0 < args.width < visual_blocks.MIN_WIDTH or args.width < 0:
        raise UsageError(f"--width {args.width}: must be 0, or at least {visual_blocks.MIN_WIDTH}")
    as_dump = args.format == "text" or args.form == "text"
    at_url = options.at_url(args)

    def process(record: Record) -> Record:
        record = at_url(record)
        return dump_record(record, args.width) if as_dump else render_record(record)

    sink = options.text_sink(args, lambda record: record.get("text", ""))
    return run_filter(args.files, per_record(process), options.stream_options(TOOL, args, reads_pages=True), sink)
