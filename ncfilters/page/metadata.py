"""What a page says of itself, in its head and in its data: the record's field `head`.

head_of_page(parse_html("<title>It rained</title><meta property=og:type content=article><p>It rained."))
# {'title': 'It rained', 'kinds': ['og:article']}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..record import Record

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# Characters of a title or description that are kept; kinds, and characters of one; characters of JSON-LD looked at.
MAX_TITLE_CHARS, MAX_KINDS, MAX_KIND_CHARS, MAX_DATA_CHARS = 300, 30, 40, 1 << 18
_META = "meta[property][content], meta[name][content]"
_DATA = 'script[type*="ld+json" i]'
_TYPE = re.compile(r'"@type"\s*:\s*(\[[^\]]{,200}\]|"[^"]{,100}")')
_QUOTED, _KIND = re.compile(r'([A-Za-z]+)"'), re.compile(r"[A-Za-z]+")
# Kinds by the fields of the head that say them; those that only count as there.
_KINDS, _FLAGS = {"og": "og:type", "card": "twitter:card"}, {"author": "author", "published": "article:published_time"}


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
    kinds = {f"{name}:{said[field].lower()[:MAX_KIND_CHARS]}" for name, field in _KINDS.items() if field in said}
    kinds |= {name for name, field in _FLAGS.items() if field in said}
    if made := _KIND.match(said.get("generator", "")):
        kinds.add(f"generator:{made[0][:MAX_KIND_CHARS]}")
    left = MAX_DATA_CHARS
    for node in tree.css(_DATA):
        text = (node.text(deep=True) or "")[:left]
        left -= len(text)
        kinds.update(f"ld:{kind[:MAX_KIND_CHARS]}" for found in _TYPE.findall(text) for kind in _QUOTED.findall(found))
    for node in tree.css("[itemtype]"):
        kind = (node.attributes.get("itemtype") or "").rstrip("/").rpartition("/")[2]
        if kind.isalpha():
            kinds.add(f"it:{kind[:MAX_KIND_CHARS]}")
    for name, value in (
        ("title", title),
        ("description", description),
        ("kinds", sorted(kinds, key=_rank)[:MAX_KINDS]),
    ):
        if value:
            out[name] = value
    return out


def _rank(kind: str) -> tuple[bool, str]:
    """Where a kind stands: those of which a page may have many come last."""
    return kind.startswith(("it:", "ld:")), kind


def _collapsed(text: str | None) -> str:
    return " ".join((text or "")[: 10 * MAX_TITLE_CHARS].split())[:MAX_TITLE_CHARS]


def add_head(document: Record, found: Record) -> None:
    """Sets the record's `head`, if there is any; what somebody has found before stays."""
    if found:
        document.setdefault("head", found)
