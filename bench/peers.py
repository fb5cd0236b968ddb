"""Other programs that extract the text of pages, for comparison: those that are installed.

for name, texts in peer_texts(records):     # "trafilatura 2.0.0", ["The text of the first page.", …]
    print(name, len(texts))
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from bench.support import Record

# The names that the package justext has for the languages of the gold sets.
JUSTEXT_LANGUAGES = {"en": "English", "el": "Greek", "pl": "Polish", "ru": "Russian"}
# Without a stop list, no share of stop words is required.
NO_STOP_WORDS = {"stopwords_low": 0, "stopwords_high": 0}


def trafilatura(html: str, lang: str) -> str:
    """With comments and tables, as its documentation recommends."""
    from trafilatura import extract  # an optional dependency

    return extract(html, include_comments=True, include_tables=True, with_metadata=False) or ""


def justext_paragraphs(html: str, stop_words: frozenset[str]) -> list[tuple[str, bool]]:
    """The paragraphs of the package justext, and whether each is text."""
    import justext  # an optional dependency

    options = {} if stop_words else NO_STOP_WORDS
    paragraphs = justext.justext(html.encode(), stop_words, encoding="utf-8", **options)
    return [(paragraph.text, not paragraph.is_boilerplate) for paragraph in paragraphs]


def justext(html: str, lang: str) -> str:
    """With the package's stop list of the language."""
    from justext import get_stoplist  # an optional dependency

    name = JUSTEXT_LANGUAGES.get(lang)
    stop_words = frozenset(get_stoplist(name)) if name else frozenset()
    return "\n".join(text for text, is_text in justext_paragraphs(html, stop_words) if is_text)


def resiliparse(html: str, lang: str) -> str:
    """The main content."""
    from resiliparse.extract.html2text import extract_plain_text  # an optional dependency

    return str(extract_plain_text(html, main_content=True))


def readability(html: str, lang: str) -> str:
    """The text of the summary."""
    import lxml.html  # an optional dependency
    from readability import Document

    return str(lxml.html.fromstring(Document(html).summary()).text_content())


def turbohtml(html: str, lang: str) -> str:
    """The main text."""
    import turbohtml as library  # an optional dependency

    return library.parse(html).main_text() or ""


@dataclass(frozen=True)
class Peer:
    """Another extractor: its package, and a function of HTML and the language of the page that returns its text."""

    package: str
    extract: Callable[[str, str], str]

    @property
    def version(self) -> str | None:
        """The version of the package, None where it is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None


PEERS = {
    "trafilatura": Peer("trafilatura", trafilatura),
    "jusText": Peer("justext", justext),
    "Resiliparse": Peer("resiliparse", resiliparse),
    "readability": Peer("readability-lxml", readability),
    "turbohtml": Peer("turbohtml", turbohtml),
}


def missing_peers() -> list[str]:
    """The names of the peers that are not installed."""
    return [name for name, peer in PEERS.items() if peer.version is None]


def missing_note(others: Iterable[str] = ()) -> str:
    """A sentence that lists what is not installed (*others*, and peers); "" if nothing is missing."""
    missing = [*others, *missing_peers()]
    return f"Not installed, and left out: {', '.join(missing)}." if missing else ""


def installed_peers() -> Iterator[tuple[str, Peer]]:
    """Name and version, and the peer."""
    for name, peer in PEERS.items():
        if number := peer.version:
            yield f"{name} {number}", peer


def peer_texts(records: Sequence[Record], lang: str = "en") -> Iterator[tuple[str, list[str]]]:
    """Of each peer that is installed, its name and version, and the text of each page."""
    for name, peer in installed_peers():
        yield name, extract_texts(peer, ((record["html"], lang) for record in records))


def extract_texts(peer: Peer, pages: Iterable[tuple[str, str]]) -> list[str]:
    """The text of each page, given as HTML and language; "" where the peer fails."""
    with multiprocessing.Pool() as pool:
        return pool.map(partial(_extracted, peer.extract), pages, 8)


def _extracted(function: Callable[[str, str], str], page: tuple[str, str]) -> str:
    try:
        return function(*page)
    except Exception:  # a peer may raise any exception for a page that it cannot read
        return ""
