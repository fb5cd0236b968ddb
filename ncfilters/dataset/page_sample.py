"""A sample of pages for a small model: at most so many, of complete sites, the same for everybody.

    training, rest = split_by_site(records, 50)

Registered domains are taken in the order of their SHA-256 digests, each if all its pages still fit. So no site is in
both parts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from ..record import Record
from .gold import domain

# Second-level domains below which sites register, as in .co.uk.
PUBLIC_SECOND_LEVEL = frozenset(("com", "net", "org", "gov", "edu", "co", "kiev", "city"))


def split_by_site(records: Sequence[Record], max_pages: int) -> tuple[list[Record], list[Record]]:
    """At most *max_pages* of the records, and the rest. The pages of a site follow one another."""
    sites: dict[str, list[Record]] = {}
    for record in records:
        sites.setdefault(registered_domain(domain(record)), []).append(record)
    chosen = _chosen_sites(sites, max_pages)
    parts: tuple[list[Record], list[Record]] = ([], [])
    for site, pages in sites.items():
        parts[site not in chosen].extend(pages)
    return parts


def registered_domain(host: str) -> str:
    """The registered domain, approximately: two labels, or three below suffixes such as .co.uk."""
    labels = host.split(".")
    return ".".join(labels[-3:] if len(labels) > 2 and labels[-2] in PUBLIC_SECOND_LEVEL else labels[-2:])


def _chosen_sites(sites: Mapping[str, Sequence[Record]], left: int) -> set[str]:
    out: set[str] = set()
    for site in sorted(sites, key=lambda site: hashlib.sha256(site.encode("utf-8", "replace")).hexdigest()):
        if len(sites[site]) <= left:
            out.add(site)
            left -= len(sites[site])
    return out
