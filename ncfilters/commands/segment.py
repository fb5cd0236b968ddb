"""nc-segment: blocks, HTML or plain text to typed segments (NCleaner, stage 3).

nc-segment crawl.jsonl | jq -r '.segments[] | [.type, .text] | @tsv'
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from ..installed import __version__
from ..page.page_options import PROFILES, PageOptions
from ..record import Record
from ..streams.console import exit_status, warn
from ..streams.runner import per_record, run_filter
from . import options

TOOL = "nc-segment"


_OPTIONS = f"""
--language CODE: language of all documents, such as en (default: the field lang, or else the language of the text)
--markup: record links, emphasis, code, images, levels of headings, depths of lists and quotes, which the forms
    markdown, html and xml show, and metadata
--profile {"|".join(PROFILES)}: blocks as a browser displays them, or paragraphs of jusText (default: %(default)s)
--sentences: split segments into sentences, including existing segments of the input
--keep: keep blocks, html or text in records
"""

_ELEMENTS = """
--drop-elements SELECTORS: drop the text of elements, whatever the model says: CSS selectors, separated by commas
--keep-elements SELECTORS: keep the text of elements, whatever the model says: CSS selectors, separated by commas
--element-rules FILE: such selectors for sites: TOML, with drop and keep for each host
"""


def option_parser() -> argparse.ArgumentParser:
    parser = options.filter_parser(
        TOOL,
        "Blocks, HTML or plain text to typed segments. The input is records, HTML pages, or folders of pages.",
        f"{TOOL} crawl.jsonl | nc-score | nc-select",
    )
    options.add_format(parser)
    add_options(parser)
    options.add(parser, _OPTIONS, profile="visual")
    return parser


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the stage that nc-clean has, too: there the output says whether to record markup and metadata."""
    options.add_url(parser)
    options.add_fields(parser, "html", "text")
    options.add(parser, _ELEMENTS, drop_elements=[], keep_elements=[])
    parser.set_defaults(metadata=False, profile="visual", language=None, sentences=False)


def processing(
    args: argparse.Namespace, keep: bool = False, completes_head: bool = True, in_table: bool = False
) -> Callable[[Record], Record]:
    """What the stage does to a record; with *keep*, what it reads stays. *completes_head*: the head gets what segments
    say, which nc-select does, too, and always before they are split. *in_table*: see `segmenter`. Raises UsageError."""
    rules, at_url = options.element_rules(args), options.at_url(args)
    of_pages = PageOptions(profile=args.profile, markup=args.markup, metadata=args.metadata, elements=rules)
    if not args.quiet and (args.verbose or sys.stderr.isatty()):  # somebody looks
        from ..native import page_table  # start-up: --help does without the parser

        if "nodes" in page_table.description():  # compiled modules do not know its memory
            older = "pages take longer with this version of selectolax, a later one is faster"
            warn(TOOL, f"{older}: pip install -U selectolax")

    def process(document: Record) -> Record:
        from ..segmentation import page_language, segmenter  # start-up: --help does without them

        document = at_url(document)
        is_segmented = args.sentences and "segments" in document
        if args.language:
            document = (
                segmenter.checked_segments(document)
                if is_segmented
                else segmenter.segment_record(document, of_pages, keep)
            )
            document = {**document, "lang": args.language}
            document.pop("lang_probability", None)
        elif is_segmented:
            document = page_language.with_language(segmenter.checked_segments(document))
        else:
            document = segmenter.segment_document(document, of_pages, keep, in_table)
        if (args.markup or args.metadata) and (completes_head or args.sentences):
            from ..page.metadata.complete_head import complete_head  # start-up: only metadata needs it

            document = complete_head(document)
        return segmenter.split_record(document) if args.sentences else document

    return process


def main(argv: list[str] | None = None) -> int:
    given = sys.argv[1:] if argv is None else argv
    if "--version" not in given or {"-v", "--verbose"}.isdisjoint(given):
        return _run(argv)

    def tell_tables() -> int:
        from ..native import page_table  # start-up: as above

        print(f"{TOOL} {__version__}, tables of pages: {page_table.description()}")
        return 0

    return exit_status(TOOL, tell_tables)


@options.command(option_parser)
def _run(args: argparse.Namespace) -> int:
    process = per_record(processing(args, args.keep))
    return run_filter(args.files, process, options.stream_options(TOOL, args, reads_pages=True))
