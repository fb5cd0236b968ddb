"""nc-inspect: pages, their segments and their text in a browser.

nc-inspect page.html
nc-inspect crawl.warc.gz --labels labelled.jsonl
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ..errors import RecordError, UsageError
from ..scoring.scorer import AUTO
from ..streams.console import warn
from . import options

if TYPE_CHECKING:
    from ..inspector.analysis import Analysis, Settings
    from ..inspector.collection import Collection

TOOL = "nc-inspect"
# How the server trains.
TRAIN = ("-c", "import sys; from ncfilters.commands.train import main; sys.exit(main())")


_OPTIONS = f"""
-m --model NAME|PATH: model that is chosen first; may be given several times, to compare (default: {AUTO})
--labels FILE: label pages by clicks, and append them to this file
--export FILE: write a report on the first document to an HTML file, and serve nothing
--port N: port to serve at (default: any that is free)
--open: open a browser
"""


def option_parser() -> argparse.ArgumentParser:
    parser = options.plain_parser(
        TOOL, "See in a browser which segments of pages are kept, and why.", f"{TOOL} page.html --export report.html"
    )
    what = "pages, records, archives, and folders of them; standard input if there are none, or for -; at a terminal "
    what += "without any, pages are pasted"
    parser.add_argument("files", nargs="*", metavar="FILE|DIR", help=what)
    port = {"type": options.number("a port, 0 to 65535", 0, 65535), "default": 0}
    options.add(parser, _OPTIONS, model=[], port=port)
    return parser


@options.command(option_parser)
def main(args: argparse.Namespace) -> int:
    for name in ("starlette", "uvicorn"):
        if find_spec(name) is None:
            raise UsageError(f"{TOOL} needs {name}, which is not installed: pip install 'ncfilters[web]'")
    # start-up: --help does without the server
    from ..inspector.analysis import Analysis, Settings
    from ..inspector.collection import Collection

    files = args.files or ([] if sys.stdin.isatty() else ["-"])
    settings = Settings(model=args.model[0] if args.model else AUTO)
    with closing(Collection(files, options.max_record())) as collection:
        reading = collection.read()
        next(reading, None)
        analysis = Analysis(added=args.model)
        if args.export:
            return _export(args.export, analysis, collection, settings)
        _serve(args, collection, reading, analysis, settings)
    return 0


def _serve(
    args: argparse.Namespace, collection: Collection, reading: Iterator[int], analysis: Analysis, settings: Settings
) -> None:
    # start-up: as above
    from ..inspector import app
    from ..inspector.analysis import Analysis, in_thread, start
    from ..inspector.labels import LabelFile

    with closing(app.analysis_pool()) as pool:  # before there is another thread
        in_thread(lambda: list(reading))
        if len(collection) != 1 or not collection.is_complete:
            start(lambda: Analysis(added=args.model), collection, settings)
        labels = LabelFile(args.labels, [sys.executable, *TRAIN]) if args.labels else None
        site = app.Site(collection, analysis, settings, labels, pool=pool, max_body=options.max_record())
        listener = app.bind(args.port)
        address = app.address_of(listener)
        warn(TOOL, f"{address} (Ctrl+C ends it)")
        if args.open:
            import webbrowser  # start-up: only with this option

            webbrowser.open(address)
        app.serve(app.application(site), listener)


def _export(name: str, analysis: Analysis, collection: Collection, settings: Settings) -> int:
    """Writes the report on the first document, and returns the exit status."""
    from ..inspector.views import report  # start-up: as above

    if not len(collection):
        raise UsageError("--export: there is no document")
    try:
        html = report(analysis, "0", collection.record(0), settings)
    except RecordError as error:
        warn(TOOL, f"record 1: {error}")
        return 1
    with open(name, "w", encoding="utf-8") as file:
        file.write(html)
    return 0
