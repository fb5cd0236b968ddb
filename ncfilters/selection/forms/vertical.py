"""One token per line, for corpus managers (the Sketch Engine, the IMS Corpus Workbench).

vertical([{"text": "It rained.", "type": "p"}], {"id": "a"})    # '<doc id="a">\\n<p type="p">\\nIt\\nrained\\n.\\n…'
"""

from __future__ import annotations

from ...record import Record, runs_code
from ...text.tokens import tokens
from .lines import in_xml, xml_attribute, xml_text


def vertical(segments: list[Record], document: Record) -> str:
    """Each token on a line, in `<p>` for each segment and `<doc>` for each document."""
    names = [name for name in ("id", "url") if document.get(name) is not None]
    if runs_code(document.get("url")):
        names.remove("url")
    attributes = "".join(f' {name}="{xml_attribute(str(document[name]))}"' for name in names)
    out = [f"<doc{attributes}>"]
    for segment in segments:
        out.append(f'<p type="{segment["type"]}">')
        out += [xml_text(token) for token in tokens(in_xml(segment["text"]))]
        out.append("</p>")
    return "\n".join([*out, "</doc>"])
