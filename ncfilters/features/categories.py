"""What features are of: the categories of segments, the groups, the neighbours and the windows.

CATEGORIES["type"]    # ('p', 'h', 'l')

The module has no arrays, so that models can be described without numpy.
"""

from __future__ import annotations

# field → its categories. Any other value is OTHER; a missing field has no category.
OTHER = "other"
CATEGORIES: dict[str, tuple[str, ...]] = {
    "type": ("p", "h", "l"),
    "tag": tuple(
        "p div li td tr th h1 h2 h3 h4 h5 h6 span a dd dt blockquote pre figcaption figure caption section article "
        "main body header footer nav aside address form fieldset legend button label option textarea summary ul title "
        "noscript center".split()
    )
    + (OTHER,),
    "rule": (*"nav footer header dialog select widget links bars copyright wordless island".split(), OTHER),
    # the source of embedded content: the part before the colon
    "origin": (*"json-ld hydration shadow template srcdoc noscript meta".split(), OTHER),
    "hidden": ("display", "hidden", "aria", OTHER),
}
FLAGS = ("bold", "marker", "pre")
# field → the types it may have
READS: dict[str, tuple[type, ...]] = dict.fromkeys(("path", "tag", "type", "rule", "origin", "hidden"), (str,))
READS["links"] = (int,)
# Groups by an ancestor this many steps up.
STEPS_UP = range(5)
GROUP_KINDS = (*(f"up{steps}" for steps in STEPS_UP), "sig", "sig2")
# Distances of neighbours, in segments; the sizes of windows, whose means are taken on either side.
NEIGHBOUR_DISTANCES, WINDOW_SIZES, SIDES = (-2, -1, 1, 2), (3, 8, 20), ("before", "after")
