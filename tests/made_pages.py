"""Pages of segments made at random: many scripts, odd paths, all categories."""

from __future__ import annotations

import random

from ncfilters.features.document import Head, ModelInput
from ncfilters.features.schema import CATEGORIES
from ncfilters.record import Segment

STEPS = [
    "div#main.post", "div.menu", "div#main", "ul", "li#menu-item-7.menu-item", "p", "nav#Über.ÄHNLICH", "", "a\nb",
    "pre",
]  # fmt: skip
WORDS = (
    "Home News the river went along Read more, 12 (see) über uns 我们 about. contact ÉTÉ ΣΟΦΟΣ İstanbul “Yes.” »No.«"
    " 。 はい。 Привет, мир! 👍 🏳️‍🌈 ٣ किताब। ไทย\0nul \x1c\x1d | - _a_ 4.5% $3 [edit] «да.» 한국어 ｆｕｌｌ ⓐ ẞ ǅ 𐐀𐐁"
).split(" ")


def segment(rnd: random.Random) -> Segment:
    text = "".join(
        rnd.choice(WORDS) + rnd.choice([" ", " ", " ", "", ". ", "  "]) for _ in range(rnd.choice([0, 1, 2, 9, 60]))
    )
    out: Segment = {"text": text.rstrip() if rnd.random() < 0.8 else text}
    if rnd.random() < 0.95:
        out["path"] = "/".join(rnd.choices(["body", *STEPS], k=rnd.randint(0, 7)))
    for field, names in CATEGORIES.items():
        if rnd.random() < 0.4:
            out[field] = rnd.choice([*names, "", "unknown", "meta:title", ":"])
    for flag in ("bold", "marker", "pre"):
        if rnd.random() < 0.1:
            out[flag] = True
    if rnd.random() < 0.8:
        out["links"] = rnd.choice([0, 0, 4, len(text), len(text) + 9, -3])
    return out


def document(seed: int) -> ModelInput:
    rnd = random.Random(seed)
    segments = [segment(rnd) for _ in range(rnd.choice([1, 2, 5, 40, 200]))]
    segments += rnd.choices(segments, k=rnd.choice([0, 0, 3]))
    title = " ".join(rnd.choices(WORDS, k=rnd.choice([0, 2, 6])))
    names = tuple(rnd.choices(["@no og", "@og:article", "@path blog", "@top org", "@ß"], k=rnd.randint(0, 4)))
    return ModelInput(segments, Head(title, " ".join(rnd.choices(WORDS, k=rnd.choice([0, 0, 12]))), names))
