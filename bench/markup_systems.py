"""The systems whose markup is measured: ours, and those that are installed.

SYSTEMS["ours, Markdown"].elements({"html": "<h1>Rain</h1>", "url": "https://example.org/"}).headings
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from bench.markup_elements import Elements, elements_of_html, elements_of_markdown
from bench.support import Record

OURS = "ours, Markdown"


@dataclass(frozen=True)
class System:
    """A system: the package (ours has none), how it is called, and what it makes of a page."""

    package: str
    call: str
    output: Callable[[Record], str]
    is_html: bool = False

    @property
    def version(self) -> str | None:
        """The version of the package; "" for ours, None where it is not installed."""
        try:
            return version(self.package) if self.package else ""
        except PackageNotFoundError:
            return None

    def elements(self, page: Record) -> Elements:
        """The elements of its output; none where it fails."""
        try:
            text = self.output(page)
        except Exception:  # a system may raise any exception for a page that it cannot read
            text = ""
        return (elements_of_html if self.is_html else elements_of_markdown)(text, page["url"])


@cache
def _pipeline(form: str) -> Any:
    from ncfilters.pipeline import Pipeline  # the other systems do without

    return Pipeline(form=form, markup=True)


def _ours(form: str) -> Callable[[Record], str]:
    return lambda page: str(_pipeline(form).record(dict(page))["text"])


def _trafilatura(form: str) -> Callable[[Record], str]:
    def output(page: Record) -> str:
        from trafilatura import extract  # an optional dependency

        options = {"include_links": True, "include_images": True, "include_formatting": True, "include_tables": True}
        text = extract(page["html"], url=page["url"], output_format=form, include_comments=True, **options)
        return text or ""

    return output


def _resiliparse(page: Record) -> str:
    from resiliparse.extract.html2text import extract_plain_text  # an optional dependency

    options = {"preserve_formatting": "minimal_html", "main_content": True, "links": True, "alt_texts": True}
    return str(extract_plain_text(page["html"], **options))


def _readability(page: Record) -> str:
    from readability import Document  # an optional dependency

    document = Document(page["html"], url=page["url"])
    return f"<h1>{document.short_title()}</h1>{document.summary(html_partial=True)}"


TRAFILATURA_OPTIONS = "include_links, include_images, include_formatting, include_tables, include_comments, url"
SYSTEMS = {
    OURS: System("", "nc-segment --markup | nc-score | nc-select --as markdown", _ours("markdown")),
    "ours, HTML": System("", "nc-segment --markup | nc-score | nc-select --as html", _ours("html"), is_html=True),
    "trafilatura, Markdown": System(
        "trafilatura", f'output_format="markdown", {TRAFILATURA_OPTIONS}', _trafilatura("markdown")
    ),
    "trafilatura, HTML": System(
        "trafilatura", f'output_format="html", {TRAFILATURA_OPTIONS}', _trafilatura("html"), is_html=True
    ),
    "readability, HTML": System("readability-lxml", "h1 of short_title(), then summary()", _readability, is_html=True),
    "Resiliparse, HTML": System(
        "resiliparse",
        'main_content, preserve_formatting="minimal_html", links, alt_texts, list_bullets',
        _resiliparse,
        is_html=True,
    ),
}


def system_labels() -> dict[str, str]:
    """The systems that are installed: name with version → name."""
    return {
        f"{name} ({system.version})" if system.version else name: name
        for name, system in SYSTEMS.items()
        if system.version is not None
    }
