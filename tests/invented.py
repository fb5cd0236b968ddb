"""Invented pages with gold text, for whoever trains on some."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from ncfilters.dataset.labelled_pages import LabelledPage, fold_places, label_page

Page = dict[str, Any]

SUBJECTS = ["The committee", "A neighbour", "The old captain", "Her brother", "Every visitor", "The harbour master"]
VERBS = ["remembered", "described", "had forgotten", "walked along", "wrote about", "was looking for"]
OBJECTS = ["the bridge in winter", "a narrow road", "the first ferry", "some letters", "a quiet morning", "the market"]
MENU = [
    "Home", "Login", "Contact us", "Sitemap", "Subscribe now", "Share this", "Print page", "Related stories", "Next >>",
]  # fmt: skip


def sentence(rnd: random.Random) -> str:
    return f"{rnd.choice(SUBJECTS)} {rnd.choice(VERBS)} {rnd.choice(OBJECTS)}."


def page(number: int) -> Page:
    """A page of one of six sites."""
    rnd = random.Random(number)
    gold = [" ".join(sentence(rnd) for _ in range(rnd.randint(2, 5))) for _ in range(4)]
    before, after = (rnd.sample(MENU, 4) for _ in range(2))
    html = "".join(f"<div>{item}</div>" for item in before)
    html += "".join(f"<p>{text}</p>" for text in gold)
    html += "".join(f"<div>{item}</div>" for item in after)
    url = f"http://www.site{number % 6}.example/{number}"
    return {"id": f"page {number}", "url": url, "html": f"<body>{html}</body>", "gold": "\n\n".join(gold)}


PAGES = [page(number) for number in range(12)]
# Pages whose menus have sentences like those of their text.
MIXED = [
    {**page(n), "html": page(n)["html"] + "".join(f"<p>{text}</p>" for text in page(n + 50)["gold"].split("\n\n")[:2])}
    for n in range(18)
]
CHINESE: Page = {
    "html": "<div>首页</div><div>登录</div><div>联系我们</div>"
    "<p>大桥关闭，五月重新开放。市长说：我们在修。</p><div>版权声明</div>",
    "gold": "大桥关闭，五月重新开放。市长说：我们在修。",
}


def labelled(pages: list[Page]) -> list[LabelledPage]:
    """Pages as training material."""
    return [label_page(dict(some)) for some in pages]


def folds(pages: Sequence[LabelledPage], number: int, seed: int = 0) -> list[list[LabelledPage]]:
    """The pages of each fold."""
    return [[pages[place] for place in part] for part in fold_places([page.domain for page in pages], number, seed)]


def texts(some: list[tuple[str, float]]) -> list[str]:
    """Weighted texts without their weights."""
    return [text for text, _ in some]
