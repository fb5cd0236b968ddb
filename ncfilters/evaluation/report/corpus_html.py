"""A self-contained HTML page on a corpus: its counts in tables and plots.

    write(Statistics().facts(20), "corpus.html")

The page loads nothing and runs no script. Plots are images in it, which a browser saves as SVG. Names of sites
are escaped.
"""

from __future__ import annotations

import base64
from typing import Any

from markupsafe import Markup

from ...installed import __version__
from ...streams.output_file import write_whole
from . import html
from .corpus_plots import corpus_plots
from .corpus_tables import corpus_tables

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def corpus_page(facts: dict[str, Any]) -> str:
    """The page for `Statistics.facts`."""
    plots = [
        (caption, f"data:image/svg+xml;base64,{base64.b64encode(svg.encode('utf-8', 'replace')).decode()}")
        for caption, svg in corpus_plots(facts)
    ]
    return html.environment().get_template("corpus.html").render(
        title="Corpus",
        policy=_POLICY,
        style=Markup(html.template_source("report.css")),  # ours: needs no escaping
        tables=list(corpus_tables(facts)),
        plots=plots,
        signature=f"nc-corpus stats, ncfilters {__version__}",
    )  # fmt: skip


def write(facts: dict[str, Any], path: str) -> None:
    """Writes the page to a file. Raises OSError, and UsageError if it cannot be created."""
    write_whole(path, [corpus_page(facts).encode("utf-8", "replace")])
