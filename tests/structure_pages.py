"""Invented pages with structure, and structure models trained on them."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import invented

from ncfilters.dataset.labelled_pages import label_page
from ncfilters.features.document import ModelInput
from ncfilters.scoring.structure.model import StructureModel
from ncfilters.segmentation import segmenter
from ncfilters.training.structure_trainer import StructureOptions, train_structure_model


def page(number: int) -> dict[str, Any]:
    """An article with a menu, or a list of links with a line above it, of one of eight sites."""
    rnd = random.Random(number)
    menu = "".join(f"<li><a href=/>{item}</a></li>" for item in rnd.sample(invented.MENU, 5))
    gold = [" ".join(invented.sentence(rnd) for _ in range(rnd.randint(2, 5))) for _ in range(1 if number % 2 else 5)]
    body = "".join(f"<p>{text}</p>" for text in gold)
    items = "".join(f"<li><a href=/>{invented.sentence(rnd)[:25]}</a></li>" for _ in range(12 if number % 2 else 0))
    html = f'<nav class="menu"><ul>{menu}</ul></nav><div class="post-body">{body}</div>'
    html += f'<ul class="teasers">{items}</ul><div id="footer">Copyright {number}</div>'
    return segmenter.segment_record({
        "url": f"http://www.site{number // 2 % 8}.example/{number}", "html": f"<body>{html}</body>",
        "gold": "\n\n".join(gold), "page_type": "listing" if number % 2 else "article",
    })  # fmt: skip


RECORDS = [page(number) for number in range(28)]
LABELLED = [label_page(dict(record), keep_record=True) for record in RECORDS]
# Pages that no model is trained on.
NEW = [ModelInput.of_record(page(number)) for number in range(100, 104)]
PLAIN_TEXT = ModelInput(
    segmenter.segment_record({"text": "The committee described a narrow road.\n\nHome\n\nLogin"})["segments"]
)


def train_small(*without: str, passes: int = 15, words: bool = True) -> StructureModel:
    """A model of RECORDS, with the names and phrases of three sites."""
    options = StructureOptions(words, passes=passes, without=without, min_name_sites=3, min_phrase_sites=3)
    return train_structure_model(LABELLED, options)


@cache
def small_model() -> StructureModel:
    """The model of RECORDS, trained once in a process. Tests do not change it."""
    return train_small()


def scores(model: Any, *documents: ModelInput) -> list[list[float]]:
    """The score of each segment."""
    return [evidence["score"] for evidence in model.evidence(documents)]
