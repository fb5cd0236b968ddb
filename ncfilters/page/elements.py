"""Tables of HTML elements and attributes that several modules of this package share.

"svg" in INVISIBLE    # True
"""

from __future__ import annotations

# Elements whose content no reader sees. <noscript> and <template shadowrootmode> are not among them: on some forums
# they hold whole threads.
INVISIBLE = "script style iframe noembed noframes svg canvas audio video datalist annotation annotation-xml".split()
# Elements without text.
TEXTLESS = "img picture source track map area embed link meta base".split()
# Attributes in which applications store the data of a page (see `hydration`).
DATA_ATTRIBUTES = ("data-page", "data-props", "data-react-props", "data-preloaded", "data-state")
