"""The address that a page declares, for pages whose own is not known.

declared_address(survey(table_of(parse_html('<link rel=canonical href="https://a.org/rain">').root)))
# 'https://a.org/rain'
"""

from __future__ import annotations

from ..tree.survey import Survey
from .meta_tags import OPEN_GRAPH_ADDRESS
from .statements import absolute_address


def declared_address(found: Survey) -> str | None:
    """The absolute address that the page with the survey *found* declares: its canonical one, or that of Open Graph;
    None if it declares none. A relative one is resolved by the base, which itself is often that of the site alone."""
    graph = [content for name, content in found.metas if (name or "").strip().lower() == OPEN_GRAPH_ADDRESS]
    if not found.canonicals and not graph:
        return None
    base = absolute_address(found.bases[0], "") if found.bases else ""
    addresses = (absolute_address(address, base) for address in (*found.canonicals, *graph) if address)
    return next(filter(None, addresses), None)
