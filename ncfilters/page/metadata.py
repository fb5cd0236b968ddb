"""What a page says of itself: in its head, in the record's field `head`, and in its address.

head_of_page(parse_html("<title>It rained</title><meta property=og:type content=article><p>It rained."))
# {'title': 'It rained', 'kinds': ['og:article']}
of_record({"url": "http://a.org/blog/1", "head": {"title": "It rained"}, "segments": []}).head.title    # 'It rained'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..record import Record

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

Segment = dict[str, Any]

# Characters of a title or description that are kept; kinds, and characters of one; characters of JSON-LD looked at.
LONGEST, MOST_KINDS, LONGEST_KIND, MOST_DATA = 300, 30, 40, 1 << 18
# Parts of an address that are looked at, and words of one: more are a title.
MOST_PARTS, MOST_WORDS, MOST_DEPTH = 8, 3, 5
_META = "meta[property][content], meta[name][content]"
_DATA = 'script[type*="ld+json" i]'
_TYPE = re.compile(r'"@type"\s*:\s*(\[[^\]]{,200}\]|"[^"]{,100}")')
_QUOTED, _KIND = re.compile(r'([A-Za-z]+)"'), re.compile(r"[A-Za-z]+")
# Kinds by the fields of the head that say them; those that only count as there.
_KINDS, _FLAGS = {"og": "og:type", "card": "twitter:card"}, {"author": "author", "published": "article:published_time"}
_LETTERS = re.compile(r"[a-z]+")
_NUMBER = re.compile(r"[0-9]{4}")


class Head(NamedTuple):
    """What is known of a page: its title and description, and *names* for what it is and where: `@og:article`."""

    title: str = ""
    description: str = ""
    names: tuple[str, ...] = ()


NOTHING = Head()


class Headed(list[Segment]):
    """The segments of a document, with the head of its page."""

    def __init__(self, segments: Iterable[Segment], head: Head = NOTHING) -> None:
        super().__init__(segments)
        self.head = head


def known(document: Sequence[Segment]) -> Head:
    """The head of a document's page, as far as it is known."""
    return document.head if isinstance(document, Headed) else NOTHING


def head_of_page(tree: LexborHTMLParser) -> Record:
    """The `title`, the `description` and the `kinds` of a page, those there are. Kinds are the types of Open Graph
    (`og:article`), JSON-LD (`ld:NewsArticle`) and microdata (`it:Article`), how it wants to be shown
    (`card:summary`), what made it (`generator:WordPress`), and whether it names an `author` and was `published`."""
    out: Record = {}
    if tree.head is None:
        return out
    said: dict[str, str] = {}
    for node in tree.head.css(_META):
        attributes = node.attributes
        name = (attributes.get("property") or attributes.get("name") or "").lower()
        if text := _collapsed(attributes.get("content")):
            said.setdefault(name, text)
    window = tree.head.css_first("title")
    # the title for other sites to show seldom names its own
    title = said.get("og:title") or _collapsed(window.text(deep=True) if window else None)
    description = said.get("description") or said.get("og:description")
    kinds = {f"{name}:{said[field].lower()[:LONGEST_KIND]}" for name, field in _KINDS.items() if field in said}
    kinds |= {name for name, field in _FLAGS.items() if field in said}
    if made := _KIND.match(said.get("generator", "")):
        kinds.add(f"generator:{made[0][:LONGEST_KIND]}")
    left = MOST_DATA
    for node in tree.css(_DATA):
        text = (node.text(deep=True) or "")[:left]
        left -= len(text)
        kinds.update(f"ld:{kind[:LONGEST_KIND]}" for found in _TYPE.findall(text) for kind in _QUOTED.findall(found))
    for node in tree.css("[itemtype]"):
        kind = (node.attributes.get("itemtype") or "").rstrip("/").rpartition("/")[2]
        if kind.isalpha():
            kinds.add(f"it:{kind[:LONGEST_KIND]}")
    for name, value in (
        ("title", title),
        ("description", description),
        ("kinds", sorted(kinds, key=_rank)[:MOST_KINDS]),
    ):
        if value:
            out[name] = value
    return out


def _rank(kind: str) -> tuple[bool, str]:
    """Where a kind stands: those of which a page may have many come last."""
    return kind.startswith(("it:", "ld:")), kind


def _collapsed(text: str | None) -> str:
    return " ".join((text or "")[: 10 * LONGEST].split())[:LONGEST]


def add_head(document: Record, found: Record) -> None:
    """Sets the record's `head`, if there is any; what somebody has found before stays."""
    if found:
        document.setdefault("head", found)


def of_record(document: Record) -> Headed:
    """The segments of a record, with its head. What is no string, or no list of strings, is not read."""
    said = document.get("head")
    if not isinstance(said, dict):
        said = {}
    title, description, url = said.get("title"), said.get("description"), document.get("url")
    kinds = said.get("kinds")
    names = _of_kinds(kinds if isinstance(kinds, list) else []) if said else []
    if isinstance(url, str):
        names += _of_address(url)
    head = Head(
        title[:LONGEST] if isinstance(title, str) else "",
        description[:LONGEST] if isinstance(description, str) else "",
        tuple(dict.fromkeys(names)),
    )
    return Headed(document["segments"], head)


def _of_kinds(kinds: Sequence[object]) -> list[str]:
    names = [f"@{kind.lower()}" for kind in kinds[:MOST_KINDS] if isinstance(kind, str)]
    # that a page does not say what it is says something, too
    return names + [f"@no {what}" for what in ("og", "ld") if not any(name.startswith(f"@{what}:") for name in names)]


def _of_address(url: str) -> list[str]:
    """The words of an address, how many parts its path has, and whether it has long numbers."""
    host, _, path = re.sub(r"^\w+://", "", url[:2000].lower()).partition("?")[0].partition("/")
    parts = [part for part in path.split("/") if part]
    site, _, top = host.rpartition(".")
    names = [f"@host {word}" for word in _LETTERS.findall(site) if len(word) > 2]
    names += [f"@top {top}"] if top.isalpha() else []
    for part in parts[:MOST_PARTS]:
        words = _LETTERS.findall(part)
        names += [f"@path {word}" for word in words] if len(words) <= MOST_WORDS else []
    if host:
        names.append(f"@depth {min(len(parts), MOST_DEPTH)}")
    if parts:
        names.append(f"@last {min(len(_LETTERS.findall(parts[-1])), 2 * MOST_WORDS)}")
    return [*names, "@number"] if _NUMBER.search(path) else names
