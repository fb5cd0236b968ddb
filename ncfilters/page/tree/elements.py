"""HTML elements and attributes that several modules of this package use.

"svg" in INVISIBLE    # True
"""

from __future__ import annotations

from ...native.element_names import ATTRIBUTES, DATA

# Elements whose content is invisible. <noscript> and <template shadowrootmode> are not included, because on some forums
# they contain whole threads.
INVISIBLE = "script style iframe noembed noframes svg canvas audio video datalist annotation annotation-xml".split()
# Elements without text.
TEXTLESS = "img picture source track map area embed link meta base".split()
# Attributes in which applications store the data of a page (see `hydration`).
DATA_ATTRIBUTES = tuple(name for name, bit in ATTRIBUTES.items() if bit == DATA)
