"""The exact text of code in segments, where it differs from theirs.

clean_code(table)    # of the segment "make", which is all of its code, the code_text "make" goes
"""

from __future__ import annotations

from collections import Counter

from ..page.blocks.block_table import BlockTable
from .cleaning import clean_text


def clean_code(table: BlockTable) -> None:
    """Cleans the `code_text` of segments, and removes it where the code is one segment with this text."""
    with_code = [(text, fields) for text, fields in zip(table.text, table.extra) if fields and "code" in fields]
    sizes = Counter(fields["code"] for _, fields in with_code)
    for own, fields in with_code:
        if "code_text" in fields:
            text = fields["code_text"] = clean_text(fields["code_text"], keep_lines=True)
            if not text or text == own and sizes[fields["code"]] == 1:
                del fields["code_text"]
